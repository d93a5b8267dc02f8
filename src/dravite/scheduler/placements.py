"""Placements: the sets of nodes among which all pods of a group are to find theirs, and which set is best (E4).

A topology constraint makes one placement of each domain; without one there is a single placement of all nodes. Which
of equally good placements Kubernetes takes is left to chance; here it is the first by name, or what the seed says.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Final

import msgspec

from dravite.diagnosis import upstream
from dravite.scheduler.group_status import Told, failed
from dravite.snapshot.groups import Group, placed_members
from dravite.snapshot.node_state import NodePod
from dravite.snapshot.requests import CPU, MEMORY
from dravite.snapshot.snapshot import Snapshot
from dravite.snapshot.topology import domain_of, domains

BEST: Final = 100


class Placement(msgspec.Struct, frozen=True):
    """Nodes that a group may take together; `domain` is their value of the label `key`, both empty without one."""

    nodes: tuple[str, ...]
    key: str = ""
    domain: str = ""


class PlacementScore(msgspec.Struct, frozen=True):
    """How good a placement is: by the number of pods that it takes, and by how full it gets."""

    domain: str
    pods: int
    fullness: int

    @property
    def total(self) -> int:
        """Both together."""
        return self.pods + self.fullness


def placements_of(snapshot: Snapshot, group: Group) -> tuple[Placement, ...] | Told:
    """The placements for a group among the nodes that its parent leaves it, or why there are none.

    Where members run already, theirs is the only domain.
    """
    if group.topology_key is None:
        return (Placement(snapshot.choices),)
    running = [pod for leaf in group.leaves() for pod in placed_members(snapshot, leaf.key)]
    required = domain_of(snapshot, group.topology_key, running)
    if isinstance(required, tuple):
        return failed(upstream.no_domain(required))
    found = domains(snapshot, group.topology_key, snapshot.choices)
    placements = tuple(
        Placement(nodes, group.topology_key, domain)
        for domain, nodes in found.items()
        if required is None or domain == required
    )
    return placements or Told("unschedulable", (upstream.NO_PLACEMENTS,))


class PlacementChoice(msgspec.Struct, frozen=True):
    """Which of several placements is taken, by its position, with all scores and the domains that were equally good."""

    position: int = 0
    scores: tuple[PlacementScore, ...] = ()
    tied: tuple[str, ...] = ()


def choose_placement(
    snapshot: Snapshot, group: Group, found: Sequence[tuple[Placement, Sequence[NodePod]]], seed: int
) -> PlacementChoice:
    """The best of the placements that take the group, each with its pods; a single one is not weighed."""
    if len(found) < 2:
        return PlacementChoice()
    scores = _scores(snapshot, group, found)
    best = max(score.total for score in scores)
    equal = [position for position, score in enumerate(scores) if score.total == best]
    if seed:
        equal.sort(key=lambda position: zlib.crc32(f"{seed}/{scores[position].domain}".encode()))
    tied = tuple(sorted(scores[position].domain for position in equal)) if len(equal) > 1 else ()
    return PlacementChoice(equal[0], scores, tied)


def _scores(
    snapshot: Snapshot, group: Group, found: Sequence[tuple[Placement, Sequence[NodePod]]]
) -> tuple[PlacementScore, ...]:
    running = sum(len(placed_members(snapshot, leaf.key)) for leaf in group.leaves())
    most = max((running + len(pods) for _, pods in found), default=0)
    return tuple(
        PlacementScore(
            placement.domain,
            BEST * (running + len(pods)) // most if most else 0,
            _fullness(snapshot, placement, pods),
        )
        for placement, pods in found
    )


def _fullness(snapshot: Snapshot, placement: Placement, pods: Sequence[NodePod]) -> int:
    """The share of cpu and memory that is used on all its nodes, averaged; containers without requests count."""
    states = [snapshot.states[name] for name in placement.nodes]
    shares = []
    for resource, used in (
        (CPU, sum(s.scored_cpu for s in states) + sum(pod.request.sought_cpu for pod in pods)),
        (MEMORY, sum(s.scored_memory for s in states) + sum(pod.request.sought_memory for pod in pods)),
    ):
        allocatable = sum(state.allocatable.get(resource, 0) for state in states)
        if allocatable > 0:
            shares.append(BEST * min(used, allocatable) // allocatable)
    return sum(shares) // len(shares) if shares else 0
