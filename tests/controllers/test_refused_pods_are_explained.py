"""After what the scheduler says of a pod that it refuses stands why, and what was tried and works."""

from __future__ import annotations

from typing import Any

from dravite.api.releases import Profile, newest_profile, profile
from dravite.controllers.explaining import Explaining
from dravite.controllers.runner import Controller
from dravite.controllers.scheduling import Scheduling
from tests.controllers.device_parts import device_class, node, slice_of
from tests.controllers.servers import World

NODE = node()
SLICE = slice_of({"name": "dev-0"}, {"name": "dev-1"})
CLASS = device_class()


def claim(count: int) -> dict[str, Any]:
    request = {"name": "r", "exactly": {"deviceClassName": "c", "count": count}}
    spec = {"devices": {"requests": [request]}}
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "s"}, "spec": spec}


def pod(name: str, **spec: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec}


def world(release: Profile | None = None) -> World:
    made: list[Scheduling] = []

    def scheduling(profile: Profile) -> Controller:
        made.append(Scheduling(profile))
        return made[0]

    return World(release or newest_profile(), scheduling, lambda _: Explaining(lambda: made[0].snapshot))


def explanations(there: World) -> list[str]:
    return [message for reason, _, message in there.events() if reason == "Explained"]


def test_too_few_devices_are_explained_with_what_would_help() -> None:
    there = world()
    container = {"name": "m", "image": "i", "resources": {"claims": [{"name": "x"}]}}
    entry = {"name": "x", "resourceClaimName": "s"}
    there.apply(NODE, SLICE, CLASS, claim(3), pod("p", containers=[container], resourceClaims=[entry]))
    there.wait(1)
    assert [event[:2] for event in there.events()] == [("FailedScheduling", "Pod p"), ("Explained", "Pod p")]
    (told,) = explanations(there)
    assert told == (
        "default/p cannot be scheduled: request r of claim default/s needs 3 devices, and n1 has only 2. "
        "n1: request r: all 2 will do, 3 needed. Each of these was planned and works: "
        "(a) ask for 2 in place of 3 devices: then it runs on n1 with dev-0, dev-1."
    )


def test_the_same_thing_is_said_once() -> None:
    there = world()
    big = {"name": "m", "image": "i", "resources": {"requests": {"cpu": "9"}}}
    there.apply(NODE, pod("p", containers=[big]))
    there.wait(30)
    (told,) = explanations(there)
    assert told == (
        "default/p cannot be scheduled: the only node does not take it: n1: cpu: 9 requested, 0 of 4 used. "
        "Each of these was planned and works: (a) ask for at most 4 cpu in place of 9: then it runs on n1."
    )
    there.patch("Node", "n1", {"metadata": {"labels": {"a": "b"}}}, namespace="")
    there.wait(30)
    assert len(explanations(there)) == 1


def test_pods_that_are_alike_are_explained_at_once_each_by_its_own_names() -> None:
    there = world()
    template = {"kind": "ResourceClaimTemplate", "metadata": {"name": "t"}, "spec": {"spec": claim(3)["spec"]}}
    there.apply(NODE, SLICE, CLASS, {"apiVersion": "resource.k8s.io/v1", **template})
    container = {"name": "m", "image": "i", "resources": {"claims": [{"name": "x"}]}}
    entry = {"name": "x", "resourceClaimTemplateName": "t"}
    there.apply(*(pod(f"p{one}", containers=[container], resourceClaims=[entry]) for one in range(3)))
    made = [one["metadata"]["name"] for one in there.all("ResourceClaim")]
    assert len(made) == 3
    told = explanations(there)
    assert [text.partition(" and n1 ")[0] for text in told] == [
        f"default/p{one} cannot be scheduled: request r of claim default/{made[one]} needs 3 devices,"
        for one in range(3)
    ]
    assert len({text.partition(" and n1 ")[2] for text in told}) == 1


def test_another_cluster_is_looked_at_anew() -> None:
    there = world()
    big = {"name": "m", "image": "i", "resources": {"requests": {"cpu": "9"}}}
    there.apply(NODE, pod("p", containers=[big]))
    there.wait(30)
    other = {**NODE, "metadata": {"name": "n2"}, "spec": {"unschedulable": True}}
    there.apply(other, pod("q", containers=[big]))
    there.wait(30)
    assert explanations(there)[-1] == (
        "default/q cannot be scheduled: none of 2 nodes takes it: n1: cpu: 9 requested, 0 of 4 used; "
        "n2: cordoned (spec.unschedulable). "
        "Each of these was planned and works: (a) ask for at most 4 cpu in place of 9: then it runs on n1."
    )


def test_the_pods_of_a_group_are_told_why_it_cannot_start() -> None:
    release = profile("1.37", "GenericWorkload=true")
    assert isinstance(release, Profile)
    there = world(release)
    policy = {"gang": {"minCount": 3}}
    group = {"apiVersion": "scheduling.k8s.io/v1beta1", "kind": "PodGroup", "metadata": {"name": "g"}}
    there.apply(NODE, {**group, "spec": {"schedulingPolicy": policy}})
    half = {"name": "m", "image": "i", "resources": {"requests": {"cpu": "2"}}}
    of_group = {"schedulingGroup": {"podGroupName": "g"}, "containers": [half]}
    there.apply(*(pod(f"p{one}", **of_group) for one in range(3)))
    there.wait(30)
    told = {about: message for reason, about, message in there.events() if reason == "Explained"}
    assert list(told) == ["Pod p0", "Pod p1", "Pod p2"]
    (text,) = set(told.values())
    assert text == (
        "Pod group default/g cannot start: at best 2 of the 3 pods that it needs fit; "
        "the next one, p2, is refused by n1 (cpu: 2 requested, 4 of 4 used). Each of these was planned and works: "
        "(a) set minCount of pod group default/g to 2 in place of 3: then 2 pods start; "
        "(b) add 1 node like n1: then 3 pods start."
    )


def test_a_pod_that_has_a_node_is_not_explained() -> None:
    there = world()
    there.apply(NODE, pod("p", containers=[{"name": "m", "image": "i"}]))
    there.wait(1)
    assert explanations(there) == []
