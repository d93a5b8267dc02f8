"""What is worth knowing about a "no": semantics that people get wrong, where the objects at hand show it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from dravite.allocator.claim_compiler import claim_ref
from dravite.api.core_v1 import Taint, Toleration
from dravite.api.meta import DeviceID, ObjectRef
from dravite.api.near import near_names
from dravite.api.quantity import Quantity
from dravite.api.resource_v1 import DeviceToleration, ResourceClaim
from dravite.diagnosis.reasons import ClaimElsewhere, InUse, NodeTainted, ResourceShort, TaintNotTolerated
from dravite.explain import notes as n
from dravite.explain.case import Case
from dravite.explain.devices.amounts import is_policed
from dravite.explain.devices.whole import held_whole
from dravite.explain.evidence import Evidence
from dravite.explain.insights import Holding
from dravite.explain.nodes.silence import publish_nothing
from dravite.explain.objects.missing import drivers, written_in
from dravite.explain.objects.owners import pods_of_older_revisions, template_of
from dravite.explain.objects.resources import classes_for, drivers_for, resources_served
from dravite.scheduler.extended_resources import IN_MEMORY_NAME
from dravite.scheduler.refusing_nodes import is_resolvable
from dravite.scheduler.tolerations import tolerates

SHARERS: Final = 3
"""Pods up to which it is likely that one device was meant for all of them."""

WHOLE_TOLD: Final = 3
"""Requests that take whole devices that are told, the first ones."""

MOST_CROWDED: Final = 16
"""Of how many nodes that lack room it is asked whether they would lack devices, too."""


def notes_on_no(case: Case, found: Evidence) -> tuple[n.Note, ...]:
    """Notes for a pod that every node refused; the most telling first."""
    found_by = (
        _pools_unusable,
        publish_nothing,
        _rollout,
        _claim_each,
        _opaque_config,
        _not_shareable,
        _taken_whole,
        _one_device_per_amount,
        _all_needs_every,
        _one_allocation,
        _node_taints,
        _device_taints,
        _resource_not_mapped,
        _never_preempted,
    )
    return tuple(dict.fromkeys(note for notice in found_by for note in notice(case, found)))


def _pools_unusable(case: Case, found: Evidence) -> Iterator[n.Note]:
    del case
    for group in found.groups:
        if group.devices is not None:
            for pool in group.devices.pools:
                if pool.state != "obsolete" and group.devices.hidden:
                    yield n.PoolsUnusable(pool.state, pool.driver, pool.pool, group.devices.hidden)


def _rollout(case: Case, found: Evidence) -> Iterator[n.Note]:
    old = pods_of_older_revisions(case, found.holdings)
    if old and case.decision.owner is not None:
        devices = tuple(h.device for h in found.holdings if set(h.pods) & set(old))
        yield n.RolloutSurges(case.decision.owner, old, devices)


def _claim_each(case: Case, found: Evidence) -> Iterator[n.ClaimEach]:
    """A few pods of no workload that have claims from the template of this pod: somebody may have meant to share."""
    for template in _templates(case):
        pods = dict.fromkeys(
            pod for h in found.holdings for pod in h.pods if template_of(case.snapshot, pod, h.claim) == template
        )
        if len(pods) <= SHARERS and all(_is_alone(case, pod) for pod in pods):
            for pod in pods:
                yield n.ClaimEach(template, pod, _devices_of(found.holdings, pod))


def _is_alone(case: Case, pod: ObjectRef) -> bool:
    """Whether another pod that belongs to no workload."""
    planned = case.snapshot.pod(pod)
    return pod != case.ref and planned is not None and not (planned.owner or planned.pod.metadata.owner_references)


def _templates(case: Case) -> tuple[ObjectRef, ...]:
    namespace = case.ref.namespace
    named = (entry.resource_claim_template_name for entry in case.spec.spec.resource_claims)
    return tuple(ObjectRef("ResourceClaimTemplate", namespace, name) for name in dict.fromkeys(named) if name)


def _devices_of(holdings: Sequence[Holding], pod: ObjectRef) -> tuple[DeviceID, ...]:
    return tuple(dict.fromkeys(holding.device for holding in holdings if pod in holding.pods))


def _opaque_config(case: Case, found: Evidence) -> Iterator[n.Note]:
    """Configuration does not make a device shareable; worth a word where devices in use are the trouble."""
    if not found.holdings:
        return
    for claim in _fresh(case):
        for position, config in enumerate(claim.spec.devices.config):
            if config.opaque is not None:
                field = f"spec.devices.config[{position}].opaque"
                ref, path = written_in(case.snapshot, case.spec, claim_ref(claim), field)
                yield n.OpaqueConfig(ref, config.opaque.driver, path)


def _not_shareable(case: Case, found: Evidence) -> Iterator[n.Note]:
    """Devices in use as a whole, where a share was asked for or the claim configures sharing."""
    asks_amount = any(r.exactly and r.exactly.capacity for claim in _fresh(case) for r in claim.spec.devices.requests)
    if not asks_amount and not any(claim.spec.devices.config for claim in _fresh(case)):
        return
    busy = tuple(dict.fromkeys(h.device for h in found.holdings if not h.counters and _is_whole(found, h.device)))
    if busy:
        yield n.NotShareable(busy, _slice_of(case, busy[0]), asks_amount)


def _taken_whole(case: Case, found: Evidence) -> Iterator[n.Note]:
    yield from islice(dict.fromkeys(held_whole(case, found)), WHOLE_TOLD)


def _is_whole(found: Evidence, device: DeviceID) -> bool:
    return any(seen.id == device and not seen.device.allow_multiple_allocations for seen in found.lacking)


def _slice_of(case: Case, device: DeviceID) -> str:
    return next(
        (
            one.metadata.name
            for one in case.snapshot.inventory.index.slices
            if (one.spec.driver, one.spec.pool.name) == (device.driver, device.pool)
            and any(published.name == device.device for published in one.spec.devices or ())
        ),
        "",
    )


def _one_device_per_amount(case: Case, found: Evidence) -> Iterator[n.Note]:
    del case
    for amount in found.amounts:
        needed, largest, total = (Quantity.parse(text) for text in (amount.needed, amount.largest, amount.total))
        if amount.what == "capacity" and largest < needed <= total and not is_policed(amount, found.groups):
            yield n.OneDevicePerAmount(amount.name, amount.largest, amount.total)


def _all_needs_every(case: Case, found: Evidence) -> Iterator[n.Note]:
    del case
    for group in found.groups:
        for request in group.devices.requests if group.devices else ():
            busy = any(isinstance(refusal.reason, InUse) for refusal in request.refusals)
            if request.needed is None and (busy or not request.eligible):
                yield n.AllNeedsEvery(request.request, request.claim)


def _one_allocation(case: Case, found: Evidence) -> Iterator[n.Note]:
    for group in found.groups:
        for reason in group.reasons:
            if isinstance(reason, ClaimElsewhere):
                claim = case.snapshot.claim(reason.claim.namespace, reason.claim.name)
                held = case.snapshot.inventory.usage.claims.get(reason.claim) or ()
                users = () if claim is None else _pods_of(claim)
                yield n.ClaimIsOneAllocation(reason.claim, reason.node, users, held)


def _pods_of(claim: ResourceClaim) -> tuple[ObjectRef, ...]:
    entries = (entry for entry in claim.status.reserved_for if entry.resource == "pods")
    return tuple(ObjectRef("Pod", claim.metadata.namespace, entry.name) for entry in entries)


def _node_taints(case: Case, found: Evidence) -> Iterator[n.Note]:
    """A claim that tolerates what is the taint of a node."""
    tolerated = {toleration.key for claim in _fresh(case) for toleration in _tolerations(claim)}
    for group in found.groups:
        for reason in group.reasons:
            if isinstance(reason, NodeTainted) and (tolerated & {reason.key, ""}):
                yield n.NodeTaintIsNotDeviceTaint(reason.key, reason.value, reason.effect, group.nodes)


def _device_taints(case: Case, found: Evidence) -> Iterator[n.Note]:
    """A pod that tolerates, as if it were the taint of a node, what is the taint of a device."""
    mine = case.spec.spec.tolerations
    kept: dict[tuple[str, str, str], dict[DeviceID, None]] = {}
    for group in found.groups:
        for request in group.devices.requests if group.devices is not None else ():
            for refusal in request.refusals:
                for one in refusal.rejections:
                    if isinstance(one, TaintNotTolerated) and _would_tolerate(mine, one):
                        kept.setdefault((one.key, one.value, one.effect), {})[one.device] = None
    for taint, devices in kept.items():
        yield n.DeviceTaintIsNotNodeTaint(*taint, tuple(devices))


def _would_tolerate(mine: Sequence[Toleration], taint: TaintNotTolerated) -> bool:
    """Whether one of the pod's tolerations would do for such a taint of a node."""
    as_node_taint = Taint(key=taint.key, value=taint.value, effect=taint.effect)
    return any(tolerates(one, as_node_taint) for one in mine)


