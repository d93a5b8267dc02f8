from __future__ import annotations

import msgspec

from dravite.api.core_v1 import Container, ResourceRequirements
from dravite.api.quantity import Quantity
from dravite.api.resource_v1 import DeviceClass
from dravite.diagnosis.verdicts import Scheduled
from dravite.planning.planner import make_plan
from dravite.scheduler.extended_resources import extended_requests, offers_after, offers_of
from tests.clusters import cluster, device_class, devices_of, node, pod

GPU = "vendor.example/gpu"
IMPLICIT = "deviceclass.resource.kubernetes.io/"


def container(name: str, gpus: int, restart_policy: str | None = None) -> Container:
    requests = {"cpu": Quantity.parse("1"), **({GPU: Quantity.of(gpus)} if gpus else {})}
    return Container(name=name, resources=ResourceRequirements(requests=requests), restart_policy=restart_policy)


def asked(*inits: Container, containers: tuple[Container, ...]):
    found = extended_requests(pod("p", containers=containers, init_containers=inits), {GPU: "gpu"})
    counts = {request.name: request.exactly.count for request in found.requests}
    return counts, [(one.container_name, one.request_name) for one in found.mappings]


def providing(name: str, resource: str | None, created: str | None = None) -> DeviceClass:
    one = device_class(name)
    metadata = msgspec.structs.replace(one.metadata, creation_timestamp=created)
    spec = msgspec.structs.replace(one.spec, extended_resource_name=resource)
    return msgspec.structs.replace(one, metadata=metadata, spec=spec)


OLD, YOUNG = providing("a", GPU, "2026-01-01T00:00:00Z"), providing("b", GPU, "2026-02-01T00:00:00Z")


def test_f7_5_each_container_has_a_request_named_by_its_place():
    counts, mappings = asked(containers=(container("a", 1), container("b", 0), container("c", 2)))
    assert counts == {"container-0-request-1": 1, "container-2-request-1": 2}
    assert mappings == [("a", "container-0-request-1"), ("c", "container-2-request-1")]


def test_f7_5_an_init_container_takes_over_devices_and_adds_the_difference():
    counts, mappings = asked(container("prepare", 5), containers=(container("a", 1), container("b", 1)))
    assert counts == {"container-0-request-1": 3, "container-1-request-1": 1, "container-2-request-1": 1}
    assert mappings[2:] == [
        ("prepare", "container-1-request-1"),
        ("prepare", "container-2-request-1"),
        ("prepare", "container-0-request-1"),
    ]


def test_f7_5_of_several_init_containers_the_largest_difference_counts_for_all():
    counts, mappings = asked(container("x", 2), container("y", 4), containers=(container("a", 1),))
    assert counts == {"container-1-request-1": 3, "container-2-request-1": 1}
    assert ("x", "container-1-request-1") in mappings


def test_f7_5_a_sidecar_keeps_its_devices():
    counts, _ = asked(container("side", 1, "Always"), container("late", 2), containers=(container("a", 1),))
    assert counts == {"container-0-request-1": 1, "container-1-request-1": 1, "container-2-request-1": 1}


def test_f7_2_the_newest_class_provides_a_name_and_equals_go_by_name():
    assert offers_of([YOUNG, OLD])[GPU] == "b"
    assert offers_of([providing("b", GPU), providing("a", GPU)])[GPU] == "a"


def test_f7_1_every_class_answers_to_its_implicit_name():
    assert offers_of([OLD, YOUNG]) == {GPU: "b", f"{IMPLICIT}a": "a", f"{IMPLICIT}b": "b"}


def test_f7_2_a_name_is_free_once_its_class_has_gone_until_the_other_one_is_heard_of():
    both = {"a": OLD, "b": YOUNG}
    alone = offers_after(offers_of(both.values()), both, YOUNG, None)
    assert alone == {f"{IMPLICIT}a": "a"}
    assert offers_after(alone, {"a": OLD}, OLD, OLD) == {GPU: "a", f"{IMPLICIT}a": "a"}


def test_f7_2_a_name_is_free_too_when_a_class_goes_that_never_served_it():
    both = {"a": OLD, "b": YOUNG}
    assert offers_after(offers_of(both.values()), both, OLD, None) == {f"{IMPLICIT}b": "b"}


def test_f7_2_who_loses_against_another_class_keeps_the_name_that_it_had():
    other = providing("c", "vendor.example/other", "2026-01-01T00:00:00Z")
    classes = {"b": YOUNG, "c": other}
    offers = offers_of(classes.values())
    assert offers_after(offers, classes, other, providing("c", GPU, "2026-01-01T00:00:00Z")) == offers


def test_f7_6_the_pod_gets_a_claim_that_is_made_when_it_is_bound():
    snapshot = cluster(
        node("n1"), devices_of("n1", 2), providing("gpu", GPU), pod("p", containers=(container("a", 2),))
    )
    plan = make_plan(snapshot)
    told = plan.decisions[0].claims[0]
    assert isinstance(plan.decisions[0].decision, Scheduled)
    assert (told.entry, told.claim, told.generate_name) == ("<extended-resources>", None, "p-extended-resources-")
    made = plan.final.claim("default", "p-extended-resources-xxxxx")
    assert made is not None
    assert made.metadata.annotations == {"resource.kubernetes.io/extended-resource-claim": "true"}
    assert [entry.name for entry in made.status.reserved_for] == ["p"]
    status = plan.final.pods[("default", "p")].pod.status.extended_resource_claim_status
    assert status is not None
    assert status.resource_claim_name == "p-extended-resources-xxxxx"


def test_f7_3_a_node_that_advertises_the_resource_serves_it_itself():
    advertising = node("n1", **{GPU: "1"})
    plan = make_plan(cluster(advertising, providing("gpu", GPU), pod("p", containers=(container("a", 1),))))
    assert plan.decisions[0].claims == ()
    assert isinstance(plan.decisions[0].decision, Scheduled)
    short = make_plan(cluster(advertising, providing("gpu", GPU), pod("p", containers=(container("a", 2),))))
    assert "1 Insufficient vendor.example/gpu." in short.decisions[0].decision.message
