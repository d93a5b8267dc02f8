"""Semantics that people get wrong, tied to the objects at hand. Values only."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from dravite.api.meta import DeviceID, ObjectRef
from dravite.diagnosis.reasons import ConstraintID


class ErrorEndsAttempt(msgspec.Struct, frozen=True, tag=True):
    """An error on one device ends the attempt on every node (CEL-18); `would_do` are nodes that could run the pod."""

    device: str | None
    node: str | None
    would_do: tuple[str, ...] = ()


class ErrorIsNodeOnlySince(msgspec.Struct, frozen=True, tag=True):
    """From `release` on this error rules out `nodes` only (R-9); `would_do` could run the pod then."""

    release: str
    nodes: tuple[str, ...]
    would_do: tuple[str, ...] = ()


class ClaimEach(msgspec.Struct, frozen=True, tag=True):
    """A template makes one claim per pod (A2.5): `pod` has the devices through a claim of its own."""

    template: ObjectRef
    pod: ObjectRef
    devices: tuple[DeviceID, ...]


class OpaqueConfig(msgspec.Struct, frozen=True, tag=True):
    """Configuration for a driver means nothing to the scheduler; it cannot make a device shareable."""

    claim: ObjectRef
    driver: str
    field: str


class NotShareable(msgspec.Struct, frozen=True, tag=True):
    """A device without `allowMultipleAllocations` goes to one claim as a whole (CAP-8), also for a capacity request."""

    devices: tuple[DeviceID, ...]
    slice: str
    capacity_asked: bool


class ClaimLimit(msgspec.Struct, frozen=True, tag=True):
    """A claim holds at most `limit` devices (R-4); `free` match and are free on the best node."""

    claim: ObjectRef
    limit: int
    asked: int
    free: int


class TakesWholeDevice(msgspec.Struct, frozen=True, tag=True):
    """Without an amount a request takes all of a capacity (CAP-3), and no other claim can share the device (CAP-10)."""

    request: str
    claim: ObjectRef
    capacities: tuple[str, ...]


class OneDevicePerAmount(msgspec.Struct, frozen=True, tag=True):
    """A capacity comes from one device (CAP-7): the total over several is no use."""

    capacity: str
    largest: str
    total: str


class AllTakesReachable(msgspec.Struct, frozen=True, tag=True):
    """`All` means every matching device that the chosen node reaches (R-10, R-15), not those of other pools."""

    request: str
    node: str
    taken: int
    pools: tuple[str, ...]
    elsewhere: int


class AllNeedsEvery(msgspec.Struct, frozen=True, tag=True):
    """`All` needs every matching device to be free (R-11), and at least one to exist (R-12)."""

    request: str
    claim: ObjectRef


class ClaimIsOneAllocation(msgspec.Struct, frozen=True, tag=True):
    """One claim is one allocation, usable only where its devices are (RES-9, F2.1)."""

    claim: ObjectRef
    node: str | None
    pods: tuple[ObjectRef, ...]
    devices: tuple[DeviceID, ...] = ()


class NeverPreempted(msgspec.Struct, frozen=True, tag=True):
    """The scheduler does not preempt for devices, whatever the priorities (F2.7)."""

    priority: int
    holders: tuple[tuple[ObjectRef, int], ...]


class NodeTaintIsNotDeviceTaint(msgspec.Struct, frozen=True, tag=True):
    """A toleration in a claim is about device taints; a node taint needs `spec.tolerations` of the pod."""

    key: str
    value: str
    effect: str
    nodes: tuple[str, ...]


class DeviceTaintIsNotNodeTaint(msgspec.Struct, frozen=True, tag=True):
    """The pod's tolerations are about node taints; one of `devices` needs a toleration in the request (B3.1)."""

    key: str
    value: str
    effect: str
    devices: tuple[DeviceID, ...]


class NodesPublishNothing(msgspec.Struct, frozen=True, tag=True):
    """No ResourceSlice offers devices on `nodes`; `publishing` are others, `labels` what those have in common.

    `unknown` are the nodes that slices are for and that do not exist, `empty` those of `nodes` with a slice that lists
    no devices, `selecting` the slices whose node selector no node fits.
    """

    nodes: tuple[str, ...]
    drivers: tuple[str, ...]
    publishing: tuple[tuple[str, int], ...]
    labels: tuple[str, ...]
    unknown: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    selecting: tuple[str, ...] = ()


