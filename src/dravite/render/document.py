"""The same report for programs: JSON by the documented contract, and the claims with their status for kubectl.

Keys are camelCase as Kubernetes' are; typed values carry the name of their type under `type`. The order is that of
the report, so equal inputs give equal bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from dravite.api.document import Problem
from dravite.api.meta import Model, ObjectRef, wire_name
from dravite.diagnosis import upstream
from dravite.diagnosis import verdicts as v
from dravite.render.report import (
    API_VERSION,
    Block,
    ClaimsReport,
    ExplainReport,
    Hint,
    LintReport,
    PlanReport,
    PodGroupReport,
    PodReport,
    PoolsReport,
    Said,
    WhatIfReport,
)

if TYPE_CHECKING:  # most answers suppose nothing
    from dravite.planning.whatif import Place, PodChange


_GROUP_REASONS: Final[Mapping[v.GroupOutcome, str]] = {
    "scheduled": "Scheduled",
    "unschedulable": upstream.UNSCHEDULABLE,
    "error": upstream.SCHEDULER_ERROR,
}
"""The `reason` of the group's condition; a group that waits has none."""


def plan_document(report: PlanReport) -> dict[str, Any]:
    """`kind: Plan`: every pod that was decided, in the order in which the pods were handled."""
    return {
        "apiVersion": API_VERSION,
        "kind": "Plan",
        "pods": _pods(report.answers, report.order),
        "groups": [_group(one) for one in report.groups],
        "summary": report.summary,
        "notes": list(report.notes),
        "problems": [problem(one) for one in report.problems],
    }


def explain_document(report: ExplainReport) -> dict[str, Any]:
    """`kind: Explanation`: the pods of the subject, each with the evidence in words and how certain its answer is."""
    order = [decision.pod for one in report.pods for decision in one.decisions]
    return {
        "apiVersion": API_VERSION,
        "kind": "Explanation",
        "pods": _pods(report.pods, order),
        "groups": [_group(one) for one in report.groups],
        "notes": list(report.notes),
        "problems": [problem(one) for one in report.problems],
    }


def what_if_document(report: WhatIfReport) -> dict[str, Any]:
    """`kind: WhatIf`: what was said to be different, and every pod of which something becomes."""
    reports = (*report.answers, *report.refusals)
    order = [decision.pod for one in reports for decision in one.decisions]
    return {
        "apiVersion": API_VERSION,
        "kind": "WhatIf",
        "message": report.headline,
        "changes": [typed(one) for one in report.told],
        "enough": None if report.enough is None else typed(report.enough),
        "pods": [_change(one) for one in report.changes],
        "answers": _pods(reports, order),
        "groups": [_group(one) for one in report.groups],
        "rules": [typed(one) for one in report.rules],
        "same": report.same,
        "waiting": [typed(one) for one in report.waiting],
        "evidence": [_block(block) for block in report.blocks],
        "summary": report.summary,
        "notes": list(report.notes),
        "problems": [problem(one) for one in report.problems],
    }


def _change(one: PodChange) -> dict[str, Any]:
    leaving = one.leaving
    return {
        "namespace": one.pod.namespace,
        "name": one.pod.name,
        "owner": _owner(one.owner),
        "becomes": one.turn,
        "before": _place(one.before),
        "after": _place(one.after),
        "cause": None if leaving is None else typed(leaving.cause),
        "afterSeconds": None if leaving is None else round(leaving.after),
        "madeAgain": None if leaving is None else leaving.made_again,
    }


def _place(one: Place | None) -> dict[str, Any] | None:
    """Where a pod is: `running` on its node already, or as it was decided."""
    if one is None:
        return None
    said = "preempted" if one.preempted else "running" if one.runs else "waiting"
    if one.decision is not None and not one.preempted:
        said = verdict(one.decision.decision)
    return {"state": said, "node": one.node or None, "claims": [claim(each) for each in one.claims]}


def pools_document(report: PoolsReport) -> dict[str, Any]:
    """`kind: Pools`: what there is, what is free and who holds the rest."""
    return {
        "apiVersion": API_VERSION,
        "kind": "Pools",
        "pools": [typed(one) for one in report.values],
        "evidence": [_block(block) for block in report.pools],
        "summary": list(report.summary),
        "notes": list(report.notes),
        "problems": [problem(one) for one in report.problems],
    }


def claims_document(report: ClaimsReport) -> dict[str, Any]:
    """`kind: Claims`: what claims hold, and what drivers report of it. Times are times here, not ages."""
    return {
        "apiVersion": API_VERSION,
        "kind": "Claims",
        "claims": [typed(one) for one in report.values],
        "summary": report.summary,
        "notes": list(report.notes),
        "problems": [problem(one) for one in report.problems],
    }


def lint_document(report: LintReport) -> dict[str, Any]:
    """`kind: Lint`: the findings; `type` is the code."""
    return {
        "apiVersion": API_VERSION,
        "kind": "Lint",
        "summary": report.summary,
        "notes": list(report.notes),
        "problems": [problem(one) for one in report.problems],
    }


