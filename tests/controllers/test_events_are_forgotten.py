from __future__ import annotations

from dravite.controllers.expired_events import ExpiredEvents
from tests.clusters import release
from tests.controllers.servers import Plain, World


def told(name: str, **more: object) -> Plain:
    about = {"kind": "Pod", "namespace": "default", "name": "p"}
    return {"apiVersion": "v1", "kind": "Event", "metadata": {"name": name}, "involvedObject": about, **more}


def test_an_event_goes_an_hour_after_it_was_told_last():
    cluster = World(release(), lambda _: ExpiredEvents())
    cluster.apply(told("once"), told("often"))
    cluster.wait(1800)
    cluster.patch("Event", "often", {"count": 2, "lastTimestamp": "2026-01-03T00:30:00Z"})
    cluster.wait(1799)
    assert cluster.names("Event") == ["often", "once"]
    cluster.wait(1)
    assert cluster.names("Event") == ["often"]
    cluster.wait(1800)
    assert cluster.names("Event") == []


def test_a_series_goes_on_as_long_as_it_is_observed():
    cluster = World(release(), lambda _: ExpiredEvents())
    cluster.apply(told("series", eventTime="2026-01-03T00:00:00.000000Z"))
    cluster.wait(3000)
    series = {"count": 2, "lastObservedTime": "2026-01-03T00:50:00.000000Z"}
    cluster.patch("Event", "series", {"series": series})
    cluster.wait(3599)
    assert cluster.names("Event") == ["series"]
    cluster.wait(1)
    assert cluster.names("Event") == []
