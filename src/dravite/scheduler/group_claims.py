"""What is freed for a group that does not fit: idle claims of its pods, and claims of its own (F4.4; 1.37).

It happens for a PodGroup without scheduling constraints that is its own root, and is told of even where nothing is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import msgspec

from dravite.api.resource_v1 import ResourceClaim
from dravite.api.scheduling_v1beta1 import PodGroup
from dravite.diagnosis import upstream
from dravite.diagnosis.reasons import ClaimElsewhere, ClaimNotReady, NodeRejection
from dravite.scheduler.filters import ask_node
from dravite.scheduler.gang import PodTry
from dravite.scheduler.node_choice import Chosen, Unfit
from dravite.scheduler.refusals import Freed, freed_for
from dravite.scheduler.reserve import deallocated, is_group
from dravite.snapshot.groups import Group, placed_members
from dravite.snapshot.pod_claims import GROUP_CLAIMS
from dravite.snapshot.snapshot import Snapshot


class FreedForGroup(msgspec.Struct, frozen=True):
    """What is freed and said.

    Attributes:
        outcome: `said` (what else is tried is told as well), `alone` (nothing else is tried) or `error`.
        text: what is said; empty where nothing is.
        freed: what goes.
    """

    outcome: Literal["said", "alone", "error"] = "said"
    text: str = ""
    freed: tuple[Freed, ...] = ()


def free_for_group(snapshot: Snapshot, root: Group, tries: Sequence[PodTry]) -> FreedForGroup:
    """What is freed for a root that does not fit, given how its pods fared."""
    profile = snapshot.profile
    constrained = root.constrained and profile.enabled("TopologyAwareWorkloadScheduling")
    if not profile.enabled("DynamicResourceAllocation") or root.is_composite or constrained:
        return FreedForGroup()
    asked = [one for one in tries if one.choice is not None and not _was_refused_early(one)]
    if not asked:
        return FreedForGroup("error", upstream.GROUP_CLAIMS_NOT_ASKED)
    freed = [_freed_for_pod(one) for one in asked]
    found = tuple(one for one in freed if one)
    if len(found) < len(asked) and profile.enabled(GROUP_CLAIMS) and not placed_members(snapshot, root.key):
        claim, outcome, text = _claim_of_group(snapshot, root, asked)
        if claim is not None:
            return FreedForGroup(outcome, text, (*found, Freed(deallocated=claim)))
    return FreedForGroup("said", upstream.GROUP_CLAIMS_FREED, found)


def _was_refused_early(one: PodTry) -> bool:
    """Whether the pod was refused before its claims were looked at."""
    return isinstance(one.choice, Unfit) and one.choice.stage in ("names", "no-nodes")


def _freed_for_pod(one: PodTry) -> Freed:
    if not isinstance(one.choice, Unfit) or one.choice.cycle is None:
        return Freed()
    return freed_for(one.choice.cycle, one.choice.refusing)


def _claim_of_group(
    snapshot: Snapshot, root: Group, tries: Iterable[PodTry]
) -> tuple[ResourceClaim | None, Literal["said", "alone"], str]:
    """A claim that only the group uses, without devices; or one of its own without its reservation."""
    group = snapshot.pod_groups.get(root.key)
    if group is None:
        return None, "said", ""
    for claim in _unavailable(snapshot, tries):
        others = [entry for entry in claim.status.reserved_for if entry.uid != group.metadata.uid]
        if not others:
            return deallocated(claim), "said", upstream.GROUP_CLAIM_DEALLOCATED
    for claim in _own_claims(snapshot, group):
        if any(is_group(entry, group.metadata.name) for entry in claim.status.reserved_for):
            kept = tuple(entry for entry in claim.status.reserved_for if entry.uid != group.metadata.uid)
            status = msgspec.structs.replace(claim.status, reserved_for=kept)
            return msgspec.structs.replace(claim, status=status), "alone", upstream.GROUP_CLAIM_UNRESERVED
    return None, "said", ""


def _unavailable(snapshot: Snapshot, tries: Iterable[PodTry]) -> Iterator[ResourceClaim]:
    """The claims that were of no use on some node, those of pods that found a place included."""
    for reason in (reason for one in tries for reason in _refusals(one)):
        if isinstance(reason, ClaimElsewhere | ClaimNotReady):
            claim = snapshot.claim(reason.claim.namespace, reason.claim.name)
            if claim is not None:
                yield claim


def _refusals(one: PodTry) -> Iterator[NodeRejection]:
    """Why nodes refused a pod. For one that found a place and has claims with devices the nodes are asked again."""
    if isinstance(one.choice, Unfit):
        yield from (reason for finding in one.choice.findings for reason in finding.reasons)
    elif isinstance(one.choice, Chosen) and one.choice.demand is not None and one.choice.demand.allocated:
        cycle = one.choice.cycle
        for name in cycle.snapshot.choices:
            answer = ask_node(cycle, cycle.snapshot.states[name])
            yield from answer if isinstance(answer, tuple) else ()


def _own_claims(snapshot: Snapshot, group: PodGroup) -> Iterator[ResourceClaim]:
    """The allocated claims of the group's entries."""
    made = {status.name: status.resource_claim_name for status in group.status.resource_claim_statuses}
    for entry in group.spec.resource_claims:
        name = entry.resource_claim_name or made.get(entry.name)
        claim = snapshot.claim(group.metadata.namespace, name) if name else None
        if claim is not None and claim.status.allocation is not None:
            yield claim
