"""`dravite plan`: where every pod would run, with which devices; what is not placed is explained in short."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec

from dravite import explain
from dravite.cli.answering import Answer, answered
from dravite.cli.arguments import Arguments, input_paths, parse
from dravite.cli.exit_codes import INTERRUPTED
from dravite.cli.faces import shown, talked, yaml_text
from dravite.cli.flags import GANG, GATES, POD_TEMPLATES, RELEASE, SEED
from dravite.cli.groups import groups_told
from dravite.cli.patience import Patience
from dravite.cli.question import Input, Question, ask, exit_code
from dravite.diagnosis import verdicts as v
from dravite.explain.explanation import Explanation
from dravite.render.report import PlanReport, PodGroupReport
from dravite.render.text import plan_text
from dravite.render.view.answers import pod_report, warnings
from dravite.render.view.plans import Totals, plan_report

if TYPE_CHECKING:
    from dravite.explain.groups.explanation import GroupExplanation

EXPLAINED: Final = 32
EXPLAINED_IN_LARGE_CLUSTERS: Final = 4
LARGE: Final = 200
"""How many different kinds of "no" a plan explains, since each costs a look at every node; the others are said in
kube-scheduler's words, and `--all` explains them too."""


def run(given: list[str]) -> int:
    """Print the plan; the exit code says whether everything is placed."""
    arguments = parse("plan", given)
    return answered(arguments, input_paths(arguments), answer)


def answer(arguments: Arguments, given: Input) -> Answer:
    """The plan, or with `-o yaml` the claims with their status."""
    asked = ask(arguments, given)
    code = INTERRUPTED if asked.plan.interrupted else exit_code(given.manifests, asked.decisions)
    if arguments.output == "yaml":
        from dravite.render.claims import claim_documents

        documents = claim_documents(asked.decisions, asked.plan.final)
        return Answer(yaml_text(documents), code, talked(given.manifests.problems, arguments))
    patience = Patience()
    report = report_of(asked, arguments, patience)
    text = shown(arguments, lambda style: plan_text(report, style), lambda: _document(report))
    return Answer(text, INTERRUPTED if patience.lost else code)


def _document(report: PlanReport) -> Mapping[str, Any]:
    from dravite.render.document import plan_document

    return plan_document(report)


def report_of(asked: Question, arguments: Arguments, patience: Patience) -> PlanReport:
    """All pods in the order handled, those with equal answers told once."""
    answers = list(_answers(asked, arguments, patience))
    groups, ties = _groups_in_words(asked, arguments)
    report = plan_report(
        [pod_report(found, decisions, asked.input.sight) for found, decisions in answers],
        totals(asked),
        (*asked.input.manifests.problems, *warnings((found for found, _ in answers), asked.input.sight)),
        (*asked.notes, *ties, *patience.notes),
        next_step(asked, inputs_said(arguments, asked.input)),
    )
    return msgspec.structs.replace(report, groups=groups)


def _groups_in_words(asked: Question, arguments: Arguments) -> tuple[tuple[PodGroupReport, ...], list[str]]:
    """The groups, and where others would have done as well. Most plans have none."""
    found = [*_groups(asked, arguments)]
    if not found:
        return (), []
    from dravite.render.view.groups import group_report, tie

    ties = [text for one in found if (text := tie(one)) is not None]
    return tuple(group_report(one, asked.input.sight) for one in found), ties


def totals(asked: Question) -> Totals:
    """How large the cluster is that was planned for."""
    slices = asked.plan.start.inventory.index.slices
    return Totals(len(asked.plan.start.nodes), len({(one.spec.driver, one.spec.pool.name) for one in slices}))


def _answers(
    asked: Question, arguments: Arguments, patience: Patience
) -> Iterator[tuple[Explanation, Sequence[v.PodDecision]]]:
    left = EXPLAINED if len(asked.plan.start.nodes) <= LARGE else EXPLAINED_IN_LARGE_CLUSTERS
    for group in explain.alike(asked.plan, asked.decisions):
        first = group[0]
        placed = isinstance(first.decision, v.Scheduled)
        if placed or left or "all" in arguments.show:
            left -= not placed and left > 0
            yield patience.ask(first, partial(explain.glance, asked.plan, first.pod)), group
        else:
            yield Explanation(decision=first), group


def _groups(asked: Question, arguments: Arguments) -> Iterator[GroupExplanation]:
    """The groups of the pods that are told; those that do not start are looked into, as many as pods would be."""
    left = EXPLAINED if len(asked.plan.start.nodes) <= LARGE else EXPLAINED_IN_LARGE_CLUSTERS
    for decision in groups_told(asked.plan, asked.decisions, ("all",)):
        fits = decision.outcome == "scheduled"
        deep = fits or left or "all" in arguments.show
        left -= not fits and left > 0
        yield explain.glance_at_group(asked.plan, decision.group, "nodes" if deep else "domains")


def next_step(asked: Question, inputs: Sequence[str]) -> str | None:
    """The command that explains the first pod that is not placed, or its group; None where all are placed."""
    first = next((one for one in asked.decisions if not isinstance(one.decision, v.Scheduled)), None)
    if first is None:
        return None
    group = next((one.group for one in groups_told(asked.plan, [first], ())), None)
    subject = f"pod/{first.pod.name}" if group is None or "/" in group.name else f"podgroup/{group.name}"
    return shlex.join(("dravite", "explain", *inputs, "-n", first.pod.namespace, subject))


def inputs_said(arguments: Arguments, given: Input) -> tuple[str, ...]:
    """What a command line must say to ask the same question about the same cluster and files again."""
    files = (word for path in (*arguments.paths, *arguments.words) for word in ("-f", path))
    return (*(given.cluster.flags if given.cluster else ()), *files, *_question_said(arguments))


def _question_said(arguments: Arguments) -> Iterator[str]:
    """The flags that decide what is asked."""
    if arguments.release_said:
        yield from (RELEASE.names[0], arguments.release_said)
    for flag, values in ((GATES, arguments.gates), (POD_TEMPLATES, arguments.pod_templates)):
        yield from (word for value in values for word in (flag.names[0], value))
    if arguments.seed:
        yield from (SEED.names[0], str(arguments.seed))
    if arguments.gangs:
        yield from (GANG.names[0], ",".join(arguments.gangs))
