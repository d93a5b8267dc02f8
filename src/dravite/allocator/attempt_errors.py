"""The errors that end an attempt, in Kubernetes' words: everything after the claims were checked."""

from __future__ import annotations

from dravite.allocator.capacity import CapacityFault
from dravite.allocator.demands import ClaimDemand, Demand, DerivedAttribute
from dravite.allocator.eligibility import Failure
from dravite.api.meta import DeviceID
from dravite.api.names import SelectorFault
from dravite.cel import CelError
from dravite.diagnosis.verdicts import AttemptError
from dravite.snapshot.node_devices import SELECTOR_UNREADABLE, describe_fault
from dravite.snapshot.pools import Pool


def device_failure(failure: Failure, claim: ClaimDemand, demand: Demand, device: DeviceID, node: str) -> AttemptError:
    """A check of a device that could not be done."""
    error = failure.error
    if isinstance(error, CelError):
        return _selector_error(error, failure.index, demand, device, node)
    if isinstance(error, SelectorFault):
        message = f"{SELECTOR_UNREADABLE}: {describe_fault(error)}"
        return AttemptError(kind="node-selector", message=message, device=str(device), node=node)
    return _capacity_error(error, claim, demand, device, node)


def no_constraint_holds(claim: ClaimDemand, demand: Demand, device: DeviceID, node: str) -> AttemptError:
    """All cannot leave out a device that a constraint refuses (R-13)."""
    message = (
        f"claim {claim.title}, request {demand.label}: "
        f"cannot add device {device} because a claim constraint would not be satisfied"
    )
    return AttemptError(
        kind="constraint",
        message=message,
        claim=demand.id.object,
        request=demand.name,
        device=str(device),
        node=node,
        path=demand.size_id.path,
    )


def pool_not_ready(claim: ClaimDemand, demand: Demand, pool: Pool, node: str) -> AttemptError:
    """All needs to know all devices, so every pool that the node sees must be usable (R-9)."""
    invalid = pool.finding is not None and pool.finding.state == "invalid"
    state = "currently invalid" if invalid else "currently being updated"
    message = (
        f"claim {claim.title}, request {demand.label}: "
        f"asks for all devices, but resource pool {pool.driver}/{pool.name} is {state}"
    )
    return AttemptError(
        kind="all-pool",
        message=message,
        claim=demand.id.object,
        request=demand.name,
        node=node,
        path=demand.size_id.path,
    )


def too_many_devices(claim: ClaimDemand, demand: Demand, added: int, before: int, node: str) -> AttemptError:
    """The claim asks for more devices than a claim can have (R-4)."""
    message = (
        f"claim {claim.title}, request {demand.parent}: "
        f"adding {added} devices exceeds the claim limit of 32, with {before} already accounted for"
    )
    return AttemptError(
        kind="limit",
        message=message,
        claim=demand.id.object,
        request=demand.parent,
        node=node,
        path=demand.size_id.path,
    )


def derived_failed(attribute: DerivedAttribute, error: CelError, device: DeviceID, node: str) -> AttemptError:
    """A derived attribute does not compile, or has no value on a device."""
    message = (
        f"compile derived attribute {attribute.name} failed: {error.message}"
        if error.phase == "compile"
        else f"evaluate derived attribute {attribute.name} on device {device} failed: {error.message}"
    )
    return AttemptError(
        kind=f"selector-{error.phase}",
        message=message,
        claim=attribute.id.object,
        device=str(device),
        node=node,
        path=attribute.id.path,
        expression=attribute.expression,
        offset=error.offset,
    )


def too_many_terms(claim_name: str, terms: int) -> AttemptError:
    """A slice selector with several terms cannot be merged into a claim's (RES-10)."""
    message = f"create NodeSelector for claim {claim_name}: unsupported ResourceSlice.NodeSelector with {terms} terms"
    return AttemptError(kind="node-selector", message=message)


def _selector_error(error: CelError, index: int, demand: Demand, device: DeviceID, node: str) -> AttemptError:
    selector = demand.selectors[index]
    place = f"{selector.owner}: selector #{selector.index}"
    message = (
        f"{place}: CEL compile error: {error.message}"
        if error.phase == "compile"
        else f"{place} on device {device}: CEL runtime error: {error.message}"
    )
    return AttemptError(
        kind=f"selector-{error.phase}",
        message=message,
        claim=selector.id.object,
        request=demand.name,
        device=str(device),
        node=node,
        path=selector.id.path,
        expression=selector.expression,
        offset=error.offset,
    )


def _capacity_error(
    fault: CapacityFault, claim: ClaimDemand, demand: Demand, device: DeviceID, node: str
) -> AttemptError:
    place = device.device if demand.takes_all else str(device)  # All checks before it knows the pool (CAP-18)
    message = f"claim {claim.title}, request {demand.label}: checking capacity for device {place}: {fault.text}"
    return AttemptError(
        kind="capacity",
        message=message,
        claim=demand.id.object,
        request=demand.name,
        device=str(device),
        node=node,
        path=demand.id.path,
    )
