"""Whether something that has happened may help a pod that the scheduler has refused (queueing hints, F11.2).

A pod is tried again only if the very plugin that refused it hears of something that it takes for helpful. This is why
a condition may tell of fewer nodes than there are by now.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from dravite.api.core_v1 import Node, Pod
from dravite.diagnosis.reasons import (
    AffinityNotMatched,
    ClaimElsewhere,
    ClaimNotReady,
    DevicesShort,
    ExtendedClaimStale,
    MappedClaimTaken,
    NodeNameDiffers,
    NodeRejection,
    NodeTainted,
    NodeUnschedulable,
    NodeUnsuitable,
    PodAffinityViolated,
    PodLevelShort,
    PoolsInvalid,
    PortTaken,
    ResourceShort,
    SpreadViolated,
)
from dravite.diagnosis.verdicts import Unschedulable
from dravite.rehearsal.world import Happening, HappeningKind
from dravite.scheduler.fit import why_not_enough
from dravite.scheduler.node_affinity import selects
from dravite.scheduler.tolerations import untolerated
from dravite.snapshot.node_state import empty_node, node_pod
from dravite.snapshot.pod_claims import claim_name
from dravite.snapshot.snapshot import Key

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
        by_claims: whether claims were a reason: then every node and class may help; else only a node that mends one of
            `reasons`, and a class that serves what the pod asks for.
        reasons: why the nodes refused the pod, each once.
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
    reasons = tuple(_reasons(refusal))
    by_claims = not reasons or any(isinstance(reason, _OF_DEVICES) for reason in reasons)
    kinds: set[HappeningKind] = {"node"}
    if by_claims:
        kinds |= {"claims", "class", "devices"}
    if any(isinstance(one, ResourceShort) and "/" in one.resource for one in reasons):
        kinds.add("class")
    if any(isinstance(reason, ResourceShort | PortTaken | _OF_NEIGHBOURS) for reason in reasons):
        kinds.add("pod-gone")
    if any(isinstance(reason, _OF_NEIGHBOURS) for reason in reasons):
        kinds |= {"node-gone", "pod-placed", "pod-changed"}
    return Hints(frozenset(kinds), by_claims, reasons)


def may_help(happening: Happening, hints: Hints, pod: Pod) -> bool:
    """Whether the pod is to be tried again, given what may help it."""
    if happening.kind not in hints.kinds:
        return False
    match happening.kind:
        case "node":
            return hints.by_claims or any(_node_may_help(happening.node, reason, pod) for reason in hints.reasons)
        case "class":
            return hints.by_claims or not happening.resources.isdisjoint(node_pod(pod).request.amounts)
        case "claims":
            return happening.claims is None or not happening.claims.isdisjoint(_claims_of(pod))
        case _:
            return True


def _claims_of(pod: Pod) -> Iterator[Key]:
    for entry in pod.spec.resource_claims:
        name = entry.resource_claim_name or claim_name(pod, entry)
        if name is not None:
            yield (pod.metadata.namespace, name)


def _reasons(refusal: Unschedulable) -> Iterator[NodeRejection]:
    """Why the nodes refused the pod; of equal reasons one is enough."""
    seen: set[NodeRejection] = set()
    for finding in refusal.nodes:
        for reason in finding.reasons:
            if reason not in seen:
                seen.add(reason)
                yield reason


def _node_may_help(node: Node | None, reason: NodeRejection, pod: Pod) -> bool:
    """Whether the plugin behind a reason takes a new or changed node for helpful."""
    if node is None:
        return True
    match reason:
        case ResourceShort():
            return not why_not_enough(node_pod(pod), empty_node(node), ())
        case NodeTainted():
            return not untolerated(node.spec.taints, pod.spec.tolerations)
        case NodeUnschedulable():
            return not node.spec.unschedulable
        case AffinityNotMatched():
            return selects(pod, node.metadata.name, node.metadata.labels)
        case NodeNameDiffers(wanted=wanted):
            return wanted == node.metadata.name
        case SpreadViolated(topology_key=key) | PodAffinityViolated(topology_key=key):
            return key in node.metadata.labels
        case _:
            return True
