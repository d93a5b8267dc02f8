"""However much is wrong, a bounded number of proposals is looked at, fewer of them in a large cluster."""

from __future__ import annotations

import sys
from collections import Counter
from types import FrameType
from typing import Any

import pytest

from dravite.api.core_v1 import Taint
from dravite.api.meta import ObjectRef
from dravite.explain import explain
from dravite.explain.remedies.asking import changed
from dravite.explain.remedies.planned import MOST_TRIED, NODES_TRIED
from dravite.planning.planner import make_plan, plan_pod
from tests.clusters import cluster, node, pod


def calls_while_explaining(nodes: int, taints: int) -> Counter[object]:
    """How often functions are called while a pod is explained that every node refuses for taints of its own."""
    names = [(f"n{number}", [f"t{number}-{taint}" for taint in range(taints)]) for number in range(nodes)]
    tainted = [node(name, taints=[Taint(key=key, effect="NoSchedule") for key in keys]) for name, keys in names]
    plan = make_plan(cluster(*tainted, pod("p")))
    calls: Counter[object] = Counter()

    def count(frame: FrameType, event: str, argument: Any) -> None:
        del argument
        if event == "call":
            calls[frame.f_code] += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        explain(plan, ObjectRef("Pod", "default", "p"))
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize("nodes", [40, 1600])
@pytest.mark.parametrize("taints", [1, 3])
def test_a_bounded_number_of_plans_is_made(nodes: int, taints: int) -> None:
    calls = calls_while_explaining(nodes, taints)
    most = min(MOST_TRIED, NODES_TRIED // nodes)
    assert 0 < calls[changed.__code__] <= 2 * most
    assert calls[plan_pod.__code__] <= most
