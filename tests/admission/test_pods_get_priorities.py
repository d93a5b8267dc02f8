"""The Priority plugin: texts as observed on kube-apiserver 1.37.2."""

from __future__ import annotations

from tests.admission.test_objects_become_manifests import POD, admitted

CLASS = "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {{name: {name}}}\nvalue: {value}\n"


def with_spec(line: str) -> str:
    return POD.replace("spec:\n", f"spec:\n  {line}\n")


def test_a_class_gives_its_number_and_policy() -> None:
    high = CLASS.format(name="high", value=1000) + "preemptionPolicy: Never\n"
    spec = admitted(high, with_spec("priorityClassName: high")).pods[0].pod.spec
    assert (spec.priority, spec.preemption_policy) == (1000, "Never")


def test_without_a_class_the_default_one_counts_and_of_several_the_lowest() -> None:
    default = CLASS.format(name="a", value=7) + "globalDefault: true\n"
    lower = CLASS.format(name="b", value=3) + "globalDefault: true\n"
    spec = admitted(default, lower, POD).pods[0].pod.spec
    assert (spec.priority, spec.priority_class_name) == (3, "b")
    assert admitted(POD).pods[0].pod.spec.priority == 0


def test_the_system_classes_are_always_there() -> None:
    assert admitted(with_spec("priorityClassName: system-node-critical")).pods[0].pod.spec.priority == 2_000_001_000


def test_an_unknown_class_is_refused() -> None:
    manifests = admitted(CLASS.format(name="important", value=5), with_spec("priorityClassName: importent"))
    (problem,) = manifests.problems
    assert (problem.severity, problem.type, problem.field) == ("error", "Forbidden", "spec.priorityClassName")
    assert problem.message == "no PriorityClass with name importent was found"
    assert problem.hint == 'did you mean "important"?'
    assert manifests.pods == ()


def test_a_number_that_the_class_does_not_give_is_refused() -> None:
    (problem,) = admitted(with_spec("priority: 5")).problems
    assert problem.message == (
        "the integer value of priority (5) must not be provided in pod spec; "
        "priority admission controller computed 0 from the given PriorityClass name"
    )


def test_a_pod_that_came_from_a_server_keeps_its_number() -> None:
    stored = with_spec("priority: 5").replace("{name: p}", "{name: p, uid: u}")
    assert admitted(stored).pods[0].pod.spec.priority == 5
