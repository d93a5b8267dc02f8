"""How groups of one kind fared in placements, kept until one of the nodes changes, or what is taken of its devices.

Gangs stamped from one template are tried in every domain, and from one gang to the next a single domain changes. Groups
of which a pod looks at more than a node by itself have no memory. It changes no answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from dravite.diagnosis.findings import NodeFinding
from dravite.diagnosis.verdicts import Waiting
from dravite.scheduler.board import changed_nodes
from dravite.scheduler.group_status import Told
from dravite.scheduler.memory import claims_shape, memory_of, pod_shape
from dravite.scheduler.node_choice import Limits
from dravite.scheduler.scores import NodeScores
from dravite.scheduler.spread_score import spread_wish
from dravite.scheduler.waiting import claims_or_waiting
from dravite.snapshot.groups import Group, placed_members
from dravite.snapshot.node_state import node_pod
from dravite.snapshot.snapshot import Key, Snapshot

MOST_KINDS: Final = 32
MOST_KEPT: Final = 1_000
"""Of how many kinds of groups something is kept, and how much of each."""


class Fared(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """How a group fared in a placement, its pods named by their place in the queue.

    Attributes:
        told: its status.
        nodes: for each pod that was tried the node that it would get, or nothing.
        refused: the first pod that found no node; None where none was refused.
        findings: why each node refused that one.
        scores: of the nodes, where a pod had a choice.
        next_start: where the next search for a node begins.
    """

    told: Told
    nodes: tuple[str, ...] = ()
    refused: int | None = None
    findings: tuple[NodeFinding, ...] = ()
    scores: Mapping[int, NodeScores] = {}
    next_start: int = 0


class PlacementMemory:
    """How groups of one kind fared."""

    __slots__ = ("_fared", "_of_node", "_snapshot")

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._fared: dict[tuple[tuple[str, ...], int], Fared] = {}
        self._of_node: dict[str, set[tuple[tuple[str, ...], int]]] = {}

    def get(self, before: Snapshot) -> Fared | None:
        """How the group fares on the nodes that the snapshot leaves it; None where that is not known."""
        return self._fared.get(_turn(before))

    def keep(self, before: Snapshot, fared: Fared) -> None:
        """Note how a group fared on the nodes that the snapshot left it."""
        if len(self._fared) >= MOST_KEPT:
            self._forget_all()
        turn = _turn(before)
        self._fared[turn] = fared
        for name in turn[0]:
            self._of_node.setdefault(name, set()).add(turn)

    def bring_up_to(self, snapshot: Snapshot) -> None:
        """Forget what may no longer hold."""
        before, self._snapshot = self._snapshot, snapshot
        changed = changed_nodes(before, snapshot) if snapshot.nodes is before.nodes else None
        if changed is None:
            self._forget_all()
            return
        for name in changed:
            for turn in self._of_node.pop(name, ()):
                self._fared.pop(turn, None)

    def _forget_all(self) -> None:
        self._fared.clear()
        self._of_node.clear()


def placement_memory(snapshot: Snapshot, group: Group, pods: Sequence[Key], limits: Limits) -> PlacementMemory | None:
    """What is known of groups like this one; None where its pods look at more than a node by itself."""
    kind = _kind(snapshot, group, pods, limits)
    if kind is None:
        return None
    kept = memory_of(snapshot).placements
    memory = kept.pop(kind, None)
    if not isinstance(memory, PlacementMemory):
        if len(kept) >= MOST_KINDS:
            del kept[next(iter(kept))]
        memory = PlacementMemory(snapshot)
    memory.bring_up_to(snapshot)
    kept[kind] = memory
    return memory


def _turn(before: Snapshot) -> tuple[tuple[str, ...], int]:
    """The nodes in question, and at which of them the first search begins."""
    nodes = before.choices
    return nodes, before.search_start % len(nodes) if nodes else 0


def _kind(snapshot: Snapshot, group: Group, pods: Sequence[Key], limits: Limits) -> object:
    """Key of all groups that fare alike; None where neighbours or the claims of others have a say."""
    if group.is_composite or snapshot.nominated or snapshot.affine_nodes:
        return None
    shapes: list[tuple[str, bytes, bytes]] = []
    claims: set[Key] = set()
    for key in pods:
        pod = snapshot.pods[key].pod
        found = claims_or_waiting(snapshot, pod)
        if isinstance(found, Waiting) or any(one.claim.status.allocation is not None for one in found):
            return None
        named = {(key[0], one.claim.metadata.name) for one in found}
        if len(named) < len(found) or named & claims or spread_wish(pod) is not None:
            return None
        if node_pod(pod).has_affinity or pod.status.extended_resource_claim_status is not None:
            return None
        claims |= named
        shapes.append((key[0], pod_shape(pod), claims_shape([one.claim for one in found])))
    return (tuple(shapes), group.minimum, len(placed_members(snapshot, group.key)), limits)
