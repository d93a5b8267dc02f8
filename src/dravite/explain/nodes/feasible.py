"""Nodes that could run a pod if the attempt did not end in an error: each is asked by itself."""

from __future__ import annotations

from collections.abc import Iterator

from dravite.explain.case import STEPS_PER_QUESTION, Case
from dravite.scheduler.devices import DevicesFound
from dravite.scheduler.filters import ask_node, cycle_of

MOST_ASKED = 500
"""Nodes that are asked at most."""


def able_nodes(case: Case, most: int) -> tuple[str, ...]:
    """The first nodes, in the scheduler's order, that by themselves would take the pod; at most `most`."""
    found = _able(case)
    return tuple(name for name, _ in zip(found, range(most), strict=False))


def _able(case: Case) -> Iterator[str]:
    demand = None if case.question is None else case.question.demand
    cycle = cycle_of(case.snapshot, case.pod, demand, STEPS_PER_QUESTION)
    for state in case.snapshot.states_in_order()[:MOST_ASKED]:
        if isinstance(ask_node(cycle, state), DevicesFound):
            yield state.name
