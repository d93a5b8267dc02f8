"""An allocation only takes devices against which nothing speaks, and never more than there is (house law g)."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings

from dravite.allocator.allocate import allocate
from dravite.allocator.outcomes import Allocation
from dravite.allocator.why_not import why_not
from dravite.snapshot.node_use import NodeUse
from tests.allocator.situations import N1, problem
from tests.reference.questions import claim_of, questions, stock_of


@settings(max_examples=300, deadline=None)
@given(questions())
def test_no_device_counter_or_capacity_is_overbooked(question):
    asked = problem(stock_of(question), claim_of(question))
    outcome = allocate(asked, N1)
    if not isinstance(outcome, Allocation):
        return
    results = outcome.results[0].devices.results
    times = Counter(int(one.device[1:]) for one in results)
    room: Counter[int] = Counter()
    for one in results:
        if one.share_id is not None:
            room[int(one.device[1:])] += one.consumed_capacity["m"].value
    for index, count in times.items():
        thing = question.things[index]
        assert not thing.busy
        assert count == 1 or thing.room is not None
        assert room[index] <= (thing.room or 0)
    assert sum(question.things[index].takes for index in times) <= question.left
    assert len({one.share_id for one in results if one.share_id}) == sum(one.share_id is not None for one in results)


@settings(max_examples=300, deadline=None)
@given(questions())
def test_only_devices_without_a_reason_are_taken(question):
    asked = problem(stock_of(question), claim_of(question))
    outcome = allocate(asked, N1)
    use = asked.inventory.use(N1)
    assert isinstance(use, NodeUse)
    if not isinstance(outcome, Allocation):
        return
    positions = {device.id.device: position for position, device in enumerate(use.devices.devices)}
    demands = {demand.name: demand for request in asked.claims[0].requests for demand in request.demands}
    for one in outcome.results[0].devices.results:
        assert why_not(asked, asked.claims[0], demands[one.request], use, positions[one.device]) is None


@settings(max_examples=200, deadline=None)
@given(questions())
def test_what_was_allocated_can_be_booked_and_is_then_in_use(question):
    stock = stock_of(question)
    asked = problem(stock, claim_of(question))
    outcome = allocate(asked, N1)
    if not isinstance(outcome, Allocation):
        return
    taken = stock.usage.with_claim(asked.claims[0].ref, outcome.results[0])
    again = allocate(asked.on(stock.with_usage(taken)), N1)
    dedicated = {one.device for one in outcome.results[0].devices.results if one.share_id is None}
    if isinstance(again, Allocation):
        assert not dedicated & {one.device for one in again.results[0].devices.results}
