"""What could be done for a group that does not start: advice is planned for its whole tree, and what works is kept."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

import msgspec

from dravite.api.meta import ObjectRef
from dravite.api.scheduling_v1beta1 import CompositePodGroup, GangSchedulingPolicy, PodGroup
from dravite.diagnosis.verdicts import Scheduled
from dravite.explain.case import STEPS_PER_QUESTION
from dravite.explain.diagnose import diagnose
from dravite.explain.groups.by_hand import placed_by_hand
from dravite.explain.groups.explanation import (
    AskInOtherOrder,
    CreateInOrder,
    DropTopology,
    GroupAdvice,
    GroupExplanation,
    GroupRemedy,
    LowerMinCount,
    PlaceByHand,
    ScaleWorkload,
)
from dravite.explain.groups.order import in_other_order
from dravite.explain.groups.other_ways import Found
from dravite.explain.groups.refused import case_in_the_way
from dravite.explain.groups.room import pods_in_the_way
from dravite.explain.groups.trials import alone, members_of
from dravite.explain.remedies.advice import AddNodes, Advice, EndPods, FreeDevices
from dravite.explain.remedies.planned import promising, proposals
from dravite.planning.plan import Plan, Preempted, TakenAsGangs
from dravite.planning.planner import make_plan
from dravite.snapshot.changes import AddNodes as AddedNodes
from dravite.snapshot.changes import Change, RemoveObject, Scale, SetObject, with_changes
from dravite.snapshot.groups import Group
from dravite.snapshot.snapshot import Snapshot

MOST_KEPT: Final = 6
MOST_NODES_ADDED: Final = 64
FOR_PODS_TRIED: Final = 6


class Proposal(NamedTuple):
    """An advice and the edits that follow it; what is for pods comes with its own family."""

    advice: GroupAdvice | Advice
    changes: tuple[Change, ...]
    of_pods: tuple[object, ...] = ()

    @property
    def family(self) -> Hashable:
        """Advice of one family is tried until one works."""
        return self.of_pods or _family(self.advice)


def group_remedies(plan: Plan, told: GroupExplanation, root: Group, found: Found) -> tuple[GroupRemedy, ...]:
    """The advice that works, best first, of each kind and object the least. `found` are other ways that were found."""
    kept: list[GroupRemedy] = []
    mended: set[Hashable] = set()
    for proposal in _proposals(plan, told, root, found):
        if proposal.family in mended:
            continue
        remedy = _planned(plan, told, root, proposal)
        if remedy is not None:
            mended.add(proposal.family)
            kept.append(remedy)
        if len(kept) == MOST_KEPT:
            break
    return tuple(kept)


def _family(advice: GroupAdvice | Advice) -> Hashable:
    match advice:
        case AskInOtherOrder(holder=holder, request=request):
            return (holder, request)
        case DropTopology(group=group):
            return (group, "topology")
        case PlaceByHand() | CreateInOrder():
            return "by hand"
        case _:
            return type(advice)


def _proposals(plan: Plan, told: GroupExplanation, root: Group, found: Found) -> Iterator[Proposal]:
    snapshot = plan.before[told.decision.group]
    if told.waits is not None:
        yield from _for_incomplete(snapshot, told)
        yield from _for_pods(plan, told)
        return
    yield from (Proposal(*one) for one in in_other_order(snapshot, members_of(snapshot, root)))
    yield from (Proposal(*one) for one in placed_by_hand(snapshot, found))
    yield from _for_pods(plan, told)
    if not _is_made_up(plan, told):
        yield from _fewer(snapshot, told)
    yield from _wider(snapshot, root)
    yield from _room(snapshot, told, root)
    yield from _more_nodes(snapshot, told)


def _for_pods(plan: Plan, told: GroupExplanation) -> Iterator[Proposal]:
    """What would help the pod that keeps the group back, done to all pods that are like it."""
    case = case_in_the_way(plan, told)
    if case is None:
        return
    one_by_one = promising(case, proposals(case, diagnose(case)))
    for_all = (one for one in one_by_one if not isinstance(one.advice, EndPods | AddNodes | FreeDevices))
    for one in islice(for_all, FOR_PODS_TRIED):
        yield Proposal(one.advice, one.changes, one.family)


def _is_made_up(plan: Plan, told: GroupExplanation) -> bool:
    """Whether nobody wrote the group, so that nothing can be changed in it."""
    return any(isinstance(note, TakenAsGangs) and told.decision.group in note.gangs for note in plan.notes)


def _for_incomplete(snapshot: Snapshot, told: GroupExplanation) -> Iterator[Proposal]:
    """A gang that waits for pods that are not there: fewer are enough, or its workload makes more."""
    minimum = told.decision.minimum
    present = len(told.pods) + told.running
    if told.waits is None or told.waits.reason != "group-incomplete" or minimum is None or not 0 < present < minimum:
        return
    yield from _with_minimum(snapshot, told.decision.group, minimum, present)
    owners = {planned.owner for ref in told.pods if (planned := snapshot.pod(ref)) is not None}
    owner = owners.pop() if len(owners) == 1 else None
    if owner is not None:
        yield Proposal(ScaleWorkload(owner, present, minimum), (Scale(owner, minimum - told.running),))


def _fewer(snapshot: Snapshot, told: GroupExplanation) -> Iterator[Proposal]:
    """As many pods to start with as fit in the best domain."""
    minimum = told.decision.minimum
    best = max((story.fits for story in told.domains), default=0)
    possible = best + told.running
    if minimum is not None and 0 < possible < minimum:
        yield from _with_minimum(snapshot, told.decision.group, minimum, possible)


def _with_minimum(snapshot: Snapshot, ref: ObjectRef, asked: int, possible: int) -> Iterator[Proposal]:
    group = snapshot.pod_groups.get((ref.namespace, ref.name))
    if group is None:
        return
    policy = msgspec.structs.replace(group.spec.scheduling_policy, gang=GangSchedulingPolicy(min_count=possible))
    changed = msgspec.structs.replace(group, spec=msgspec.structs.replace(group.spec, scheduling_policy=policy))
    yield Proposal(LowerMinCount(ref, asked, possible), (SetObject(changed),))


def _wider(snapshot: Snapshot, root: Group) -> Iterator[Proposal]:
    """Without the topology constraint of one group of the tree."""
    for one in root.groups():
        if one.topology_key is None:
            continue
        group: PodGroup | CompositePodGroup = (
            snapshot.composite_pod_groups[one.key] if one.is_composite else snapshot.pod_groups[one.key]
        )
        spec = msgspec.structs.replace(group.spec, scheduling_constraints=None)
        changed = msgspec.structs.replace(group, spec=spec)
        yield Proposal(DropTopology(one.ref, one.topology_key), (SetObject(changed),))


def _room(snapshot: Snapshot, told: GroupExplanation, root: Group) -> Iterator[Proposal]:
    """Without other pods in the nearest domain."""
    nearest = told.domains[0].finding.domain if told.domains else ""
    pods = pods_in_the_way(snapshot, root, told.decision.topology_key, nearest)
    if pods:
        yield Proposal(EndPods(pods, nearest), tuple(RemoveObject(pod) for pod in pods))


def _more_nodes(snapshot: Snapshot, told: GroupExplanation) -> Iterator[Proposal]:
    """More nodes like the one that takes most pods of the group, in the nearest domain."""
    if not told.domains:
        return
    finding = told.domains[0].finding
    taken = [node for _, node in finding.placed]
    if not taken:
        return
    like = max(dict.fromkeys(taken), key=taken.count)
    missing = finding.needed - len(taken)
    if missing <= 0 or like not in snapshot.states:
        return
    per_node = max(1, taken.count(like))
    for count in _guesses(-(-missing // per_node), missing):
        yield Proposal(AddNodes(like, count), (AddedNodes(like, count),))


def _guesses(least: int, most: int) -> Sequence[int]:
    """Numbers of nodes to try, few first."""
    return sorted({min(one, MOST_NODES_ADDED) for one in (least, least + 1, most) if one > 0})


def _planned(plan: Plan, told: GroupExplanation, root: Group, proposal: Proposal) -> GroupRemedy | None:
    """The remedy as the tree is planned with it; None where it does not start even so."""
    group = told.decision.group
    settings = msgspec.structs.replace(plan.settings, budget=STEPS_PER_QUESTION, gangs=())
    changed = alone(with_changes(plan.before[group], proposal.changes), root)
    after = make_plan(changed, settings)
    decision = after.group(group)
    if decision is None or decision.outcome != "scheduled":
        return None
    victims = (victim for note in after.notes if isinstance(note, Preempted) for victim in note.victims)
    return GroupRemedy(
        advice=proposal.advice,
        placed=sum(isinstance(one.decision, Scheduled) for one in after.decisions),
        domain=decision.domain,
        displaced=tuple(victims),
        changes=proposal.changes,
    )
