"""Binding the pods of a tree that fits, each by itself, and telling the others why they have no node (E4, F5)."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from dravite.api.meta import ObjectRef
from dravite.diagnosis import upstream
from dravite.diagnosis.verdicts import Aborted, AttemptError, HeldBack, Unschedulable
from dravite.scheduler.cycle import Attempt, ended, placed
from dravite.scheduler.gang import GroupResult, PodTry
from dravite.scheduler.group_status import Told
from dravite.scheduler.node_choice import Chosen, Ended, Unfit
from dravite.scheduler.unit_attempt import GroupPreemption
from dravite.snapshot.snapshot import Key, Snapshot


class Bound(msgspec.Struct, frozen=True, eq=False):
    """What came of each pod, and the snapshot afterwards."""

    pods: Mapping[Key, Attempt]
    after: Snapshot


def bind_tree(
    snapshot: Snapshot, results: Mapping[ObjectRef, GroupResult], preempting: GroupPreemption | None = None
) -> Bound:
    """Bind what found a place in groups that fit. `results` has every pod of the tree, its root first."""
    waits = preempting is not None and preempting.outcome in ("possible", "ongoing")
    root = next(iter(results.values()))
    after = snapshot
    pods: dict[Key, Attempt] = {}
    for result in results.values():
        for one in result.tries:
            if result.told.code == "success" and isinstance(one.choice, Chosen):
                attempt = placed(after, after.pods[one.pod], one.choice)
                after = attempt.after
            else:
                attempt = unbound(after, one, _why_not(one, result, root, waits=waits))
            pods[one.pod] = attempt
    return Bound(pods, after)


def unbound(snapshot: Snapshot, one: PodTry, held: Unschedulable | Aborted) -> Attempt:
    """A pod without a node: its own "no" or error, or what its group has to say."""
    planned = snapshot.pods[one.pod]
    if isinstance(held, Aborted):
        own = isinstance(one.choice, Ended) and isinstance(one.choice.decision, Aborted)
        return ended(snapshot, planned, one.choice.decision if own and isinstance(one.choice, Ended) else held)
    match one.choice:
        case Ended(decision=decision):
            return ended(snapshot, planned, decision)
        case Unfit(text=text, findings=findings, problem=problem, cycle=cycle):
            refusal = Unschedulable(message=text, nodes=findings, claim_problem=problem)
            seen = cycle.snapshot if cycle is not None else snapshot
            return msgspec.structs.replace(ended(snapshot, planned, refusal), seen=seen)
        case _:
            return ended(snapshot, planned, held)


def _why_not(one: PodTry, result: GroupResult, root: GroupResult, *, waits: bool) -> Unschedulable | Aborted:
    """What a group has to say to a pod that has no "no" of its own."""
    told: Told = result.told
    if told.code == "error":
        return Aborted(message=told.message, error=AttemptError(kind="group", message=told.message))
    if one.choice is None:
        message = one.told.message
    else:
        message = told.message if waits else f"{upstream.GROUP_UNSCHEDULABLE}, {told.message}"
    return Unschedulable(message=message, held_back=HeldBack(group=_blame(root, result), node=one.node or None))


def _blame(root: GroupResult, result: GroupResult) -> ObjectRef:
    """The group that holds pods back: their own if it was tried and failed by itself, else the root."""
    own = any(one.choice is not None for one in result.tries)
    return result.group.ref if own else root.group.ref
