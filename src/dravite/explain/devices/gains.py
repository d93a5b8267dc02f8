"""What a placed pod got: claims with their devices, and where each of its requests was written."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from dravite.api.meta import DeviceID, ObjectRef
from dravite.api.resource_v1 import (
    DeviceRequestAllocationResult,
    DeviceSubRequest,
    ExactDeviceRequest,
    ResourceClaim,
)
from dravite.diagnosis.verdicts import AttemptError
from dravite.explain.case import Case
from dravite.explain.objects.missing import written_in
from dravite.explain.selectors.published import Located


class Got(msgspec.Struct, frozen=True):
    """A claim of the pod with the devices that it got in this plan."""

    claim: ResourceClaim
    source: ObjectRef
    results: tuple[DeviceRequestAllocationResult, ...]

    @property
    def ref(self) -> ObjectRef:
        """The claim's identity."""
        return ObjectRef("ResourceClaim", self.claim.metadata.namespace, self.claim.metadata.name)


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


def device_of(result: DeviceRequestAllocationResult) -> DeviceID:
    """The device behind a result."""
    return DeviceID(result.driver, result.pool, result.device)


def _written(case: Case, claim: ResourceClaim) -> ObjectRef:
    ref = ObjectRef("ResourceClaim", claim.metadata.namespace, claim.metadata.name)
    return written_in(case.snapshot, case.spec, ref, "")[0]


class DemandPath(msgspec.Struct, frozen=True):
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
