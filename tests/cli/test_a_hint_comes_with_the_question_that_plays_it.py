"""Beside a remedy that `what-if` can play stands its command; it is copied and run here."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from tests.console_blocks import run

ROOT = Path(__file__).parents[2]
INPUTS = "-f examples/cluster -f examples/jobs"


def test_the_command_gives_the_answer_that_the_hint_promises() -> None:
    told, _ = run(f"dravite explain {INPUTS} -n ml pod/train-big -o json", ROOT)
    (pod,) = json.loads(told)["pods"]
    ask_for_less, end_pod = pod["hints"]
    assert ask_for_less["command"] is None
    assert shlex.split(end_pod["command"])[-2:] == ["--without", "pod/vision/render-0"]
    answer, code = run(end_pod["command"], ROOT)
    assert answer.startswith("Yes: ml/train-big runs on gpu-02 with gpu-0, gpu-1, gpu-2, gpu-3.\n")
    assert code == 0


def test_it_asks_with_the_same_flags(tmp_path: Path) -> None:
    told, _ = run(f"dravite explain {INPUTS} --kubernetes 1.36 --seed 3 -n ml pod/train-big -o json", ROOT)
    words = shlex.split(json.loads(told)["pods"][0]["hints"][1]["command"])
    assert words[:6] == ["dravite", "what-if", "-f", "examples/cluster", "-f", "examples/jobs"]
    assert {"--kubernetes", "1.36", "--seed", "3"} <= set(words)


def one_node(folder: Path, *, cordoned: str) -> Path:
    cluster = folder / "cluster.yaml"
    cluster.write_text(
        f"{{apiVersion: v1, kind: Node, metadata: {{name: n-1}}, spec: {{unschedulable: {cordoned}}},"
        ' status: {allocatable: {cpu: "4", pods: "9"}}}\n---\n'
        "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, image: i}]}}\n"
    )
    return cluster


def test_a_cordoned_node_is_uncordoned_in_a_question(tmp_path: Path) -> None:
    cluster = one_node(tmp_path, cordoned="true")
    told, _ = run(f"dravite explain -f {cluster} pod/p -o json", ROOT)
    (hint,) = json.loads(told)["pods"][0]["hints"]
    assert hint["text"] == "uncordon node n-1: then it runs on n-1"
    answer, code = run(hint["command"], ROOT)
    assert (answer.splitlines()[0], code) == ("Yes: default/p runs on n-1.", 0)


@pytest.mark.parametrize(("cordoned", "hints"), [("true", 1), ("false", 0)])
def test_no_question_is_answered_with_the_advice_not_to_ask_it(cordoned: str, hints: int, tmp_path: Path) -> None:
    cluster = one_node(tmp_path, cordoned=cordoned)
    answer, code = run(f"dravite what-if -f {cluster} pod/p --drain n-1", ROOT)
    assert (answer.count("uncordon"), code) == (hints, 1)


def test_a_pod_that_its_controller_makes_again_has_none(tmp_path: Path) -> None:
    text = (ROOT / "examples/cluster/running.yaml").read_text()
    owner = "{apiVersion: apps/v1, kind: StatefulSet, name: render, uid: u, controller: true}"
    owned = text.replace(
        "  name: render-0\n  namespace: vision\n",
        f"  name: render-0\n  namespace: vision\n  ownerReferences: [{owner}]\n",
    )
    cluster = tmp_path / "running.yaml"
    cluster.write_text(owned)
    others = " ".join(f"-f {ROOT}/examples/cluster/{name}.yaml" for name in ("classes", "nodes", "slices"))
    told, _ = run(f"dravite explain {others} -f {cluster} -f {ROOT}/examples/jobs -n ml pod/train-big -o json", ROOT)
    hints = json.loads(told)["pods"][0]["hints"]
    assert len(hints) > 1
    assert [hint["command"] for hint in hints] == [None] * len(hints)
