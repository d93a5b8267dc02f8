"""What one could do about a "no", as values. Every advice that reaches a user was planned and works."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from dravite.api.meta import DeviceID, ObjectRef
from dravite.diagnosis.reasons import ConstraintID
from dravite.diagnosis.verdicts import ClaimAllocation
from dravite.snapshot.changes import Change


class LowerCount(msgspec.Struct, frozen=True, tag=True):
    """Ask for fewer devices: the most that can be had."""

    demand: ConstraintID
    asked: int
    possible: int


class CountInsteadOfAll(msgspec.Struct, frozen=True, tag=True):
    """Ask for a number of devices in place of `All`: as many as can be had."""

    demand: ConstraintID
    possible: int


class LowerCapacity(msgspec.Struct, frozen=True, tag=True):
    """Ask for less of a capacity: the most that one device has left. `implied`: nobody asked for an amount, and
    `asked` is what is taken then."""

    demand: ConstraintID
    capacity: str
    asked: str
    possible: str
    implied: bool = False


class ReplaceSelector(msgspec.Struct, frozen=True, tag=True):
    """Write a selector differently.

    `how` is `guard` (test for presence first), `capacity` (it is a capacity, not an attribute), `attribute`,
    `version` (compare with `semver(…)`), `quantity`, `value` (the published value), `name` (the published name) or
    `drop` (leave the failing clause out). `removed` and `added` are the parts that change. An empty `expression` means
    that nothing is left of the selector, so that it must go as a whole.
    """

    selector: ConstraintID
    how: Literal["guard", "capacity", "attribute", "version", "quantity", "value", "name", "drop"]
    expression: str
    removed: str
    added: str


class TolerateDeviceTaint(msgspec.Struct, frozen=True, tag=True):
    """Add a toleration to the request."""

    request: ConstraintID
    key: str
    value: str
    effect: str


class TolerateNodeTaint(msgspec.Struct, frozen=True, tag=True):
    """Add a toleration to the pod (a node taint is none of the claim's business)."""

    pod: ObjectRef
    key: str
    value: str
    effect: str


class SetTolerationEffect(msgspec.Struct, frozen=True, tag=True):
    """Name the effect in the toleration, since eviction reads it literally."""

    toleration: ConstraintID
    effect: str


class DropConstraint(msgspec.Struct, frozen=True, tag=True):
    """Leave a matchAttribute or distinctAttribute out, and lose what it is there for."""

    constraint: ConstraintID
    attribute: str


class RenameAttribute(msgspec.Struct, frozen=True, tag=True):
    """Use another attribute in a constraint: one that the devices publish."""

    constraint: ConstraintID
    attribute: str
    published: str


class MatchAttribute(msgspec.Struct, frozen=True, tag=True):
    """Add a matchAttribute, so that all devices of the claim share a value."""

    claim: ObjectRef
    attribute: str
    value: str


class UseObject(msgspec.Struct, frozen=True, tag=True):
    """Name another object that exists in place of one that does not."""

    named_by: ObjectRef
    field: str
    missing: ObjectRef
    use: ObjectRef


class CopyObject(msgspec.Struct, frozen=True, tag=True):
    """Create the object in this namespace, as it is in the other one."""

    existing: ObjectRef
    copy: ObjectRef


class FreeDevices(msgspec.Struct, frozen=True, tag=True):
    """End the pods (or delete the claims without pods) that hold devices in the way."""

    pods: tuple[ObjectRef, ...]
    claims: tuple[ObjectRef, ...]
    devices: tuple[DeviceID, ...]


class PinToNode(msgspec.Struct, frozen=True, tag=True):
    """Keep the pod on a node (or nodes with a label) where the attempt does not meet the error."""

    pod: ObjectRef
    label: str
    value: str


class DropNodeSelection(msgspec.Struct, frozen=True, tag=True):
    """Leave out a part of the pod's node selection."""

    selection: ConstraintID
    key: str


class ReplaceNodeSelection(msgspec.Struct, frozen=True, tag=True):
    """Select nodes by a label that they have: `removed` and `added` are keys or values of the pod's node selection."""

    selection: ConstraintID
    key: str
    removed: str
    added: str


class UncordonNode(msgspec.Struct, frozen=True, tag=True):
    """Let a node take pods again that somebody cordoned."""

    node: str


class LoweredAmount(msgspec.Struct, frozen=True):
    """A resource of which the pod as a whole asks for less: canonical texts."""

    resource: str
    asked: str
    possible: str


class LowerResources(msgspec.Struct, frozen=True, tag=True):
    """Let the pod ask for less of its node: the most that the roomiest node has left; `request` is the first field."""

    request: ConstraintID
    amounts: tuple[LoweredAmount, ...]


class DropHostPort(msgspec.Struct, frozen=True, tag=True):
    """Do not ask for a port of the node."""

    selection: ConstraintID
    port: int


class RelaxSpread(msgspec.Struct, frozen=True, tag=True):
    """Let a topology spread constraint be a wish (`whenUnsatisfiable: ScheduleAnyway`)."""

    constraint: ConstraintID
    topology_key: str


class DropPodRule(msgspec.Struct, frozen=True, tag=True):
    """Leave out a required term of the pod's affinity or anti-affinity, and lose what it is there for."""

    constraint: ConstraintID
    topology_key: str


class ReplacePodLabel(msgspec.Struct, frozen=True, tag=True):
    """Name a label that pods have in the pod's affinity: `removed` goes, `added` comes in its place."""

    constraint: ConstraintID
    removed: str
    added: str


class EndPods(msgspec.Struct, frozen=True, tag=True):
    """End other pods, whatever their priority, the least important and as few as possible; `domain` is where that
    makes room: a node, or a domain of a group."""

    pods: tuple[ObjectRef, ...]
    domain: str


class AddNodes(msgspec.Struct, frozen=True, tag=True):
    """Have more nodes like one that is there."""

    like: str
    count: int


class LiftGates(msgspec.Struct, frozen=True, tag=True):
    """Take the scheduling gates off the pod; whoever set them does that once what they wait for is there."""

    pod: ObjectRef
    gates: tuple[str, ...]


class CreateClass(msgspec.Struct, frozen=True, tag=True):
    """Create a class that is missing, for all devices of the driver of that name."""

    device_class: str


class NameOtherSource(msgspec.Struct, frozen=True, tag=True):
    """Name a template as such where the entry takes it for a claim, or the other way round."""

    entry: ConstraintID
    source: ObjectRef


class ProvideResource(msgspec.Struct, frozen=True, tag=True):
    """Let a class serve an extended resource by name."""

    device_class: str
    resource: str


class RequestImplicitResource(msgspec.Struct, frozen=True, tag=True):
    """Ask for `deviceclass.resource.kubernetes.io/CLASS`, which needs no change to the class."""

    pod: ObjectRef
    resource: str
    implicit: str


class ShareDevice(msgspec.Struct, frozen=True, tag=True):
    """The driver would have to publish the device with `allowMultipleAllocations: true`."""

    slice: str
    devices: tuple[DeviceID, ...]


class ShareClaim(msgspec.Struct, frozen=True, tag=True):
    """Make one ResourceClaim and name it in all the pods, in place of a template."""

    template: ObjectRef
    claim: ObjectRef
    pods: tuple[ObjectRef, ...]


class ClaimPerPod(msgspec.Struct, frozen=True, tag=True):
    """Make a template of the claim, so that each pod gets a claim of its own."""

    claim: ObjectRef
    template: ObjectRef
    pods: tuple[ObjectRef, ...]


class SplitClaim(msgspec.Struct, frozen=True, tag=True):
    """Spread a request over several claims of the pod, since one claim holds only so many devices."""

    claim: ObjectRef
    request: str
    counts: tuple[int, ...]


class ReplaceOldPods(msgspec.Struct, frozen=True, tag=True):
    """Let the rollout end old pods before it starts new ones (`Recreate`, or `maxSurge: 0`)."""

    workload: ObjectRef
    old_pods: tuple[ObjectRef, ...]


Step: TypeAlias = (
    LowerCount
    | CountInsteadOfAll
    | LowerCapacity
    | ReplaceSelector
    | TolerateDeviceTaint
    | TolerateNodeTaint
    | SetTolerationEffect
    | DropConstraint
    | RenameAttribute
    | MatchAttribute
    | UseObject
    | CopyObject
    | FreeDevices
    | PinToNode
    | DropNodeSelection
    | ReplaceNodeSelection
    | UncordonNode
    | LowerResources
    | DropHostPort
    | RelaxSpread
    | DropPodRule
    | ReplacePodLabel
    | EndPods
    | AddNodes
    | LiftGates
    | CreateClass
    | NameOtherSource
    | ProvideResource
    | RequestImplicitResource
    | ShareDevice
    | ShareClaim
    | ClaimPerPod
    | SplitClaim
    | ReplaceOldPods
)
"""One thing to do."""


class Together(msgspec.Struct, frozen=True, tag=True):
    """Two things to do, of which neither is enough."""

    parts: tuple[Step, Step]


Advice: TypeAlias = Step | Together


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """Where the pod runs, and with what, once the advice is taken.

    `displaced` are pods that were placed before and are not any more; evicted pods are not among them.
    """

    node: str
    claims: tuple[ClaimAllocation, ...] = ()
    displaced: tuple[ObjectRef, ...] = ()


class Remedy(msgspec.Struct, frozen=True, kw_only=True):
    """An advice that was planned, the edits that it was planned with, and what it leads to."""

    advice: Advice
    outcome: Outcome
    changes: tuple[Change, ...] = ()
