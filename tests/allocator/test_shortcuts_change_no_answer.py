"""A search that looks for shortcuts from the first step finds what one without any finds, in no more steps."""

from __future__ import annotations

from hypothesis import event, given, settings

from dravite.allocator.eligibility import Eligibility
from dravite.allocator.search import NoPicks, Picks, Search
from dravite.snapshot.node_use import NodeUse
from tests.allocator.situations import (
    N1,
    claim,
    counters_slice,
    device,
    devices_slice,
    exactly,
    inventory,
    problem,
)
from tests.reference.questions import claim_of, questions, stock_of

AT_ONCE, NEVER = 1, 10**9


def search(asked, patience):
    use = asked.inventory.use(N1)
    assert isinstance(use, NodeUse)
    return Search(asked, use, Eligibility(asked.inventory, use.devices), {}).run(None, patience)


def told(found):
    assert isinstance(found, Picks | NoPicks)
    if isinstance(found, NoPicks):
        return None
    return ([(pick.request, pick.demand, pick.entry.position) for pick in found.picks], found.chosen)


@settings(max_examples=500, deadline=None)
@given(questions())
def test_the_answer_is_the_same(question):
    asked = problem(stock_of(question), claim_of(question))
    quick, slow = search(asked, AT_ONCE), search(asked, NEVER)
    event("fewer steps" if quick.steps < slow.steps else "as many steps")
    assert told(quick) == told(slow)
    assert quick.steps <= slow.steps


def test_devices_that_are_alike_are_tried_once():
    """No counting argument shows that a third request for 4 of 10 units and one for 3 do not fit on two devices."""
    stock = inventory(devices_slice(*(device(f"d{i}", {"m": "10"}, shared=True) for i in range(4))))
    wanted = claim(*(exactly(f"r{i}", capacity={"m": "4"}) for i in range(8)), exactly("last", capacity={"m": "3"}))
    quick = search(problem(stock, wanted), AT_ONCE)
    assert isinstance(quick, NoPicks)
    assert quick.steps < 120  # Kubernetes needs 14,729


def test_an_error_that_kubernetes_would_meet_is_met():
    """The second request finds nothing at once, but the third would run into the broken device."""
    devices = [device(f"d{i}", attributes={"k": 0}) for i in range(3)]
    stock = inventory(devices_slice(*devices, device("broken")))
    broken = 'device.attributes["d.io"].k == 0'
    asked = problem(stock, claim(exactly("a"), exactly("b", 3, [broken]), exactly("c", 1, ["false"])))
    quick, slow = search(asked, AT_ONCE), search(asked, NEVER)
    assert type(quick) is type(slow)
    assert quick.message == slow.message
    assert quick.message.startswith("claim ns/claim: selector #0 on device d.io/pool/broken: CEL runtime error")


def test_counters_shared_by_partitions():
    stock = inventory(
        devices_slice(*(device(f"d{i}", counters={"s": {"c": 10}}) for i in range(60)), count=2),
        counters_slice(s={"c": 200}),
    )
    quick = search(problem(stock, claim(exactly(count=21))), AT_ONCE)
    assert told(quick) is None
    assert quick.steps == 1
    assert len(told(search(problem(stock, claim(exactly(count=20))), AT_ONCE))[0]) == 20
