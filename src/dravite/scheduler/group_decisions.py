"""What is told of each PodGroup of a tree that was tried, with what came of every placement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

import msgspec

from dravite.api.core_v1 import Pod
from dravite.api.meta import ObjectRef
from dravite.diagnosis.findings import PlacementFinding
from dravite.diagnosis.verdicts import Certainty, GroupDecision, GroupOutcome
from dravite.scheduler.gang import GroupResult, InPlacement, in_placement
from dravite.scheduler.group_status import Code
from dravite.scheduler.memory import pod_shape
from dravite.scheduler.placement_memory import Fared
from dravite.snapshot.groups import Group, placed_members
from dravite.snapshot.snapshot import Key, Snapshot

_OUTCOMES: Mapping[Code, GroupOutcome] = {
    "success": "scheduled",
    "wait": "unschedulable",
    "unschedulable": "unschedulable",
    "error": "error",
}


def decision_of(
    snapshot: Snapshot, root: Group, results: Mapping[ObjectRef, GroupResult], leaf: Group
) -> GroupDecision:
    """The answer for one PodGroup of a tree."""
    result = results[leaf.ref]
    chain = _chain(root, leaf)
    key = next((group.topology_key for group in reversed(chain) if group.topology_key), None)
    outcome = _OUTCOMES[result.told.code]
    constrained = next((results[group.ref] for group in reversed(chain) if group.topology_key), None)
    placement = constrained.placement if constrained is not None else None
    placements = () if outcome == "scheduled" else tuple(_findings(snapshot, result, constrained))
    return GroupDecision(
        group=leaf.ref,
        root=root.ref,
        outcome=outcome,
        message="" if outcome == "scheduled" else result.told.message,
        minimum=leaf.minimum,
        topology_key=key,
        domain=placement.domain if placement is not None and outcome == "scheduled" else None,
        tied=constrained.tied if constrained is not None and outcome == "scheduled" else (),
        placements=placements,
        certainty=_certainty(snapshot, root, result),
    )


def _certainty(snapshot: Snapshot, root: Group, result: GroupResult) -> Certainty:
    """How sure the answer is. Beside other groups of its tree, their pods matter as well."""
    if result.told.code != "unschedulable":
        return "proven"
    if root.ref != result.group.ref:
        return "not-found"
    tried = result.tried or (in_placement(result),)
    pods = [key for one in tried for key in one.pods]
    placed = any(node for one in tried for node in one.fared.nodes)
    return certainty_of_no(snapshot, pods, "some-placed" if placed else "none-placed")


def certainty_of_no(
    snapshot: Snapshot, tried: Iterable[Key], found: Literal["some-placed", "none-placed"]
) -> Certainty:
    """How sure a "no" is where pods are tried one after the other, without going back: it is proven in two cases only.

    Where no pod found a place, each fits nowhere by itself. Where all ask for the same amounts and nothing else, every
    order takes equally many.
    """
    pods = [snapshot.pods[key].pod for key in tried]
    if any(map(_looks_at_neighbours, pods)):
        return "not-found"
    if found == "none-placed":
        return "proven"
    alone = len(set(map(pod_shape, pods))) == 1 and not any(pod.spec.resource_claims for pod in pods)
    return "proven" if alone else "not-found"


def _looks_at_neighbours(pod: Pod) -> bool:
    affinity = pod.spec.affinity
    others = affinity is not None and (affinity.pod_affinity or affinity.pod_anti_affinity)
    return bool(others or pod.spec.topology_spread_constraints)


def _chain(group: Group, leaf: Group) -> tuple[Group, ...]:
    """The groups from one down to a leaf; nothing where the leaf is not below it."""
    if group.ref == leaf.ref:
        return (group,)
    for child in group.children:
        below = _chain(child, leaf)
        if below:
            return (group, *below)
    return ()


def _findings(snapshot: Snapshot, result: GroupResult, constrained: GroupResult | None) -> Iterator[PlacementFinding]:
    """What came of the group in each placement that was tried, its own or those of the group above that has some."""
    needed = max(0, (result.group.minimum or 1) - len(placed_members(snapshot, result.group.key)))
    above = constrained.tried if constrained is not None and constrained.group.is_composite else ()
    for each in above:
        here = each.below.get(result.group.ref) or InPlacement(None, (), Fared(told=each.fared.told))
        yield _finding(snapshot, msgspec.structs.replace(here, placement=each.placement), needed)
    for each in () if above else result.tried or (in_placement(result),):
        yield _finding(snapshot, each, needed)


def _finding(snapshot: Snapshot, one: InPlacement, needed: int) -> PlacementFinding:
    placement, fared = one.placement, one.fared
    refs = [ObjectRef("Pod", *key) for key in one.pods]
    return PlacementFinding(
        domain=placement.domain if placement is not None else "",
        nodes=len(placement.nodes) if placement is not None else len(snapshot.choices),
        placed=tuple((ref, node) for ref, node in zip(refs, fared.nodes, strict=True) if node),
        needed=needed,
        refused=refs[fared.refused] if fared.refused is not None else None,
        reasons=fared.findings,
        message=fared.told.message,
    )
