"""Conditions and events that a pod has already are shown beside our own answer, with what they mean today."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from dravite.diagnosis.observations import Saying
from dravite.render.view.live import Now, ago, told
from tests.live.conftest import Ask, document
from tests.live.server import ApiServer

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
EXPLAIN = "explain --live -n ml pod/train-big"


def event(pod: str, message: str, reason: str = "FailedScheduling", **more: Any) -> dict[str, Any]:
    about = {"kind": "Pod", "namespace": "ml", "name": pod, "uid": f"pod-{pod}"}
    metadata = {"name": f"{pod}.{reason}", "namespace": "ml"}
    source = {"component": "default-scheduler"}
    return {
        "kind": "Event",
        "metadata": metadata,
        "involvedObject": about,
        "reason": reason,
        "message": message,
        "source": source,
        **more,
    }


def test_the_same_words_today_mean_that_nothing_has_changed(ask: Ask, api: ApiServer) -> None:
    now_said = document(ask(f"{EXPLAIN} -o json")[0])["pods"][0]["upstreamMessage"]
    api.add(event("train-big", now_said, lastTimestamp="2026-01-31T12:00:00Z", count=7))
    text, code = ask(EXPLAIN)
    assert (
        f" days ago (7 times): {now_said}\n  Since then nothing has changed that: it would say the same now.\n" in text
    )
    assert code == 1


def test_other_words_mean_that_the_cluster_has_changed(ask: Ask, api: ApiServer) -> None:
    old = "0/3 nodes are available: 3 cannot allocate all claims."
    api.add(event("train-big", old, lastTimestamp="2025-12-31T12:00:00Z"))
    (said,) = document(ask(f"{EXPLAIN} -o json")[0])["pods"][0]["said"]
    assert said["message"] == old
    assert said["speaker"] == "kube-scheduler"
    assert said["meaning"] == (
        "Since then the cluster has changed (4 nodes and 6 slices are new): now it would say what stands above."
    )


def test_a_condition_is_heard_without_any_event(ask: Ask, api: ApiServer) -> None:
    pod = next(one for one in api.objects["Pod"] if one["metadata"]["name"] == "train-big")
    condition = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/1 nodes"}
    pod["status"] = {"phase": "Pending", "conditions": [condition | {"lastTransitionTime": "2026-01-31T12:00:00Z"}]}
    (said,) = document(ask(f"{EXPLAIN} -o json")[0])["pods"][0]["said"]
    assert (said["source"], said["reason"], said["message"]) == ("condition", "Unschedulable", "0/1 nodes")


def test_our_own_words_are_not_said_twice(ask: Ask, api: ApiServer) -> None:
    api.add(event("train-big", "ml/train-big cannot be scheduled", "Explained", source={"component": "dravite"}))
    assert document(ask(f"{EXPLAIN} -o json")[0])["pods"][0]["said"] == []


def test_events_that_may_not_be_read_are_told(ask: Ask, api: ApiServer) -> None:
    api.forbidden = {"events"}
    notes = document(ask(f"{EXPLAIN} -o json")[0])["notes"]
    assert notes == ['Events of namespace ml cannot be read (events is forbidden: User "me" cannot list it).']


def test_events_are_asked_for_by_pod(ask: Ask, api: ApiServer) -> None:
    ask(EXPLAIN)
    (request,) = api.lists("events")
    assert request.path == "/api/v1/namespaces/ml/events"
    assert request.query["fieldSelector"].startswith("involvedObject.kind=Pod,involvedObject.name=train-big,")


def saying(speaker: str, reason: str, message: str = "words") -> Saying:
    return Saying(source="event", speaker=speaker, reason=reason, message=message, at="2026-03-01T11:57:00Z")


@pytest.mark.parametrize(
    ("one", "state", "meaning"),
    [
        (saying("kube-scheduler", "FailedScheduling"), "scheduled", "Since then the cluster has changed: now it fits."),
        (saying("kube-scheduler", "FailedScheduling"), "running", "Since then it got its node."),
        (saying("kubelet", "FailedPrepareDynamicResources"), "running", "The pod has its devices; their driver on"),
        (saying("cluster-autoscaler", "NotTriggerScaleUp"), "unschedulable", "No node that the cluster autoscaler"),
        (saying("kubelet", "Pulled"), "running", ""),
    ],
)
def test_every_saying_has_its_meaning(one: Saying, state: Any, meaning: str) -> None:
    made = told(one, state, None, Now(NOON))
    assert made.text == f"{one.speaker} said 3 minutes ago: words"
    assert made.meaning.startswith(meaning)
    assert bool(made.meaning) == bool(meaning)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "1 second ago"),
        (59, "59 seconds ago"),
        (60, "1 minute ago"),
        (7199, "119 minutes ago"),
        (7200, "2 hours ago"),
        (3 * 86400, "3 days ago"),
    ],
)
def test_ages_are_told_in_the_unit_that_fits(seconds: int, text: str) -> None:
    assert ago((NOON - timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z"), NOON) == text


def test_an_unknown_time_is_no_age() -> None:
    assert ago("", NOON) == "at some time"
