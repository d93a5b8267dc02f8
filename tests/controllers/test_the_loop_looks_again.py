"""The loop: who is looked at, what a refusal leads to, and how often the same news is written."""

from __future__ import annotations

from collections.abc import Iterable

from dravite.api.releases import newest_profile
from dravite.controllers.client import Call
from dravite.controllers.commands import Patch
from dravite.controllers.happenings import Tell
from dravite.controllers.runner import NOTHING, Key, News, Outcome
from dravite.controllers.view import Item, View
from tests.controllers.servers import World

MAP = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "m"}, "data": {"n": "0"}}


class Counting:
    """Writes into every ConfigMap how often it was looked at, as long as it says to; it may come too late."""

    name = "counting"

    def __init__(self, until: int, *, stale: int = 0) -> None:
        self.until, self.stale, self.looks = until, stale, 0

    def keys(self, news: News, view: View) -> Iterable[Key]:
        if news.resource.kind == "ConfigMap":
            yield news.item.key

    def reconcile(self, key: Key, view: View, now: float) -> Outcome:
        item = view.get("ConfigMap", key[0], key[1])
        if item is None or int(item.plain["data"]["n"]) >= self.until:
            return NOTHING
        self.looks += 1
        patch = {"data": {"n": str(int(item.plain["data"]["n"]) + 1)}}
        revision = item.revision - 1 if self.looks <= self.stale else item.revision
        return Outcome((Patch(item.resource, item.namespace, item.name, patch, "", revision),))


class Telling:
    """Says the same of a ConfigMap at every look, and looks again after so many seconds."""

    name = "telling"

    def __init__(self, every: float, action: str = "") -> None:
        self.every, self.action = every, action

    def keys(self, news: News, view: View) -> Iterable[Key]:
        if news.resource.kind == "ConfigMap":
            yield news.item.key

    def reconcile(self, key: Key, view: View, now: float) -> Outcome:
        item = view.get("ConfigMap", key[0], key[1])
        assert isinstance(item, Item)
        said = Tell(about=item, reason="Said", message="it is there", component="telling", action=self.action)
        return Outcome((said,), now + self.every)


def number(there: World) -> int:
    found = there.get("ConfigMap", "m")
    assert found is not None
    return int(found["data"]["n"])


def test_a_controller_is_called_until_nothing_is_to_be_done() -> None:
    counting = Counting(3)
    there = World(newest_profile(), lambda _: counting)
    there.apply(MAP)
    assert (number(there), counting.looks) == (3, 3)


def test_who_comes_too_late_looks_again_at_once_and_then_after_longer_and_longer() -> None:
    counting = Counting(1, stale=3)
    there = World(newest_profile(), lambda _: counting)
    there.apply(MAP)
    assert (number(there), counting.looks) == (0, 2)
    there.wait(1.9)
    assert counting.looks == 2
    there.wait(0.1)
    assert counting.looks == 3
    there.wait(4)
    assert (number(there), counting.looks) == (1, 4)


def test_what_somebody_else_writes_is_news_too() -> None:
    counting = Counting(2)
    there = World(newest_profile(), lambda _: counting)
    there.apply(MAP)
    there.patch("ConfigMap", "m", {"data": {"n": "0"}})
    assert (number(there), counting.looks) == (2, 4)
    there.client.ask(Call(method="DELETE", path="/api/v1/namespaces/default/configmaps/m", body={}))
    there.settle()
    assert there.get("ConfigMap", "m") is None


def test_the_same_news_counts_up_one_event_for_ten_minutes() -> None:
    there = World(newest_profile(), lambda _: Telling(100))
    there.apply(MAP)
    there.wait(300)
    (event,) = there.all("Event")
    assert (event["reason"], event["count"], event["source"]["component"]) == ("Said", 4, "telling")
    assert event["firstTimestamp"] < event["lastTimestamp"]


def test_an_event_with_an_action_is_of_the_newer_kind_and_has_a_series() -> None:
    there = World(newest_profile(), lambda _: Telling(100, "Saying"))
    there.apply(MAP)
    there.wait(100)
    (event,) = there.all("Event")
    assert (event["action"], event["reportingComponent"], event["series"]["count"]) == ("Saying", "telling", 2)


def test_after_ten_minutes_it_is_another_event() -> None:
    there = World(newest_profile(), lambda _: Telling(700))
    there.apply(MAP)
    there.wait(700)
    assert len(there.all("Event")) == 2
