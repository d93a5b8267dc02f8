"""From one snapshot to the next: the requests that make of a server's objects what was decided.

Claims come before the pods that need them, conditions before deletions. What stands for time is filled in here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from uuid import UUID, uuid5

import msgspec

from dravite.api.core_v1 import Pod
from dravite.api.resource_v1 import ResourceClaim
from dravite.api.scheduling_v1beta1 import PodGroup
from dravite.controllers.classic import controller_of_template, newly_asked, talk_commands, with_request
from dravite.controllers.commands import Bind, Command, Create, Delete, Patch, changed, create, plain_of
from dravite.controllers.view import Item, View
from dravite.rehearsal.world import Binding
from dravite.scheduler.reserve import FINALIZER, deallocated
from dravite.snapshot.snapshot import Key, Snapshot

_SHARES: Final = UUID("5ba7e5f5-0e31-5c1b-9c55-3a1f3d1c9a1e")
_POD_STATUS: Final = (
    "nominatedNodeName",
    "resourceClaimStatuses",
    "extendedResourceClaimStatus",
    "nodeAllocatableResourceClaimStatuses",
)


class Moment(msgspec.Struct, frozen=True, eq=False):
    """A snapshot, and the pods in it whose binding is under way."""

    snapshot: Snapshot
    bindings: Mapping[Key, Binding]


def commands(before: Moment, after: Moment, view: View, stamp: str) -> Iterator[Command]:
    """The requests that lead from one moment to the next."""
    claims, classic = after.snapshot.claims, (before.snapshot.classic, after.snapshot.classic)
    asked = newly_asked(*classic)
    yield from talk_commands(*classic, view)
    for key in sorted({*before.snapshot.claims.differing(claims), *asked}):
        found = _claim(key, before.snapshot.claims.get(key), claims.get(key), view)
        item = view.get("ResourceClaim", *key) if key in asked else None
        yield from found if item is None else with_request(found, item)
    groups = after.snapshot.pod_groups
    if groups is not before.snapshot.pod_groups:
        for key in sorted(groups.keys() & before.snapshot.pod_groups.keys()):
            if groups[key] is not before.snapshot.pod_groups[key]:
                yield from _group(key, before.snapshot.pod_groups[key], groups[key], view)
    ended = before.bindings.keys() ^ after.bindings.keys()
    for key in sorted({*before.snapshot.pods.differing(after.snapshot.pods), *ended}):
        was, is_ = _shown(before, key), _shown(after, key)
        if was is not None:
            yield from _pod(view.get("Pod", *key), was, is_, stamp)


def stamped(before: Snapshot, after: Snapshot, stamp: str) -> Snapshot:
    """The later snapshot with the times at which claims were allocated and conditions of groups changed.

    The shares of devices get ids that no two of them have.
    """
    claims = [
        _allocated_at(claim, stamp)
        for key in before.claims.differing(after.claims)
        if (claim := after.claims.get(key)) is not None and _is_fresh(before.claims.get(key), claim)
    ]
    groups = {
        key: _with_condition_times(before.pod_groups.get(key), group, stamp)
        for key, group in after.pod_groups.items()
        if group is not before.pod_groups.get(key)
    }
    after = after.with_claims(claims)
    return msgspec.structs.replace(after, pod_groups={**after.pod_groups, **groups}) if groups else after


def _is_fresh(before: ResourceClaim | None, after: ResourceClaim) -> bool:
    had = before.status.allocation if before is not None else None
    return after.status.allocation is not None and after.status.allocation != had


def _allocated_at(claim: ResourceClaim, stamp: str) -> ResourceClaim:
    allocation = claim.status.allocation
    assert allocation is not None  # noqa: S101 (asked before)
    whose = f"{claim.metadata.namespace}/{claim.metadata.name} {claim.metadata.uid} {stamp}"
    results = tuple(
        msgspec.structs.replace(one, share_id=str(uuid5(_SHARES, f"{whose} {one.share_id}"))) if one.share_id else one
        for one in allocation.devices.results
    )
    devices = msgspec.structs.replace(allocation.devices, results=results)
    allocation = msgspec.structs.replace(allocation, devices=devices, allocation_timestamp=stamp)
    return msgspec.structs.replace(claim, status=msgspec.structs.replace(claim.status, allocation=allocation))


def _with_condition_times(before: PodGroup | None, after: PodGroup, stamp: str) -> PodGroup:
    known = {one.type: one for one in before.status.conditions} if before is not None else {}
    conditions = tuple(
        one
        if one.last_transition_time
        else msgspec.structs.replace(one, last_transition_time=_since(known.get(one.type), one, stamp))
        for one in after.status.conditions
    )
    return msgspec.structs.replace(after, status=msgspec.structs.replace(after.status, conditions=conditions))


def _since(before: Any, after: Any, stamp: str) -> str:
    """When a condition got its status."""
    if before is not None and before.status == after.status and before.last_transition_time:
        return str(before.last_transition_time)
    return stamp


def _claim(key: Key, was: ResourceClaim | None, is_: ResourceClaim | None, view: View) -> Iterator[Command]:
    resource, item = view.resource("ResourceClaim"), view.get("ResourceClaim", *key)
    if resource is None:
        return
    if was is None and is_ is not None:
        made = {name: value for name, value in create(resource, is_).body.items() if name != "status"}
        status = plain_of(is_, resource).get("status")
        controller = controller_of_template(is_, view)
        if controller:
            made["spec"] = {**made["spec"], "controller": controller}
        yield Create(resource, key[0], made)
        if status:
            yield Patch(resource, *key, {"status": status}, "status")
    elif was is not None and item is not None:
        then = is_ if is_ is not None else _let_go(was)
        if is_ is not None and was.status.allocation is not None and _is_fresh(was, is_):
            freed = deallocated(was)  # no server takes other devices in the place of those that are there
            yield from changed(item, freed, before=was)
            was = freed
        patches = changed(item, then, before=was)
        loses = FINALIZER in was.metadata.finalizers and FINALIZER not in then.metadata.finalizers
        yield from reversed(patches) if loses else patches
        if is_ is None and was.metadata.deletion_timestamp is None:
            yield Delete(resource=resource, namespace=key[0], name=key[1], uid=item.uid)


def _let_go(claim: ResourceClaim) -> ResourceClaim:
    """A claim that nothing protects from being deleted."""
    kept = tuple(one for one in claim.metadata.finalizers if one != FINALIZER)
    freed = deallocated(claim)
    return msgspec.structs.replace(freed, metadata=msgspec.structs.replace(freed.metadata, finalizers=kept))


def _group(key: Key, was: PodGroup, is_: PodGroup, view: View) -> Sequence[Command]:
    item = view.get("PodGroup", *key)
    return changed(item, is_, before=was) if item is not None else ()


def _shown(moment: Moment, key: Key) -> Pod | None:
    """A pod as it is to be on the server: without its node while its devices become ready, but nominated for it."""
    planned = moment.snapshot.pods.get(key)
    binding = moment.bindings.get(key)
    if planned is None or binding is None:
        return planned.pod if planned is not None else None
    spec = msgspec.structs.replace(planned.pod.spec, node_name="")
    status = msgspec.structs.replace(planned.pod.status, nominated_node_name=binding.node)
    return msgspec.structs.replace(planned.pod, spec=spec, status=status)


def _pod(item: Item | None, was: Pod, is_: Pod | None, stamp: str) -> Iterator[Command]:
    if item is None:
        return
    place = (item.resource, item.namespace, item.name)
    binds = is_ is not None and is_.spec.node_name and not was.spec.node_name
    status = _status_patch(item, was, is_, stamp) if is_ is not None else {}
    if binds:
        status.pop("conditions", None)  # the server says PodScheduled itself
    if status:
        yield Patch(*place, {"status": status}, "status", item.revision)
    if is_ is None or (is_.metadata.deletion_timestamp and not was.metadata.deletion_timestamp):
        yield Delete(resource=item.resource, namespace=item.namespace, name=item.name, uid=item.uid)
    elif binds:
        yield Bind(*place, item.uid, is_.spec.node_name)


def _status_patch(item: Item, was: Pod, is_: Pod, stamp: str) -> dict[str, Any]:
    old, new = (plain_of(pod, item.resource).get("status", {}) for pod in (was, is_))
    patch = {name: new.get(name) for name in _POD_STATUS if new.get(name) != old.get(name)}
    conditions = _conditions(item, is_, stamp) if is_.status.conditions != was.status.conditions else None
    if conditions is not None and conditions != item.plain.get("status", {}).get("conditions"):
        patch["conditions"] = conditions
    return patch


def _conditions(item: Item, pod: Pod, stamp: str) -> list[dict[str, Any]]:
    """The conditions of a pod on the server with those that are ours; others keep what we know nothing of."""
    known = {one.get("type", ""): one for one in item.plain.get("status", {}).get("conditions") or ()}
    for ours in pod.status.conditions:
        before = known.get(ours.type, {})
        told = {"type": ours.type, "status": ours.status, "reason": ours.reason, "message": ours.message}
        told = {name: text for name, text in told.items() if text}
        if any(before.get(name, "") != told.get(name, "") for name in ("status", "reason", "message")):
            same = before.get("status") == ours.status and "lastTransitionTime" in before
            times = {"lastProbeTime": None, "lastTransitionTime": before["lastTransitionTime"] if same else stamp}
            known[ours.type] = {**times, **told}
    return list(known.values())
