"""Trying a group as a whole: placement by placement, child by child, pod by pod, all or nothing (E3, E4, E5; 1.37).

A trial is made on snapshots and leaves nothing behind but where the next search for nodes begins. What becomes of a
group that was tried is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

import msgspec

from dravite.api.meta import ObjectRef
from dravite.diagnosis import upstream
from dravite.diagnosis.verdicts import Aborted
from dravite.scheduler.binding import reserve
from dravite.scheduler.board import asks_nodes_alone
from dravite.scheduler.group_status import FITS, Told, concluded, enough, failed, unschedulable
from dravite.scheduler.node_choice import Chosen, Ended, Limits, NodeChoice, Unfit, choose_node
from dravite.scheduler.placement_memory import Fared, placement_memory
from dravite.scheduler.placements import Placement, PlacementScore, choose_placement, placements_of
from dravite.scheduler.refusals import Refused
from dravite.scheduler.unit_attempt import Weighed
from dravite.snapshot.groups import Group, placed_members
from dravite.snapshot.node_state import NodePod, node_pod
from dravite.snapshot.snapshot import Binding, Key, Snapshot, pod_level

Queue: TypeAlias = Mapping[Key, tuple[Key, ...]]
"""The waiting pods of each PodGroup of a tree, in the order in which they are tried."""


class PodTry(msgspec.Struct, frozen=True, eq=False):
    """What came of one pod in a trial.

    Attributes:
        pod: the pod.
        choice: the node that it would get, or why none; None for a pod that was not reached.
        binding: the pod on its node.
        told: what is said of a pod that was not reached.
        refused: what follows from a "no", where pods of groups are refused like others (1.36).
        had: the node that it would have, had a group above its own not failed.
    """

    pod: Key
    choice: NodeChoice | None = None
    binding: Binding | None = None
    told: Told = FITS
    refused: Refused | None = None
    had: str = ""

    @property
    def node(self) -> str:
        """The node that the pod would get, or nothing."""
        return self.choice.node if isinstance(self.choice, Chosen) else self.had


class InPlacement(msgspec.Struct, frozen=True, eq=False):
    """What came of a group in one placement: its pods that were tried there, how they fared, and the groups below."""

    placement: Placement | None
    pods: tuple[Key, ...]
    fared: Fared
    below: Mapping[ObjectRef, InPlacement] = {}


class GroupResult(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """What came of one group in a trial.

    Attributes:
        group: the group.
        told: its status.
        tries: its pods as far as they were reached; nothing for a composite group.
        placement: where that was tried.
        tried: what came of each placement, where the group has a topology constraint and none was taken.
        scores: of the placements that take the group, where there was a choice.
        tied: the domains with the same best score, where there was a choice between such.
    """

    group: Group
    told: Told
    tries: tuple[PodTry, ...] = ()
    placement: Placement | None = None
    tried: tuple[InPlacement, ...] = ()
    scores: tuple[PlacementScore, ...] = ()
    tied: tuple[str, ...] = ()


class Trial(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """What came of a tree.

    Attributes:
        result: of its root.
        results: of all groups that were tried, the root included.
        after: the snapshot with everything placed, or as it was before if the root failed.
        any_placed: whether any pod found a place.
        looked: what was weighed on the way, in whatever placement.
    """

    result: GroupResult
    results: Mapping[ObjectRef, GroupResult]
    after: Snapshot
    any_placed: bool = False
    looked: Weighed = Weighed()

    @property
    def succeeded(self) -> bool:
        """Whether the tree fits as a whole."""
        return self.result.told.code == "success"

    def placed(self) -> Iterator[PodTry]:
        """The pods that found a place, in the order in which they were tried; none of a group that failed."""
        yield from self._placed_in(self.result.group)

    def _placed_in(self, group: Group) -> Iterator[PodTry]:
        result = self.results.get(group.ref)
        if result is None or result.told.code != "success":
            return
        yield from (one for one in result.tries if one.binding is not None)
        for child in group.children:
            yield from self._placed_in(child)


class Ask(msgspec.Struct, frozen=True):
    """What is tried: the pods of each group, and how hard."""

    queue: Queue
    limits: Limits


Attempt: TypeAlias = Callable[[Snapshot, Group, Ask], Trial]


def try_tree(snapshot: Snapshot, root: Group, ask: Ask) -> Trial:
    """Try a whole tree. One that would fit without any new pod has not got anything, and counts as failed."""
    trial = _try_group(snapshot, root, ask)
    if not trial.succeeded or trial.any_placed:
        return trial
    return _with_root(trial, msgspec.structs.replace(trial.result, told=unschedulable()))


def _try_group(snapshot: Snapshot, group: Group, ask: Ask) -> Trial:
    if group.is_composite:
        return _in_placements(snapshot, group, ask, _try_children)
    if snapshot.profile.enabled("TopologyAwareWorkloadScheduling"):
        return _in_placements(snapshot, group, ask, _try_pods)
    return _try_pods(snapshot, group, ask)


def _try_pods(snapshot: Snapshot, group: Group, ask: Ask) -> Trial:
    """The pods of a PodGroup, one after the other, as long as enough may still find a place."""
    pods = ask.queue.get(group.key, ())
    placed, remaining = len(placed_members(snapshot, group.key)), len(pods)
    told = enough(group.minimum, placed, remaining)
    if told.code == "unschedulable":  # and nothing is said of why (observed on 1.37.2)
        return only(GroupResult(group=group, told=unschedulable()), snapshot)
    tries: list[PodTry] = []
    current, any_placed = snapshot, False
    for key in pods:
        one, current = try_pod(current, key, ask.limits)
        tries.append(one)
        error = error_of(one)
        if error is not None:
            told = failed(upstream.other_pod_failed(error))
            break
        remaining -= 1
        placed += one.binding is not None
        told = enough(group.minimum, placed, remaining)
        if told.code == "unschedulable":
            break
        any_placed = any_placed or one.binding is not None
    result = GroupResult(group=group, told=concluded(told), tries=tuple(tries))
    looked = weighed(result)
    trial = Trial(result=result, results={group.ref: result}, after=current, any_placed=any_placed, looked=looked)
    return _ended(snapshot, trial)


def weighed(result: GroupResult) -> Weighed:
    """The scores of the nodes of the pods of a PodGroup."""
    return Weighed({o.pod: o.choice.scores for o in result.tries if isinstance(o.choice, Chosen) and o.choice.scores})


def try_pod(snapshot: Snapshot, key: Key, limits: Limits) -> tuple[PodTry, Snapshot]:
    """One pod of a group, and the snapshot with it on its node if it found one."""
    choice = choose_node(snapshot, snapshot.pods[key], limits)
    after = msgspec.structs.replace(snapshot, search_start=choice.next_start)
    if not isinstance(choice, Chosen):
        return PodTry(key, choice), after
    binding = reserve(after, snapshot.pods[key].pod, choice)
    return PodTry(key, choice, binding), after.assume(binding)


def error_of(one: PodTry) -> str | None:
    """The error in which the attempt of a pod ended, if it did."""
    ended = one.choice.decision if isinstance(one.choice, Ended) else None
    return ended.message if isinstance(ended, Aborted) else None


def _try_children(snapshot: Snapshot, group: Group, ask: Ask) -> Trial:
    """The groups of a composite group, one after the other, as long as enough may still fit."""
    placed, remaining = 0, len(group.children)
    told = enough(group.minimum, placed, remaining)
    results: dict[ObjectRef, GroupResult] = {}
    current, any_placed, looked = snapshot, False, Weighed()
    if told.code != "unschedulable":
        for child in group.children:
            trial = _try_group(current, child, ask)
            current = trial.after
            results |= trial.results
            looked = looked.with_more(trial.looked)
            if trial.result.told.code == "error":
                told = failed(upstream.child_failed(trial.result.told.as_error))
                break
            any_placed = any_placed or trial.any_placed
            remaining -= 1
            placed += trial.succeeded
            told = enough(group.minimum, placed, remaining)
            if told.code == "unschedulable":
                break
    result = GroupResult(group=group, told=concluded(told))
    results = {group.ref: result, **results}
    trial = Trial(result=result, results=results, after=current, any_placed=any_placed, looked=looked)
    return _ended(snapshot, trial)


class _Turn(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """The turn of one placement.

    Attributes:
        placement: the nodes.
        before: what the attempt sees.
        trial: what came of it; None where groups like this one fared so before, and nothing was tried.
        fared: how its own pods fared, none for a composite group.
        pods: the pods that find a place, those of groups below included.
        looked: what was weighed on the way.
    """

    placement: Placement
    before: Snapshot
    trial: Trial | None
    fared: Fared
    pods: tuple[NodePod, ...]
    looked: Weighed

    @property
    def succeeded(self) -> bool:
        """Whether the group fits."""
        return self.fared.told.code == "success"


def _in_placements(snapshot: Snapshot, group: Group, ask: Ask, attempt: Attempt) -> Trial:
    """Every placement on its own; the best of those that take the group is taken."""
    placements = placements_of(snapshot, group)
    if isinstance(placements, Told):
        return only(GroupResult(group=group, told=placements), snapshot)
    queue = ask.queue.get(group.key, ())
    memory = placement_memory(snapshot, group, queue, ask.limits) if len(placements) > 1 else None

    def tried(before: Snapshot, placement: Placement) -> Trial:
        trial = attempt(before, group, ask)
        return _with_root(trial, msgspec.structs.replace(trial.result, placement=placement))

    outer, looked = snapshot.placement, Weighed()
    turns: list[_Turn] = []
    for placement in placements:
        before = msgspec.structs.replace(snapshot, placement=placement.nodes if placement.key else outer)
        known = memory.get(before) if memory is not None else None
        turn = _turn(before, placement, tried) if known is None else _known_turn(before, placement, queue, known)
        snapshot = msgspec.structs.replace(snapshot, search_start=turn.fared.next_start)
        looked = looked.with_more(turn.looked)
        if turn.trial is not None and turn.fared.told.code == "error":
            return msgspec.structs.replace(only(turn.trial.result, snapshot), looked=looked)
        if memory is not None and turn.trial is not None and all(map(_asks_nodes_alone, turn.trial.result.tries)):
            memory.keep(before, turn.fared)
        turns.append(turn)
    good = [turn for turn in turns if turn.succeeded]
    choice = choose_placement(snapshot, group, [(turn.placement, turn.pods) for turn in good], ask.limits.seed)
    turn = good[choice.position] if good else turns[0]
    best = turn.trial or tried(turn.before, turn.placement)
    if not good:
        return msgspec.structs.replace(_nowhere(best, turns, queue), after=snapshot, looked=looked)
    best = _with_root(best, msgspec.structs.replace(best.result, scores=choice.scores, tied=choice.tied))
    after = msgspec.structs.replace(best.after, placement=outer, search_start=snapshot.search_start)
    looked = looked.with_more(Weighed(placements={group.ref: choice.scores} if choice.scores else {}))
    return msgspec.structs.replace(best, after=after, looked=looked)


def _turn(before: Snapshot, placement: Placement, tried: Callable[[Snapshot, Placement], Trial]) -> _Turn:
    trial = tried(before, placement)
    fared = msgspec.structs.replace(fared_of(trial.result), next_start=trial.after.search_start)
    pods = placed_pods(trial)
    return _Turn(placement=placement, before=before, trial=trial, fared=fared, pods=pods, looked=trial.looked)


def _known_turn(before: Snapshot, placement: Placement, queue: Sequence[Key], known: Fared) -> _Turn:
    """The turn as it went with a group that asked the same."""
    level = pod_level(before.profile)
    found = (key for key, node in zip(queue, known.nodes, strict=False) if node)
    pods = tuple(node_pod(before.pods[key].pod, level) for key in found)
    looked = Weighed({queue[place]: scores for place, scores in known.scores.items()})
    return _Turn(placement=placement, before=before, trial=None, fared=known, pods=pods, looked=looked)


def fared_of(result: GroupResult) -> Fared:
    """How the pods of a PodGroup fared."""
    refused = next(((place, o.choice) for place, o in enumerate(result.tries) if isinstance(o.choice, Unfit)), None)
    choices = ((place, one.choice) for place, one in enumerate(result.tries))
    return Fared(
        told=result.told,
        nodes=tuple(one.binding.pod.spec.node_name if one.binding is not None else "" for one in result.tries),
        refused=refused[0] if refused is not None else None,
        findings=refused[1].findings if refused is not None else (),
        scores={place: choice.scores for place, choice in choices if isinstance(choice, Chosen) and choice.scores},
    )


def in_placement(result: GroupResult) -> InPlacement:
    """What came of a PodGroup where it was tried."""
    return InPlacement(result.placement, tuple(one.pod for one in result.tries), fared_of(result))


def _asks_nodes_alone(one: PodTry) -> bool:
    cycle = one.choice.cycle if isinstance(one.choice, Chosen | Unfit) else None
    return cycle is not None and asks_nodes_alone(cycle)


def placed_pods(trial: Trial) -> tuple[NodePod, ...]:
    """The pods that found a node by themselves."""
    return tuple(one.choice.cycle.pod for one in trial.placed() if isinstance(one.choice, Chosen))


def _nowhere(first: Trial, turns: Sequence[_Turn], queue: Sequence[Key]) -> Trial:
    """No placement takes the group: what the first says stands for all."""
    told = unschedulable(upstream.no_placement(len(turns), first.result.told.as_error))
    tried = tuple(
        InPlacement(turn.placement, tuple(queue[: len(turn.fared.nodes)]), turn.fared, _below(first.result.group, turn))
        for turn in turns
    )
    return _with_root(first, msgspec.structs.replace(first.result, told=told, tried=tried))


def _below(group: Group, turn: _Turn) -> Mapping[ObjectRef, InPlacement]:
    """What came of the PodGroups below a composite group in its turn."""
    if turn.trial is None or not group.is_composite:
        return {}
    results = turn.trial.results.values()
    return {one.group.ref: in_placement(one) for one in results if not one.group.is_composite}


def only(result: GroupResult, snapshot: Snapshot) -> Trial:
    return Trial(result=result, results={result.group.ref: result}, after=snapshot)


def _ended(before: Snapshot, trial: Trial) -> Trial:
    """A trial at its end; where its root failed nothing of it stays."""
    if trial.succeeded:
        return trial
    rolled_back = msgspec.structs.replace(before, search_start=trial.after.search_start)
    return msgspec.structs.replace(trial, after=rolled_back, any_placed=False)


def _with_root(trial: Trial, result: GroupResult) -> Trial:
    """The trial with another result of its root."""
    results = {**trial.results, result.group.ref: result}
    return msgspec.structs.replace(trial, result=result, results=results)
