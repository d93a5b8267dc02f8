"""What is worth knowing about a pod that is placed: what it got differs from what somebody may have meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from dravite.api.meta import DeviceID, ObjectRef
from dravite.api.resource_v1 import (
    DeviceRequestAllocationResult,
    DeviceSubRequest,
    DeviceTaint,
    DeviceToleration,
    ExactDeviceRequest,
    ResourceClaim,
)
from dravite.diagnosis.reasons import ConstraintID
from dravite.diagnosis.verdicts import AttemptError
from dravite.explain import notes as n
from dravite.explain.case import Case
from dravite.explain.differing import differing_attributes
from dravite.explain.missing import written_in
from dravite.explain.published import Located
from dravite.explain.resources import drivers_for
from dravite.snapshot.node_state import NodeState, amount, used_amount


class Got(NamedTuple):
    """A claim of the pod with the devices that it got in this plan."""

    claim: ResourceClaim
    source: ObjectRef
    results: tuple[DeviceRequestAllocationResult, ...]


def warnings_on(case: Case, node: str) -> tuple[n.Note, ...]:
    """What somebody must be told even if nobody asks why."""
    return (*_evicted_at_once(case, node), *_two_books(case, node))


def notes_on_yes(case: Case, node: str) -> tuple[n.Note, ...]:
    """Notes for a placed pod, the warnings first."""
    return (*warnings_on(case, node), *_all_reachable(case, node), *_fell_through(case), *differing(case, node))


def got(case: Case) -> tuple[Got, ...]:
    """What the pod's fresh claims got, claim by claim."""
    fresh = {one.entry: one.claim for one in (case.question.demand.fresh if case.question else ())}
    return tuple(
        Got(fresh[told.entry], _written(case, fresh[told.entry]), told.allocation.devices.results)
        for told in case.decision.claims
        if told.entry in fresh and told.allocation is not None
    )


def on_node(case: Case, node: str) -> tuple[Located, ...]:
    """The devices that a node sees."""
    offered = case.snapshot.inventory.devices(case.snapshot.state(node).node)
    return () if isinstance(offered, AttemptError) else tuple(Located(node, device) for device in offered.devices)


def differing(case: Case, node: str) -> tuple[n.AttributeDiffers, ...]:
    """Attributes whose values differ among the devices of one claim, although they form groups."""
    seen = on_node(case, node)
    return tuple(
        note
        for one in got(case)
        if len(one.results) > 1
        for note in differing_attributes(one.source, [device_of(result) for result in one.results], seen)
    )


def device_of(result: DeviceRequestAllocationResult) -> DeviceID:
    """The device behind a result."""
    return DeviceID(result.driver, result.pool, result.device)


def _written(case: Case, claim: ResourceClaim) -> ObjectRef:
    ref = ObjectRef("ResourceClaim", claim.metadata.namespace, claim.metadata.name)
    return written_in(case.snapshot, case.spec, ref, "")[0]


def _evicted_at_once(case: Case, node: str) -> Iterator[n.ToleratedButEvicted]:
    """NoExecute taints that scheduling takes for tolerated and eviction does not (B6.2)."""
    taints = {seen.id: seen.device.taints for seen in on_node(case, node)}
    for one in got(case):
        for result in one.results:
            for taint in taints.get(device_of(result), ()):
                place = _toleration_without_effect(case, one.claim, result.request, taint)
                if place is not None and not any(_counts(toleration, taint) for toleration in result.tolerations):
                    yield n.ToleratedButEvicted(device_of(result), taint.key, taint.value, place)


def _toleration_without_effect(
    case: Case, claim: ResourceClaim, request: str, taint: DeviceTaint
) -> ConstraintID | None:
    for path, wanted in demands_with_paths(claim):
        if path.name != request:
            continue
        for index, toleration in enumerate(wanted.tolerations):
            if taint.effect == "NoExecute" and not toleration.effect and _tolerates(toleration, taint):
                ref = ObjectRef("ResourceClaim", claim.metadata.namespace, claim.metadata.name)
                written = written_in(case.snapshot, case.spec, ref, f"{path.field}.tolerations[{index}]")
                return ConstraintID(*written)
    return None


