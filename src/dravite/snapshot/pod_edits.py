"""Taking pods out of a snapshot and putting others in, with what hangs on them: reservations and claims."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

import msgspec

from dravite.api.core_v1 import Pod
from dravite.api.meta import ObjectRef
from dravite.api.resource_v1 import ResourceClaim
from dravite.api.scheduling_v1beta1 import PodGroup
from dravite.snapshot.manifests import PlannedPod
from dravite.snapshot.persistent import PersistentMap
from dravite.snapshot.snapshot import Binding, Key, Snapshot, group_key, is_finished, key_of, with_nomination

Members: TypeAlias = PersistentMap[Key, tuple[Key, ...]]
"""The pods of each group."""


def unmake_claims(snapshot: Snapshot) -> Snapshot:
    """The snapshot without claims that a controller would make and that hold nothing; their pods forget them."""
    unmade = {key for key, _ in snapshot.made_claims.items() if not _is_allocated(snapshot, key)}
    if not unmade:
        return snapshot
    for key in snapshot.pod_order:
        pod = snapshot.pods[key].pod
        statuses = tuple(s for s in pod.status.resource_claim_statuses if (key[0], s.resource_claim_name) not in unmade)
        if len(statuses) != len(pod.status.resource_claim_statuses):
            status = msgspec.structs.replace(pod.status, resource_claim_statuses=statuses)
            snapshot = snapshot.with_pod(msgspec.structs.replace(pod, status=status))
    made = snapshot.made_claims.changed(dict.fromkeys(unmade))
    groups = {key: _without_statuses(group, unmade) for key, group in snapshot.pod_groups.items()}
    return msgspec.structs.replace(snapshot.without_claims(sorted(unmade)), made_claims=made, pod_groups=groups)


def _without_statuses(group: PodGroup, unmade: Collection[Key]) -> PodGroup:
    before = group.status.resource_claim_statuses
    kept = tuple(s for s in before if (group.metadata.namespace, s.resource_claim_name) not in unmade)
    if len(kept) == len(before):
        return group
    return msgspec.structs.replace(group, status=msgspec.structs.replace(group.status, resource_claim_statuses=kept))


def without_pod(snapshot: Snapshot, ref: ObjectRef) -> Snapshot:
    """The snapshot as if the pod had never been: off its node, out of `reservedFor`, its own claims gone (A4)."""
    key = (ref.namespace, ref.name)
    planned = snapshot.pods.get(key)
    if planned is None:
        return snapshot
    return without_claims_of(taken_out(snapshot, key), "Pod", {(key[0], planned.pod.metadata.uid)})


def without_pods(snapshot: Snapshot, refs: Collection[ObjectRef]) -> Snapshot:
    """The snapshot as if none of these pods had ever been; many at once cost little more than one."""
    gone = {(ref.namespace, ref.name): planned for ref in refs if (planned := snapshot.pod(ref)) is not None}
    on_nodes: dict[str, set[Key]] = {}
    members, nominated = snapshot.members, snapshot.nominated
    for key, planned in gone.items():
        on_nodes.setdefault(planned.pod.spec.node_name, set()).add(key)
        members = _with_membership(members, planned.pod, None)
        nominated = with_nomination(nominated, planned.pod, None)
    states = {
        name: state.without_pods(frozenset(keys))
        for name, keys in on_nodes.items()
        if (state := snapshot.states.get(name)) is not None
    }
    snapshot = msgspec.structs.replace(
        snapshot,
        states=snapshot.states.changed(states),
        pods=snapshot.pods.changed(dict.fromkeys(gone)),
        pod_order=tuple(key for key in snapshot.pod_order if key not in gone),
        members=members,
        nominated=nominated,
    )
    return without_claims_of(snapshot, "Pod", {(key[0], one.pod.metadata.uid) for key, one in gone.items()})


def with_more_pods(snapshot: Snapshot, pods: Sequence[PlannedPod]) -> Snapshot:
    """The snapshot with pods that wait, after all others; none of them is there yet."""
    members = snapshot.members
    for planned in pods:
        members = _with_membership(members, None, planned.pod)
    named = {key_of(planned.pod.metadata): planned for planned in pods}
    return msgspec.structs.replace(
        snapshot, pods=snapshot.pods.changed(named), pod_order=(*snapshot.pod_order, *named), members=members
    )


def taken_out(snapshot: Snapshot, key: Key) -> Snapshot:
    """The snapshot without a pod that is there; what is reserved for it or was made for it stays."""
    pod = snapshot.pods[key].pod
    return msgspec.structs.replace(
        _off_node(snapshot, pod),
        pods=snapshot.pods.changed({key: None}),
        pod_order=tuple(other for other in snapshot.pod_order if other != key),
        members=_with_membership(snapshot.members, pod, None),
        nominated=with_nomination(snapshot.nominated, pod, None),
    )


def without_group(snapshot: Snapshot, ref: ObjectRef) -> Snapshot:
    """The snapshot without a PodGroup, its reservations and the claims that were made for it; its pods stay."""
    key = (ref.namespace, ref.name)
    group = snapshot.pod_groups.get(key)
    if group is None:
        return snapshot
    snapshot = without_claims_of(snapshot, "PodGroup", {(key[0], group.metadata.uid)})
    groups = {other: one for other, one in snapshot.pod_groups.items() if other != key}
    return msgspec.structs.replace(snapshot, pod_groups=groups)


def with_other_pod(snapshot: Snapshot, planned: PlannedPod) -> Snapshot:
    """The snapshot with the pod in the place of its namesake, or after all others; on its node if it names one."""
    key = key_of(planned.pod.metadata)
    before = snapshot.pods.get(key)
    if before is not None:
        snapshot = _off_node(snapshot, before.pod)
        planned = PlannedPod(planned.pod, planned.owner or before.owner, before.inferred, before.template_path)
    order = snapshot.pod_order if before is not None else (*snapshot.pod_order, key)
    pod_before = before.pod if before is not None else None
    snapshot = msgspec.structs.replace(
        snapshot,
        pods=snapshot.pods.changed({key: planned}),
        pod_order=order,
        members=_with_membership(snapshot.members, pod_before, planned.pod),
        nominated=with_nomination(snapshot.nominated, pod_before, planned.pod),
    )
    if not planned.pod.spec.node_name or is_finished(planned.pod):
        return snapshot
    return snapshot.assume(Binding(planned.pod))


def with_going_pod(snapshot: Snapshot, pod: Pod) -> Snapshot:
    """The snapshot with a pod that is being deleted now, in its place on its node: spreading and preemption look."""
    snapshot = snapshot.with_pod(pod)
    state = snapshot.states.get(pod.spec.node_name)
    if state is None:
        return snapshot
    key = key_of(pod.metadata)
    pods = tuple(msgspec.structs.replace(one, pod=pod) if one.key == key else one for one in state.pods)
    return msgspec.structs.replace(
        snapshot, states=snapshot.states.changed({state.name: msgspec.structs.replace(state, pods=pods)})
    )


def with_scale(snapshot: Snapshot, owner: ObjectRef, pods: int) -> Snapshot:
    """The snapshot with so many pods of the workload; copies of the last one are numbered on."""
    members = [key for key in snapshot.pod_order if snapshot.pods[key].owner == owner]
    for namespace, name in members[pods:]:
        snapshot = without_pod(snapshot, ObjectRef("Pod", namespace, name))
    if not members or len(members) >= pods:
        return snapshot
    last = snapshot.pods[members[-1]]
    for number in range(len(members), pods):
        snapshot = with_other_pod(snapshot, _copied(last, f"{owner.name}-{number}"))
    return snapshot


def _with_membership(members: Members, before: Pod | None, after: Pod | None) -> Members:
    """The members of all groups once a pod is another version of itself, or comes, or goes (None)."""
    old = group_key(before) if before is not None else None
    new = group_key(after) if after is not None else None
    if old == new:
        return members
    if before is not None and old is not None:
        left = tuple(key for key in members.get(old) or () if key != key_of(before.metadata))
        members = members.changed({old: left or None})
    if after is not None and new is not None:
        members = members.changed({new: (*(members.get(new) or ()), key_of(after.metadata))})
    return members


def _copied(planned: PlannedPod, name: str) -> PlannedPod:
    pod = planned.pod
    metadata = msgspec.structs.replace(pod.metadata, name=name, uid=f"<uid of Pod {pod.metadata.namespace}/{name}>")
    status = msgspec.structs.replace(pod.status, resource_claim_statuses=(), extended_resource_claim_status=None)
    spec = msgspec.structs.replace(pod.spec, node_name="")
    return msgspec.structs.replace(
        planned, pod=msgspec.structs.replace(pod, metadata=metadata, spec=spec, status=status), inferred=True
    )


def _off_node(snapshot: Snapshot, pod: Pod) -> Snapshot:
    state = snapshot.states.get(pod.spec.node_name)
    if state is None:
        return snapshot
    left = state.without_pods(frozenset({key_of(pod.metadata)}))
    return msgspec.structs.replace(snapshot, states=snapshot.states.changed({state.name: left}))


def _is_allocated(snapshot: Snapshot, key: Key) -> bool:
    claim = snapshot.claims.get(key)
    return claim is not None and claim.status.allocation is not None


def without_claims_of(snapshot: Snapshot, kind: str, owners: Collection[Key]) -> Snapshot:
    """The snapshot without the claims that were made for pods or groups, and with these out of all `reservedFor`.

    `owners` are namespaces and uids; the pods or groups themselves may be gone already.
    """
    resource = {"Pod": "pods", "PodGroup": "podgroups"}[kind]
    owned: list[Key] = []
    released: list[ResourceClaim] = []
    for key, claim in snapshot.claims.items():
        if _is_owned(claim, kind, owners):
            owned.append(key)
        left = {
            one.uid for one in claim.status.reserved_for if one.resource == resource and (key[0], one.uid) in owners
        }
        if left:
            released.append(_without_consumers(claim, left))
    snapshot = snapshot.with_claims(sorted(released, key=lambda claim: key_of(claim.metadata)))
    return snapshot.without_claims(sorted(owned))


def _is_owned(claim: ResourceClaim, kind: str, owners: Collection[Key]) -> bool:
    space = claim.metadata.namespace
    return any(
        owner.controller and owner.kind == kind and (space, owner.uid) in owners
        for owner in claim.metadata.owner_references
    )


def _without_consumers(claim: ResourceClaim, uids: Collection[str]) -> ResourceClaim:
    """The claim without some consumers; with its last one it loses its devices (A4.3)."""
    kept = tuple(entry for entry in claim.status.reserved_for if entry.uid not in uids)
    status = msgspec.structs.replace(claim.status, reserved_for=kept)
    if not kept:
        status = msgspec.structs.replace(status, allocation=None, devices=())
    return msgspec.structs.replace(claim, status=status)
