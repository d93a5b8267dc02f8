"""Whether something that has happened may help a pod that the scheduler has refused (queueing hints, F11.2).

A pod is tried again only if the very plugin that refused it hears of something that it takes for helpful. This is why
a condition may tell of fewer nodes than there are by now.
"""

from __future__ import annotations

from typing import Final

import msgspec

from dravite.api.core_v1 import Node, Pod
from dravite.diagnosis.reasons import (
    ClaimElsewhere,
    ClaimNotReady,
    DevicesShort,
    ExtendedClaimStale,
    MappedClaimTaken,
    NodeRejection,
    NodeUnsuitable,
    PodAffinityViolated,
    PodLevelShort,
    PoolsInvalid,
    PortTaken,
    ResourceShort,
    SpreadViolated,
)
from dravite.diagnosis.verdicts import Unschedulable
from dravite.rehearsal.node_hints import node_may_help
from dravite.rehearsal.pod_hints import change_may_help, gone_may_help, placed_may_help
from dravite.rehearsal.world import Happening, HappeningKind
from dravite.snapshot.node_state import node_pod
from dravite.snapshot.pod_claims import claim_keys

_OF_DEVICES = (
    ClaimElsewhere,
    ClaimNotReady,
    DevicesShort,
    ExtendedClaimStale,
    MappedClaimTaken,
    NodeUnsuitable,
    PodLevelShort,
    PoolsInvalid,
)
_OF_NEIGHBOURS = PodAffinityViolated | SpreadViolated


class Hints(msgspec.Struct, frozen=True, eq=False):
    """What may help a pod that was refused.

    Attributes:
        kinds: of what has to happen.
        by_claims: whether claims were a reason: then every new node and every class may help; else only a node that
            mends one of `reasons`, and a class that serves what the pod asks for.
        reasons: why the nodes refused the pod, one of each kind: a plugin does not ask which node it was.
    """

    kinds: frozenset[HappeningKind]
    by_claims: bool = False
    reasons: tuple[NodeRejection, ...] = ()


NO_HINTS: Final = Hints(frozenset())
"""Nothing that happens matters."""


def hints_of(refusal: Unschedulable) -> Hints:
    """What the plugins that refused a pod wait for. Its group has held back who waits for the group."""
    if refusal.held_back is not None:
        return NO_HINTS
    found: dict[type[NodeRejection], NodeRejection] = {}
    kinds: set[HappeningKind] = {"node"}
    for finding in refusal.nodes:
        for reason in finding.reasons:
            found.setdefault(type(reason), reason)
            if isinstance(reason, ResourceShort) and "/" in reason.resource:
                kinds.add("class")
    reasons = tuple(found.values())
    by_claims = not reasons or any(map(_of_devices, reasons))
    if by_claims:
        kinds |= {"claims", "class", "devices"}
    if any(isinstance(reason, ResourceShort | PortTaken | _OF_NEIGHBOURS) for reason in reasons):
        kinds.add("pod-gone")
    if any(isinstance(reason, _OF_NEIGHBOURS) for reason in reasons):
        kinds.add("pod-placed")
    if any(isinstance(reason, ResourceShort | _OF_NEIGHBOURS) for reason in reasons):
        kinds.add("pod-changed")
    if any(isinstance(reason, SpreadViolated) for reason in reasons):
        kinds.add("node-gone")
    return Hints(frozenset(kinds), by_claims, reasons)


def may_help(happening: Happening, hints: Hints, pod: Pod) -> bool:
    """Whether the pod is to be tried again, given what may help it."""
    if happening.kind not in hints.kinds:
        return False
    match happening:
        case Happening(kind="node", node=Node() as node, before=Node() | None as before):
            if hints.by_claims and (before is None or _is_other(node, before)):
                return True
            return any(node_may_help(pod, reason, node, before) for reason in hints.reasons if not _of_devices(reason))
        case Happening(kind="class"):
            return hints.by_claims or not happening.resources.isdisjoint(node_pod(pod).request.amounts)
        case Happening(kind="claims"):
            return happening.claims is None or not happening.claims.isdisjoint(claim_keys(pod))
        case Happening(kind="pod-gone", pod=Pod() as gone):
            return any(gone_may_help(pod, reason, gone) for reason in hints.reasons)
        case Happening(kind="pod-placed", pod=Pod() as placed):
            return any(placed_may_help(pod, reason, placed) for reason in hints.reasons)
        case Happening(kind="pod-changed", pod=Pod() as now, before=Pod() as before):
            return any(change_may_help(pod, reason, now, before) for reason in hints.reasons)
        case _:
            return True


def _is_other(node: Node, before: Node) -> bool:
    """Whether a node changed in a way that the plugin for claims cares for."""
    return node.metadata.labels != before.metadata.labels or node.status.allocatable != before.status.allocatable


def _of_devices(reason: NodeRejection) -> bool:
    return isinstance(reason, _OF_DEVICES)
