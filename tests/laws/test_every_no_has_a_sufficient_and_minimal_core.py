"""Laws (a) to (e): cores are sufficient and minimal, every no has one, counts add up, remedies work.

Clusters are small and full of trouble: few devices, some taken or tainted, attributes that some lack, counters,
shares, constraints. One pod waits.
"""

from __future__ import annotations

from collections import Counter

import msgspec
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from dravite.allocator.allocate import allocate
from dravite.allocator.outcomes import Allocation, Unallocatable
from dravite.api.meta import ObjectRef
from dravite.diagnosis.verdicts import Scheduled, Unschedulable
from dravite.explain import Detail, explain
from dravite.explain.case import case_of
from dravite.explain.devices.clashes import clash_on
from dravite.planning.planner import make_plan
from dravite.snapshot.changes import with_changes
from tests.clusters import DRIVER
from tests.explain.worlds import (
    ATTRIBUTES,
    MEMORY,
    first_of,
    gpu,
    held,
    match,
    plan_of,
    published,
    running,
    shared,
    tainted,
    template,
    tolerates,
    using,
    waiting,
    wants,
)

P = ObjectRef("Pod", "default", "p")
SELECTORS = (
    f'has({ATTRIBUTES}.model) && {ATTRIBUTES}.model == "A100"',
    f'{ATTRIBUTES}.?model.orValue("") == "H100"',
    f'{MEMORY}.compareTo(quantity("40Gi")) >= 0',
)
LAWFUL = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def rarely(draw, once_in=6):
    return draw(st.integers(1, once_in)) == 1


@st.composite
def devices(draw):
    made = []
    for number in range(draw(st.integers(1, 5))):
        attributes = {} if rarely(draw) else {"numa": draw(st.integers(0, 2))}
        attributes["model"] = draw(st.sampled_from(["A100", "A100", "T4"]))
        if rarely(draw):
            attributes.pop("model")
        one = gpu(number, "" if rarely(draw) else draw(st.sampled_from(["8Gi", "40Gi"])), **attributes)
        kind = draw(st.sampled_from(["plain", "plain", "tainted", "shared", "counted", "counted"]))
        if kind == "tainted":
            one = tainted(one)
        elif kind == "shared":
            one = shared(one)
        elif kind == "counted":
            one = using(one, "card", slots=draw(st.integers(1, 3)))
        made.append(one)
    return tuple(made)


@st.composite
def requests(draw, name):
    more = {"count": draw(st.integers(1, 3))}
    if rarely(draw, 3):
        more["memory"] = draw(st.sampled_from(["4Gi", "10Gi"]))
    if draw(st.booleans()):
        more["tolerations"] = (tolerates("example.com/broken"),)
    if rarely(draw, 5):
        more.pop("memory", None)
        return first_of(name, one=(SELECTORS[0], more), two=(SELECTORS[1], more))
    return wants(name, *([draw(st.sampled_from(SELECTORS))] if rarely(draw, 3) else []), **more)


@st.composite
def worlds(draw):
    objects = []
    for name in ("n1", "n2"):
        here = draw(devices())
        slices = 3 if rarely(draw, 10) else 2
        objects.append(published(name, sets={"card": {"slots": 3}}, slices=slices, name=f"{name}-sets"))
        objects.append(published(name, *here, slices=slices))
        whole = [one.name for one in here if not one.allow_multiple_allocations]
        if whole and draw(st.booleans()):
            taken = draw(st.sampled_from(whole))
            objects += [held(f"held-{name}", name, taken, by=f"o-{name}"), running(f"o-{name}", name, a=f"held-{name}")]
    names = ["a", "b"][: draw(st.integers(1, 2))]
    constraints = [match(f"{DRIVER}/numa")] if draw(st.booleans()) else []
    asked = [draw(requests(name)) for name in names]
    return (*objects, template("t", *asked, constraints=constraints), waiting())


def refused(world):
    """The case of the waiting pod, where it was refused for want of devices; else None."""
    plan = plan_of(*world)
    decision = plan.decision(P)
    return case_of(plan, decision) if isinstance(decision.decision, Unschedulable) else None


@LAWFUL
@given(worlds())
def test_a_core_is_sufficient_and_minimal_for_the_allocator(world):
    case = refused(world)
    for state in case.snapshot.states_in_order() if case else ():
        problem = case.problem(state)
        core = clash_on(problem, state.node)
        assert core is not None, "every no has a core"
        kept, demands = (
            set(core.clash.core),
            {one for one in problem.constraint_ids() if one.object.kind != "DeviceClass"},
        )
        assert isinstance(allocate(problem.without(demands - kept), state.node), Unallocatable)
        for one in kept:
            outcome = allocate(problem.without(demands - (kept - {one})), state.node)
            assert isinstance(outcome, Allocation) or not core.minimal
        event(f"core of {len(kept)}")


@LAWFUL
@given(worlds())
def test_counts_add_up(world):
    plan = plan_of(*world)
    if plan.decision(P) is None or isinstance(plan.decision(P).decision, Scheduled):
        return
    for detail in Detail:
        found = explain(plan, P, detail)
        assert sum(group.size for group in found.groups) in (0, found.nodes_total)
        for group in found.groups:
            for request in group.devices.requests if group.devices else ():
                refused_devices = sum(len(refusal.rejections) for refusal in request.refusals)
                assert request.eligible + refused_devices == request.seen == group.devices.devices_seen
        for selector in found.selectors:
            assert selector.matched + selector.refused + selector.failed == selector.devices
            assert all(c.true_on + c.false_on + c.error_on == selector.devices for c in selector.clauses)


@LAWFUL
@given(worlds())
def test_remedies_work(world):
    plan = plan_of(*world)
    if plan.decision(P) is None:
        return
    for remedy in explain(plan, P).remedies:
        after = make_plan(with_changes(plan.start, remedy.changes)).decision(P)
        assert isinstance(after.decision, Scheduled), remedy.advice
        assert after.decision.node == remedy.outcome.node
        event(type(remedy.advice).__name__)


@LAWFUL
@given(worlds())
def test_the_same_question_gets_the_same_bytes(world):
    first, second = (msgspec.json.encode(explain(plan_of(*world), P), enc_hook=str) for _ in range(2))
    assert first == second


def test_the_generator_reaches_most_kinds_of_trouble():
    """A law over clusters that never get into trouble would hold by itself."""
    kinds: Counter[str] = Counter()

    @settings(max_examples=120, deadline=None, database=None, derandomize=True)
    @given(worlds())
    def look(world):
        plan = plan_of(*world)
        kinds[type(plan.decision(P).decision).__name__] += 1
        if isinstance(plan.decision(P).decision, Unschedulable):
            for group in explain(plan, P, Detail.ALL).groups:
                kinds["clash"] += group.devices.clash is not None
                kinds["unusable pool"] += bool(group.devices.pools)
                for request in group.devices.requests:
                    kinds.update(type(refusal.reason).__name__ for refusal in request.refusals)

    look()
    reasons = {"InUse", "SelectorFalse", "TaintNotTolerated", "CapacityShort", "CapacityMissing", "CountersExhausted"}
    reasons |= {"AttributeMissing", "SelectorFailed"}
    assert len({kind for kind in reasons if kinds[kind]}) >= 7, kinds
    assert min(kinds["clash"], kinds["Scheduled"], kinds["Unschedulable"]) >= 5, kinds
    assert kinds["unusable pool"] >= 3, kinds
