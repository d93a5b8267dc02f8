"""What a claim holds, joined with what drivers report of it: by driver, pool, device and share.

A device without a report and a report without a device are both told. It looks at one claim at a time and decides
nothing; whether a device is published any more is `survey`'s to say.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

import msgspec

from dravite.api.meta import Condition, DeviceID, ObjectRef, Time
from dravite.api.resource_v1 import AllocatedDeviceStatus, ResourceClaim
from dravite.snapshot.usage import consumers_of

ClaimState: TypeAlias = Literal["pending", "allocated", "reserved", "deleting"]
Readiness: TypeAlias = Literal["ready", "not-ready", "unknown", "not-told", "no-report"]

READY = "Ready"


class DeviceReport(msgspec.Struct, frozen=True, kw_only=True):
    """One device of a claim, or one report without a device.

    Attributes:
        request: the request that it serves, `req` or `req/sub`; empty for a report without a device.
        share_id: the share; None where the device is held as a whole.
        allocated: whether the claim holds it.
        status: what the driver reports; None where it reports nothing.
        readiness: what the condition Ready says. `not-told`: there is a report without such a condition.
        since: when that changed last.
        reason: the reason and message of the condition, where it is not true.
    """

    request: str
    device: DeviceID
    share_id: str | None = None
    allocated: bool = True
    status: AllocatedDeviceStatus | None = None
    readiness: Readiness = "no-report"
    since: Time | None = None
    reason: str = ""


class ClaimReport(msgspec.Struct, frozen=True, kw_only=True):
    """One claim.

    Attributes:
        state: `deleting` outweighs `reserved`, which outweighs `allocated`.
        nodes: the nodes that the allocation names; empty where it names none.
        consumers: who the claim is reserved for.
        devices: in the order of the allocation; then reports without a device, in the order of the status.
    """

    claim: ObjectRef
    state: ClaimState
    nodes: tuple[str, ...] = ()
    consumers: tuple[ObjectRef, ...] = ()
    devices: tuple[DeviceReport, ...] = ()

    def count(self, readiness: Readiness) -> int:
        """How many devices that the claim holds are so."""
        return sum(1 for one in self.devices if one.allocated and one.readiness == readiness)

    @property
    def strays(self) -> int:
        """How many reports are about devices that the claim does not hold."""
        return sum(1 for one in self.devices if not one.allocated)


def claim_reports(claims: Iterable[ResourceClaim]) -> tuple[ClaimReport, ...]:
    """All claims in their order."""
    return tuple(map(claim_report, claims))


def claim_report(claim: ResourceClaim) -> ClaimReport:
    """One claim with its devices and what is reported of them."""
    status = claim.status
    results = status.allocation.devices.results if status.allocation is not None else ()
    reports = {_key(one): one for one in status.devices}
    held = [
        _device(one.request, DeviceID(one.driver, one.pool, one.device), one.share_id, reports.get(_key(one)))
        for one in results
    ]
    known = {_key(one) for one in results}
    strays = [
        msgspec.structs.replace(
            _device("", DeviceID(one.driver, one.pool, one.device), one.share_id, one), allocated=False
        )
        for one in status.devices
        if _key(one) not in known
    ]
    return ClaimReport(
        claim=ObjectRef(claim.kind, claim.metadata.namespace, claim.metadata.name),
        state=_state(claim),
        nodes=_nodes(claim),
        consumers=consumers_of(claim),
        devices=(*held, *strays),
    )


def _key(one: object) -> tuple[str, ...]:
    """What results and reports are joined by."""
    return tuple(str(getattr(one, name) or "") for name in ("driver", "pool", "device", "share_id"))


def _state(claim: ResourceClaim) -> ClaimState:
    if claim.metadata.deletion_timestamp is not None:
        return "deleting"
    if claim.status.allocation is None:
        return "pending"
    return "reserved" if claim.status.reserved_for else "allocated"


def _nodes(claim: ResourceClaim) -> tuple[str, ...]:
    allocation = claim.status.allocation
    selector = allocation.node_selector if allocation is not None else None
    return tuple(
        value
        for term in (selector.node_selector_terms if selector is not None else ())
        for rule in term.match_fields
        if rule.key == "metadata.name" and rule.operator == "In"
        for value in rule.values
    )


def _device(request: str, device: DeviceID, share_id: str | None, status: AllocatedDeviceStatus | None) -> DeviceReport:
    if status is None:
        return DeviceReport(request=request, device=device, share_id=share_id)
    ready = next((one for one in status.conditions if one.type == READY), None)
    return DeviceReport(
        request=request,
        device=device,
        share_id=share_id,
        status=status,
        readiness=_readiness(ready),
        since=None if ready is None else ready.last_transition_time,
        reason=_reason(ready),
    )


def _reason(ready: Condition | None) -> str:
    if ready is None or ready.status == "True":
        return ""
    return ": ".join(filter(None, (ready.reason, ready.message)))


def _readiness(ready: Condition | None) -> Readiness:
    if ready is None:
        return "not-told"
    return {"True": "ready", "False": "not-ready"}.get(ready.status, "unknown")  # type: ignore[return-value]
