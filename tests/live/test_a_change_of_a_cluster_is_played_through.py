"""`what-if --live`: the running cluster is what is there, and nothing in it is touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.console_blocks import run
from tests.live.conftest import Ask, document
from tests.live.server import EXAMPLES, ApiServer

FILES = f"-f {EXAMPLES}/cluster -f {EXAMPLES}/jobs"


@pytest.mark.parametrize(
    "change",
    [
        "-n ml pod/train-big --without pod/vision/render-0",
        "--drain gpu-01",
        "--taint-device gpu.example.com/gpu-01/gpu-0",
        "-n ml --set job/train:spec.parallelism=1 --set job/train:spec.completions=1",
        "--without node/gpu-03 --add-nodes gpu-02=2",
        "--without namespace/ml",
    ],
)
def test_a_cluster_answers_as_its_files_do(ask: Ask, api: ApiServer, change: str) -> None:
    told, code = ask(f"what-if --live -A {change} -o json")
    files, same = run(f"dravite what-if {FILES} {change} -o json", EXAMPLES.parent)
    assert (document(told)["pods"], document(told)["message"]) == (document(files)["pods"], document(files)["message"])
    assert code == same
    assert {one.method for one in api.asked} <= {"GET", "POST"}, "POST asks who one is and what one may"


def test_what_is_applied_again_changes_nothing_and_is_no_fault(ask: Ask) -> None:
    told, code = ask(f"what-if --live -A --with {EXAMPLES}/jobs -o json")
    assert (document(told)["message"], document(told)["problems"], code) == ("Nothing changes.", [], 1)


def test_files_are_planned_on_top_before_anything_changes(ask: Ask, tmp_path: Path) -> None:
    extra = tmp_path / "pod.yaml"
    extra.write_text(
        "{apiVersion: v1, kind: Pod, metadata: {name: more, namespace: ml},"
        " spec: {containers: [{name: c, image: c:1}], nodeSelector: {kubernetes.io/hostname: cpu-01}}}"
    )
    told, _ = ask(f"what-if --live -A -f {extra} --cordon cpu-01 -o json")
    becomes = {one["name"]: one["becomes"] for one in document(told)["pods"]}
    assert becomes["more"] == "unplaced"
