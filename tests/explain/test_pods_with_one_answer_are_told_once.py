"""Which pods share an answer."""

from dravite.api.meta import ObjectRef
from dravite.explain import alike, explain
from tests.clusters import claim, pod, with_claims
from tests.explain.worlds import gpus, plan_of, published, template, waiting, wants


def names(plan):
    return [[one.pod.name for one in group] for group in alike(plan, plan.decisions)]


def test_pods_of_one_template_with_the_same_no_are_one_group():
    plan = plan_of(published("n1", *gpus(1)), template("t", wants(count=2)), waiting("a"), waiting("b"), waiting("c"))
    assert names(plan) == [["a", "b", "c"]]
    found = explain(plan, ObjectRef("Pod", "default", "b"))
    assert [one.name for one in found.pods] == ["b", "a", "c"]


def test_placed_pods_stand_alone():
    plan = plan_of(published("n1", *gpus(2)), template("t", wants()), waiting("a"), waiting("b"), waiting("c"))
    assert names(plan) == [["a"], ["b"], ["c"]]
    assert explain(plan, ObjectRef("Pod", "default", "a")).pods == (ObjectRef("Pod", "default", "a"),)


def test_pods_that_saw_other_devices_taken_are_told_apart():
    plan = plan_of(
        published("n1", *gpus(2)),
        template("two", wants(count=3)),
        template("one", wants()),
        waiting("a", template="two"),
        waiting("b", template="one"),
        waiting("c", template="two"),
    )
    assert names(plan) == [["a"], ["b"], ["c"]]


def test_pods_that_ask_for_different_claims_are_told_apart():
    plan = plan_of(published("n1"), claim("x"), claim("y"), *[with_claims(pod(name), a=name) for name in "xy"])
    assert names(plan) == [["x"], ["y"]]


def test_pods_that_wait_for_the_same_template_are_one_group():
    plan = plan_of(published("n1"), waiting("a", template="gone"), waiting("b", template="gone"))
    assert names(plan) == [["a", "b"]]


def test_an_error_is_the_same_for_all_pods_of_a_template():
    plan = plan_of(published("n1", *gpus(1)), template("t", wants("gpu", "device.nope")), waiting("a"), waiting("b"))
    assert names(plan) == [["a", "b"]]
