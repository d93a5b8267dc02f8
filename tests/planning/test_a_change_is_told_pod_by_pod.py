from __future__ import annotations

import msgspec

from dravite.api.core_v1 import Pod, Taint
from dravite.api.meta import ObjectRef, OwnerReference
from dravite.api.resource_v1 import DeviceToleration
from dravite.planning.leaving import DeviceTainted, NodeDrained, NodeGone, NodeTainted, PodDeleted, deleted
from dravite.planning.whatif import PodChange, Supposition, what_if
from dravite.snapshot.changes import AddNodes, Cordon, RemoveObject, SetObject, with_changes
from dravite.snapshot.snapshot import Snapshot
from tests.clusters import cluster, device_class, devices_of, node, pod, running, taint_rule, template, with_claims

GPUS = (node("n1"), devices_of("n1", 2), device_class(), template("gpu"))


def ref(name: str) -> ObjectRef:
    return ObjectRef("Pod", "default", name)


def owned(one: Pod, kind: str = "ReplicaSet") -> Pod:
    owner = OwnerReference(api_version="apps/v1", kind=kind, name="web", uid="uid-web", controller=True)
    return msgspec.structs.replace(one, metadata=msgspec.structs.replace(one.metadata, owner_references=(owner,)))


def changes(before: Snapshot, *edits: object, **more: object) -> dict[str, PodChange]:
    after = with_changes(before, edits)  # type: ignore[arg-type]
    found = what_if(Supposition(before=before, after=after, **more))  # type: ignore[arg-type]
    return {one.pod.name: one for one in found.changes}


def turns(found: dict[str, PodChange]) -> dict[str, tuple[str, str | None]]:
    return {name: (one.turn, one.after.node if one.after else None) for name, one in found.items()}


def test_nothing_becomes_of_pods_that_fare_the_same():
    before = cluster(*GPUS, *running("a", "gpu-0"), pod("p"))
    found = what_if(Supposition(before=before, after=with_changes(before, (SetObject(node("n9", cpu="0")),))))
    assert (found.changes, found.same, found.waiting) == ((), 2, ())


def test_a_node_that_comes_places_who_waited():
    before = cluster(*GPUS, *(with_claims(pod(name), gpu="@gpu") for name in "abc"))
    found = what_if(Supposition(before=before, after=with_changes(before, (AddNodes("n1"),))))
    assert turns({one.pod.name: one for one in found.changes}) == {"b": ("moved", "n1-2"), "c": ("placed", "n1")}


def test_a_rule_evicts_bare_pods_for_good():
    (found,) = changes(cluster(*GPUS, *running("a", "gpu-0")), SetObject(taint_rule("r", device="gpu-0"))).values()
    assert (found.turn, found.after, found.wave) == ("evicted", None, 0)
    assert found.leaving is not None
    assert isinstance(found.leaving.cause, DeviceTainted)
    assert (found.leaving.cause.rule, found.leaving.cause.device.device) == ("r", "gpu-0")


def test_who_has_a_controller_is_made_again_and_goes_to_a_device_without_the_taint():
    one, held = running("a", "gpu-0")
    before = cluster(*GPUS, owned(one), held)
    assert turns(changes(before, SetObject(taint_rule("r", device="gpu-0")))) == {"a": ("evicted", "n1")}


def test_a_rule_for_which_pods_went_before_changes_nothing():
    rule = taint_rule("r", device="gpu-0")
    before = cluster(*GPUS, *running("a", "gpu-0"), rule)
    assert changes(before, SetObject(taint_rule("other", device="gpu-0"))) == {}


