"""What a change makes different, in words: yes or no, who comes, who goes and why, and what stays."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Final, assert_never

import msgspec

from dravite.api.document import Problem
from dravite.api.meta import ObjectRef
from dravite.diagnosis import verdicts as v
from dravite.planning.enough import Enough
from dravite.planning.leaving import (
    BudgetInTheWay,
    Cause,
    DeviceTainted,
    Leaving,
    NodeDrained,
    NodeGone,
    NodeTainted,
    OwnerDeleted,
    PodDeleted,
    RuleReach,
)
from dravite.planning.supposed import Supposed
from dravite.planning.whatif import Place, PodChange, Turn, WhatIf
from dravite.render import words
from dravite.render.report import Block, PodGroupReport, PodReport, Row, State, WhatIfReport
from dravite.render.view.plans import claims_text
from dravite.render.view.sight import Sight, device, full, objects, said, taint
from dravite.render.view.taint_rules import evictions, without_evictions

ROWS_SHOWN: Final = 16

_TOLD: Final[Mapping[Turn, tuple[str, str]]] = {
    "evicted": ("is evicted", "are evicted"),
    "deleted": ("is deleted", "are deleted"),
    "preempted": ("is preempted", "are preempted"),
    "unplaced": ("loses the place that it was planned for", "lose the places that they were planned for"),
    "gone": ("is gone", "are gone"),
    "refused": ("is new and has no place", "are new and have no place"),
    "placed": ("gets a place", "get a place"),
    "moved": ("goes to another place", "go to other places"),
}
"""What becomes of one pod and of several, in the order in which it is told: first what hurts."""


_TITLES: Final[Mapping[Turn, str]] = {
    "preempted": "Preempted",
    "unplaced": "Without the place that they were planned for",
    "gone": "Gone",
    "refused": "New and without a place",
    "placed": "Placed",
    "moved": "Elsewhere",
}


class Answers(msgspec.Struct, frozen=True, kw_only=True):
    """Full answers for the pods that were asked about, short ones for others without a place, and their groups."""

    asked: tuple[PodReport, ...]
    others: tuple[PodReport, ...]
    groups: tuple[PodGroupReport, ...] = ()


class Around(msgspec.Struct, frozen=True):
    """What stands beside the answer: what is wrong with the inputs, what it rests on, how far rules reach, and how many
    nodes are enough.
    """

    problems: tuple[Problem, ...]
    notes: tuple[str, ...]
    rules: tuple[RuleReach, ...] = ()
    enough: Enough | None = None


def what_if_report(
    found: WhatIf,
    told: Sequence[Supposed],
    answers: Answers,
    around: Around,
    sight: Sight,
) -> WhatIfReport:
    """What `what-if` prints."""
    asked, refusals = answers.asked, answers.others
    rules, problems = around.rules, around.problems
    named = [one.pod for answer in asked for one in answer.decisions]
    explained = {one.pod for answer in (*asked, *refusals) for one in answer.decisions if answer.state not in _PLACED}
    above = explained | (set(named) if len(named) == 1 else set())
    headline = _answer(asked, changed=_changed(found, named)) if asked else _sum(found, problems)
    return WhatIfReport(
        state=_worst(asked),
        headline=_with_number(headline, around.enough, asked=bool(asked)),
        answers=asked,
        blocks=tuple(_blocks([one for one in found.changes if not _is_told(one, above)], sight)),
        refusals=refusals,
        groups=answers.groups,
        told=tuple(told),
        changes=found.changes,
        same=found.same,
        waiting=found.waiting,
        summary=_rest(found),
        notes=(*around.notes, *without_evictions(rules, found.changes)),
        problems=(*problems, *evictions(rules, found.changes, sight)),
        rules=tuple(rules),
        enough=around.enough,
    )


_PLACED: Final = ("scheduled", "running")


def _worst(answers: Iterable[PodReport]) -> State:
    return next((one.state for one in answers if one.state not in _PLACED), "scheduled")


def _with_number(headline: str, enough: Enough | None, *, asked: bool) -> str:
    """The answer with a number of nodes; yes or no comes first."""
    if enough is None:
        return headline
    return f"{headline} {_how_many(enough)}" if asked else f"{_how_many(enough)} {headline}"


def _how_many(enough: Enough) -> str:
    """How many nodes are enough, and what comes of one less, or of many more."""
    number, left, short = len(enough.nodes), len(enough.left), len(enough.short)
    more = f"{words.count(number, 'more node')} like {enough.like} {words.bent(number, 'is')} enough"
    if not number and not left:
        return f"No more nodes like {enough.like} are needed."
    if not number:
        few = left < enough.asked
        who = f"{left} of {enough.asked} pods {words.bent(left, 'has')} no place" if few else "no pod has a place"
        return f"No number of nodes like {enough.like} helps: with {enough.tried}, {who}."
    if left:
        helped = f"{enough.asked - left} of {words.count(enough.asked, 'pod')}"
        rest = f"the other {left} {words.bent(left, 'has')}" if left > 1 else "the other has"
        return f"{more} for {helped}; with {enough.tried}, {rest} no place either."
    fewer = f"with {number - 1}" if number > 1 else "without it"
    return f"{more}; {fewer}, {words.count(short, 'pod')} {words.bent(short, 'has')} no place."


def _changed(found: WhatIf, pods: Sequence[ObjectRef]) -> bool:
    """Whether the change makes a difference for any of the pods."""
    return any(one.pod in pods for one in found.changes)


def _answer(answers: Sequence[PodReport], *, changed: bool) -> str:
    """Yes or no, for the pods that were asked about."""
    pods = sum(len(one.decisions) for one in answers)
    left = [one for one in answers if one.state not in _PLACED]
    if pods == 1 and answers[0].state == "no-answer":
        return answers[0].headline
    word = ("No" if left else "Yes") + ("" if changed else ", with and without the change")
    if pods == 1:
        return f"{word}: {answers[0].headline}"
    if not left:
        return f"{word}: all {pods} pods have a place."
    missing = sum(len(one.decisions) for one in left)
    if missing == pods:
        return f"{word}: none of {pods} pods has a place."
    return f"{word}: {words.of(missing, pods, 'pod')} {words.bent(missing, 'has')} no place."


def _is_told(one: PodChange, above: set[ObjectRef]) -> bool:
    """Whether the answer for a pod says all that a row of its own would."""
    return one.pod in above and one.turn in ("placed", "moved", "refused")


def _sum(found: WhatIf, problems: Sequence[Problem]) -> str:
    """How many pods there are of each turn."""
    parts = []
    for turn in _TOLD:
        mine = [one for one in found.changes if one.turn == turn]
        if mine:
            parts.append(f"{_pods(mine)} {_became(turn, len(mine))}")
    if parts:
        return words.stopped("; ".join(parts))
    lacking = any(one.severity == "error" for one in problems)
    return "Nothing changes; what is wrong below was left out." if lacking else "Nothing changes."


def _pods(changes: Sequence[PodChange]) -> str:
    """`4 pods in 3 namespaces`; one namespace goes without saying."""
    spaces = len({one.pod.namespace for one in changes})
    where = f" in {words.count(spaces, 'namespace')}" if spaces > 1 else ""
    return f"{words.count(len(changes), 'pod')}{where}"


def _became(turn: Turn, number: int) -> str:
    one, many = _TOLD[turn]
    return one if number == 1 else many


def _rest(found: WhatIf) -> str:
    """What does not change."""
    if not found.same:
        return "" if found.changes else "There are no pods."
    placed, waiting = found.same - len(found.waiting), len(found.waiting)
    other = "other " if found.changes else ""
    parts = []
    if placed:
        keep = "keeps its place" if placed == 1 else "keep their places"
        parts.append(f"{words.count(placed, f'{other}pod')} {keep}")
    if waiting:
        lack = "none" if placed else "no place"
        noun = "" if placed else f" {words.bent(waiting, f'{other}pod')}"
        parts.append(f"{waiting}{noun} {words.bent(waiting, 'has')} {lack} either way")
    return words.stopped(" and ".join(parts))


def _blocks(changes: Sequence[PodChange], sight: Sight) -> Iterator[Block]:
    for turn in _TOLD:
        mine = [one for one in changes if one.turn == turn]
        groups: dict[Hashable, list[PodChange]] = {}
        for one in mine:
            groups.setdefault(_together(one), []).append(one)
        for members in groups.values():
            rows = [Row(tuple(cell for cell in _cells(one) if cell)) for one in members]
            shown = rows[: sight.most(ROWS_SHOWN)]
            yield Block(_title(members, sight), tuple(shown), len(rows) - len(shown))


def _together(one: PodChange) -> Hashable:
    """What pods have in common that are told together: those that go do so for one cause at one time."""
    if one.leaving is None:
        return one.turn
    cause, after = one.leaving.cause, one.leaving.after
    match cause:
        case DeviceTainted():
            return "devices", cause.rule or (cause.key, cause.value), after
        case PodDeleted() | OwnerDeleted():
            return cause
        case _:
            return cause, one.leaving.node, after


def _title(members: Sequence[PodChange], sight: Sight) -> str:
    first = members[0]
    if first.leaving is not None:
        return f"{_because(first.leaving, members, sight)}:"
    return f"{_TITLES.get(first.turn, 'Deleted')}:"


def _because(leaving: Leaving, members: Sequence[PodChange], sight: Sight) -> str:
    """Who or what makes these pods go, and when."""
    cause, pods, when = leaving.cause, _pods(members), f", {_when(leaving.after)}"
    go = "goes" if len(members) == 1 else "go"
    match cause:
        case DeviceTainted(rule=str(rule)) if rule:
            place = sight.place(ObjectRef("DeviceTaintRule", "", rule), "")
            return f"DeviceTaintRule {rule}{f' ({place})' if place else ''} evicts {pods}{when}"
        case DeviceTainted():
            return f"Taint {taint(cause.key, cause.value, 'NoExecute')} of devices evicts {pods}{when}"
        case NodeTainted():
            return f"Taint {taint(cause.key, cause.value, 'NoExecute')} of node {leaving.node} evicts {pods}{when}"
        case NodeDrained():
            return f"Draining {leaving.node} evicts {pods}"
        case NodeGone():
            return f"With node {leaving.node} {go} {pods}"
        case OwnerDeleted(owner=owner):
            return f"With {said(owner)} {go} {pods}"
        case PodDeleted():
            return "Deleted"
        case unreachable:
            assert_never(unreachable)


def _when(seconds: float) -> str:
    """`at once`, `after 5 minutes`."""
    if seconds <= 0:
        return "at once"
    whole = int(seconds)
    for size, unit in ((3600, "hour"), (60, "minute")):
        if whole >= 2 * size:
            rest = f" {words.count(whole % size, 'second')}" if size == 60 and whole % size else ""
            return f"after {words.count(whole // size, unit)}{rest}"
    return f"after {words.count(whole, 'second')}"


def _cells(one: PodChange) -> tuple[str, ...]:
    who, after, before = full(one.pod), one.after, one.before
    if one.leaving is not None:
        return who, one.leaving.node, _lost(one.leaving.cause, one.leaving.node), _then(one)
    match one.turn:
        case "placed":
            return who, after.node if after else "", _got(after), "new" if before is None else "had no place"
        case "moved":
            return who, after.node if after else "", _got(after), f"in place of {_other(one)}"
        case "unplaced":
            return who, f"was to run on {before.node if before else ''}"
        case "preempted" | "deleted" | "gone":
            return who, before.node if before is not None and before.runs else ""
        case _:
            return (who,)


def _got(place: Place | None) -> str:
    return claims_text(place.claims, place.node) if place is not None else ""


def _other(one: PodChange) -> str:
    """What a pod that is moved had: the node, or the devices where the node is the same."""
    assert one.before is not None  # noqa: S101 (a pod that moves was somewhere)
    if one.after is not None and one.after.node == one.before.node:
        return _got(one.before)
    decided = one.after.decision.decision if one.after is not None and one.after.decision is not None else None
    tied = isinstance(decided, v.Scheduled) and one.before.node in decided.tied
    return f"{one.before.node}, which is as good" if tied else one.before.node


def _lost(cause: Cause, node: str) -> str:
    return device(cause.device, node) if isinstance(cause, DeviceTainted) else ""


def _then(one: PodChange) -> str:
    """What becomes of a pod that goes."""
    if one.leaving is not None and not one.leaving.made_again:
        by = isinstance(one.leaving.cause, OwnerDeleted | NodeGone)
        return "" if by else "no controller makes it again"
    if one.after is None or not one.after.node:
        return "is made again, and has no place"
    got = _got(one.after)
    return f"is made again on {one.after.node}{f' with {got}' if got else ''}"


def drain_notes(leaving: Sequence[Leaving], budgets: Iterable[BudgetInTheWay]) -> Iterator[str]:
    """What `kubectl drain` would stop at."""
    bare = [one.pod for one in leaving if isinstance(one.cause, NodeDrained) and not one.made_again]
    if bare:
        have, them = ("it has", "it") if len(bare) == 1 else ("they have", "them")
        yield f"kubectl drain needs --force for {objects(bare)}: {have} no controller, so nothing makes {them} again."
    for one in budgets:
        yield (
            f"PodDisruptionBudget {full(one.budget)} lets {words.count(one.allowed, 'pod')} go and the drain evicts "
            f"{len(one.pods)} of its pods ({objects(one.pods)}): kubectl drain waits for it."
        )
