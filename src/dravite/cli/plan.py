"""`dravite plan`: where every pod would run, with which devices; what is not placed is explained in short."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import Final

from dravite.cli.answering import Answer, answered
from dravite.cli.arguments import Arguments, input_paths, parse
from dravite.cli.faces import shown, talked, yaml_text
from dravite.cli.question import Input, Question, ask, exit_code
from dravite.diagnosis import verdicts as v
from dravite.explain import alike, glance
from dravite.explain.explanation import Explanation
from dravite.render.claims import claim_documents
from dravite.render.document import plan_document
from dravite.render.report import PlanReport
from dravite.render.text import plan_text
from dravite.render.view.answers import pod_report, warnings
from dravite.render.view.plans import Totals, plan_report

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
    code = exit_code(given.manifests, asked.decisions)
    if arguments.output == "yaml":
        documents = claim_documents(asked.decisions, asked.plan.final)
        return Answer(yaml_text(documents), code, talked(given.manifests.problems, arguments))
    report = report_of(asked, arguments)
    return Answer(shown(arguments, lambda style: plan_text(report, style), lambda: plan_document(report)), code)


def report_of(asked: Question, arguments: Arguments) -> PlanReport:
    """All pods in the order handled, those with equal answers told once."""
    answers = list(_answers(asked, arguments))
    return plan_report(
        [pod_report(found, decisions, asked.input.sight) for found, decisions in answers],
        totals(asked),
        (*asked.input.manifests.problems, *warnings((found for found, _ in answers), asked.input.sight)),
        asked.notes,
        next_step(asked.decisions, inputs_said(arguments, asked.input)),
    )


def totals(asked: Question) -> Totals:
    """How large the cluster is that was planned for."""
    slices = asked.plan.start.inventory.index.slices
    return Totals(len(asked.plan.start.nodes), len({(one.spec.driver, one.spec.pool.name) for one in slices}))


def _answers(asked: Question, arguments: Arguments) -> Iterator[tuple[Explanation, Sequence[v.PodDecision]]]:
    left = EXPLAINED if len(asked.plan.start.nodes) <= LARGE else EXPLAINED_IN_LARGE_CLUSTERS
    for group in alike(asked.plan, asked.decisions):
        first = group[0]
        placed = isinstance(first.decision, v.Scheduled)
        if placed or left or "all" in arguments.show:
            left -= not placed and left > 0
            yield glance(asked.plan, first.pod), group
        else:
            yield Explanation(decision=first), group


def next_step(decisions: Sequence[v.PodDecision], inputs: Sequence[str]) -> str | None:
    """The command that explains the first pod that is not placed; None where all are."""
    first = next((one for one in decisions if not isinstance(one.decision, v.Scheduled)), None)
    if first is None:
        return None
    words = ("dravite", "explain", *inputs, "-n", first.pod.namespace, f"pod/{first.pod.name}")
    return shlex.join(words)


def inputs_said(arguments: Arguments, given: Input) -> tuple[str, ...]:
    """What a command line must say to look at the same cluster and files again."""
    files = (word for path in (*arguments.paths, *arguments.words) for word in ("-f", path))
    return (*(given.cluster.flags if given.cluster else ()), *files)