def test_pods_that_tolerate_for_a_while_go_later_and_then_others_get_their_devices():
    a, held = running("a", "gpu-0")
    assert held.status.allocation is not None
    (result,) = held.status.allocation.devices.results
    toleration = DeviceToleration(operator="Exists", effect="NoExecute", toleration_seconds=300)
    result = msgspec.structs.replace(result, tolerations=(toleration,))
    devices = msgspec.structs.replace(held.status.allocation.devices, results=(result,))
    allocation = msgspec.structs.replace(held.status.allocation, devices=devices)
    held = msgspec.structs.replace(held, status=msgspec.structs.replace(held.status, allocation=allocation))
    before = cluster(node("n1", cpu="1"), devices_of("n1", 1), device_class(), a, held, pod("waits"))
    found = what_if(Supposition(before=before, after=with_changes(before, (SetObject(taint_rule("r")),))))
    assert [(wave.after, len(wave.leaving)) for wave in found.waves] == [(0.0, 0), (300.0, 1)]
    assert turns({one.pod.name: one for one in found.changes}) == {"a": ("evicted", None), "waits": ("placed", "n1")}


def test_a_drained_node_loses_its_pods_but_for_those_of_daemon_sets():
    pods = [
        owned(pod("web", node_name="n1", phase="Running")),
        owned(pod("agent", node_name="n1", phase="Running"), "DaemonSet"),
        pod("bare", node_name="n1", phase="Running"),
    ]
    before = cluster(node("n1"), node("n2"), *pods)
    found = changes(before, Cordon("n1"), drained=("n1",))
    assert turns(found) == {"web": ("evicted", "n2"), "bare": ("evicted", None)}
    assert all(isinstance(one.leaving and one.leaving.cause, NodeDrained) for one in found.values())


def test_pods_go_with_their_node():
    before = cluster(node("n1"), node("n2"), owned(pod("web", node_name="n1", phase="Running")))
    found = changes(before, RemoveObject(ObjectRef("Node", "", "n1")))
    assert turns(found) == {"web": ("deleted", "n2")}
    assert isinstance(found["web"].leaving and found["web"].leaving.cause, NodeGone)


def test_a_taint_of_a_node_sends_away_who_does_not_tolerate_it():
    before = cluster(node("n1"), pod("p", node_name="n1", phase="Running"))
    found = changes(before, SetObject(node("n1", taints=[Taint(key="gone", effect="NoExecute")])))
    assert isinstance(found["p"].leaving and found["p"].leaving.cause, NodeTainted)


def test_a_deleted_pod_frees_its_devices_for_who_waits():
    before = cluster(
        node("n1"), devices_of("n1", 1), device_class(), template("gpu"), *running("a", "gpu-0"),
        with_claims(pod("waits"), gpu="@gpu"),
    )  # fmt: skip
    going = deleted(before, ref("a"), PodDeleted())
    assert going is not None
    found = what_if(Supposition(before=before, after=before, leaving=(going,)))
    assert turns({one.pod.name: one for one in found.changes}) == {"a": ("deleted", None), "waits": ("placed", "n1")}


def test_a_pod_of_higher_priority_preempts_and_pushes_out():
    before = cluster(node("n1", cpu="2"), pod("low", "2", node_name="n1", phase="Running"))
    found = changes(before, SetObject(pod("high", "2", priority=10)))
    assert turns(found) == {"low": ("preempted", "n1"), "high": ("placed", "n1")}
    before = cluster(node("n1", cpu="2"), pod("low", "2"))
    assert turns(changes(before, SetObject(pod("high", "2", priority=10)))) == {
        "low": ("unplaced", ""),
        "high": ("placed", "n1"),
    }


def test_what_a_pod_held_is_free_where_it_is_not_there_any_more():
    one, held = running("a", "gpu-0")
    rest = (
        node("n1"),
        devices_of("n1", 1),
        device_class(),
        template("gpu"),
        held,
        with_claims(pod("waits"), gpu="@gpu"),
    )
    found = what_if(Supposition(before=cluster(*rest, one), after=cluster(*rest)))
    assert turns({one.pod.name: one for one in found.changes}) == {"a": ("deleted", None), "waits": ("placed", "n1")}


def test_a_new_pod_without_a_place_is_refused_and_one_that_is_taken_out_is_gone():
    before = cluster(node("n1"), pod("p"))
    assert turns(changes(before, SetObject(pod("big", "99")))) == {"big": ("refused", "")}
    assert turns(changes(before, RemoveObject(ref("p")))) == {"p": ("gone", None)}
