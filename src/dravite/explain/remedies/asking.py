"""Asking nodes again with something changed: far cheaper than a plan, and enough to tell which plans are worth making.

It knows what single nodes say and decides nothing: what other pods do, and which node is chosen, a plan tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from dravite.explain.case import STEPS_PER_QUESTION, Case, case_in
from dravite.lifecycle.claim_templates import make_claims
from dravite.lifecycle.group_claims import make_group_claims
from dravite.scheduler.devices import DevicesFound
from dravite.scheduler.filters import Cycle, NodeAnswer, ask_node_in_mind, cycle_of
from dravite.snapshot.changes import Change, with_changes

NODES_ASKED: Final = 32
"""Of how many nodes that a proposal is meant for it is asked whether they would take the pod."""


def changed(case: Case, changes: Sequence[Change]) -> Case:
    """The case as it would be, with the pod as the only one that waits and with the claims that are made for it."""
    after = with_changes(case.snapshot, changes)
    alone = msgspec.structs.replace(after, pod_order=((case.ref.namespace, case.ref.name),))
    return case_in(case.plan, case.decision, make_claims(make_group_claims(alone)))


def questions(case: Case) -> Cycle:
    """What its nodes are asked."""
    demand = None if case.question is None else case.question.demand
    return cycle_of(case.snapshot, case.pod, demand, STEPS_PER_QUESTION)


def answers(case: Case, nodes: Iterable[str]) -> Iterable[tuple[str, NodeAnswer]]:
    """What these nodes say to the pod, as far as they are there."""
    cycle = questions(case)
    for name in nodes:
        state = case.snapshot.states.get(name)
        if state is not None:
            yield name, ask_node_in_mind(cycle, state)


def takes(case: Case, node: str) -> bool:
    """Whether the node would take the pod."""
    return any(isinstance(answer, DevicesFound) for _, answer in answers(case, (node,)))
