"""Random questions for both allocators, and one question in dravite's words."""

from __future__ import annotations

from hypothesis import strategies as st

from dravite.allocator.outcomes import Allocation, Outcome, Unallocatable
from dravite.api.resource_v1 import DeviceConstraint, DeviceToleration, ResourceClaim
from dravite.snapshot.inventory import Inventory
from tests.allocator.situations import (
    alternative,
    claim,
    counters_slice,
    device,
    devices_slice,
    first_of,
    holding,
    inventory,
    taint,
)
from tests.reference.dumb_allocator import Answer, Question, Thing, Wish

TOLERATED = (DeviceToleration(key="k", operator="Exists"),)

things = st.builds(
    Thing,
    kind=st.sampled_from([0, 0, 0, 1, 1, 2, None]),
    busy=st.sampled_from([False] * 5 + [True]),
    tainted=st.sampled_from([False] * 5 + [True]),
    takes=st.sampled_from([0, 0, 1, 2]),
    room=st.sampled_from([None, None, 1, 2, 3]),
)
wishes = st.builds(
    Wish,
    count=st.sampled_from([1, 1, 1, 2, 2, 3]),
    kind=st.sampled_from([None, None, None, 0, 1]),
    tolerates=st.booleans(),
    room=st.integers(1, 2),
)


@st.composite
def questions(draw: st.DrawFn) -> Question:
    requests = draw(st.lists(st.lists(wishes, min_size=1, max_size=2).map(tuple), min_size=1, max_size=3))
    bound = st.frozensets(st.integers(0, len(requests) - 1), min_size=1)
    constrained = draw(st.sampled_from(["", "match", "distinct", "both"]))
    return Question(
        things=tuple(draw(st.lists(things, min_size=2, max_size=5))),
        requests=tuple(requests),
        left=draw(st.integers(0, 6)),
        match=draw(bound) if constrained in ("match", "both") else frozenset(),
        distinct=draw(bound) if constrained in ("distinct", "both") else frozenset(),
    )


def stock_of(question: Question) -> Inventory:
    """Busy things are held, and what they take of the counter is there on top."""
    devices = [_device(index, thing) for index, thing in enumerate(question.things)]
    held = sum(thing.takes for thing in question.things if thing.busy)
    busy = [f"d{index}" for index, thing in enumerate(question.things) if thing.busy]
    return inventory(
        devices_slice(*devices, count=2),
        counters_slice(s={"c": question.left + held}),
        allocated=[holding(*busy)] if busy else [],
    )


def _device(index: int, thing: Thing):
    fields = {"attributes": {} if thing.kind is None else {"k": thing.kind}}
    if thing.takes:
        fields["counters"] = {"s": {"c": thing.takes}}
    if thing.tainted:
        fields["taints"] = (taint("k"),)
    if thing.room is not None:
        fields["shared"] = True
    return device(f"d{index}", {"m": "9" if thing.room is None else str(thing.room)}, **fields)


def claim_of(question: Question) -> ResourceClaim:
    """One claim; every request lists alternatives, be it only one."""
    requests = [
        first_of(f"r{i}", *(_wish(j, one) for j, one in enumerate(some))) for i, some in enumerate(question.requests)
    ]
    made = claim(*requests)
    constraints = []
    for bound, field in ((question.match, "match_attribute"), (question.distinct, "distinct_attribute")):
        if bound:
            names = tuple(f"r{number}" for number in sorted(bound))
            constraints.append(DeviceConstraint(requests=names, **{field: "d.io/k"}))
    devices = made.spec.devices.__class__(requests=tuple(requests), constraints=tuple(constraints))
    return ResourceClaim(metadata=made.metadata, spec=made.spec.__class__(devices=devices))


def _wish(number: int, wish: Wish):
    selects = [] if wish.kind is None else [f'device.attributes["d.io"].?k.orValue(-1) == {wish.kind}']
    tolerations = TOLERATED if wish.tolerates else ()
    return alternative(f"w{number}", wish.count, selects, {"m": str(wish.room)}, tolerations=tolerations)


def answer_of(outcome: Outcome, question: Question) -> Answer | None:
    """The outcome in the words of the dumb allocator."""
    if isinstance(outcome, Unallocatable):
        return None
    assert isinstance(outcome, Allocation), outcome
    results = outcome.results[0].devices.results
    served = []
    for number in range(len(question.requests)):
        own = [one for one in results if one.request.startswith(f"r{number}/")]
        wish = int(own[0].request.partition("/w")[2])
        served.append((wish, tuple(int(one.device[1:]) for one in own)))
    return tuple(served)
