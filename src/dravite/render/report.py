"""What every face shows: sentences, evidence in rows, hints and notes.

`view` makes a report; `text` and `document` lay it out.

A report holds finished words and, beside them, the typed values that they were made from; it knows neither width nor
colour. Whatever one face shows stands here, so that no other face can lack it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import msgspec

from dravite.api.document import Problem
from dravite.api.meta import ObjectRef
from dravite.diagnosis.observations import Saying
from dravite.diagnosis.verdicts import GroupDecision, PodDecision

if TYPE_CHECKING:  # each answer loads what it is made of
    from dravite.explain.groups.explanation import Demand, OtherWays
    from dravite.planning.enough import Enough
    from dravite.planning.leaving import RuleReach
    from dravite.planning.supposed import Supposed
    from dravite.planning.whatif import PodChange
    from dravite.snapshot.device_reports import ClaimReport
    from dravite.snapshot.survey import PoolSurvey

API_VERSION: Final = "dravite.dev/v1alpha1"
"""What documents of ours say they are."""

State: TypeAlias = Literal["scheduled", "unschedulable", "aborted", "waiting", "no-answer", "running"]


class Row(msgspec.Struct, frozen=True):
    """Cells that line up with those of the rows around them; `source` lines stand below it, indented and unbroken."""

    cells: tuple[str, ...]
    source: tuple[str, ...] = ()


class Block(msgspec.Struct, frozen=True):
    """A piece of evidence: a sentence and the rows that prove it.

    Attributes:
        title: one sentence; empty for rows that need none.
        rows: what the sentence stands on, most telling first.
        folded: how many rows were left out for length; 0 where all are shown.
        numbered: whether rows carry 1., 2., … for being spoken of.
    """

    title: str
    rows: tuple[Row, ...] = ()
    folded: int = 0
    numbered: bool = False


class Hint(msgspec.Struct, frozen=True):
    """What was tried and works; `command` shows how to see it, where there is one."""

    text: str
    command: str | None = None


class Said(msgspec.Struct, frozen=True):
    """What a part of Kubernetes said of a pod before: its words, never broken, and in ours what they mean now."""

    text: str
    meaning: str
    saying: Saying


class PodReport(msgspec.Struct, frozen=True, kw_only=True):
    """The answer for one pod, or for several that got the same answer for the same reasons.

    Attributes:
        decisions: the pods that this answer is for; never empty.
        state: the verdict's word.
        headline: the answer in one sentence, good on its own.
        messages: the same for each pod alone, in the order of `decisions`.
        brief: the evidence in the few lines that a plan has room for.
        blocks: the evidence in full.
        hints: remedies that were planned and work.
        notes: semantics that people get wrong.
        upstream: what kube-scheduler or a controller says, word for word.
        said: what was said of the first pod before, newest first; only where a cluster was asked.
        certainty: how sure the answer is, or what of it depends on chance, in one sentence; None without either.
        reasons: the typed values behind all this, ready for JSON.
        by_group: whether it only repeats what the pod's group is told.
    """

    decisions: tuple[PodDecision, ...]
    state: State
    headline: str
    messages: tuple[str, ...]
    brief: tuple[str, ...] = ()
    blocks: tuple[Block, ...] = ()
    hints: tuple[Hint, ...] = ()
    notes: tuple[str, ...] = ()
    upstream: tuple[str, str] | None = None
    said: tuple[Said, ...] = ()
    certainty: str | None = None
    reasons: tuple[object, ...] = ()
    by_group: bool = False


class PodGroupReport(msgspec.Struct, frozen=True, kw_only=True):
    """The answer for one PodGroup.

    Attributes:
        decision: the answer.
        pods: its pods that waited.
        running: how many of its pods run.
        state: the verdict's word.
        headline: the answer in one sentence.
        brief: the evidence in the few lines that a plan has room for.
        blocks: the evidence in full.
        hints: remedies that were planned and work.
        clash: demands of the group that cannot hold together.
        other_ways: what came of the search for other ways to place its pods.
        upstream: what kube-scheduler says in the group's condition, word for word.
        certainty: how sure a "no" is, in one sentence.
        reasons: the typed values behind all this, ready for JSON.
    """

    decision: GroupDecision
    pods: tuple[ObjectRef, ...]
    running: int
    state: State
    headline: str
    brief: tuple[str, ...] = ()
    blocks: tuple[Block, ...] = ()
    hints: tuple[Hint, ...] = ()
    upstream: tuple[str, str] | None = None
    certainty: str | None = None
    clash: tuple[Demand, ...] = ()
    other_ways: OtherWays = "not-searched"
    reasons: tuple[object, ...] = ()


class GroupRow(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a plan: a pod of its own, or a workload with its pods.

    `devices` is what the claims of a pod of its own got; `pods` has a line per pod of a workload: name, node, devices.
    """

    name: str
    kind: str
    placed: int
    total: int
    state: State
    where: str
    devices: str = ""
    pods: tuple[Row, ...] = ()


