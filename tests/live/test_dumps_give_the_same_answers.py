"""`snapshot --live` saves what a later `-f` needs, and nothing that should not leave the cluster."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from dravite.api.documents import split
from dravite.api.gates import RELEASES
from dravite.api.releases import Profile
from dravite.cli.control_plane import control_plane, set_apart
from dravite.cli.live_dump import written
from dravite.planning.settings import planned_profile
from tests.console_blocks import run
from tests.live.conftest import Ask, document
from tests.live.server import ApiServer

SECRET = "hunter2"  # noqa: S105 (it opens nothing)


def decided(answer: Any) -> list[Any]:
    """What a plan says of each pod, without names."""
    return [(pod["verdict"], pod["upstreamMessage"], devices(pod)) for pod in answer["pods"]]


def devices(pod: Any) -> list[Any]:
    allocations = [claim["allocation"] for claim in pod["claims"] if claim["allocation"]]
    return [(one["request"], one["device"]) for found in allocations for one in found["devices"]["results"]]


@pytest.mark.parametrize("flag", ["", "--anonymize"])
def test_a_dump_is_answered_like_the_cluster(ask: Ask, api: ApiServer, tmp_path: Path, flag: str) -> None:
    api.version, api.gates = "v1.36.2", {"DRAConsumableCapacity": False, "DynamicResourceAllocation": True}
    live, _ = ask("plan --live -A -o json")
    dump, code = ask(f"snapshot --live {flag}")
    assert code == 0
    (tmp_path / "case.yaml").write_text(dump)
    later, _ = run("dravite plan -f case.yaml -o json", tmp_path)
    assert decided(document(later)) == decided(document(live))
    assert document(later)["problems"] == []


def test_a_dump_knows_its_control_plane(ask: Ask, api: ApiServer) -> None:
    api.version, api.gates = "v1.36.2", {"DRAConsumableCapacity": False}
    first = next(yaml.safe_load_all(ask("snapshot --live")[0]))
    assert first["kind"] == "ControlPlane"
    assert first["spec"]["release"] == "1.36"
    assert first["spec"]["featureGates"]["DRAConsumableCapacity"] is False


@pytest.mark.parametrize("release", RELEASES)
def test_what_a_dump_says_of_its_control_plane_is_read_as_the_same(release: str) -> None:
    told = ("", "AllAlpha=true,AllBeta=true", "AllBeta=false", "DRADeviceTaints=true", "GenericWorkload=true")
    known = [found for gates in told if isinstance(found := planned_profile(release, gates), Profile)]
    assert len(known) >= 3
    for profile in known:
        dump = split("case.yaml", yaml.safe_dump(control_plane(profile)).encode())
        _, release_said, gates_said = set_apart(dump)
        assert planned_profile(release_said, gates_said) == profile


def test_a_gate_that_goes_with_another_does_not_spoil_a_question(tmp_path: Path) -> None:
    (tmp_path / "node.yaml").write_text("apiVersion: v1\nkind: Node\nmetadata: {name: cpu-01}\n")
    question = "--feature-gates GenericWorkload=true --to-feature-gates DRANodeAllocatableResources=true"
    assert run(f"dravite what-if -f node.yaml {question}", tmp_path)[1] == 0


def test_flags_say_more_than_the_dump(ask: Ask, api: ApiServer, tmp_path: Path) -> None:
    api.version = "v1.35.0"
    (tmp_path / "case.yaml").write_text(ask("snapshot --live")[0])
    told, code = run("dravite plan -f case.yaml --feature-gates Nonsense=true", tmp_path)
    assert "unrecognized feature gate: Nonsense" in told
    assert code == 2
    assert run("dravite pools -f case.yaml --kubernetes 1.37", tmp_path)[1] == 0


def test_secrets_never_enter_a_dump(ask: Ask, api: ApiServer) -> None:
    hiding: dict[str, Any] = {
        "env": [{"name": "PASSWORD", "value": SECRET}],
        "args": [SECRET],
        "command": ["sh", "-c", SECRET],
        "livenessProbe": {"exec": {"command": [SECRET]}},
    }
    for kind in ("Pod", "Job"):
        for one in api.objects[kind]:
            spec = one["spec"] if kind == "Pod" else one["spec"]["template"]["spec"]
            spec["containers"][0] |= hiding
            spec["volumes"] = [{"name": SECRET, "secret": {"secretName": SECRET}}]
            spec["imagePullSecrets"] = [{"name": SECRET}]
            one["metadata"]["annotations"] = {"kubectl.kubernetes.io/last-applied-configuration": SECRET, "x": SECRET}
    for flag in ("", "--anonymize"):
        assert SECRET not in ask(f"snapshot --live {flag}")[0]
    assert "secrets" not in {one.resource for one in api.asked}


def test_names_do_not_leave_an_anonymous_dump(ask: Ask) -> None:
    dump, _ = ask("snapshot --live --anonymize")
    for name in ("gpu-01", "notebook", "render", "vision", "train-big"):
        assert name not in dump


def test_an_incomplete_dump_says_so(ask: Ask, api: ApiServer) -> None:
    api.forbidden = {"pods"}
    told, code = ask("snapshot --live")
    assert "note: pods are not yours to list" in told
    assert code == 1


def test_a_large_dump_is_json_and_reads_as_yaml() -> None:
    objects = [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n" * 1000}} for _ in range(1100)]
    text = written(objects)
    assert text.count("\n") == len(objects) + 2
    assert json.loads(text)["items"] == objects


def test_files_go_into_the_dump_on_top(ask: Ask, api: ApiServer, tmp_path: Path) -> None:
    (tmp_path / "more.yaml").write_text("apiVersion: v1\nkind: Node\nmetadata: {name: new-node}\n")
    dump, code = ask(f"snapshot --live {tmp_path / 'more.yaml'}")
    assert "name: new-node" in dump
    assert code == 0