def json_text(document: Mapping[str, Any]) -> str:
    """The document as indented JSON with a newline at the end; letters of all alphabets stay readable."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def problem(one: Problem) -> dict[str, Any]:
    """A problem with all keys of the contract, null where there is nothing to say."""
    return {
        "file": one.file,
        "line": one.line,
        "object": one.object,
        "field": one.field,
        "type": one.type,
        "severity": one.severity,
        "message": one.message,
        "hint": one.hint,
    }


def _pods(reports: Iterable[PodReport], order: Sequence[ObjectRef]) -> list[dict[str, Any]]:
    rank = {ref: place for place, ref in enumerate(order)}
    pods = [
        (rank[decision.pod], _pod(decision, message, report))
        for report in reports
        for decision, message in zip(report.decisions, report.messages, strict=True)
    ]
    return [pod for _, pod in sorted(pods, key=lambda one: one[0])]


def _pod(decision: v.PodDecision, message: str, report: PodReport) -> dict[str, Any]:
    node = decision.decision.node if isinstance(decision.decision, v.Scheduled) else None
    return {
        "namespace": decision.pod.namespace,
        "name": decision.pod.name,
        "owner": _owner(decision.owner),
        "inferredName": decision.inferred,
        "verdict": verdict(decision.decision),
        "certainty": certainty(decision.decision),
        "node": node,
        "tied": list(decision.decision.tied) if isinstance(decision.decision, v.Scheduled) else [],
        "reason": condition_reason(decision.decision),
        "upstreamMessage": upstream_message(decision.decision),
        "said": [said(one) for one in report.said] if decision is report.decisions[0] else [],
        "claims": [claim(one) for one in decision.claims],
        "message": message,
        "evidence": [_block(block) for block in report.blocks],
        "hints": [_hint(one) for one in report.hints],
        "notes": list(report.notes),
        "reasons": [typed(one) for one in report.reasons],
    }


def _group(report: PodGroupReport) -> dict[str, Any]:
    """A PodGroup: how it fared as a whole."""
    decision = report.decision
    return {
        "namespace": decision.group.namespace,
        "name": decision.group.name,
        "root": {"kind": decision.root.kind, "name": decision.root.name},
        "verdict": report.state,
        "certainty": decision.certainty,
        "minCount": decision.minimum,
        "topologyKey": decision.topology_key,
        "domain": decision.domain,
        "tied": list(decision.tied),
        "clash": list(report.clash),
        "otherWays": report.other_ways,
        "pods": [pod.name for pod in report.pods],
        "running": report.running,
        "reason": _GROUP_REASONS.get(decision.outcome),
        "upstreamMessage": decision.message or None,
        "message": report.headline,
        "evidence": [_block(block) for block in report.blocks],
        "hints": [_hint(one) for one in report.hints],
        "reasons": [typed(one) for one in report.reasons],
    }


def said(one: Said) -> dict[str, Any]:
    """What Kubernetes said of a pod before, and what it means now; `at` is null where the time is unknown."""
    saying = one.saying
    return {
        "source": saying.source,
        "speaker": saying.speaker,
        "reason": saying.reason,
        "message": saying.message,
        "at": saying.at or None,
        "count": saying.count,
        "meaning": one.meaning,
    }


def _owner(owner: ObjectRef | None) -> dict[str, str] | None:
    return None if owner is None else {"kind": owner.kind, "name": owner.name}


def verdict(decision: v.Decision) -> str:
    """One of the four words of the contract; a spent budget is an `unschedulable` of that certainty."""
    match decision:
        case v.Scheduled():
            return "scheduled"
        case v.Aborted():
            return "aborted"
        case v.Waiting():
            return "waiting"
        case _:
            return "unschedulable"


def certainty(decision: v.Decision) -> v.Certainty:
    """How sure the answer is: `proven` unless the search for it was cut short."""
    return "proven" if isinstance(decision, v.Scheduled) else decision.certainty


def condition_reason(decision: v.Decision) -> str | None:
    """The `reason` of the pod's PodScheduled condition, or None where it has no such condition."""
    match decision:
        case v.Unschedulable():
            return upstream.UNSCHEDULABLE
        case v.Aborted():
            return upstream.SCHEDULER_ERROR
        case v.Waiting(reason="scheduling-gate"):
            return upstream.SCHEDULING_GATED
        case _:
            return None


def upstream_message(decision: v.Decision) -> str | None:
    """kube-scheduler's text in the condition, word for word."""
    match decision:
        case v.Unschedulable() | v.Aborted():
            return decision.message
        case v.Waiting(reason="scheduling-gate"):
            return upstream.GATED_MESSAGE
        case _:
            return None


def claim(one: v.ClaimAllocation) -> dict[str, Any]:
    """What one entry of a pod gets, the allocation as resource.k8s.io/v1 has it on the wire."""
    return {
        "name": one.entry,
        "claim": one.claim,
        "generateName": one.generate_name,
        "allocation": None if one.allocation is None else wire(one.allocation),
    }


def wire(model: Model) -> Any:
    """A Kubernetes object as plain data in its JSON shape; quantities in their canonical text."""
    return msgspec.to_builtins(model, enc_hook=str)


def typed(value: object) -> Any:
    """A value of ours as plain data: structs become maps with their type's name, Kubernetes' types keep their shape."""
    match value:
        case Model():
            return wire(value)
        case ObjectRef():
            return {"kind": value.kind, "namespace": value.namespace, "name": value.name}
        case msgspec.Struct():
            fields = {wire_name(name): typed(getattr(value, name)) for name in value.__struct_fields__}
            return {"type": type(value).__name__} | fields
        case str() | int() | float() | bool() | None:
            return value
        case Mapping():
            return {str(key): typed(one) for key, one in value.items()}
        case frozenset():
            return sorted(typed(one) for one in value)
        case tuple() | list():
            return [typed(one) for one in value]
        case _:
            return str(value)


def _block(block: Block) -> dict[str, Any]:
    rows = [{"cells": list(row.cells), "source": list(row.source)} for row in block.rows]
    return {"title": block.title, "rows": rows, "folded": block.folded}


def _hint(one: Hint) -> dict[str, Any]:
    return {"text": one.text, "command": one.command}
