"""The whole answer to "why": one value per pod, ready to be put into words.

Everything that adds up is said once: nodes with equal reasons stand in one group, the groups' nodes sum to
`nodes_total`, and in each group `eligible` plus the refused devices are the devices seen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import msgspec

from dravite.api.meta import DeviceID, ObjectRef
from dravite.api.quantity import Quantity
from dravite.diagnosis.findings import Clash, PoolFinding
from dravite.diagnosis.reasons import (
    CapacityShort,
    ConstraintID,
    CountersExhausted,
    GroupsIncompatible,
    InUse,
    NodeRejection,
    Rejection,
    SeenValue,
    SelectorFalse,
    TaintNotTolerated,
)
from dravite.diagnosis.verdicts import Certainty, PodDecision
from dravite.explain.insights import (
    AmountInsight,
    ConstraintInsight,
    Holding,
    MissingName,
    NameInsight,
    RefusalGroup,
    SelectorInsight,
    UnmetLabel,
)
from dravite.explain.notes import Note
from dravite.snapshot.device_paths import DevicePath

if TYPE_CHECKING:  # a plan has none to offer
    from dravite.explain.remedies.advice import Remedy

MOMENTARY: Final = (InUse, CapacityShort, CountersExhausted, GroupsIncompatible)
"""Reasons that go away when somebody lets go of something."""


class RequestFinding(msgspec.Struct, frozen=True, kw_only=True):
    """What one request (or alternative) finds on a node.

    Attributes:
        demand: where the number is asked for.
        claim: the claim, or the template that it is made from.
        entry: the pod's entry.
        request: `gpu`, or `gpu/large` for an alternative.
        needed: devices needed; None for `All`.
        eligible: devices that could serve it, each by itself.
        seen: `eligible` plus all refused devices.
        refusals: the refused devices by reason, most devices first.
        eligible_devices: which ones are eligible (the first few).
        also: further requests of the claim that find the very same.
        resource: the extended resource that the request stands for, where it stands for one.
    """

    demand: ConstraintID
    claim: ObjectRef
    entry: str
    request: str
    needed: int | None
    eligible: int
    seen: int
    refusals: tuple[RefusalGroup, ...] = ()
    eligible_devices: tuple[DeviceID, ...] = ()
    also: tuple[str, ...] = ()
    resource: str = ""

    @property
    def of_class(self) -> int:
        """The devices that the request's class stands for, refused or not."""
        return self.seen - sum(len(group.rejections) for group in self.refusals if is_of_other_class(group.reason))

    @property
    def missing(self) -> int:
        """How many devices are missing, counting each device by itself.

        For `All` those that match and cannot be had (R-11), and one where none matches (R-12).
        """
        if self.needed is not None:
            return max(0, self.needed - self.eligible)
        blocked = self._blocked()
        return blocked or (0 if self.eligible else 1)

    @property
    def lacking(self) -> int:
        """How many devices are missing even if everybody let go of theirs."""
        freed = sum(len(group.rejections) for group in self.refusals if isinstance(group.reason, MOMENTARY))
        wanted = self.needed if self.needed is not None else 1
        return max(0, wanted - self.eligible - freed)

    def _blocked(self) -> int:
        return sum(1 for group in self.refusals for rejection in group.rejections if _is_collected(rejection))


def is_of_other_class(rejection: Rejection) -> bool:
    """Whether the device is none that the class stands for: of no interest to a person who asks for the class."""
    return isinstance(rejection, SelectorFalse) and rejection.selector.object.kind == "DeviceClass"


def _is_collected(rejection: Rejection) -> bool:
    """Whether `All` wants the device, so that its refusal fails the request (R-10, R-11)."""
    if isinstance(rejection, CapacityShort):
        return Quantity.parse(rejection.rounded) <= Quantity.parse(rejection.value)
    return isinstance(rejection, InUse | TaintNotTolerated | CountersExhausted | GroupsIncompatible)


class DeviceStory(msgspec.Struct, frozen=True, kw_only=True):
    """Why a node has no devices for the pod: told for one node, true for all of its group.

    Attributes:
        node: the node it was worked out on.
        devices_seen: devices that the node sees in usable pools.
        requests: what each request finds, in the order of the claims; alternatives one by one.
        pools: pools of the node from which nothing can be taken.
        clash: demands that cannot hold together although each request by itself finds enough.
        claims: the claims (or templates) that were to be allocated.
        hidden: devices listed by slices of unusable pools.
    """

    node: str
    devices_seen: int
    requests: tuple[RequestFinding, ...] = ()
    pools: tuple[PoolFinding, ...] = ()
    clash: Clash | None = None
    claims: tuple[ObjectRef, ...] = ()
    hidden: int = 0

    @property
    def missing(self) -> int:
        """Devices missing over all requests; alternatives count by the best of them."""
        return self._fewest(lambda finding: finding.missing)

    @property
    def lacking(self) -> int:
        """As `missing`, if everybody let go of their devices."""
        return self._fewest(lambda finding: finding.lacking)

    @property
    def of_class(self) -> int:
        """Devices that the classes of the requests stand for."""
        return max((finding.of_class for finding in self.requests), default=0)

    def _fewest(self, number: Callable[[RequestFinding], int]) -> int:
        best: dict[tuple[str, str], int] = {}
        for finding in self.requests:
            for request in (finding.request, *finding.also):
                key = (finding.entry, request.partition("/")[0])
                best[key] = min(best.get(key, number(finding)), number(finding))
        return sum(best.values())


class NodeGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Nodes with equal reasons, in the order of the snapshot.

    Attributes:
        nodes: which ones; `folded` more are not listed (see `simplify`).
        reasons: the reasons of the first node.
        same_amounts: whether they are word for word those of all others; else only the amounts differ.
        devices: for nodes that lack devices, the story of the first node.
        devices_seen: devices over all nodes of the group.
    """

    nodes: tuple[str, ...]
    reasons: tuple[NodeRejection, ...]
    devices: DeviceStory | None = None
    devices_seen: int = 0
    folded: int = 0
    same_amounts: bool = True

    @property
    def size(self) -> int:
        """Nodes in the group, listed or folded."""
        return len(self.nodes) + self.folded


class NearestMiss(msgspec.Struct, frozen=True, kw_only=True):
    """The node that comes closest: `missing` devices are lacking there (0 where only a clash is in the way)."""

    node: str
    missing: int
    needed: int


class SelectorFailure(msgspec.Struct, frozen=True, kw_only=True):
    """A selector that cannot be evaluated (or compiled), taken apart.

    Attributes:
        selector: which selector.
        expression, offset, headline: the text, the place of the fault in it, and what is wrong in short.
        clause, clause_offset: the part of the expression that fails.
        device, node: where it struck; None for a compile error.
        path: what it tried to read.
        seen: what the device has at the paths that the expression reads.
        found_kind: what kind of value is there: `version`, `quantity`, `string`, `int`, `bool`, a list of them.
        compared_with: the constant that it is compared with, where there is one.
        fails_on, devices: on how many of the devices that reach it it fails.
    """

    selector: ConstraintID
    expression: str
    headline: str
    offset: int | None = None
    clause: str = ""
    clause_offset: int = 0
    device: DeviceID | None = None
    node: str | None = None
    path: DevicePath | None = None
    seen: tuple[SeenValue, ...] = ()
    found_kind: str | None = None
    compared_with: str | None = None
    fails_on: int = 0
    devices: int = 0


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """Why a pod gets what it gets.

    Attributes:
        decision: the answer that is explained.
        pods: all pods with this very answer for these very reasons, the explained one first.
        nodes_total: nodes of the cluster; the groups' sizes add up to it where nodes were looked at.
        nodes_inferred: whether nodes were made up from the slices.
        groups: nodes by reason, nearest miss first.
        missing: objects that are named and are not there.
        failure: the selector that ended the attempt.
        selectors, names, constraints, amounts: insights over all nodes that lack devices.
        unmet: labels that keep nodes out.
        pools: pools from which nothing can be taken, where that plays a part.
        holdings: who holds devices in the way; `holdings_total` of them, where the list is cut short.
        nearest: the node that comes closest.
        notes: semantics to know here.
        remedies: what was planned and works, best first.
        fallbacks: for a scheduled pod, what the alternatives that were passed over find where they find most.
    """

    decision: PodDecision
    pods: tuple[ObjectRef, ...] = ()
    nodes_total: int = 0
    nodes_inferred: bool = False
    groups: tuple[NodeGroup, ...] = ()
    missing: tuple[MissingName, ...] = ()
    failure: SelectorFailure | None = None
    selectors: tuple[SelectorInsight, ...] = ()
    names: tuple[NameInsight, ...] = ()
    constraints: tuple[ConstraintInsight, ...] = ()
    amounts: tuple[AmountInsight, ...] = ()
    unmet: tuple[UnmetLabel, ...] = ()
    pools: tuple[PoolFinding, ...] = ()
    holdings: tuple[Holding, ...] = ()
    holdings_total: int = 0
    nearest: NearestMiss | None = None
    notes: tuple[Note, ...] = ()
    remedies: tuple[Remedy, ...] = ()
    fallbacks: tuple[DeviceStory, ...] = ()

    @property
    def certainty(self) -> Certainty:
        """`proven`, unless the search was cut short."""
        decided = self.decision.decision
        return getattr(decided, "certainty", "proven")
