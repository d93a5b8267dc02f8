"""`dravite what-if`: what a change would make different, and whether the pods in question have a place then."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from dravite.api.core_v1 import Pod
from dravite.api.document import Document, Problem
from dravite.api.meta import ObjectRef
from dravite.cli.answering import Answer, answered
from dravite.cli.arguments import Arguments, parse
from dravite.cli.claims import chosen_now
from dravite.cli.control_plane import set_apart
from dravite.cli.dispatch import UsageError
from dravite.cli.exit_codes import ExitCode, worst
from dravite.cli.explain import explained, running
from dravite.cli.faces import shown
from dravite.cli.flags import EXAMPLES, WITH
from dravite.cli.groups import groups_in, groups_told
from dravite.cli.plan import EXPLAINED, EXPLAINED_IN_LARGE_CLUSTERS, LARGE
from dravite.cli.question import Input, exit_code, input_notes, settings, sight, watch
from dravite.cli.subjects import Kin, chosen, kind_of
from dravite.cli.supposing import Scene, suppose
from dravite.cli.workload_kinds import known_kinds
from dravite.diagnosis import verdicts as v
from dravite.explain import Detail, alike, explain_group, glance, glance_at_group
from dravite.explain.explanation import Explanation
from dravite.explain.remedies.advice import UncordonNode
from dravite.planning.enough import Enough, enough_nodes
from dravite.planning.leaving import RuleReach, budgets_in_the_way, reach_of_rules
from dravite.planning.plan import Plan
from dravite.planning.supposed import Applied, NodesAdded
from dravite.planning.whatif import Supposition, WhatIf, what_if
from dravite.render.document import what_if_document
from dravite.render.report import PodGroupReport, PodReport
from dravite.render.text import what_if_text
from dravite.render.view.answers import pod_report, warnings
from dravite.render.view.groups import group_report
from dravite.render.view.live import less_certain
from dravite.render.view.plans import plan_note
from dravite.render.view.taint_rules import rules_without_gate
from dravite.render.view.whatif import Answers, Around, drain_notes, what_if_report
from dravite.sources import STDIN, read

_EXAMPLE: Final = EXAMPLES["what-if"][0]
CHECKED: Final = 256
"""How many pods that have a place are looked at for warnings."""


def run(given: list[str]) -> int:
    """Print what the change makes different; the exit code says whether everything, or the subject, has a place."""
    arguments = parse("what-if", given)
    if not arguments.paths and not arguments.live:
        message = "nothing to read"
        path = next((word for word in arguments.words if os.path.exists(word)), None)
        hint = (
            f"for a file or folder say -f {path}"
            if path
            else f"name files or folders with -f: {_EXAMPLE}; or say --live"
        )
        raise UsageError(message, hint)
    if not arguments.suppositions and not arguments.to_release and not arguments.to_gates:
        message = "nothing is different"
        raise UsageError(message, "say what would be: --with FILE, --without KIND/NAME, --drain NODE, …")
    files = _files(arguments)
    more = tuple(document for documents in files.values() for document in documents)

    def answer(arguments: Arguments, given: Input) -> Answer:
        return answer_with(arguments, given, files)

    return answered(arguments, arguments.paths, answer, more)


def answer_with(arguments: Arguments, given: Input, files: Mapping[str, tuple[Document, ...]]) -> Answer:
    """The answer for what was read and the files of `--with`."""
    now = chosen_now(arguments.now).timestamp()
    scene = suppose(arguments, given, files, known_kinds(arguments.pod_templates), now)
    case = _case(arguments, given, scene)
    asked = _subjects(case)
    others = _others(case, {one.pod for one in asked})
    answers = Answers(
        asked=tuple(_answers(case, asked)),
        others=tuple(_refusals(case, others)),
        groups=tuple(_groups(case, asked, others)),
    )
    around = Around((*scene.problems, *_warnings(case)), tuple(_notes(case)), _rules(scene), case.enough)
    report = what_if_report(case.found, case.scene.told, answers, around, case.sight)
    text = shown(arguments, lambda style: what_if_text(report, style), lambda: what_if_document(report))
    return Answer(text, _code(case, asked))


def _case(arguments: Arguments, given: Input, scene: Scene) -> _Case:
    """What becomes of whom; where a number of nodes is to be found, with as many as are enough for the subjects."""

    def ask(supposed: Supposition) -> WhatIf:
        return what_if(supposed, settings(arguments), watch(given.tell))

    case = _Case(arguments, given, scene, ask(scene.supposition))
    if not scene.enough_like:
        return case
    asked = frozenset(one.pod for one in _subjects(case)) if arguments.words else None
    found = enough_nodes(scene.supposition, scene.enough_like, case.found, asked, ask)
    told = (*scene.told, NodesAdded(scene.enough_like, found.enough.nodes))
    scene = msgspec.structs.replace(scene, supposition=found.supposed, told=told)
    return _Case(arguments, given, scene, found.found, found.enough)


class _Case:
    """A question and its answer, while it is put into words."""

    def __init__(
        self, arguments: Arguments, given: Input, scene: Scene, found: WhatIf, enough: Enough | None = None
    ) -> None:
        self.arguments, self.given, self.scene, self.found, self.enough = arguments, given, scene, found, enough
        self.sight = sight(scene.manifests, arguments)
        self.everything = "all" in arguments.show
        self.last: dict[ObjectRef, tuple[v.PodDecision, Plan]] = {
            one.pod: (one, wave.plan) for wave in found.waves for one in wave.plan.decisions
        }
        """The last decision on each pod that waited with the change, and the plan that it is from."""

    def by_plan(self, decisions: Sequence[v.PodDecision]) -> list[tuple[Plan, list[v.PodDecision]]]:
        """Decisions with the plans that they are from."""
        plans: dict[int, tuple[Plan, list[v.PodDecision]]] = {}
        for one in decisions:
            plan = self.last[one.pod][1] if one.pod in self.last else self.found.final
            plans.setdefault(id(plan), (plan, []))[1].append(one)
        return list(plans.values())

    def alike(self, decisions: Sequence[v.PodDecision]) -> list[tuple[Plan, tuple[v.PodDecision, ...]]]:
        """The same, those with one answer together."""
        return [(plan, group) for plan, members in self.by_plan(decisions) for group in alike(plan, members)]

    def sure(self, report: PodReport) -> PodReport:
        """The report, no surer than what could be read."""
        partial = self.given.cluster is not None and self.given.cluster.partial
        return msgspec.structs.replace(report, certainty=less_certain(report.certainty)) if partial else report


def _files(arguments: Arguments) -> dict[str, tuple[Document, ...]]:
    """What each `--with` names, read once."""
    paths = [value for key, value in arguments.suppositions if key == WITH.key]
    stdin = sys.stdin.buffer.read() if STDIN in paths else b""
    return {path: set_apart(read([path], stdin))[0] for path in dict.fromkeys(paths)}


def _subjects(case: _Case) -> Sequence[v.PodDecision]:
    """The pods that the words mean, as they are with the change. Raises `UsageError` for words that mean none."""
    found, words = case.found, case.arguments.words
    if not words:
        return ()
    known = {one.pod: one for one in running(found.final)} | {pod: one for pod, (one, _) in case.last.items()}
    plans = (found.final, *(wave.plan for wave in found.waves))

    def pod_of(ref: ObjectRef) -> Pod | None:
        planned = next((one for plan in plans if (one := plan.start.pod(ref)) is not None), None)
        return None if planned is None else planned.pod

    kin = Kin(pod_of, groups_in(found.final))
    named = [one for word in words for one in chosen(word, case.given.namespace, tuple(known.values()), kin)]
    return list({one.pod: one for one in named}.values())


def _others(case: _Case, asked: set[ObjectRef]) -> list[v.PodDecision]:
    """The pods without a place of which something becomes, and that are not asked about."""
    changed = (case.last[one.pod][0] for one in case.found.changes if one.after is not None and one.pod in case.last)
    return [one for one in changed if one.pod not in asked and not isinstance(one.decision, v.Scheduled)]


def _answers(case: _Case, asked: Sequence[v.PodDecision]) -> Iterator[PodReport]:
    """The full answers for the pods that are asked about."""
    detail = Detail.ALL if case.everything else Detail.FOLDED
    for plan, group in case.alike(asked):
        found = _without_undoing(case, explained(plan, group[0], detail))
        yield case.sure(pod_report(found, group, case.sight))


def _without_undoing(case: _Case, found: Explanation) -> Explanation:
    """The explanation without the advice to uncordon a node that only the change cordons."""
    cordoned = {node.metadata.name for node in case.scene.supposition.before.nodes if node.spec.unschedulable}
    kept = (one for one in found.remedies if not isinstance(one.advice, UncordonNode) or one.advice.node in cordoned)
    return msgspec.structs.replace(found, remedies=tuple(kept))


def _refusals(case: _Case, others: Sequence[v.PodDecision]) -> Iterator[PodReport]:
    """Why pods have no place that nobody asked about; as many are looked into as a plan looks into."""
    left = EXPLAINED if len(case.found.final.start.nodes) <= LARGE else EXPLAINED_IN_LARGE_CLUSTERS
    for plan, group in case.alike(others):
        looked_into = left > 0 or case.everything
        left -= 1
        told = glance(plan, group[0].pod) if looked_into else Explanation(decision=group[0])
        yield case.sure(pod_report(told, group, case.sight))


def _groups(case: _Case, asked: Sequence[v.PodDecision], others: Sequence[v.PodDecision]) -> Iterator[PodGroupReport]:
    """The groups of the pods that are asked about, and those of the others that do not start."""
    named = [word for word in case.arguments.words if kind_of(word.partition("/")[0]) != "pod"]
    told: set[ObjectRef] = set()
    for decisions, words, explain in ((asked, named, explain_group), (others, [], glance_at_group)):
        for plan, members in case.by_plan(decisions):
            for one in groups_told(plan, members, words):
                if one.group not in told:
                    told.add(one.group)
                    yield group_report(explain(plan, one.group), case.sight)


def _warnings(case: _Case) -> Iterator[Problem]:
    """What somebody must be told of pods that get a place."""
    changed = (case.last[one.pod] for one in case.found.changes if one.after is not None and one.pod in case.last)
    placed = [(one, plan) for one, plan in changed if isinstance(one.decision, v.Scheduled)]
    yield from warnings((glance(plan, one.pod) for one, plan in placed[:CHECKED]), case.sight)


def _notes(case: _Case) -> Iterator[str]:
    """What the answer rests on."""
    found = case.found
    yield from dict.fromkeys((*case.given.notes, *input_notes(case.scene.manifests)))
    known = set(found.before.notes)
    yield from dict.fromkeys(plan_note(one) for wave in found.waves for one in wave.plan.notes if one not in known)
    leaving = [one for wave in found.waves for one in wave.leaving]
    yield from drain_notes(leaving, budgets_in_the_way(found.before.start, leaving))
    gate, rules = _gate_off(case.scene), _applied_rules(case.scene)
    if gate is not None and rules:
        yield rules_without_gate(rules, gate, case.scene.profile.release)


def _rules(scene: Scene) -> tuple[RuleReach, ...]:
    """How far the rules reach that are applied; none reaches anything while its gate is off."""
    supposed = scene.supposition
    return () if _gate_off(scene) else tuple(reach_of_rules(supposed.after, _applied_rules(scene), supposed.now))


def _applied_rules(scene: Scene) -> list[ObjectRef]:
    applied = [one.object for one in scene.told if isinstance(one, Applied)]
    return list(dict.fromkeys(ref for ref in applied if ref.kind == "DeviceTaintRule"))


def _gate_off(scene: Scene) -> str | None:
    """The gate that keeps DeviceTaintRules from having an effect."""
    return next((gate for gate in ("DRADeviceTaints", "DRADeviceTaintRules") if not scene.profile.enabled(gate)), None)


def _code(case: _Case, asked: Sequence[v.PodDecision]) -> ExitCode:
    """As a plan's: of the pods that are asked about, else of all. Who ran and is not made again has no place."""
    found = case.found
    if asked:
        return exit_code(case.scene.manifests, asked)
    lost = any(one.turn == "evicted" and one.after is None for one in found.changes)
    code = exit_code(case.scene.manifests, [one for one, _ in case.last.values()])
    return worst(code, ExitCode.NO if lost else ExitCode.YES)
