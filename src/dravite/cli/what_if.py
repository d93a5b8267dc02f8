"""`dravite what-if`: what a change would make different, and whether the pods in question have a place then."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

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
from dravite.cli.groups import groups_in
from dravite.cli.question import Input, exit_code, input_notes, settings, sight, watch
from dravite.cli.subjects import Kin, chosen
from dravite.cli.supposing import Scene, suppose
from dravite.cli.workload_kinds import known_kinds
from dravite.diagnosis import verdicts as v
from dravite.explain import Detail, alike, glance
from dravite.planning.leaving import RuleReach, budgets_in_the_way, reach_of_rules
from dravite.planning.plan import Plan
from dravite.planning.supposed import Applied
from dravite.planning.whatif import WhatIf, what_if
from dravite.render.document import what_if_document
from dravite.render.report import PodReport
from dravite.render.text import what_if_text
from dravite.render.view.answers import pod_report, warnings
from dravite.render.view.plans import plan_note
from dravite.render.view.sight import Sight
from dravite.render.view.whatif import Around, drain_notes, what_if_report
from dravite.sources import STDIN, read

EXPLAINED: Final = 32
"""How many different kinds of "no" are explained; `--all` explains all of them."""

CHECKED: Final = 256
"""How many pods that have a place are looked at for warnings."""


def run(given: list[str]) -> int:
    """Print what the change makes different; the exit code says whether everything, or the subject, has a place."""
    arguments = parse("what-if", given)
    if not arguments.paths and not arguments.live:
        message = "nothing to read"
        raise UsageError(message, f"name files or folders with -f: {EXAMPLES['what-if'][0]}; or say --live")
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
    found = what_if(scene.supposition, settings(arguments), watch(given.tell))
    seen = sight(scene.manifests, arguments)
    asked = _subjects(arguments, given, found)
    answers = list(_answers(found, asked, arguments, seen))
    others = _others(found, {one.pod for one in asked})
    refusals = list(_refusals(found, others, arguments, seen))
    around = Around((*scene.problems, *_warnings(found, seen)), tuple(_notes(given, scene, found)), _rules(scene))
    report = what_if_report(found, scene.told, (answers, refusals), around, seen)
    text = shown(arguments, lambda style: what_if_text(report, style), lambda: what_if_document(report))
    return Answer(text, _code(scene, found, asked))


def _files(arguments: Arguments) -> dict[str, tuple[Document, ...]]:
    """What each `--with` names, read once. Standard input is there for one of all paths."""
    paths = [value for key, value in arguments.suppositions if key == WITH.key]
    if STDIN in paths and STDIN in arguments.paths:
        message = "standard input can be read once: -f - and --with - cannot stand together"
        raise UsageError(message, "put one of the two into a file")
    stdin = sys.stdin.buffer.read() if STDIN in paths else b""
    return {path: set_apart(read([path], stdin))[0] for path in dict.fromkeys(paths)}


def _last(found: WhatIf) -> dict[ObjectRef, tuple[v.PodDecision, Plan]]:
    """The last decision on each pod that waited with the change, and the plan that it is from."""
    return {one.pod: (one, wave.plan) for wave in found.waves for one in wave.plan.decisions}


def _subjects(arguments: Arguments, given: Input, found: WhatIf) -> Sequence[v.PodDecision]:
    """The pods that the words mean, as they are with the change. Raises `UsageError` for words that mean none."""
    if not arguments.words:
        return ()
    decided = {pod: one for pod, (one, _) in _last(found).items()}
    known = {one.pod: one for one in running(found.final)} | decided
    plans = (found.final, *(wave.plan for wave in found.waves))

    def pod_of(ref: ObjectRef) -> Pod | None:
        planned = next((one for plan in plans if (one := plan.start.pod(ref)) is not None), None)
        return None if planned is None else planned.pod

    kin = Kin(pod_of, groups_in(found.final))
    named = [one for word in arguments.words for one in chosen(word, given.namespace, tuple(known.values()), kin)]
    return list({one.pod: one for one in named}.values())


def _answers(found: WhatIf, asked: Sequence[v.PodDecision], arguments: Arguments, seen: Sight) -> Iterator[PodReport]:
    """The full answers for the pods that are asked about."""
    detail = Detail.ALL if "all" in arguments.show else Detail.FOLDED
    for plan, members in _by_plan(found, asked):
        for group in alike(plan, members):
            yield pod_report(explained(plan, group[0], detail), group, seen)


def _refusals(found: WhatIf, others: Sequence[v.PodDecision], arguments: Arguments, seen: Sight) -> Iterator[PodReport]:
    """Why pods have no place that nobody asked about, and of which something becomes; in short."""
    groups = [(plan, group) for plan, members in _by_plan(found, others) for group in alike(plan, members)]
    for plan, group in groups if "all" in arguments.show else groups[:EXPLAINED]:
        yield pod_report(glance(plan, group[0].pod), group, seen)


def _by_plan(found: WhatIf, decisions: Sequence[v.PodDecision]) -> Iterator[tuple[Plan, list[v.PodDecision]]]:
    """Decisions with the plans that they are from."""
    last = _last(found)
    plans: dict[int, tuple[Plan, list[v.PodDecision]]] = {}
    for one in decisions:
        plan = last[one.pod][1] if one.pod in last else found.final
        plans.setdefault(id(plan), (plan, []))[1].append(one)
    yield from plans.values()


def _others(found: WhatIf, asked: set[ObjectRef]) -> list[v.PodDecision]:
    """The pods without a place of which something becomes, and that are not asked about."""
    last = _last(found)
    changed = (last[one.pod][0] for one in found.changes if one.after is not None and one.pod in last)
    return [one for one in changed if one.pod not in asked and not isinstance(one.decision, v.Scheduled)]


def _warnings(found: WhatIf, seen: Sight) -> Iterator[Problem]:
    """What somebody must be told of pods that get a place."""
    last = _last(found)
    placed = [last[one.pod] for one in found.changes if one.after is not None and one.after.node and one.pod in last]
    yield from warnings((glance(plan, one.pod) for one, plan in placed[:CHECKED]), seen)


def _notes(given: Input, scene: Scene, found: WhatIf) -> Iterator[str]:
    """What the answer rests on."""
    yield from dict.fromkeys((*given.notes, *input_notes(scene.manifests)))
    known = set(found.before.notes)
    yield from dict.fromkeys(plan_note(one) for wave in found.waves for one in wave.plan.notes if one not in known)
    leaving = [one for wave in found.waves for one in wave.leaving]
    yield from drain_notes(leaving, budgets_in_the_way(found.before.start, leaving))


def _rules(scene: Scene) -> tuple[RuleReach, ...]:
    """How far the rules reach that are applied."""
    applied = [one.object for one in scene.told if isinstance(one, Applied) and one.object.kind == "DeviceTaintRule"]
    supposed = scene.supposition
    return tuple(reach_of_rules(supposed.after, dict.fromkeys(applied), supposed.now))


def _code(scene: Scene, found: WhatIf, asked: Sequence[v.PodDecision]) -> ExitCode:
    """As a plan's: of the pods that are asked about, else of all. Who ran and is not made again has no place."""
    if asked:
        return exit_code(scene.manifests, asked)
    lost = any(one.leaving is not None and one.turn == "evicted" and one.after is None for one in found.changes)
    code = exit_code(scene.manifests, [one for one, _ in _last(found).values()])
    return worst(code, ExitCode.NO if lost else ExitCode.YES)
