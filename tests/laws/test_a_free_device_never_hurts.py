"""A free device more never breaks an allocation on one node, for exact counts (house law h)."""

from __future__ import annotations

from hypothesis import given, settings

from dravite.allocator.allocate import allocate
from dravite.allocator.outcomes import Allocation
from tests.allocator.situations import N1, problem
from tests.reference.questions import claim_of, questions, stock_of, things


@settings(max_examples=300, deadline=None)
@given(questions(), things)
def test_what_could_be_allocated_still_can(question, thing):
    more = question._replace(things=(*question.things, thing._replace(busy=False)))
    before = allocate(problem(stock_of(question), claim_of(question)), N1)
    after = allocate(problem(stock_of(more), claim_of(more)), N1)
    assert isinstance(after, Allocation) or not isinstance(before, Allocation)
