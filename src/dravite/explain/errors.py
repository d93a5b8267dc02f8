"""Errors that end an attempt: what they mean for other nodes, and what stands behind limits and unusable pools."""

from __future__ import annotations

from typing import Final

from dravite.allocator.claim_compiler import MAX_DEVICES
from dravite.allocator.problem import Problem
from dravite.api.meta import ObjectRef
from dravite.diagnosis.findings import PoolFinding
from dravite.diagnosis.verdicts import AttemptError
from dravite.explain import notes as n
from dravite.explain.case import Case
from dravite.explain.devices.stories import Scene, scene_of, story
from dravite.explain.nodes.feasible import able_nodes

NODES_NAMED: Final = 8
NODE_ONLY_SINCE: Final = "1.38"
"""Since when `All` over an incomplete or invalid pool rules out a node only (R-9)."""


def notes_on_error(case: Case, error: AttemptError) -> tuple[n.Note, ...]:
    """What to know about an error, by its kind."""
    if error.kind == "limit":
        return _limit(case, error)
    able = able_nodes(case, NODES_NAMED)
    if error.kind == "all-pool":
        nodes = tuple(s.name for s in case.snapshot.states_in_order() if _unusable(case, s.name))
        return (n.ErrorIsNodeOnlySince(NODE_ONLY_SINCE, nodes[:NODES_NAMED], able),)
    if error.kind in ("request", "class", "feature"):
        return ()
    return (n.ErrorEndsAttempt(error.device, error.node, able),)


def pools_behind(case: Case, error: AttemptError) -> tuple[PoolFinding, ...]:
    """The pools that keep `All` from being answered on the node of the error."""
    return _unusable(case, error.node) if error.kind == "all-pool" and error.node is not None else ()


def _unusable(case: Case, node: str) -> tuple[PoolFinding, ...]:
    offered = case.snapshot.inventory.devices(case.snapshot.state(node).node)
    if isinstance(offered, AttemptError):
        return ()
    return tuple(finding for finding in offered.findings if finding.state != "obsolete")


def _limit(case: Case, error: AttemptError) -> tuple[n.Note, ...]:
    """How many devices are asked for, and how many would be free where most are."""
    free, asked = 0, 0
    for state in case.snapshot.states_in_order()[:NODES_NAMED]:
        problem = case.problem(state)
        scene = scene_of(problem, state.node) if isinstance(problem, Problem) else None
        if isinstance(scene, Scene):
            found = [f for f in story(scene, case.entries(), case.resources()).requests if f.claim == error.claim]
            asked = sum(f.needed if f.needed is not None else f.eligible for f in found)
            free = max(free, sum(f.eligible for f in found))
    return (n.ClaimLimit(error.claim or ObjectRef("ResourceClaim", "", ""), MAX_DEVICES, asked, free),)
