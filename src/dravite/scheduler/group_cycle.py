"""One scheduling attempt for a tree of groups: try it, free or preempt what would help, bind what fits (E4; 1.37).

A tree that fits only after a preemption stays without nodes in this attempt: its pods are nominated, and the next one
finds out. Pods of a gang that are left over after the gang has its minimum are for a next attempt, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from dravite.api.meta import ObjectRef
from dravite.diagnosis import upstream
from dravite.diagnosis.verdicts import Aborted, AttemptError, GroupDecision
from dravite.scheduler.cycle import ended
from dravite.scheduler.gang import Ask, GroupResult, PodTry, Queue, Trial, in_placement, try_tree
from dravite.scheduler.group_binding import Bound, bind_tree
from dravite.scheduler.group_claims import FreedForGroup, free_for_group
from dravite.scheduler.group_decisions import decision_of
from dravite.scheduler.group_preempt import preempt_for_group, preemptor_of
from dravite.scheduler.group_rules import why_not_one
from dravite.scheduler.group_status import Told, failed
from dravite.scheduler.node_choice import Limits
from dravite.scheduler.unit_attempt import GroupPreemption, UnitAttempt, Weighed
from dravite.snapshot.groups import Group
from dravite.snapshot.snapshot import Snapshot

Preempt = Callable[[], GroupPreemption]


class _Helped(msgspec.Struct, frozen=True, eq=False):
    """What was done for a tree that does not fit (PostFilter)."""

    told: Told
    preempting: GroupPreemption | None = None
    freed: FreedForGroup = FreedForGroup()


def schedule_tree(snapshot: Snapshot, root: Group, queue: Queue, limits: Limits) -> UnitAttempt:
    """Try a tree whose pods may all be scheduled; `queue` has the waiting pods of its PodGroups."""
    pods = tuple(snapshot.pods[key].pod for leaf in root.leaves() for key in queue.get(leaf.key, ()))
    fault = why_not_one(snapshot, root, pods)
    if fault is not None:
        return _invalid(snapshot, root, queue, fault)
    ask = Ask(queue, limits)
    trial = try_tree(snapshot, root, ask)
    results = _completed(trial, root, queue)
    after = msgspec.structs.replace(snapshot, search_start=trial.after.search_start)
    if trial.result.told.code != "unschedulable":
        return _attempt(bind_tree(after, results), results, None, trial.looked)
    preemptor = preemptor_of(snapshot, root, pods)
    helped = _help(snapshot, trial, lambda: preempt_for_group(snapshot, preemptor, lambda s: try_tree(s, root, ask)))
    results = _with_help(results, helped.told)
    for freed in helped.freed.freed:
        after = freed.taken_from(after)
    looked = trial.looked.with_more(helped.preempting.looked) if helped.preempting is not None else trial.looked
    return _attempt(bind_tree(after, results, helped.preempting), results, helped, looked)


def _invalid(snapshot: Snapshot, root: Group, queue: Queue, fault: str) -> UnitAttempt:
    """The attempt of a tree that contradicts itself: an error of every pod and every group."""
    error = AttemptError(kind="group", message=fault)
    pods = {
        key: ended(snapshot, snapshot.pods[key], Aborted(message=fault, error=error))
        for leaf in root.leaves()
        for key in queue.get(leaf.key, ())
    }
    decisions = tuple(
        GroupDecision(group=leaf.ref, root=root.ref, outcome="error", message=fault, minimum=leaf.minimum)
        for leaf in root.leaves()
    )
    return UnitAttempt(pods=pods, groups=decisions, after=snapshot)


def _attempt(
    bound: Bound, results: Mapping[ObjectRef, GroupResult], helped: _Helped | None, looked: Weighed
) -> UnitAttempt:
    root = next(iter(results.values()))
    return UnitAttempt(
        pods=bound.pods,
        groups=tuple(decision_of(bound.after, root.group, results, leaf) for leaf in root.group.leaves()),
        after=bound.after,
        preempting=helped.preempting if helped is not None else None,
        looked=looked,
        freed=helped is not None and bool(helped.freed.freed),
    )


def _completed(trial: Trial, root: Group, queue: Queue) -> Mapping[ObjectRef, GroupResult]:
    """A result for every group and every pod: who was not tried, or fitted in vain, shares what is said above it."""
    results: dict[ObjectRef, GroupResult] = {}

    def complete(group: Group, above: Told) -> None:
        found = trial.results.get(group.ref)
        had = {one.pod: one.node for one in found.tries} if found is not None else {}
        if found is None or (above.code != "success" and found.told.code == "success"):
            found = GroupResult(group=group, told=above, tried=(in_placement(found),) if found is not None else ())
        missing = queue.get(group.key, ())[len(found.tries) :] if not group.is_composite else ()
        rest = tuple(PodTry(key, told=found.told, had=had.get(key, "")) for key in missing)
        results[group.ref] = msgspec.structs.replace(found, tries=(*found.tries, *rest)) if rest else found
        for child in group.children:
            complete(child, found.told)

    complete(root, Told())
    return results


def _help(snapshot: Snapshot, trial: Trial, preempt: Preempt) -> _Helped:
    """Free claims, then look for victims; what is said of either is put together (RunPodGroupPostFilterPlugins)."""
    root = trial.result.group
    freed = free_for_group(snapshot, root, trial.result.tries)
    if freed.outcome == "error":
        return _Helped(failed(freed.text))
    if freed.outcome == "alone":
        return _Helped(Told("unschedulable", (freed.text,)), freed=freed)
    found = preempt()
    text = upstream.group_preemption(found.text)
    if found.outcome == "error":
        return _Helped(failed(upstream.group_preemption_error(text)), found, freed)
    texts = (text,) if found.alone or not freed.text else (freed.text, text)
    return _Helped(Told("unschedulable", texts), found, freed)


def _with_help(results: Mapping[ObjectRef, GroupResult], told: Told) -> Mapping[ObjectRef, GroupResult]:
    """The results with what came of helping. A status that groups share gets the text once for each of them."""
    if told.code == "error":
        return {ref: msgspec.structs.replace(result, told=told) for ref, result in results.items()}
    shared = [result.told for result in results.values()]
    extended = {
        id(one): Told(one.code, (*one.reasons, *([told.message] * sum(other is one for other in shared))), one.error)
        for one in shared
    }
    return {ref: msgspec.structs.replace(r, told=extended[id(r.told)]) for ref, r in results.items()}
