"""Beside a remedy that `what-if` can play stands its command; it is copied and run here."""

from __future__ import annotations

import json
import shlex
from itertools import pairwise
from pathlib import Path

import pytest

from tests.console_blocks import run

ROOT = Path(__file__).parents[2]
INPUTS = "-f examples/cluster -f examples/jobs"


def test_the_command_gives_the_answer_that_the_hint_promises() -> None:
    told, _ = run(f"dravite explain {INPUTS} -n ml pod/train-big -o json", ROOT)
    (pod,) = json.loads(told)["pods"]
    ask_for_less, end_pod = pod["hints"]
    less = "resourceclaimtemplate/ml/four-big-gpus:spec.spec.devices.requests[0].exactly.count=3"
    assert shlex.split(ask_for_less["command"])[-2:] == ["--set", less]
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
    (end_pod,) = [hint for hint in hints if hint["text"].startswith("end pod")]
    assert end_pod["command"] is None


PLAIN = """
apiVersion: v1
kind: Node
metadata: {name: n-1, labels: {kubernetes.io/hostname: n-1, pool: web}}
spec: {taints: [{key: dedicated, value: "true", effect: NoSchedule}]}
status: {allocatable: {cpu: "4", pods: "9"}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      SPEC
      containers:
      - name: main
        image: web:1
        resources: {requests: {cpu: CPU}}
"""
TOLERATES = "tolerations: [{key: dedicated, operator: Exists}]"
TEMPLATE = "deployment/shop/web:spec.template.spec"


@pytest.mark.parametrize(
    ("spec", "cpu", "settings"),
    [
        ("", "1", ['.tolerations=[{key: dedicated, operator: Equal, value: "true", effect: NoSchedule}]']),
        (
            "tolerations: [{key: a}]",
            "1",
            ['.tolerations[1]={key: dedicated, operator: Equal, value: "true", effect: NoSchedule}'],
        ),
        (TOLERATES, "6", ['.containers[0].resources.requests.cpu="4"']),
        (f"{TOLERATES}\n      nodeSelector: {{pool: wep}}", "1", [".nodeSelector.pool=web"]),
        (f"{TOLERATES}\n      schedulingGates: [{{name: a.b/c}}]", "1", [".schedulingGates=null"]),
        (
            "tolerations: []",
            "6",
            [
                '.tolerations[0]={key: dedicated, operator: Equal, value: "true", effect: NoSchedule}',
                '.containers[0].resources.requests.cpu="4"',
            ],
        ),
    ],
)
def test_fields_are_set_where_they_were_written(spec: str, cpu: str, settings: list[str], tmp_path: Path) -> None:
    cluster = tmp_path / "cluster.yaml"
    cluster.write_text(PLAIN.replace("SPEC", spec).replace("CPU", f'"{cpu}"'))
    told, _ = run(f"dravite explain -f {cluster} -n shop deploy/web -o json", ROOT)
    hint = json.loads(told)["pods"][0]["hints"][0]
    words = shlex.split(hint["command"])
    assert [word for before, word in pairwise(words) if before == "--set"] == [f"{TEMPLATE}{one}" for one in settings]
    answer, code = run(hint["command"], ROOT)
    assert (answer.splitlines()[0], code) == ("Yes: shop/web-0 runs on n-1.", 0)


def test_what_was_written_in_an_older_form_is_not_set(tmp_path: Path) -> None:
    texts = [(ROOT / f"examples/cluster/{name}.yaml").read_text() for name in ("classes", "nodes", "slices", "running")]
    (tmp_path / "cluster.yaml").write_text("\n---\n".join(texts))
    (tmp_path / "old.yaml").write_text(
        "{apiVersion: resource.k8s.io/v1beta1, kind: ResourceClaim, metadata: {name: many, namespace: ml}, spec:"
        " {devices: {requests: [{name: gpu, deviceClassName: gpu.example.com, count: 9}]}}}\n---\n"
        "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: ml}, spec: {containers: [{name: c, image: i}],"
        " resourceClaims: [{name: gpus, resourceClaimName: many}]}}\n"
    )
    told, _ = run(f"dravite explain -f {tmp_path} -n ml pod/p -o json", ROOT)
    hint = json.loads(told)["pods"][0]["hints"][0]
    assert hint["text"].startswith("ask for ")
    assert hint["command"] is None
