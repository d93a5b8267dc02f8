"""Laws of what-if: every pod is told or counted once, who stays keeps what is his, no device is given twice, and a
change that is none changes nothing.

Clusters are small and crowded: pods run and wait, some have controllers, nodes are drained, devices tainted.
"""

from __future__ import annotations

from collections import Counter

import msgspec
from hypothesis import event, given, settings
from hypothesis import strategies as st

from dravite.api.meta import ObjectRef, OwnerReference
from dravite.planning.planner import make_plan
from dravite.planning.whatif import Supposition, WhatIf, what_if
from dravite.rehearsal.rehearsal import Rehearsal
from dravite.rehearsal.steps import Apply, Wait
from dravite.rehearsal.world import BEGIN
from dravite.snapshot.changes import AddNodes, Cordon, RemoveObject, SetObject, with_changes
from dravite.snapshot.pod_edits import without_pods
from dravite.snapshot.snapshot import Snapshot
from tests.clusters import cluster, device_class, devices_of, node, pod, running, taint_rule, template, with_claims

NODES = ("n1", "n2", "n3")
LAWFUL = settings(max_examples=60, deadline=None)


@st.composite
def snapshots(draw: st.DrawFn, *, controllers: bool = True) -> Snapshot:
    """Three nodes with two devices each; every device may be held by a pod, and pods wait for more."""
    objects: list[object] = [device_class(), template("gpu"), template("two", count=2)]
    for name in NODES:
        objects += [node(name), devices_of(name, 2)]
        for device in range(2):
            if draw(st.booleans()):
                one, held = running(f"{name}-{device}", f"gpu-{device}", name)
                objects += [owned(one) if controllers and draw(st.booleans()) else one, held]
    for number in range(draw(st.integers(0, 4))):
        objects.append(with_claims(pod(f"w{number}"), gpu=draw(st.sampled_from(["@gpu", "@two"]))))
    return cluster(*objects)


def owned(one):
    owner = OwnerReference(kind="StatefulSet", name=one.metadata.name, uid="uid-owner", controller=True)
    return msgspec.structs.replace(one, metadata=msgspec.structs.replace(one.metadata, owner_references=(owner,)))


@st.composite
def suppositions(draw: st.DrawFn) -> Supposition:
    before = draw(snapshots())
    name = draw(st.sampled_from(NODES))
    kind = draw(st.sampled_from(["drain", "taint", "taint-all", "add", "remove", "none"]))
    event(kind)
    edits = {
        "drain": (Cordon(name),),
        "taint": (SetObject(taint_rule("r", pool=name, device="gpu-0")),),
        "taint-all": (SetObject(taint_rule("r")),),
        "add": (AddNodes(name),),
        "remove": (RemoveObject(ObjectRef("Node", "", name)),),
        "none": (),
    }[kind]
    drained = (name,) if kind == "drain" else ()
    return Supposition(before=before, after=with_changes(before, edits) if edits else before, drained=drained)


def held_devices(found: WhatIf) -> Counter[tuple[str, str, str]]:
    claims = (claim for _, claim in found.final.final.claims.items() if claim.status.allocation is not None)
    return Counter(
        (one.driver, one.pool, one.device) for claim in claims for one in claim.status.allocation.devices.results
    )


@LAWFUL
@given(suppositions())
def test_every_pod_is_told_or_counted_once(supposed: Supposition) -> None:
    found = what_if(supposed)
    told = [one.pod for one in found.changes]
    assert len(told) == len(set(told))
    pods = set(supposed.before.pod_order) | set(supposed.after.pod_order)
    assert len(told) + found.same == len(pods)
    assert len(found.waiting) <= found.same


@LAWFUL
@given(suppositions())
def test_who_runs_and_is_not_told_runs_where_it_ran_with_what_it_had(supposed: Supposition) -> None:
    found = what_if(supposed)
    told = {one.pod.name for one in found.changes}
    for key in supposed.before.pod_order:
        before = supposed.before.pods[key].pod
        if before.spec.node_name and key[1] not in told:
            assert found.final.final.pods[key].pod.spec.node_name == before.spec.node_name
            now, then = found.final.final.claims[key], supposed.before.claims[key]
            assert now.status.allocation == then.status.allocation


@LAWFUL
@given(suppositions())
def test_no_device_is_given_twice_and_nobody_who_was_evicted_for_good_holds_one(supposed: Supposition) -> None:
    found = what_if(supposed)
    assert set(held_devices(found).values()) <= {1}
    gone = {one.pod.name for one in found.changes if one.turn in ("evicted", "deleted") and one.after is None}
    users = {entry.name for _, claim in found.final.final.claims.items() for entry in claim.status.reserved_for}
    assert not gone & users


@LAWFUL
@given(snapshots())
def test_a_change_that_is_none_changes_nothing(snapshot: Snapshot) -> None:
    found = what_if(Supposition(before=snapshot, after=snapshot))
    assert found.changes == ()
    assert [one.decision for one in found.final.decisions] == [one.decision for one in make_plan(snapshot).decisions]


@settings(max_examples=200, deadline=None)
@given(suppositions())
def test_what_is_told_is_what_the_two_plans_say(supposed: Supposition) -> None:
    found = what_if(supposed)
    for one in found.changes:
        if one.turn == "placed":
            assert one.before is None or not one.before.node
            assert one.after is not None
            assert one.after.node in {each.metadata.name for each in supposed.after.nodes}
        if one.turn == "evicted" and one.after is not None and one.after.node:
            assert one.leaving is not None
            assert one.leaving.made_again


@LAWFUL
@given(snapshots(controllers=False), st.sampled_from(NODES), st.sampled_from(["gpu-0", None]))
def test_a_rule_does_what_it_does_in_a_rehearsal(snapshot: Snapshot, name: str, device: str | None) -> None:
    """Who goes and who comes to run where, played second by second: the rule first, then the pods that wait."""
    rule = taint_rule("r", pool=name, **({"device": device} if device else {}))
    found = what_if(Supposition(before=snapshot, after=with_changes(snapshot, (SetObject(rule),)), now=BEGIN))
    waiting = [planned.pod for planned in snapshot.pending()]
    calm = without_pods(snapshot, [ObjectRef("Pod", one.metadata.namespace, one.metadata.name) for one in waiting])
    played = Rehearsal(calm)
    played.play([Apply(rule), Wait()])
    evicted = set(calm.pod_order) - set(played.snapshot.pod_order)
    played.play([*(Apply(one) for one in waiting), Wait()])
    told = {(one.pod.namespace, one.pod.name) for one in found.changes if one.turn == "evicted"}
    assert told == evicted
    assert nodes_of(found.final.final) == nodes_of(played.snapshot)


def nodes_of(snapshot: Snapshot) -> dict[tuple[str, str], str]:
    return {key: snapshot.pods[key].pod.spec.node_name for key in snapshot.pod_order}


def test_the_clusters_reach_every_turn_that_matters() -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=200, deadline=None, database=None, derandomize=True)
    @given(suppositions())
    def look(supposed: Supposition) -> None:
        for one in what_if(supposed).changes:
            seen[one.turn] += 1

    look()
    assert {"placed", "unplaced", "moved", "evicted", "deleted"} <= set(seen), seen