def _tolerations(claim: ResourceClaim) -> Iterator[DeviceToleration]:
    for request in claim.spec.devices.requests:
        for one in (*((request.exactly,) if request.exactly else ()), *request.first_available):
            yield from one.tolerations


def _resource_not_mapped(case: Case, found: Evidence) -> Iterator[n.Note]:
    """A resource that no node offers and no class serves: a node that has it is refused for another reason."""
    for group in found.groups:
        for reason in group.reasons:
            if isinstance(reason, ResourceShort) and "/" in reason.resource and reason.allocatable == "0":
                resource = reason.resource
                if any(state.allocatable.get(resource) for state in case.snapshot.states_in_order()):
                    continue
                theirs = drivers_for(drivers(case.snapshot), resource)
                near = near_names(resource, resources_served(case))
                yield n.ResourceNotMapped(resource, classes_for(case, resource), theirs, near)


def _never_preempted(case: Case, found: Evidence) -> Iterator[n.Note]:
    """Less important pods whose devices the pod would need, and that stay for all that."""
    mine = case.spec.spec.priority or 0
    holders = (pod for holding in found.holdings for pod in holding.pods)
    lower: dict[ObjectRef, int] = {}
    for pod in (*holders, *_holders_of_crowded_nodes(case, found)):
        planned = case.snapshot.pod(pod)
        if planned is not None and (planned.pod.spec.priority or 0) < mine:
            lower[pod] = planned.pod.spec.priority or 0
    if lower:
        yield n.NeverPreempted(mine, tuple(lower.items()))


def _holders_of_crowded_nodes(case: Case, found: Evidence) -> Iterator[ObjectRef]:
    """Pods with claims on nodes that lack room first, and that would lack devices with room: they are not evicted."""
    crowded = (name for group in found.groups if all(map(is_resolvable, group.reasons)) for name in group.nodes)
    for name in islice(crowded, MOST_CROWDED) if case.question is not None else ():
        state = case.snapshot.states[name]
        if case.question is not None and isinstance(case.question.ask(state), tuple):
            yield from (ObjectRef("Pod", *pod.key) for pod in state.pods if pod.pod.spec.resource_claims)


def _fresh(case: Case) -> tuple[ResourceClaim, ...]:
    demand = None if case.question is None else case.question.demand
    claims = () if demand is None else tuple(one.claim for one in demand.fresh)
    return tuple(claim for claim in claims if claim.metadata.name != IN_MEMORY_NAME)
