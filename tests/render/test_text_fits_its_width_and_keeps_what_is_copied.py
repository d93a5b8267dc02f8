"""Sentences are broken at the width, what is copied never is; colour says again what a word says."""

from __future__ import annotations

import re

import msgspec

from dravite.api.document import Problem
from dravite.api.meta import ObjectRef
from dravite.diagnosis.verdicts import PodDecision, Scheduled, Unschedulable
from dravite.render.report import Block, ExplainReport, GroupRow, Hint, PlanReport, PodReport, Row
from dravite.render.text import Style, explain_text, plan_text, problems_text

UPSTREAM = "0/1 nodes are available: 1 cannot allocate all claims. preemption: 0/1 nodes are available: 1 Preemption is"
POD = PodDecision(pod=ObjectRef("Pod", "ml", "a"), decision=Unschedulable(message=UPSTREAM))
ANSWER = PodReport(
    decisions=(POD,),
    state="unschedulable",
    headline="ml/a cannot be scheduled: " + "request gpu needs one device more than there is " * 3,
    messages=("",),
    blocks=(Block("n-1:", (Row(("gpu-0", "in use by claim ml/b " * 5), ("device.driver == 'x' " * 8,)),), folded=3),),
    hints=(Hint("end pod ml/b: then it runs on n-1"),),
    notes=("A template makes one claim per pod. " * 4,),
    upstream=("kube-scheduler", UPSTREAM),
    certainty="Certain: every node was searched to the end.",
)


def explained(style: Style) -> str:
    return explain_text(ExplainReport(pods=(ANSWER,), notes=(), problems=()), style)


def test_every_sentence_fits_the_width() -> None:
    copied = ("kube-scheduler says:", "device.driver")
    lines = [line for line in explained(Style(width=60)).splitlines() if not any(text in line for text in copied)]
    assert max(len(line) for line in lines) <= 60


def test_cells_that_do_not_fit_stand_below() -> None:
    rows = (Row(("gpu-0 of n-1", "claim ml/holder", "pod ml/holder", "in this plan")),)
    blocks = (Block("Who holds them:", rows),)
    report = ExplainReport(pods=(msgspec.structs.replace(ANSWER, blocks=blocks),), notes=(), problems=())
    text = explain_text(report, Style(width=40))
    assert "  gpu-0 of n-1   claim ml/holder\n    pod ml/holder   in this plan\n" in text
    assert "  gpu-0 of n-1   claim ml/holder   pod ml/holder   in this plan\n" in explain_text(report, Style(width=80))


def test_what_kubernetes_says_and_source_lines_are_never_broken() -> None:
    text = explained(Style(width=60))
    assert f"kube-scheduler says: {UPSTREAM}\n" in text
    assert "device.driver == 'x' " * 8 in text


def test_without_a_width_every_sentence_is_one_line() -> None:
    assert ANSWER.headline in explained(Style())
    assert len(explained(Style()).splitlines()) == len(explained(Style(width=10_000)).splitlines())


def test_a_folded_tail_says_how_to_unfold_it() -> None:
    assert "… and 3 more; --all shows them" in explained(Style())


def test_one_hint_is_a_line_and_several_have_letters() -> None:
    assert "hint: end pod ml/b: then it runs on n-1 (planned, and it works)" in explained(Style())


def test_colour_adds_nothing_but_colour() -> None:
    coloured, plain = explained(Style(colour=True)), explained(Style())
    assert coloured != plain
    assert re.sub(r"\x1b\[\d*m", "", coloured) == plain


def plan(rows: tuple[GroupRow, ...]) -> str:
    report = PlanReport(rows=rows, answers=(), order=(), summary="Done.", next_step="x", notes=(), problems=())
    return plan_text(report, Style())


def test_rows_of_a_plan_line_up() -> None:
    rows = (
        GroupRow(name="ml/a", kind="Pod", placed=1, total=1, state="scheduled", where="n-1", devices="gpu: gpu-0"),
        GroupRow(name="ml/long-name", kind="Job", placed=1, total=2, state="unschedulable", where="n-1, n-2"),
    )
    assert plan(rows).splitlines()[:2] == [
        "ml/a           1/1 pod    scheduled       n-1        gpu: gpu-0",
        "ml/long-name   1/2 pods   unschedulable   n-1, n-2",
    ]


def test_a_fault_met_in_many_places_is_said_of_each() -> None:
    faults = [Problem(severity="error", type="t", message="is no object", file="f", line=line) for line in (1, 2)]
    assert problems_text(faults[:1], Style()).startswith("error: f is no object\n")
    assert problems_text(faults, Style()).startswith("error: each of these is no object\n")


def test_a_fault_met_in_many_places_is_said_once() -> None:
    problems = [
        Problem(severity="warning", type="x", message="is old", object=f"Pod ml/p-{n}", file="a.yaml", line=n, hint="h")
        for n in range(6)
    ]
    text = problems_text(problems, Style())
    assert text.count("warning:") == 1
    assert text.count("a.yaml:") == 4
    assert "… and 2 more" in text
    assert problems_text(problems, Style(fold=False)).count("a.yaml:") == 6


def test_placed_pods_are_rows_only() -> None:
    placed = as_placed(ANSWER, Scheduled(node="n-1"))
    report = PlanReport(rows=(), answers=(placed,), order=(), summary="Done.", next_step=None, notes=(), problems=())
    assert plan_text(report, Style()) == "Done.\n"


def as_placed(answer: PodReport, decision: Scheduled) -> PodReport:
    pod = PodDecision(pod=ObjectRef("Pod", "ml", "a"), decision=decision)
    return PodReport(decisions=(pod,), state="scheduled", headline=answer.headline, messages=("",))
