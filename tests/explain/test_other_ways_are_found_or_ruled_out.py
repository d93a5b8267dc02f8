"""Whether a gang would fit in any way: compared with trying everything, and what is found is planned and works."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dravite.api.meta import ObjectRef
from dravite.explain import explain_group
from dravite.explain.groups.explanation import CreateInOrder, GroupExplanation, PlaceByHand
from dravite.planning.planner import make_plan
from tests.clusters import claim, cluster, device_class, group, in_domain, members, node, pod, release, with_claims
from tests.explain.worlds import ATTRIBUTES, first_of, gpu, published, template, wants

pytest.importorskip("highspy")

GATES = "GenericWorkload=true,TopologyAwareWorkloadScheduling=true"
G = ObjectRef("PodGroup", "default", "g")

BIG, SMALL = (f'{ATTRIBUTES}.size == "{size}"' for size in ("big", "small"))
TEMPLATES = (
    template("any", wants()),
    template("big", wants("gpu", BIG)),
    template("small", wants("gpu", SMALL)),
    template("two", wants("gpu", count=2)),
    template("either", first_of("gpu", big=(BIG, {}), small=(SMALL, {}))),
)
"""What a pod may claim: each asks for devices of these sizes."""

ASKS = {
    "none": [()],
    "any": [("big",), ("small",)],
    "big": [("big",)],
    "small": [("small",)],
    "two": [("big", "big"), ("big", "small"), ("small", "small")],
    "either": [("big",), ("small",)],
}

Wish = tuple[int, str]
"""A pod: its cpu, and what it claims."""

Site = tuple[int, tuple[str, ...]]
"""A node: its cpu, and the sizes of its devices."""


def gang(sites: list[Site], wishes: list[Wish], minimum: int, **spec: object) -> GroupExplanation:
    objects: list[object] = [device_class(), *TEMPLATES]
    for number, (cpu, sizes) in enumerate(sites):
        objects.append(node(f"n{number}", {"rack": "ab"[number % 2]}, cpu=str(cpu)))
        objects.append(published(f"n{number}", *(gpu(place, size=size) for place, size in enumerate(sizes))))
    objects.append(group("g", minimum, **spec))
    for number, (cpu, wish) in enumerate(wishes):
        made = members(number + 1, str(cpu))[number]
        objects.append(made if wish == "none" else with_claims(made, gpu=f"@{wish}"))
    return explain_group(make_plan(cluster(*objects, on=release("1.37", GATES))), G, "exact")


def fits_somehow(sites: list[Site], wishes: list[Wish], minimum: int) -> bool:
    """Every choice of nodes for every pod, some of them left out, and every choice of devices."""
    for nodes in product((None, *range(len(sites))), repeat=len(wishes)):
        if sum(on is not None for on in nodes) >= minimum and all(
            _takes(site, [wish for wish, on in zip(wishes, nodes, strict=True) if on == number])
            for number, site in enumerate(sites)
        ):
            return True
    return False


def _takes(site: Site, wishes: list[Wish]) -> bool:
    cpu, sizes = site
    if sum(asked for asked, _ in wishes) > cpu:
        return False
    have = Counter(sizes)
    return any(not Counter(sum(choice, ())) - have for choice in product(*(ASKS[wish] for _, wish in wishes)))


sites = st.tuples(st.integers(2, 4), st.lists(st.sampled_from(["big", "small"]), max_size=3).map(tuple))
wishes = st.tuples(st.integers(1, 2), st.sampled_from(sorted(ASKS)))


@st.composite
def loose(draw) -> tuple[list[Site], list[Wish], int]:
    """Pods and nodes that know nothing of each other."""
    pods = draw(st.lists(wishes, min_size=2, max_size=5))
    return draw(st.lists(sites, min_size=1, max_size=3)), pods, draw(st.sampled_from([len(pods), len(pods) - 1]))


@st.composite
def tight(draw) -> tuple[list[Site], list[Wish], int]:
    """A pod for nearly every device, in an order that may be a bad one."""
    given_sites = [(4, sizes) for _, sizes in draw(st.lists(sites, min_size=2, max_size=3))]
    devices = [size for _, sizes in given_sites for size in sizes][:5]
    pods = [(1, draw(st.sampled_from([size, size, "any", "either"]))) for size in draw(st.permutations(devices))]
    return given_sites, [*pods, (1, "none")], len(pods) + 1


questions = st.one_of(tight(), tight(), loose())


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(questions)
def test_what_is_said_is_what_trying_everything_finds(question):
    told = gang(*question)
    if told.decision.outcome == "scheduled":
        return
    assert told.other_ways in ("found", "none", "not-found")
    if told.other_ways != "not-found":
        assert (told.other_ways == "found") == fits_somehow(*question)
    assert (told.certainty == "proven") >= (told.other_ways == "none")
    by_hand = [one for one in told.remedies if isinstance(one.advice, PlaceByHand | CreateInOrder)]
    assert (told.other_ways == "found") >= bool(by_hand)


def test_the_generator_reaches_every_answer():
    said: Counter[str] = Counter()

    @settings(max_examples=150, deadline=None, database=None, derandomize=True)
    @given(questions)
    def look(question):
        told = gang(*question)
        said[told.other_ways if told.decision.outcome == "unschedulable" else told.decision.outcome] += 1
        said["by hand"] += any(isinstance(one.advice, PlaceByHand | CreateInOrder) for one in told.remedies)

    look()
    assert {one for one in ("scheduled", "found", "none", "by hand") if said[one] < 2} == set(), said


def test_a_way_is_shown_and_planned():
    told = gang([(4, ("big",)), (4, ("small",))], [(1, "any"), (1, "big")], 2)
    assert told.other_ways == "found"
    (remedy,) = [one for one in told.remedies if isinstance(one.advice, PlaceByHand | CreateInOrder)]
    assert dict(remedy.advice.nodes) == {
        ObjectRef("Pod", "default", "g-0"): "n1",
        ObjectRef("Pod", "default", "g-1"): "n0",
    }
    assert remedy.placed == 2


def test_pods_that_have_to_come_in_another_order_are_told_so():
    told = gang([(4, ("big", "small"))], [(1, "any"), (1, "big")], 2)
    assert told.other_ways == "found"
    (remedy,) = [one for one in told.remedies if isinstance(one.advice, CreateInOrder)]
    assert [pod.name for pod, _ in remedy.advice.nodes] == ["g-1", "g-0"]


def test_one_domain_has_to_hold_them_all():
    sites_, pods = [(4, ("big",)), (4, ("small",))], [(1, "any"), (1, "big")]
    told = gang(sites_, pods, 2, scheduling_constraints=in_domain("rack"))
    assert (told.other_ways, told.certainty) == ("none", "proven")


def test_a_claim_that_all_share_keeps_them_on_the_node_of_its_devices():
    objects = [
        device_class(), claim("shared"), node("n0", cpu="2"), node("n1", cpu="2"),
        published("n0", gpu(0)), published("n1", gpu(0)), group("g", 2),
        *(with_claims(one, gpu="shared") for one in members(2, "2")),
    ]  # fmt: skip
    told = explain_group(make_plan(cluster(*objects, on=release("1.37", GATES))), G, "exact")
    assert (told.other_ways, told.certainty) == ("none", "proven")


def test_large_gangs_are_counted_not_tried_one_by_one():
    crowd = [pod(f"old-{number}", "2", node_name=f"n{number}", phase="Running") for number in range(0, 60, 2)]
    nodes = [node(f"n{number}", cpu="4") for number in range(60)]
    pods = [*members(30, "2"), *members(60, "3")[30:]]
    plan = make_plan(cluster(*nodes, *crowd, group("g", 60), *pods, on=release("1.37", GATES)))
    told = explain_group(plan, G, "exact")
    assert told.decision.outcome == "unschedulable"
    assert told.other_ways == "found"
    assert any(remedy.placed == 60 for remedy in told.remedies if isinstance(remedy.advice, PlaceByHand))
