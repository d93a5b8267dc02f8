"""`--live` on `dravite serve`: the answer is that of files, its scheduler does what was foretold, and says it in words
that are recognized.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx2
import pytest

from dravite.apiserver import Settings
from dravite.embedded import ControlPlane, Habits, Place, Running, Work
from dravite.embedded.loading import load
from dravite.sources import read
from tests.console_blocks import run
from tests.live.server import EXAMPLES, PLURALS, examples

SECONDS = 20
Placed = list[tuple[str | None, list[str]]]


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Running]:
    """The example cluster without its jobs, where pods run as soon as they have their node."""
    place = Place(kubeconfig=tmp_path / "kubeconfig", plain=True)
    plane = ControlPlane(place, Settings(), Work(kubelets=Habits()))
    assert not list(load(plane.server, read([str(EXAMPLES / "cluster")]), "default"))
    with Running(plane) as running:
        yield running


def foretold(line: str, serving: Running) -> Placed:
    """Nodes and devices of the pods in a plan."""
    told, _ = run(f"dravite plan {line} -f examples/jobs -o json", EXAMPLES.parent, str(serving.kubeconfig))
    pods = json.loads(told)["pods"]
    return in_order((pod["node"], [one["allocation"] for one in pod["claims"]]) for pod in pods)


def in_order(found: Any) -> Placed:
    return sorted(((node, sorted(devices_of(allocations))) for node, allocations in found), key=str)


def devices_of(allocations: list[Any]) -> list[str]:
    results = [one for allocation in allocations if allocation for one in allocation["devices"]["results"]]
    return [f"{one['request']} {one['pool']}/{one['device']}" for one in results]


def create(serving: Running, one: Mapping[str, Any]) -> None:
    group, plural, _ = PLURALS[one["kind"]]
    root = f"/apis/{one['apiVersion']}" if group else "/api/v1"
    answer = httpx2.post(f"{serving.url}{root}/namespaces/{one['metadata']['namespace']}/{plural}", json=one)
    assert answer.is_success, answer.text


def decided(serving: Running, names: tuple[str, ...]) -> list[Any]:
    """The pods whose names begin so, as soon as each has a node or a reason why not."""
    found: dict[str, Any] = {}
    query = f"watch=true&timeoutSeconds={SECONDS}"
    with httpx2.stream("GET", f"{serving.url}/api/v1/pods?{query}", timeout=2 * SECONDS) as lines:
        for line in lines.iter_lines():
            pod = json.loads(line)["object"]
            if pod["metadata"]["name"].startswith(names):
                found[pod["metadata"]["name"]] = pod
            if len(found) == len(names) and all(map(is_decided, found.values())):
                return list(found.values())
    raise AssertionError(found)


def is_decided(pod: Any) -> bool:
    conditions = pod["status"].get("conditions", ())
    return "nodeName" in pod["spec"] or any(one["type"] == "PodScheduled" for one in conditions)


def happened(serving: Running) -> Placed:
    """Nodes and devices of the pods of the jobs."""
    pods = decided(serving, ("eval", "train-0", "train-1", "train-big"))
    claims = httpx2.get(f"{serving.url}/apis/resource.k8s.io/v1/resourceclaims").json()["items"]
    held = {one["metadata"]["name"]: one.get("status", {}).get("allocation") for one in claims}

    def allocations(pod: Any) -> list[Any]:
        return [held[one["resourceClaimName"]] for one in pod["status"].get("resourceClaimStatuses", ())]

    return in_order((pod["spec"].get("nodeName"), allocations(pod)) for pod in pods)


def test_its_scheduler_does_what_was_foretold(serving: Running) -> None:
    live = foretold("--live -A", serving)
    assert live == foretold("-f examples/cluster", serving)
    for one in examples("jobs"):
        create(serving, one)
    assert happened(serving) == live


def test_what_it_says_of_a_pod_is_recognized(serving: Running) -> None:
    for one in examples("jobs"):
        create(serving, one)
    happened(serving)
    line = "dravite explain --live -n ml pod/train-big -o json"
    (pod,) = json.loads(run(line, EXAMPLES.parent, str(serving.kubeconfig))[0])["pods"]
    (said,) = pod["said"]
    assert (said["speaker"], said["message"]) == ("kube-scheduler", pod["upstreamMessage"])
    assert said["meaning"] == "Since then nothing has changed that: it would say the same now."


def test_its_gates_are_read(serving: Running) -> None:
    told, _ = run("dravite plan --live -A -o json", EXAMPLES.parent, str(serving.kubeconfig))
    assert json.loads(told)["notes"] == []
