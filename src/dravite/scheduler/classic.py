"""Claims that drivers with a controller allocate (1.31): what keeps a pod from a node, and the talk about one (A6).

The scheduler names nodes in a PodSchedulingContext, the drivers say which will not do and allocate on the one that is
selected. Pure functions of a snapshot and the claims of one pod.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from dravite.api.core_v1 import Pod
from dravite.api.meta import ObjectRef
from dravite.api.names import node_matches
from dravite.api.resource_v1 import ResourceClaim
from dravite.diagnosis import upstream
from dravite.diagnosis.reasons import NodeRejection, NodeUnsuitable
from dravite.diagnosis.verdicts import AttemptError
from dravite.scheduler.claim_checks import Refusal
from dravite.snapshot.classic import Talk
from dravite.snapshot.node_state import NodeState
from dravite.snapshot.pod_claims import PodClaim
from dravite.snapshot.snapshot import Snapshot, key_of

MOST_NODES: Final = 128
"""How many nodes a PodSchedulingContext may name (A6.3)."""


def is_drivers(snapshot: Snapshot, claim: ResourceClaim) -> bool:
    """Whether a claim without devices waits for its driver rather than for the scheduler."""
    return snapshot.classic is not None and bool(snapshot.classic.control(key_of(claim.metadata)).controller)


def why_not_tried(snapshot: Snapshot, pod: Pod, claims: Sequence[PodClaim]) -> Refusal | AttemptError | None:
    """What rules a pod out before any node is looked at."""
    classic = snapshot.classic
    if classic is None:
        return None
    key = key_of(pod.metadata)
    talk = classic.talks.get(key)
    if claims and talk is not None and talk.owner != pod.metadata.uid:
        return AttemptError(kind="claim", message=upstream.foreign_talk(talk.uid, "/".join(key)))
    for one in claims:
        control = classic.control(key_of(one.claim.metadata))
        if control.is_to_be_freed:
            return Refusal(upstream.MUST_BE_REALLOCATED)
        if control.controller and not classic.is_on:
            return Refusal(upstream.NEEDS_CLASSIC_GATE)
    return None


def why_not_suitable(
    snapshot: Snapshot, pod: Pod, claims: Sequence[PodClaim], state: NodeState
) -> NodeRejection | None:
    """Why a node is of no use for claims that wait for their drivers; the first claim that objects decides (A6.4)."""
    classic = snapshot.classic
    if classic is None:
        return None
    talk = classic.talks.get(key_of(pod.metadata))
    for one in claims:
        ref = ObjectRef("ResourceClaim", *key_of(one.claim.metadata))
        for name in _classes(one.claim):
            selector = classic.suitable.get(name)
            if selector is not None and node_matches(selector, state.name, state.labels) is not True:
                return NodeUnsuitable(ref, "class")
        if talk is not None and state.name in talk.unsuitable.get(one.entry, ()):
            return NodeUnsuitable(ref, "driver")
    return None


class Turn(msgspec.Struct, frozen=True):
    """The scheduler has chosen a node for a pod that needs drivers.

    Attributes:
        waiting: the claims that wait for drivers.
        others: how many claims of the pod the scheduler is to allocate itself.
        feasible: the nodes among which there was a choice; none where there was no choice.
        node: the chosen one.
    """

    waiting: Sequence[PodClaim]
    others: int
    feasible: Sequence[str]
    node: str


class Waits(msgspec.Struct, frozen=True):
    """The pod waits for its drivers: what the scheduler says, and what the talk is now."""

    text: str
    talk: Talk


def negotiated(snapshot: Snapshot, pod: Pod, turn: Turn) -> Waits:
    """What the scheduler tells drivers once it has chosen a node (A6.5, A6.6)."""
    talks = snapshot.classic.talks if snapshot.classic is not None else {}
    before = talks.get(key_of(pod.metadata)) or Talk(owner=pod.metadata.uid)
    potential = before.potential
    wanted = turn.feasible or (turn.node,)
    if not set(wanted) <= set(potential):
        potential = tuple(sorted(wanted[:MOST_NODES]))
    count = len(turn.waiting)
    informed = sum(1 for one in turn.waiting if one.entry in before.unsuitable)
    alone = count == 1 and not turn.others
    selects = alone or (informed + turn.others == count and turn.others < count)
    talk = msgspec.structs.replace(before, potential=potential, selected=turn.node if selects else before.selected)
    is_said = talk == before and key_of(pod.metadata) in talks
    text = upstream.WAITS_FOR_INFORMATION if is_said else upstream.WAITS_FOR_DRIVER
    return Waits(upstream.held_back_on_its_node(text), talk)


def with_freed(snapshot: Snapshot, pod: Pod, freed: ResourceClaim) -> Snapshot:
    """The snapshot in which a claim has lost its devices for a pod's sake, or its driver is asked for that (A6.7)."""
    classic, key = snapshot.classic, key_of(freed.metadata)
    claim = snapshot.claims.get(key)
    if classic is None or claim is None or not classic.control(key).allocated_by:
        return snapshot.with_claims((freed,))
    classic = classic.with_control(key, msgspec.structs.replace(classic.control(key), is_to_be_freed=True))
    talk = classic.talks.get(key_of(pod.metadata))
    if talk is not None and talk.selected:
        classic = classic.with_talk(key_of(pod.metadata), msgspec.structs.replace(talk, selected=""))
    unused = msgspec.structs.replace(claim, status=msgspec.structs.replace(claim.status, reserved_for=()))
    return msgspec.structs.replace(snapshot.with_claims((unused,)), classic=classic)


def unreserved(pod: Pod, claims: Sequence[PodClaim]) -> Iterator[ResourceClaim]:
    """The claims that a pod lets go of once more because it has to wait; they keep their devices."""
    for one in claims:
        status = one.claim.status
        kept = tuple(entry for entry in status.reserved_for if entry.uid != pod.metadata.uid)
        if len(kept) < len(status.reserved_for):
            yield msgspec.structs.replace(one.claim, status=msgspec.structs.replace(status, reserved_for=kept))


def with_talk(snapshot: Snapshot, pod: Pod, talk: Talk) -> Snapshot:
    """The snapshot in which this is said about a pod; the very same where it was said already."""
    classic, key = snapshot.classic, key_of(pod.metadata)
    if classic is None or classic.talks.get(key) == talk:
        return snapshot
    return msgspec.structs.replace(snapshot, classic=classic.with_talk(key, talk))


def without_talk(snapshot: Snapshot, pod: Pod) -> Snapshot:
    """The snapshot in which nothing more is to be said about a pod: it has its node (A6.8)."""
    classic, key = snapshot.classic, key_of(pod.metadata)
    if classic is None or key not in classic.talks:
        return snapshot
    return msgspec.structs.replace(snapshot, classic=classic.with_talk(key, None))


def _classes(claim: ResourceClaim) -> Iterator[str]:
    return (one.exactly.device_class_name for one in claim.spec.devices.requests if one.exactly is not None)