class DemandPath(NamedTuple):
    """A request or alternative by its name in results, and where it stands."""

    name: str
    field: str


def demands_with_paths(claim: ResourceClaim) -> Iterator[tuple[DemandPath, ExactDeviceRequest | DeviceSubRequest]]:
    """The ways to serve each request of a claim, with name and field path."""
    for index, request in enumerate(claim.spec.devices.requests):
        path = f"spec.devices.requests[{index}]"
        if request.exactly is not None and not request.first_available:
            yield DemandPath(request.name, f"{path}.exactly"), request.exactly
        for number, alternative in enumerate(request.first_available):
            name = f"{request.name}/{alternative.name}"
            yield DemandPath(name, f"{path}.firstAvailable[{number}]"), alternative


def _counts(toleration: DeviceToleration, taint: DeviceTaint) -> bool:
    """Whether eviction takes the toleration for one of the taint."""
    return toleration.effect == "NoExecute" and _tolerates(toleration, taint)


def _tolerates(toleration: DeviceToleration, taint: DeviceTaint) -> bool:
    """Key and value of a toleration (R-30); the effect is the caller's business."""
    if toleration.key not in ("", taint.key):
        return False
    return toleration.operator == "Exists" or toleration.value == taint.value


def _two_books(case: Case, node: str) -> Iterator[n.TwoBooks]:
    """A device plugin's resource beside devices of a driver of the same domain, on the node that was chosen."""
    state = case.snapshot.state(node)
    seen = on_node(case, node)
    now = [device_of(result) for one in got(case) for result in one.results]
    by_driver: dict[str, list[DeviceID]] = {}
    for located in seen:
        by_driver.setdefault(located.id.driver, []).append(located.id)
    for resource, count in sorted(state.allocatable.items()):
        if count > 0 and "/" in resource:
            for driver in drivers_for(by_driver, resource):
                if any(device.driver == driver for device in now):
                    yield _book(case, state, resource, by_driver[driver], now)


def _book(case: Case, state: NodeState, resource: str, devices: list[DeviceID], now: list[DeviceID]) -> n.TwoBooks:
    usage = case.snapshot.inventory.usage
    return n.TwoBooks(
        node=state.name,
        resource=resource,
        allocatable=amount(resource, state.allocatable[resource]).text,
        used=amount(resource, used_amount(state, resource)).text,
        driver=devices[0].driver,
        devices=len(devices),
        taken=sum(1 for device in devices if usage.holdings(device)),
        allocated_now=tuple(device for device in now if device in devices),
    )


def _all_reachable(case: Case, node: str) -> Iterator[n.AllTakesReachable]:
    """Devices of a driver that other nodes reach and this one does not, where `All` was asked for."""
    here = {seen.id: seen.pooled.spec for seen in on_node(case, node)}
    for one in got(case):
        for path, wanted in demands_with_paths(one.claim):
            taken = [device_of(result) for result in one.results if result.request == path.name]
            if wanted.allocation_mode != "All" or not taken or any(here[device].node_name for device in taken):
                continue
            elsewhere = _published_elsewhere(case, {device.driver for device in taken}, here)
            if elsewhere:
                pools = tuple(dict.fromkeys(device.pool for device in taken))
                yield n.AllTakesReachable(path.name, node, len(taken), pools, elsewhere)


def _published_elsewhere(case: Case, drivers: set[str], here: Mapping[DeviceID, object]) -> int:
    return sum(
        1
        for one in case.snapshot.inventory.index.slices
        if one.spec.driver in drivers
        for device in one.spec.devices or ()
        if DeviceID(one.spec.driver, one.spec.pool.name, device.name) not in here
    )


def _fell_through(case: Case) -> Iterator[n.FellThrough]:
    for one in got(case):
        chosen = {result.request for result in one.results if "/" in result.request}
        for request in one.claim.spec.devices.requests:
            names = [f"{request.name}/{alternative.name}" for alternative in request.first_available]
            taken = next((name for name in names if name in chosen), None)
            if taken is not None and names.index(taken):
                yield n.FellThrough(request.name, taken, tuple(names[: names.index(taken)]))
