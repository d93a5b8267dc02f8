"""Findings of lint for people: their sum, and what could not be told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from dravite.api.document import Problem
from dravite.lint import Findings
from dravite.render import words
from dravite.render.report import LintReport


def lint_report(findings: Findings, problems: Sequence[Problem]) -> LintReport:
    """What `lint` prints. `problems` are the findings that no comment silences."""
    return LintReport(
        problems=tuple(problems),
        summary=_summary(findings, problems),
        next_step=f"dravite lint --explain {_told(problems)}" if problems else None,
        notes=tuple(_notes(findings)),
    )


def _summary(findings: Findings, problems: Sequence[Problem]) -> str:
    objects = words.count(findings.objects, "object")
    counts: Counter[str] = Counter(problem.severity for problem in problems)
    parts = [
        words.count(counts[severity], noun)
        for severity, noun in (("error", "error"), ("warning", "warning"), ("info", "remark"))
        if counts[severity]
    ]
    return f"{words.listed(parts) or 'no findings'} in {objects}.".capitalize()


def _told(problems: Sequence[Problem]) -> str:
    """The code of the worst finding, the first of them."""
    order = ("error", "warning", "info")
    return min(problems, key=lambda problem: order.index(problem.severity)).type


def _notes(findings: Findings) -> Iterator[str]:
    if findings.unchecked:
        names = words.listed(words.count(number, f"{kind} name") for kind, number in findings.unchecked)
        yield f"{names} could not be followed: no such objects are here. Give the cluster with -f."
    if findings.passed_over:
        yield f"{words.count(findings.passed_over, 'document')} without apiVersion and kind passed over."
