"""`--live` is another way to read: the answers are those that the same objects give as files."""

from __future__ import annotations

from typing import Any

import pytest

from tests.console_blocks import run
from tests.live.conftest import Ask, document
from tests.live.server import EXAMPLES, ApiServer


def decided(answer: Any) -> list[Any]:
    """What was decided of each pod."""
    keys = ("namespace", "name", "verdict", "node", "reason", "upstreamMessage", "claims", "message", "hints")
    return [{key: pod[key] for key in keys} for pod in answer["pods"]]


def without_places(answer: Any) -> Any:
    """The answer without files and lines, which a cluster does not have, and commands that name files."""
    if isinstance(answer, dict):
        places = ("source", "file", "line", "text", "command")
        return {key: without_places(one) for key, one in answer.items() if key not in places}
    return [without_places(one) for one in answer] if isinstance(answer, list) else answer


@pytest.mark.parametrize("command", ["plan", "explain"])
def test_every_pod_is_decided_alike(ask: Ask, command: str) -> None:
    files, _ = run(f"dravite {command} -f examples/cluster -f examples/jobs -o json", EXAMPLES.parent)
    live, code = ask(f"{command} --live -A -o json")
    assert code == 1
    assert without_places(decided(document(live))) == without_places(decided(document(files)))


def test_pools_are_those_of_the_files(ask: Ask) -> None:
    files, _ = run("dravite pools -f examples/cluster", EXAMPLES.parent)
    live, code = ask("pools --live")
    assert (live, code) == (files, 0)


def test_claims_are_those_of_the_files(ask: Ask) -> None:
    files, _ = run("dravite claims -f examples/cluster --now 2026-02-01T00:00:00Z -o json", EXAMPLES.parent)
    live, _ = ask("claims --live -A --now 2026-02-01T00:00:00Z -o json")
    assert document(live)["claims"] == document(files)["claims"]


def test_claims_that_are_elsewhere_are_told(ask: Ask) -> None:
    told, code = ask("claims --live -n default")
    assert "note: Namespace default has none; 2 claims are elsewhere: -A shows all.\n" in told
    assert code == 0


def test_nobody_is_blamed_for_the_version_that_a_server_was_asked_for(ask: Ask, api: ApiServer) -> None:
    api.version, api.versions["resource.k8s.io"] = "v1.33.1", "v1beta2"
    told, _ = ask("plan --live -o json")
    assert document(told)["problems"] == []
    assert {one.path.split("/")[3] for one in api.asked if one.resource == "resourceslices"} == {"v1beta2"}


def test_an_answer_needs_no_file_to_point_at(ask: Ask) -> None:
    told, code = ask("explain --live -n ml pod/train-big")
    assert code == 1
    assert told.startswith("ml/train-big cannot be scheduled: request gpu of template ml/four-big-gpus needs")
    assert ".yaml" not in told.split("a. ask for 3", 1)[0]


def test_without_a_namespace_the_one_of_the_context_is_asked_about(ask: Ask, api: ApiServer) -> None:
    api.add(
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": "other", "namespace": "vision"},
            "spec": {"containers": [{"name": "c", "image": "i"}]},
        }
    )
    here, _ = ask("plan --live -o json")
    assert {pod["namespace"] for pod in document(here)["pods"]} == {"ml"}
    there, _ = ask("plan --live -n vision -o json")
    assert [pod["name"] for pod in document(there)["pods"]] == ["other"]
    everywhere, _ = ask("plan --live -A -o json")
    assert {pod["namespace"] for pod in document(everywhere)["pods"]} == {"ml", "vision"}


def test_files_are_planned_on_top_of_what_runs(ask: Ask, api: ApiServer) -> None:
    big = next(pod for pod in api.objects["Pod"] if pod["metadata"]["name"] == "train-big")
    api.objects["Pod"].remove(big)
    told, code = ask("plan --live -f examples/jobs/train-big.yaml -o json")
    assert code == 1
    assert [pod["name"] for pod in document(told)["pods"]] == ["train-big"]


def test_a_file_that_is_applied_already_is_not_planned_twice(ask: Ask) -> None:
    told, _ = ask("plan --live -f examples/jobs/train.yaml -o json")
    assert [pod["name"] for pod in document(told)["pods"]] == ["train-0", "train-1"]


def test_the_next_step_asks_the_same_cluster(ask: Ask) -> None:
    told, _ = ask("plan --live --context test")
    assert "Try: dravite explain --live --kubeconfig " in told
    assert told.rstrip().endswith("--context test -n ml pod/train-big")


def test_only_what_a_command_needs_is_read(ask: Ask, api: ApiServer) -> None:
    ask("pools --live")
    listed = {one.resource for one in api.asked if one.path.count("/") > 2 and "limit" in one.query}
    assert listed == {"resourceslices", "resourceclaims", "devicetaintrules", "nodes"}
    assert [one.query["limit"] for one in api.lists("nodes")] == ["1"]
