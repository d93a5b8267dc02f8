"""One scheduling attempt for a pod of its own: find a node, reserve, or free what can be freed.

An attempt that frees a claim of the pod (F4) is followed by the next one at once, since that is what happens to the
pod. What the claim controller does comes before, elsewhere.
"""

from __future__ import annotations

import msgspec

from dravite.diagnosis import upstream
from dravite.diagnosis.findings import MissingObject
from dravite.diagnosis.verdicts import Aborted, ClaimAllocation, Decision, Scheduled, Unschedulable
from dravite.scheduler.binding import NotBound, bind, claims_told
from dravite.scheduler.classic import Turn, negotiated, unreserved, with_freed, with_talk, without_talk
from dravite.scheduler.devices import DeviceDemand
from dravite.scheduler.filters import cycle_of
from dravite.scheduler.node_choice import Chosen, Limits, Unfit, choose_node
from dravite.scheduler.preempt import Candidate
from dravite.scheduler.refusals import refused
from dravite.scheduler.scores import NO_SCORES, NodeScores
from dravite.snapshot.manifests import PlannedPod
from dravite.snapshot.node_state import node_pod
from dravite.snapshot.snapshot import Snapshot, pod_level

__all__ = ["Attempt", "Limits", "ended", "placed", "schedule_pod"]


class Attempt(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """What came of one pod.

    Attributes:
        decision: the answer.
        seen: the snapshot that the last attempt saw.
        after: the snapshot afterwards.
        claims: what each entry of the pod gets.
        scores: of the feasible nodes, where there was a choice.
        earlier: the answers of attempts before, each of which freed something for the pod.
        preempting: the node that Kubernetes would clear of lower pods for it.
        keeps_nomination: whether a pod without a node stays nominated for the node that it was nominated for.
    """

    decision: Decision
    seen: Snapshot
    after: Snapshot
    claims: tuple[ClaimAllocation, ...] = ()
    scores: NodeScores = NO_SCORES
    earlier: tuple[Unschedulable, ...] = ()
    preempting: Candidate | None = None
    keeps_nomination: bool = False


def schedule_pod(snapshot: Snapshot, planned: PlannedPod, limits: Limits) -> Attempt:
    """Try a pod until it has a node, an error, or nothing more can be freed for it."""
    earlier: list[Unschedulable] = []
    while True:
        choice = choose_node(snapshot, planned, limits)
        after = msgspec.structs.replace(snapshot, search_start=choice.next_start)
        if isinstance(choice, Chosen):
            attempt = placed(after, planned, choice)
            return msgspec.structs.replace(attempt, earlier=tuple(earlier))
        if not isinstance(choice, Unfit):
            attempt = ended(snapshot, planned, choice.decision)
            return msgspec.structs.replace(attempt, after=after, earlier=tuple(earlier))
        answer = refused(snapshot, choice)
        if not answer.freed:
            return msgspec.structs.replace(
                ended(snapshot, planned, answer.decision),
                after=after,
                earlier=tuple(earlier),
                preempting=answer.preempting,
                keeps_nomination=answer.keeps_nomination,
            )
        earlier.append(answer.decision)
        freed = answer.freed.deallocated
        snapshot = answer.freed.taken_from(after) if freed is None else with_freed(after, planned.pod, freed)


def refused_without_claim(snapshot: Snapshot, planned: PlannedPod, missing: MissingObject) -> Attempt:
    """A pod whose claim went while it was in the queue: it is refused before any node is asked (PreFilter)."""
    claim = f"{missing.missing.namespace}/{missing.missing.name}"
    text = upstream.refused_before_filters(len(snapshot.choices), upstream.claim_vanished(claim))
    cycle = cycle_of(snapshot, node_pod(planned.pod, pod_level(snapshot.profile)), None)
    unfit = Unfit(text=text, stage="claims", problem=missing, cycle=cycle, next_start=snapshot.search_start)
    return ended(snapshot, planned, refused(snapshot, unfit).decision)


def ended(snapshot: Snapshot, planned: PlannedPod, decision: Decision, scores: NodeScores = NO_SCORES) -> Attempt:
    """An attempt that changes nothing."""
    return Attempt(
        decision=decision, seen=snapshot, after=snapshot, claims=claims_told(snapshot, planned.pod), scores=scores
    )


def placed(snapshot: Snapshot, planned: PlannedPod, chosen: Chosen) -> Attempt:
    """Bind a pod to the node that was found for it, or tell what the API server refuses or that drivers come first."""
    if chosen.demand is not None and chosen.demand.waiting:
        return _held_back(snapshot, planned, chosen, chosen.demand)
    binding = bind(snapshot, planned.pod, chosen)
    if isinstance(binding, NotBound):
        decision = Aborted(message=upstream.pre_bind_error(binding.error.message), error=binding.error)
        return ended(snapshot.with_allocated_claims(binding.claims), planned, decision, chosen.scores)
    return Attempt(
        decision=Scheduled(node=chosen.node, score=chosen.total, tied=chosen.tied),
        seen=chosen.cycle.snapshot,
        after=without_talk(snapshot.assume(binding), planned.pod),
        claims=claims_told(snapshot, planned.pod, chosen),
        scores=chosen.scores,
    )


def _held_back(snapshot: Snapshot, planned: PlannedPod, chosen: Chosen, demand: DeviceDemand) -> Attempt:
    """The pod waits until drivers have allocated its claims on the node that was found for it (1.31)."""
    feasible = chosen.scores.nodes
    turn = Turn(demand.waiting, len(demand.fresh), feasible, chosen.node)
    waits = negotiated(snapshot, planned.pod, turn)
    attempt = ended(snapshot, planned, Unschedulable(message=waits.text), chosen.scores)
    after = with_talk(snapshot, planned.pod, waits.talk).with_claims(unreserved(planned.pod, demand.allocated))
    return msgspec.structs.replace(attempt, after=after)
