"""One explanation of a group as one answer: how many pods fit where, what cannot hold together, and what would help."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, assert_never

import msgspec

from dravite.api.core_v1 import Pod
from dravite.api.meta import ObjectRef
from dravite.diagnosis import verdicts as v
from dravite.explain.groups import explanation as g
from dravite.explain.remedies.advice import AddNodes, EndPods
from dravite.planning.plan import Preempted, Victim
from dravite.render import words
from dravite.render.report import Block, Hint, PodGroupReport, Row, State
from dravite.render.view.advice import add_nodes, advised, end_pods
from dravite.render.view.headlines import as_good, in_short
from dravite.render.view.sight import Sight, full, objects, said
from dravite.snapshot.changes import SetObject

DOMAINS_SHOWN: Final = 8
REASONS_SHOWN: Final = 2

_SURE: Final[Mapping[g.OtherWays, str]] = MappingProxyType(
    {
        "not-searched": (
            "Not certain: like kube-scheduler, this places one pod after the other and does not go back;"
            " explain with --optimize looks for other ways."
        ),
        "found": "kube-scheduler does not find it by itself, but there is a way to place the pods.",
        "none": "Certain: enough of its pods fit in no order, on no nodes and with no devices.",
        "not-found": (
            "Not certain: no other way to place the pods was found, but neighbours, or devices that kube-scheduler"
            " would not take first, leave a doubt."
        ),
        "given-up": "Not certain: the search for other ways to place the pods was given up.",
    }
)

_STATES: Final[Mapping[v.GroupOutcome, State]] = MappingProxyType(
    {"scheduled": "scheduled", "unschedulable": "unschedulable", "error": "aborted", "waiting": "waiting"}
)


def group_report(found: g.GroupExplanation, sight: Sight) -> PodGroupReport:
    """The answer for one PodGroup."""
    return PodGroupReport(
        decision=msgspec.structs.replace(found.decision, certainty=found.certainty),
        pods=found.pods,
        running=found.running,
        state=_STATES[found.decision.outcome],
        headline=headline(found),
        brief=tuple(_lines(found)),
        blocks=tuple(_blocks(found, sight)),
        hints=tuple(_hint(one, sight) for one in found.remedies),
        upstream=("kube-scheduler", found.decision.message) if found.decision.message else None,
        certainty=_certainty(found),
        clash=found.clash,
        other_ways=found.other_ways,
        reasons=(*found.domains, *found.preempted, *found.remedies),
    )


def headline(found: g.GroupExplanation) -> str:
    """The answer in one sentence."""
    decision = found.decision
    who = f"Pod group {full(decision.group)}"
    match decision.outcome:
        case "scheduled":
            where = f", in {decision.topology_key} {decision.domain}" if decision.domain else ""
            return f"{who} starts{where}: {_started(found)}.{_as_good(decision)}"
        case "unschedulable":
            return words.stopped(f"{who} cannot start: {_cause(found)}")
        case "error":
            return words.stopped(f"{who} cannot start, its attempt ends in an error: {decision.message}")
        case "waiting":
            return words.stopped(f"{who} waits, unseen by the scheduler: {_awaited(found)}")
        case unreachable:
            assert_never(unreachable)


def tie(found: g.GroupExplanation) -> str | None:
    """What depends on chance of a group that starts."""
    others = _as_good(found.decision)
    return f"Pod group {full(found.decision.group)} starts in {found.decision.domain}.{others}" if others else None


def _as_good(decision: v.GroupDecision) -> str:
    text = as_good(decision.tied, decision.domain) if decision.outcome == "scheduled" else ""
    return f" {text}" if text else ""


def _started(found: g.GroupExplanation) -> str:
    minimum = found.decision.minimum
    total = words.count(len(found.pods) + found.running, "pod")
    return f"{total}, of which {minimum} have to start together" if minimum is not None else total


def _cause(found: g.GroupExplanation) -> str:
    decision = found.decision
    if not found.domains:
        return _without_domains(found)
    nearest = found.domains[0]
    needed = nearest.finding.needed
    where = f" in {decision.topology_key} {nearest.finding.domain}" if nearest.finding.domain else ""
    if decision.topology_key is not None and not nearest.finding.domain and not nearest.finding.nodes:
        return f"no node has the label {decision.topology_key}"
    if decision.root != decision.group and nearest.fits >= needed:
        return f"it fits by itself, and {_noun(decision.root.kind)} {full(decision.root)} above it does not"
    if not nearest.fits:
        wanted = f"none of the {words.count(needed, 'pod')} that it needs" if needed else "no pod of it"
        text = f"{wanted} fits{where or ' anywhere'}"
    else:
        text = f"at best {nearest.fits} of the {words.count(needed, 'pod')} that it needs {_fit(nearest.fits)}{where}"
    reason = _next_lacks(nearest)
    return f"{text}; {reason}" if reason else text


def _without_domains(found: g.GroupExplanation) -> str:
    decision = found.decision
    if decision.topology_key is not None:
        return f"no node has the label {decision.topology_key}"
    return decision.message or "it does not fit"


def _next_lacks(story: g.DomainStory) -> str:
    refused = story.finding.refused
    if refused is None or not story.groups:
        return ""
    group = story.groups[0]
    others = sum(len(other.nodes) for other in story.groups[1:])
    more = f" and by {words.count(others, 'other node')}" if others else ""
    return f"the next one, {refused.name}, is refused by {words.folded(group.nodes, 3)} ({in_short(group)}){more}"


def _awaited(found: g.GroupExplanation) -> str:
    waits, decision = found.waits, found.decision
    if waits is None:
        return "none of its pods may be scheduled yet"
    match waits.reason:
        case "group-incomplete":
            there = f"{waits.detail} {'are' if waits.detail and waits.detail[0] != '1' else 'is'} there"
            name = "minCount" if decision.root == decision.group else "minGroupCount"
            return f"{there} ({name} says how many have to be); nothing is said of it in any condition"
        case "group-gated":
            return f"other pods of the group are not ready ({waits.detail})"
        case "group-missing":
            return f"{waits.missing[0].missing} does not exist" if waits.missing else "its group does not exist"
        case _:
            return "its pods wait for something else"


def _noun(kind: str) -> str:
    return "composite pod group" if kind == "CompositePodGroup" else "pod group"


def _lines(found: g.GroupExplanation) -> Iterator[str]:
    """The domains in the few lines that a plan has room for."""
    if len(found.domains) > 1:
        for story in found.domains[:3]:
            yield f"{found.decision.topology_key} {story.finding.domain}: {_fits(story)}"
        if len(found.domains) > 3:
            yield f"… {len(found.domains) - 3} more"


def _fit(pods: int) -> str:
    return "fits" if pods == 1 else "fit"


def _fits(story: g.DomainStory) -> str:
    finding = story.finding
    return f"{story.fits} of {finding.needed} {_fit(story.fits)} on {words.count(finding.nodes, 'node')}"


def _blocks(found: g.GroupExplanation, sight: Sight) -> Iterator[Block]:
    if found.decision.topology_key is not None and found.decision.outcome == "unschedulable" and found.domains:
        yield _domains(found, sight)
    elif found.decision.outcome == "unschedulable" and found.domains and len(found.domains[0].groups) > 1:
        yield _nodes_of(found.domains[0])
    if found.clash:
        yield Block(_clash_title(found), tuple(Row((text,)) for text in map(_demand(found), found.clash)))
    for one in found.preempted:
        yield _victims(one)


def _domains(found: g.GroupExplanation, sight: Sight) -> Block:
    title = f"All its pods have to lie in one {found.decision.topology_key}; this is what came of each:"
    shown = found.domains[: sight.most(DOMAINS_SHOWN)]
    rows = tuple(_row(story) for story in shown)
    return Block(title, rows, folded=len(found.domains) - len(shown))


def _nodes_of(story: g.DomainStory) -> Block:
    """Why each node refuses the first pod that has no place."""
    name = story.finding.refused.name if story.finding.refused is not None else "the next pod"
    rows = tuple(Row((words.folded(one.nodes, 4), in_short(one))) for one in story.groups)
    return Block(f"With {_placed(story)} placed, {name} finds no node:", rows)


def _placed(story: g.DomainStory) -> str:
    return words.count(story.fits, "pod")


def _row(story: g.DomainStory) -> Row:
    name = story.finding.domain or "no node has the label"
    refused = story.finding.refused
    why = ""
    if refused is not None and story.groups:
        told = [f"{words.folded(one.nodes, 3)}: {in_short(one)}" for one in story.groups[:REASONS_SHOWN]]
        why = f"then {refused.name} finds no node ({'; '.join(told)})"
    elif refused is not None:
        why = f"then {refused.name} finds no node"
    return Row(tuple(cell for cell in (name, _fits(story), why) if cell))


def _clash_title(found: g.GroupExplanation) -> str:
    if len(found.clash) == 1:
        return "This alone is in the way; without it the group starts:"
    return "These cannot hold together; without any one of them the group starts:"


def _demand(found: g.GroupExplanation) -> Callable[[g.Demand], str]:
    minimum, key = found.decision.minimum, found.decision.topology_key
    texts: Mapping[g.Demand, str] = {
        "min-count": f"minCount {minimum}: so many pods have to start together" if minimum else "the numbers to start",
        "topology": f"one value of {key} for all pods" if key else "one domain for all pods of a group",
        "devices": "the devices that each pod claims",
        "resources": "the cpu, memory and other resources that each pod requests",
        "node-rules": "the nodes that its pods select, and the taints that they do not tolerate",
        "pod-rules": "what its pods say about other pods (affinity, spreading)",
    }
    return lambda demand: texts[demand]


def _victims(one: Preempted) -> Block:
    """Who goes. All lower pods are taken away in mind, and let back as long as the group fits (E6.4, E6.5)."""
    lower = words.count(len(one.victims) + one.spared, "pod")
    title = f"Kubernetes preempts {len(one.victims)} of {lower} of lower priority for it"
    title += ", and in vain: it does not start even so" if one.in_vain else ""
    title += "; the more important ones are let stay first, as long as the group fits beside them" if one.spared else ""
    return Block(f"{title}:", tuple(map(_victim, one.facts)))


def _victim(one: Victim) -> Row:
    whole = f"goes with all pods of {_noun(one.goes_with.kind)} {full(one.goes_with)}" if one.goes_with else ""
    cells = (full(one.pod), f"on {one.node}", f"priority {one.priority}", whole)
    return Row(tuple(cell for cell in cells if cell))


def _certainty(found: g.GroupExplanation) -> str | None:
    if found.decision.outcome != "unschedulable":
        return None
    if found.decision.certainty == "proven":
        return "Certain: no more of its pods fit in any order."
    if found.other_ways == "not-searched" and found.decision.root.kind == "CompositePodGroup":
        return "Not certain: like kube-scheduler, this places one pod after the other and does not go back."
    return _SURE[found.other_ways]


def _hint(one: g.GroupRemedy, sight: Sight) -> Hint:
    where = f" in {one.domain}" if one.domain else ""
    start = "starts" if one.placed == 1 else "start"
    cost = f" in place of {objects(one.displaced)}" if one.displaced else ""
    return Hint(f"{_what(one, sight)}: then {words.count(one.placed, 'pod')} {start}{where}{cost}")


def _what(one: g.GroupRemedy, sight: Sight) -> str:
    if isinstance(one.advice, g.GroupAdvice):
        return _SENTENCES[type(one.advice)](one.advice)
    text = advised(one.advice, sight)
    pods = [change for change in one.changes if isinstance(change, SetObject) and isinstance(change.object, Pod)]
    return f"in each of its pods, {text}" if 1 < len(pods) == len(one.changes) else text


def _lower(value: g.LowerMinCount) -> str:
    return f"set minCount of {_named(value.group)} to {value.possible} in place of {value.asked}"


def _named(group: ObjectRef) -> str:
    """The group, which until 1.35 is a part of a Workload."""
    workload, _, part = group.name.partition("/")
    return (
        f"{_noun(group.kind)} {full(group)}" if not part else f"group {part} of Workload {group.namespace}/{workload}"
    )


def _wider(value: g.DropTopology) -> str:
    return f"leave out the topology constraint {value.key} of {_noun(value.group.kind)} {full(value.group)}"


def _end(value: EndPods) -> str:
    return end_pods(value) + (f" in {value.domain}" if value.domain else "")


def _scale(value: g.ScaleWorkload) -> str:
    return f"let {said(value.workload)} have {value.pods} pods in place of {value.present}"


def _order(value: g.AskInOtherOrder) -> str:
    order = ", ".join(value.order)
    return f"put the alternatives of request {value.request} in {said(value.holder)} in the order {order}"


def _by_hand(value: g.PlaceByHand) -> str:
    return f"tie pods to nodes with node affinity, since all fit that way: {_nodes(value.nodes)}"


def _in_order(value: g.CreateInOrder) -> str:
    return f"create the pods in this order and tie them to nodes with node affinity: {_nodes(value.nodes)}"


def _nodes(nodes: Sequence[tuple[ObjectRef, str]]) -> str:
    return words.listed(f"{pod.name} to {node}" for pod, node in nodes)


_SENTENCES: Final[Mapping[type, Callable[[Any], str]]] = MappingProxyType(
    {
        g.LowerMinCount: _lower,
        g.DropTopology: _wider,
        AddNodes: add_nodes,
        EndPods: _end,
        g.ScaleWorkload: _scale,
        g.AskInOtherOrder: _order,
        g.PlaceByHand: _by_hand,
        g.CreateInOrder: _in_order,
    }
)
