from __future__ import annotations

import pytest

from dravite.api.core_v1 import (
    Affinity,
    PodAffinity,
    PodAffinityTerm,
    TopologySpreadConstraint,
    WeightedPodAffinityTerm,
)
from dravite.diagnosis.reasons import PodAffinityViolated, SpreadViolated
from dravite.diagnosis.verdicts import Unschedulable
from dravite.planning.planner import make_plan
from tests.clusters import cluster, node, pod, selects

HOST = "kubernetes.io/hostname"
ZONES = (node("a1", {"zone": "a"}), node("a2", {"zone": "a"}), node("b1", {"zone": "b"}))


def term(key: str = HOST, **labels: str) -> PodAffinityTerm:
    return PodAffinityTerm(label_selector=selects(**labels), topology_key=key)


def near(*terms: PodAffinityTerm) -> Affinity:
    return Affinity(pod_affinity=PodAffinity(required=terms))


def apart(*terms: PodAffinityTerm) -> Affinity:
    return Affinity(pod_anti_affinity=PodAffinity(required=terms))


def spread(key: str, skew: int = 1, action: str = "DoNotSchedule", **more: object) -> TopologySpreadConstraint:
    return TopologySpreadConstraint(
        max_skew=skew, topology_key=key, when_unsatisfiable=action, label_selector=selects(app="web"), **more
    )


def running(name: str, on: str, **labels: str):
    return pod(name, labels=labels, node_name=on, phase="Running")


def placed(*objects: object) -> dict[str, str | None]:
    plan = make_plan(cluster(*objects))
    return {one.pod.name: getattr(one.decision, "node", None) for one in plan.decisions}


def refusals(*objects: object) -> list[object]:
    found = make_plan(cluster(*objects)).decisions[-1].decision
    assert isinstance(found, Unschedulable)
    return [finding.reasons[0] for finding in found.nodes]


def test_a_pod_follows_the_ones_it_wants_to_be_near():
    db = running("db", "b1", app="db")
    assert placed(*ZONES, db, pod("p", affinity=near(term("zone", app="db")))) == {"p": "b1"}


def test_a_pod_without_partners_goes_nowhere_unless_it_is_one_itself():
    lonely = pod("p", labels={"app": "web"}, affinity=near(term(app="db")))
    assert refusals(*ZONES, lonely) == [PodAffinityViolated("affinity", HOST)] * 3
    first = pod("p", labels={"app": "db"}, affinity=near(term(app="db")))
    assert placed(*ZONES, first) == {"p": "a1"}


def test_pods_that_repel_each_other_land_on_different_nodes():
    pods = [pod(f"p{number}", labels={"app": "web"}, affinity=apart(term(app="web"))) for number in range(4)]
    assert placed(*ZONES, *pods) == {"p0": "a1", "p1": "a2", "p2": "b1", "p3": None}


def test_a_running_pod_keeps_others_out_of_its_domain():
    shy = pod("shy", affinity=apart(term("zone", app="web")), node_name="a1", phase="Running")
    assert placed(*ZONES, shy, pod("p", labels={"app": "web"})) == {"p": "b1"}
    assert refusals(ZONES[0], shy, pod("p", labels={"app": "web"})) == [
        PodAffinityViolated("existing-anti-affinity", "zone")
    ]


def test_a_preferred_neighbour_draws_a_pod():
    term_near = WeightedPodAffinityTerm(weight=50, pod_affinity_term=term("zone", app="db"))
    wish = Affinity(pod_affinity=PodAffinity(preferred=(term_near,)))
    assert placed(*ZONES, running("db", "b1", app="db"), pod("p", affinity=wish)) == {"p": "b1"}


def test_a_hard_spread_leaves_only_the_emptier_zone():
    there = [running("w1", "a1", app="web"), running("w2", "a2", app="web")]
    waiting = pod("p", labels={"app": "web"}, topology_spread_constraints=(spread("zone"),))
    assert placed(*ZONES, *there, waiting) == {"p": "b1"}
    full = running("filler", "b1")
    tight = [ZONES[0], ZONES[1], node("b1", {"zone": "b"}, cpu="1")]
    assert refusals(*tight, *there, full, waiting)[0] == SpreadViolated("zone")


def test_a_node_without_the_label_is_out():
    waiting = pod("p", labels={"app": "web"}, topology_spread_constraints=(spread("rack"),))
    assert refusals(ZONES[0], waiting) == [SpreadViolated("rack", label_missing=True)]


@pytest.mark.parametrize(("min_domains", "where"), [(None, "a2"), (3, None)])
def test_too_few_domains_count_as_an_empty_one(min_domains, where):
    there = [running("w1", "a1", app="web"), running("w2", "b1", app="web")]
    constraint = spread("zone", min_domains=min_domains)
    waiting = pod("p", labels={"app": "web"}, topology_spread_constraints=(constraint,))
    assert placed(*ZONES, *there, waiting) == {"p": where}


def test_a_soft_spread_only_scores():
    there = [running("w1", "a1", app="web"), running("w2", "a2", app="web")]
    waiting = pod(
        "p", cpu="", labels={"app": "web"}, topology_spread_constraints=(spread("zone", action="ScheduleAnyway"),)
    )
    assert placed(*ZONES, *there, waiting) == {"p": "b1"}
