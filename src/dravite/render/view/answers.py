"""One explanation as one answer: first line, evidence, next step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import msgspec

from dravite.api.document import Problem
from dravite.api.meta import ObjectRef
from dravite.diagnosis import verdicts as v
from dravite.diagnosis.upstream import FAILED_CLAIM_CREATION, GATED_MESSAGE
from dravite.explain.explanation import DeviceStory, Explanation, NodeGroup, RequestFinding
from dravite.explain.notes import WARNINGS, NodesPublishNothing, Note, ToleratedButEvicted, ToleratedForAWhile, TwoBooks
from dravite.render import words
from dravite.render.report import ExplainReport, Hint, PodGroupReport, PodReport
from dravite.render.view.evidence import evidence, refused, refused_elsewhere
from dravite.render.view.headlines import as_good, headline, state, why_refused
from dravite.render.view.insights import first_sentence
from dravite.render.view.notes import note, sentences
from dravite.render.view.rejections import asked_by, pool_fault
from dravite.render.view.sight import Sight, devices, location

BRIEF_LINES = 4
WARNING_CODES: Final[Mapping[type, str]] = MappingProxyType(
    {
        TwoBooks: "two-books",
        ToleratedButEvicted: "toleration-without-effect",
        ToleratedForAWhile: "toleration-for-a-while",
    }
)
HINTS_SHOWN = 6


def pod_report(found: Explanation, decisions: Sequence[v.PodDecision], sight: Sight) -> PodReport:
    """The answer for the pods of one explanation; `decisions` are theirs, the explained one first."""
    found = msgspec.structs.replace(found, pods=tuple(one.pod for one in decisions))
    hints = _hints(found, sight) if found.remedies else ()
    return PodReport(
        decisions=tuple(decisions),
        state=state(found.decision.decision),
        headline=headline(found, sight),
        messages=tuple(headline(msgspec.structs.replace(found, decision=one, pods=()), sight) for one in decisions),
        brief=brief(found, sight),
        blocks=evidence(found, sight),
        hints=hints[:HINTS_SHOWN] if sight.fold else hints,
        notes=_notes([one for one in found.notes if _is_told(one, found)], sight),
        upstream=upstream(found.decision.decision),
        certainty=certainty(found),
        reasons=reasons(found),
        by_group=_is_said_of_group(found.decision.decision),
    )


def _hints(found: Explanation, sight: Sight) -> tuple[Hint, ...]:
    from dravite.render.view.advice import hint  # a plan alone has none to offer

    return tuple(hint(remedy, sight) for remedy in found.remedies)


def _is_said_of_group(decision: v.Decision) -> bool:
    """Whether the pod is not to blame: its group does not fit, or waits for others."""
    match decision:
        case v.Unschedulable(held_back=held):
            return held is not None
        case v.Waiting(reason="group-incomplete" | "group-gated"):
            return True
        case v.Aborted(error=error):
            return error.kind == "group"
        case _:
            return False


def _is_told(one: Note, found: Explanation) -> bool:
    """Warnings stand among the problems; nodes without devices are no news where others have some."""
    if isinstance(one, NodesPublishNothing):
        first = found.groups[0].devices if found.groups else None
        return first is None or not any(finding.of_class for finding in first.requests)
    return not isinstance(one, WARNINGS)


def _notes(told: Sequence[Note], sight: Sight) -> tuple[str, ...]:
    """The notes, and with nodes that have no devices the slices that were read and do not count."""
    left_out = sight.refused_kind("ResourceSlice") if any(isinstance(one, NodesPublishNothing) for one in told) else ()
    places = words.folded([location(one.file, one.line) for one in left_out], 4)
    text = f"{words.count(len(left_out), 'ResourceSlice')} would be refused, with all devices in"
    text += f" {'it' if len(left_out) == 1 else 'them'}: {places}"
    return (*sentences(told), *([words.sentence(text)] if left_out else []))


def brief(found: Explanation, sight: Sight) -> tuple[str, ...]:
    """The evidence in the few lines that a plan has room for."""
    lines = [told for name in found.missing if (told := refused_elsewhere(name, sight))]
    if found.failure is not None:
        place = sight.place(found.failure.selector.object, found.failure.selector.path)
        lines.append(f"{place}: {first_sentence(found.failure.headline)}" if place else found.failure.headline)
    lines += _node_lines(found.groups, sight)
    if len(lines) > BRIEF_LINES:
        lines = [*lines[: BRIEF_LINES - 1], f"… {len(lines) - BRIEF_LINES + 1} more lines"]
    return tuple(lines)


def _node_lines(groups: Iterable[NodeGroup], sight: Sight) -> Iterable[str]:
    """What each node says, and all nodes that say the same in one line."""
    saying: dict[str, list[NodeGroup]] = {}
    for group in groups:
        for text in _group_lines(group, sight):
            saying.setdefault(text, []).append(group)
    for text, alike in saying.items():
        folded = sum(group.folded for group in alike)
        nodes = words.folded([node for group in alike for node in group.nodes], 4)
        yield f"{nodes}{f' and {folded} more' if folded else ''}: {text}"


def _group_lines(group: NodeGroup, sight: Sight) -> Iterable[str]:
    if group.devices is None:
        yield why_refused(group, "; ")
        return
    for finding in group.devices.requests:
        there = f" ({group.devices.node})" if group.size > 1 and finding.refusals and finding.of_class else ""
        yield f"{asked_by(finding)}: {_found(finding, group.devices, sight)}{there}"
    for pool in group.devices.pools:
        yield f"pool {pool.pool} of {pool.driver} is {pool_fault(pool)}"


def _found(finding: RequestFinding, story: DeviceStory, sight: Sight) -> str:
    """What a request finds on a node: the devices that will not do, or that they will and still are no answer."""
    wrong = [one for one in refused(finding.refusals, sight) if not one.other_class]
    if wrong:
        return "; ".join(f"{devices(one.devices, story.node, 4)} {one.text}" for one in wrong)
    if not finding.of_class:
        return "no device there"
    will_do = f"all {finding.eligible} will do" if finding.eligible > 1 else "the only device will do"
    if finding.missing:
        return f"{will_do}, {finding.needed} needed"
    return f"{will_do}, but not together" if story.clash is not None else will_do


def upstream(decision: v.Decision) -> tuple[str, str] | None:
    """Who of Kubernetes says something about the pod, and what, word for word."""
    match decision:
        case v.Unschedulable() | v.Aborted():
            return ("kube-scheduler", decision.message)
        case v.Waiting(reason="scheduling-gate"):
            return ("kube-scheduler", GATED_MESSAGE)
        case v.Waiting(event=str(event)):
            return (f"kube-controller-manager (event {FAILED_CLAIM_CREATION})", event)
        case _:
            return None


def certainty(found: Explanation) -> str | None:
    """How sure a "no" is, and what of a "yes" depends on chance; None where there is nothing to say."""
    match found.decision.decision:
        case v.Scheduled(node=node, tied=tied):
            return as_good(tied, node) or None
        case v.Unschedulable(held_back=v.HeldBack()):
            return None
        case v.Unschedulable(certainty="proven") if found.missing:
            return "Certain: the pod is ruled out before any node is looked at."
        case v.Unschedulable(certainty="proven"):
            return "Certain: every node was searched to the end."
        case v.Unschedulable(certainty="not-found"):
            return "Not certain: groups are placed greedily, so a placement may have been missed."
        case v.Unschedulable() | v.BudgetSpent():
            return "Not certain: the search was given up at its budget; --budget raises it."
        case _:
            return None


def reasons(found: Explanation) -> tuple[object, ...]:
    """The typed values behind the sentences, in the order of the sentences."""
    error = found.decision.decision.error if isinstance(found.decision.decision, v.Aborted) else None
    parts: list[object | None] = [
        *found.missing,
        found.failure,
        error,
        *found.groups,
        *found.selectors,
        *found.names,
        *found.constraints,
        *found.amounts,
        *found.unmet,
        *found.pools,
        *found.holdings,
        found.nearest,
        *found.fallbacks,
        *found.notes,
        *found.remedies,
    ]
    return tuple(part for part in parts if part is not None)


def explain_report(
    answers: Iterable[tuple[Explanation, Sequence[v.PodDecision]]],
    problems: Iterable[Problem],
    notes: Iterable[str],
    sight: Sight,
    groups: Iterable[PodGroupReport] = (),
) -> ExplainReport:
    """What `explain` prints, in the order of the answers given."""
    given = list(answers)
    return ExplainReport(
        pods=tuple(pod_report(found, decisions, sight) for found, decisions in given),
        notes=tuple(notes),
        problems=(*problems, *warnings((found for found, _ in given), sight)),
        groups=tuple(groups),
    )


def warnings(explanations: Iterable[Explanation], sight: Sight) -> tuple[Problem, ...]:
    """Notes that somebody must be told even where everything is placed, as problems of severity warning."""
    found: dict[Problem, None] = {}
    for explanation in explanations:
        for one in explanation.notes:
            if isinstance(one, WARNINGS):
                found[warning(one, explanation.decision.pod, sight)] = None
    return tuple(found)


def warning(one: Note, pod: ObjectRef, sight: Sight) -> Problem:
    """A note as a problem of the object that one would change."""
    about, path = pod, None
    if isinstance(one, TwoBooks):
        about = ObjectRef("Node", "", one.node)
    elif isinstance(one, ToleratedButEvicted | ToleratedForAWhile):
        about, path = one.toleration.object, one.toleration.path
    file, line = sight.where(about, path or "") or (None, None)
    return Problem(
        severity="warning",
        type=WARNING_CODES[type(one)],
        object=str(about),
        field=path,
        file=file,
        line=line,
        message=words.sentence(note(one)),
    )