class PlanReport(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `plan`: rows, then what was not placed, then the sum, then what to ask next.

    Attributes:
        answers: every pod that was decided, grouped by equal answers; those not placed are told below the rows.
        groups: every PodGroup that was decided; those that do not start are told below the rows.
        order: the pods in the order in which they were handled.
    """

    rows: tuple[GroupRow, ...]
    answers: tuple[PodReport, ...]
    order: tuple[ObjectRef, ...]
    summary: str
    next_step: str | None
    notes: tuple[str, ...]
    problems: tuple[Problem, ...]
    groups: tuple[PodGroupReport, ...] = ()


class ExplainReport(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `explain`: the groups of the subject, then one report per answer, in the order of handling."""

    pods: tuple[PodReport, ...]
    notes: tuple[str, ...]
    problems: tuple[Problem, ...]
    groups: tuple[PodGroupReport, ...] = ()


class ClaimsReport(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `claims`: one block per claim, then the sum; `values` is what they were made from."""

    claims: tuple[Block, ...]
    values: tuple[ClaimReport, ...]
    summary: str
    notes: tuple[str, ...]
    problems: tuple[Problem, ...]


class WhatIfReport(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `what-if`: yes or no where pods were asked about, then what becomes of whom, then the rest.

    Attributes:
        state: the verdict's word for the pods that were asked about; `scheduled` where none were.
        headline: the answer in one sentence.
        answers: the pods that were asked about.
        blocks: what becomes of which pods.
        refusals: pods without a place of which something becomes, and that were not asked about.
        groups: the groups of those pods that are told.
        told: what was said to be different.
        enough: how many nodes are enough, where that was asked.
        changes: what becomes of each pod.
        rules: how far the DeviceTaintRules reach that are applied.
        same: how many pods are as they are without the change.
        waiting: those of them that have no place.
        summary: what does not change, in one sentence.
    """

    state: State
    headline: str
    answers: tuple[PodReport, ...]
    blocks: tuple[Block, ...]
    refusals: tuple[PodReport, ...]
    groups: tuple[PodGroupReport, ...]
    told: tuple[Supposed, ...]
    changes: tuple[PodChange, ...]
    rules: tuple[RuleReach, ...]
    same: int
    waiting: tuple[ObjectRef, ...]
    summary: str
    notes: tuple[str, ...]
    problems: tuple[Problem, ...]
    enough: Enough | None = None


class PoolsReport(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `pools`: one block per pool, then the sum per driver; `values` is what they were made from."""

    pools: tuple[Block, ...]
    values: tuple[PoolSurvey, ...]
    summary: tuple[str, ...]
    notes: tuple[str, ...]
    problems: tuple[Problem, ...]


class LintReport(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `lint`: findings in order of file and line, their sum, and what could not be told."""

    problems: tuple[Problem, ...]
    summary: str
    next_step: str | None
    notes: tuple[str, ...]