class NoSuchDriver(msgspec.Struct, frozen=True, tag=True):
    """No slice of the driver exists: the object alone would not help. `drivers` are those that publish."""

    driver: str
    drivers: tuple[str, ...]


class RolloutSurges(msgspec.Struct, frozen=True, tag=True):
    """A rolling update starts a new pod before it ends an old one, which holds the devices."""

    workload: ObjectRef
    old_pods: tuple[ObjectRef, ...]
    devices: tuple[DeviceID, ...]


class ResourceNotMapped(msgspec.Struct, frozen=True, tag=True):
    """No node offers the extended resource and no class serves it (F7.1); `classes` could. `near` are names that do."""

    resource: str
    classes: tuple[str, ...]
    drivers: tuple[str, ...]
    near: tuple[str, ...] = ()


class TwoBooks(msgspec.Struct, frozen=True, tag=True):
    """A node offers a device plugin's resource and a driver's devices, booked apart (F7.3); it may be one hardware."""

    node: str
    resource: str
    allocatable: str
    used: str
    driver: str
    devices: int
    taken: int
    allocated_now: tuple[DeviceID, ...] = ()


class ToleratedButEvicted(msgspec.Struct, frozen=True, tag=True):
    """Scheduling takes an empty effect for any, eviction only counts tolerations that say NoExecute (B6.2)."""

    device: DeviceID
    key: str
    value: str
    toleration: ConstraintID


class ToleratedForAWhile(msgspec.Struct, frozen=True, tag=True):
    """The toleration ends `seconds` after the taint was added (`since`, where it says so); then the pod is evicted."""

    device: DeviceID
    key: str
    value: str
    seconds: int
    since: str | None
    toleration: ConstraintID


class AttributeDiffers(msgspec.Struct, frozen=True, tag=True):
    """First fit took devices whose shared attribute differs; nothing in the claim asks for one value."""

    claim: ObjectRef
    attribute: str
    values: tuple[tuple[str, tuple[DeviceID, ...]], ...]


class FellThrough(msgspec.Struct, frozen=True, tag=True):
    """A later alternative of `firstAvailable` was taken; `earlier` could not be had (R-17)."""

    request: str
    chosen: str
    earlier: tuple[str, ...]


class NamespaceBound(msgspec.Struct, frozen=True, tag=True):
    """A pod can only use claims and templates of its own namespace (A1.1)."""

    missing: ObjectRef
    elsewhere: tuple[ObjectRef, ...]


class TemplateReadOnce(msgspec.Struct, frozen=True, tag=True):
    """A template is read when a claim is made from it (A2.10): claims that exist live on without it."""

    template: ObjectRef


class AllCountsAsMost(msgspec.Struct, frozen=True, tag=True):
    """A request for all devices is charged to a quota with the most that a claim can hold, `counted`."""

    template: ObjectRef
    request: str
    counted: int


class NoConditionYet(msgspec.Struct, frozen=True, tag=True):
    """The scheduler does not even try such a pod: no condition, no FailedScheduling event (A5.1)."""

    pod: ObjectRef


class PoolsUnusable(msgspec.Struct, frozen=True, tag=True):
    """Nothing may be taken from an incomplete (P-10) or invalid (P-16) pool, however free its devices look."""

    state: Literal["incomplete", "invalid"]
    driver: str
    pool: str
    devices: int


Note: TypeAlias = (
    ErrorEndsAttempt
    | ErrorIsNodeOnlySince
    | ClaimEach
    | OpaqueConfig
    | NotShareable
    | ClaimLimit
    | TakesWholeDevice
    | OneDevicePerAmount
    | AllTakesReachable
    | AllNeedsEvery
    | ClaimIsOneAllocation
    | NeverPreempted
    | NodeTaintIsNotDeviceTaint
    | DeviceTaintIsNotNodeTaint
    | NodesPublishNothing
    | NoSuchDriver
    | RolloutSurges
    | ResourceNotMapped
    | TwoBooks
    | ToleratedButEvicted
    | ToleratedForAWhile
    | AttributeDiffers
    | FellThrough
    | NamespaceBound
    | TemplateReadOnce
    | AllCountsAsMost
    | NoConditionYet
    | PoolsUnusable
)

WARNINGS: Final[tuple[type[Note], ...]] = (TwoBooks, ToleratedButEvicted, ToleratedForAWhile)
"""Notes that somebody must be told even where everything is placed."""
