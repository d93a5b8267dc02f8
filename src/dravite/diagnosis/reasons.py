"""Why one device cannot serve one request, and why one node cannot take one pod.

Values only: who decides them is the allocator's `why_not` and the scheduler's `why_not_node`; who puts them into
words is `render`. A reason refers by identity (`DeviceID`, `ObjectRef`, `ConstraintID`), never by object.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from dravite.api.meta import DeviceID, ObjectRef


class ConstraintID(msgspec.Struct, frozen=True, order=True):
    """One thing somebody asked for: the object it was asked in (claim, template or class) and the field."""

    object: ObjectRef
    path: str


class SeenValue(msgspec.Struct, frozen=True, order=True):
    """What a selector read on a device: `attributes["gpu.example.com"].model` was `"A100"`; None is missing."""

    path: str
    value: str | None


class SelectorFalse(msgspec.Struct, frozen=True, tag=True):
    """A selector of the request or of its class is false on the device; `seen` is what it read there."""

    device: DeviceID
    selector: ConstraintID
    expression: str
    seen: tuple[SeenValue, ...] = ()


class InUse(msgspec.Struct, frozen=True, tag=True):
    """The device is allocated to `holder`, which `consumers` have reserved."""

    device: DeviceID
    holder: ObjectRef | None
    consumers: tuple[ObjectRef, ...] = ()


class TaintNotTolerated(msgspec.Struct, frozen=True, tag=True):
    """`rule` names the DeviceTaintRule that added the taint; None where the driver published it."""

    device: DeviceID
    key: str
    value: str
    effect: str
    rule: str | None = None


class CapacityMissing(msgspec.Struct, frozen=True, tag=True):
    """The request asks for a capacity that the device does not publish."""

    device: DeviceID
    capacity: str


class CapacityShort(msgspec.Struct, frozen=True, tag=True):
    """`requested` is what the user asked, `rounded` what the device's policy makes of it; canonical texts."""

    device: DeviceID
    capacity: str
    requested: str | None
    rounded: str
    value: str
    available: str
    holders: tuple[ObjectRef, ...] = ()


class PolicyViolated(msgspec.Struct, frozen=True, tag=True):
    """The request is above the largest amount that the device's request policy allows."""

    device: DeviceID
    capacity: str
    requested: str
    allowed: str


class CountersExhausted(msgspec.Struct, frozen=True, tag=True):
    """`holders` are the allocated devices of the pool that took the counter, with the claims that hold them."""

    device: DeviceID
    counter_set: str
    counter: str
    needed: str
    available: str
    holders: tuple[tuple[DeviceID, ObjectRef | None], ...] = ()


class GroupsIncompatible(msgspec.Struct, frozen=True, tag=True):
    """Devices of other compatibility groups use the counter set; `holders` are those that are allocated."""

    device: DeviceID
    counter_set: str
    holders: tuple[tuple[DeviceID, ObjectRef | None], ...] = ()


class SelectorFailed(msgspec.Struct, frozen=True, tag=True):
    """Whether the device will do cannot be told: what `selector` asks fails on it.

    Where the search reaches the device this ends the whole attempt; it is a reason only where the search did not.
    """

    device: DeviceID
    selector: ConstraintID
    expression: str
    error: str


class AttributeMissing(msgspec.Struct, frozen=True, tag=True):
    """A matchAttribute or distinctAttribute that applies to the request names an attribute it lacks."""

    device: DeviceID
    constraint: ConstraintID
    attribute: str


class WrongNode(msgspec.Struct, frozen=True, tag=True):
    """The device's own node selection does not include the node."""

    device: DeviceID


class FeatureOff(msgspec.Struct, frozen=True, tag=True):
    """The device needs a feature that is off in the planned release."""

    device: DeviceID
    feature: str


Rejection: TypeAlias = (
    SelectorFalse
    | InUse
    | TaintNotTolerated
    | CapacityMissing
    | CapacityShort
    | PolicyViolated
    | CountersExhausted
    | GroupsIncompatible
    | SelectorFailed
    | AttributeMissing
    | WrongNode
    | FeatureOff
)


class NodeTainted(msgspec.Struct, frozen=True, tag=True):
    """The node has a taint that the pod does not tolerate."""

    key: str
    value: str
    effect: str


class NodeUnschedulable(msgspec.Struct, frozen=True, tag=True):
    """`spec.unschedulable` is set (cordoned)."""


class NodeNameDiffers(msgspec.Struct, frozen=True, tag=True):
    """`spec.nodeName` of the pod names another node."""

    wanted: str


class AffinityNotMatched(msgspec.Struct, frozen=True, tag=True):
    """The pod's node selector or required node affinity. `prefiltered`: the pod names its nodes by field."""

    prefiltered: bool = False


class ResourceShort(msgspec.Struct, frozen=True, tag=True):
    """A node resource; amounts as canonical texts. `resolvable` is False where even an empty node is too small."""

    resource: str
    requested: str
    used: str
    allocatable: str
    resolvable: bool = True


class PortTaken(msgspec.Struct, frozen=True, tag=True):
    """A host port of the pod is taken by a pod on the node."""

    port: int
    protocol: str


class SpreadViolated(msgspec.Struct, frozen=True, tag=True):
    """A DoNotSchedule topology spread constraint; `label_missing` where the node lacks the topology key."""

    topology_key: str
    label_missing: bool = False


class PodAffinityViolated(msgspec.Struct, frozen=True, tag=True):
    """`rule` is `affinity`, `anti-affinity` or `existing-anti-affinity`."""

    rule: str
    topology_key: str


class ClaimElsewhere(msgspec.Struct, frozen=True, tag=True):
    """The claim is allocated already, for other nodes."""

    claim: ObjectRef
    node: str | None = None


class ClaimNotReady(msgspec.Struct, frozen=True, tag=True):
    """The claim is allocated, and binding its devices failed: `device` reported `reason` (D3.7)."""

    claim: ObjectRef
    device: DeviceID
    reason: str


class ExtendedClaimStale(msgspec.Struct, frozen=True, tag=True):
    """The pod's claim for extended resources is left over from an earlier attempt (F7.7)."""

    claim: ObjectRef


class NodeUnsuitable(msgspec.Struct, frozen=True, tag=True):
    """A driver that allocates by itself (1.31) does not do so on the node: its `class` or the `driver` itself says."""

    claim: ObjectRef
    by: str


class MappedClaimTaken(msgspec.Struct, frozen=True, tag=True):
    """The claim stands for resources of its node, and another pod has it (F8.3); `told` is the release to quote."""

    claim: ObjectRef
    told: str


class PodLevelShort(msgspec.Struct, frozen=True, tag=True):
    """The pod as a whole asks for less of a resource than its containers and claims take together (F8.2)."""

    resource: str


class PoolsInvalid(msgspec.Struct, frozen=True, tag=True):
    """No devices were found and at least one pool on the node is invalid (P-16)."""

    pools: tuple[tuple[str, str], ...]


class DevicesShort(msgspec.Struct, frozen=True, tag=True):
    """The claims cannot be allocated on the node; `explain` finds out why."""


NodeRejection: TypeAlias = (
    NodeTainted
    | NodeUnschedulable
    | NodeNameDiffers
    | AffinityNotMatched
    | ResourceShort
    | PortTaken
    | SpreadViolated
    | PodAffinityViolated
    | ClaimElsewhere
    | ClaimNotReady
    | ExtendedClaimStale
    | NodeUnsuitable
    | MappedClaimTaken
    | PodLevelShort
    | PoolsInvalid
    | DevicesShort
)
