"""The door for groups: a plan and a PodGroup make an explanation. Asked for only, never on the way to a plan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from dravite.api.meta import ObjectRef
from dravite.diagnosis.verdicts import GroupDecision, PodDecision, Waiting
from dravite.explain.evidence import evidence
from dravite.explain.groups.explanation import DomainStory, GroupExplanation
from dravite.explain.groups.other_ways import Found, search_other_ways
from dravite.explain.groups.refused import case_of_refused
from dravite.explain.groups.remedies import group_remedies
from dravite.explain.groups.trials import minimal_clash, root_in
from dravite.planning.plan import Plan, Preempted
from dravite.snapshot.groups import placed_members
from dravite.snapshot.snapshot import group_key

DOMAINS_TOLD: Final = 3
"""Of how many domains the nodes are asked why they refuse the next pod, the nearest first."""

Extra = Literal["none", "exact"]
"""Whether other ways to place the pods are searched as well."""

Depth = Literal["domains", "nodes"]
"""How far a glance goes: what came of each domain, or also why its nodes refuse the next pod."""


def explain_group(plan: Plan, ref: ObjectRef, extra: Extra = "none") -> GroupExplanation:
    """Why a PodGroup gets what it gets, and what would help; every remedy was planned and works.

    With `exact` it is also searched whether the pods would fit in any other way.

    Raises:
        LookupError: the plan has no decision for the group.
        ImportError: other ways are wanted, and the extra `optimize` is not installed.
    """
    told = glance_at_group(plan, ref)
    if told.decision.outcome in ("scheduled", "error"):
        return told
    root = root_in(plan, told.decision)
    if root is None:
        return told
    snapshot = plan.before[ref]
    clash = minimal_clash(snapshot, root) if told.decision.outcome == "unschedulable" else ()
    looked = extra == "exact" and told.decision.outcome == "unschedulable"
    found = search_other_ways(snapshot, root) if looked else Found("not-searched")
    told = msgspec.structs.replace(told, clash=clash, other_ways=found.outcome)
    return msgspec.structs.replace(told, remedies=group_remedies(plan, told, root, found))


def glance_at_group(plan: Plan, ref: ObjectRef, depth: Depth = "nodes") -> GroupExplanation:
    """As much as a plan tells of a group: what came of each domain, without remedies.

    The nodes of a domain are asked why they refuse the next pod only if `depth` says so: that takes its time.

    Raises:
        LookupError: the plan has no decision for the group.
    """
    decision = plan.group(ref)
    if decision is None:
        message = f"the plan has no decision for {ref}"
        raise LookupError(message)
    pods = tuple(one for one in plan.decisions if _is_member(plan, one, ref))
    return GroupExplanation(
        decision=decision,
        pods=tuple(one.pod for one in pods),
        running=len(placed_members(plan.start, (ref.namespace, ref.name))),
        waits=next((one.decision for one in pods if isinstance(one.decision, Waiting)), None),
        domains=tuple(_stories(plan, decision, DOMAINS_TOLD if depth == "nodes" else 0)),
        preempted=tuple(one for one in plan.notes if isinstance(one, Preempted) and one.preemptor == decision.root),
    )


def _is_member(plan: Plan, one: PodDecision, ref: ObjectRef) -> bool:
    planned = plan.start.pod(one.pod)
    return planned is not None and group_key(planned.pod) == (ref.namespace, ref.name)


def _stories(plan: Plan, decision: GroupDecision, most: int) -> Iterator[DomainStory]:
    """The domains, the nearest first; of equally near ones the first that was tried."""
    ranked = sorted(enumerate(decision.placements), key=lambda one: (-len(one[1].placed), one[0]))
    for rank, (_, finding) in enumerate(ranked):
        case = case_of_refused(plan, decision, finding) if rank < most else None
        yield DomainStory(finding=finding, groups=evidence(case, finding.reasons).groups if case is not None else ())
