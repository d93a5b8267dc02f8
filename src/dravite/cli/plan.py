"""`dravite plan`: where every pod would run, with which devices; what is not placed is explained in short."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from typing import Final

from dravite.cli.arguments import Arguments, input_paths, parse
from dravite.cli.faces import show, talk, yaml_text
from dravite.cli.question import Question, ask, exit_code
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
    paths = input_paths(arguments)
    asked = ask(arguments, paths)
    if arguments.output == "yaml":
        sys.stdout.write(yaml_text(claim_documents(asked.decisions, asked.plan.final)))
        talk(asked.input.manifests.problems, arguments)
    else:
        report = report_of(asked, arguments, paths)
        show(arguments, lambda style: plan_text(report, style), lambda: plan_document(report))
    return exit_code(asked.input.manifests, asked.decisions)


def report_of(asked: Question, arguments: Arguments, paths: Sequence[str]) -> PlanReport:
    """All pods in the order handled, those with equal answers told once."""
    answers = list(_answers(asked, arguments))
    return plan_report(
        [pod_report(found, decisions, asked.input.sight) for found, decisions in answers],
        totals(asked),
        (*asked.input.manifests.problems, *warnings((found for found, _ in answers), asked.input.sight)),
        asked.notes,
        next_step(asked.decisions, paths),
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


def next_step(decisions: Sequence[v.PodDecision], paths: Sequence[str]) -> str | None:
    """The command that explains the first pod that is not placed; None where all are."""
    first = next((one for one in decisions if not isinstance(one.decision, v.Scheduled)), None)
    if first is None:
        return None
    inputs = " ".join(f"-f {shlex.quote(path)}" for path in paths)
    return f"dravite explain {inputs} -n {first.pod.namespace} pod/{first.pod.name}"
