"""A pod takes the overhead and the node selection of its RuntimeClass, as an API server stores it."""

from __future__ import annotations

from dravite.admission.admit import admit
from dravite.api.documents import split
from dravite.api.quantity import Quantity
from dravite.api.releases import Profile, profile
from dravite.snapshot.manifests import Manifests

RUNTIME = """\
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: vm}
handler: vm
overhead: {podFixed: {cpu: 500m}}
scheduling:
  nodeSelector: {virtual: "yes"}
  tolerations: [{key: vm, operator: Exists}]
"""


def pod(extra: str) -> str:
    return (
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n"
        f"spec: {{runtimeClassName: vm, containers: [{{name: c, image: i}}]{extra}}}\n"
    )


def admitted(*texts: str) -> Manifests:
    stock = profile()
    assert isinstance(stock, Profile)
    files = (split(f"{number}.yaml", text.encode()) for number, text in enumerate(texts))
    return admit([document for file in files for document in file], stock)


def test_overhead_node_selector_and_tolerations_come_from_the_class() -> None:
    (planned,) = admitted(RUNTIME, pod(", nodeSelector: {disk: ssd}")).pods
    assert planned.pod.spec.overhead == {"cpu": Quantity.parse("500m")}
    assert planned.pod.spec.node_selector == {"disk": "ssd", "virtual": "yes"}
    assert planned.pod.spec.tolerations[-1].key == "vm"


def test_a_class_that_is_not_in_the_input_is_told_and_the_pod_planned() -> None:
    manifests = admitted(pod(""))
    assert len(manifests.pods) == 1
    assert [(p.severity, p.type, p.field) for p in manifests.problems] == [
        ("info", "runtime-class-unknown", "spec.runtimeClassName")
    ]


def test_what_contradicts_the_class_is_refused() -> None:
    for extra in (", overhead: {cpu: 1}", ", nodeSelector: {virtual: never}"):
        manifests = admitted(RUNTIME, pod(extra))
        assert not manifests.pods
        assert [(p.severity, p.type) for p in manifests.problems] == [("error", "Forbidden")]


def test_a_bound_pod_has_been_admitted_already() -> None:
    (planned,) = admitted(RUNTIME, pod(", nodeName: n1")).pods
    assert not planned.pod.spec.overhead
