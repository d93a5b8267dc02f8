"""Which devices are taken, and in which order they are tried (P-17 to P-20, R-7, R-17)."""

from __future__ import annotations

from dravite.allocator.outcomes import StepsSpent, Unallocatable
from tests.allocator.situations import (
    N2,
    alternative,
    attempt,
    claim,
    device,
    devices_slice,
    everything,
    exactly,
    first_of,
    inventory,
    picked,
)


def test_p17_pools_go_by_name_byte_by_byte():
    stock = inventory(
        devices_slice(device("a"), pool="p2", name="one"), devices_slice(device("b"), pool="p10", name="two")
    )
    assert picked(attempt(stock, claim(exactly(count=2)))) == ["r=b", "r=a"]


def test_p18_a_pool_with_an_empty_list_of_binding_conditions_goes_last():
    stock = inventory(
        devices_slice(device("late", binding_conditions=()), pool="a", name="one"),
        devices_slice(device("early"), pool="b", name="two"),
    )
    assert picked(attempt(stock, claim(exactly()))) == ["r=early"]


def test_p19_slices_go_by_name_and_devices_as_listed():
    stock = inventory(
        devices_slice(device("x"), name="s2", count=2), devices_slice(device("z"), device("y"), name="s1", count=2)
    )
    assert picked(attempt(stock, claim(exactly(count=3)))) == ["r=z", "r=y", "r=x"]


def test_v5_the_stable_variant_takes_slices_as_they_come():
    slices = devices_slice(device("x"), name="s2", count=2), devices_slice(device("z"), name="s1", count=2)
    stock = inventory(*slices, features=frozenset({"PrioritizedList"}))
    assert picked(attempt(stock, claim(exactly(count=2)))) == ["r=x", "r=z"]


def test_r7_a_request_takes_ascending_devices_and_the_next_starts_anew():
    stock = inventory(devices_slice(device("a", attributes={"k": 2}), device("b", attributes={"k": 1}), device("c")))
    wanted = claim(exactly("one", selects=['device.attributes["d.io"].?k.orValue(0) == 1']), exactly("two", 2))
    assert picked(attempt(stock, wanted)) == ["one=b", "two=a", "two=c"]


def test_r17_an_earlier_alternative_is_given_up_only_for_a_solution():
    stock = inventory(devices_slice(device("big", attributes={"size": 2}), device("small", attributes={"size": 1})))
    big = 'device.attributes["d.io"].size == 2'
    wanted = claim(first_of("r1", alternative("big", selects=[big]), alternative("any")), exactly("r2", selects=[big]))
    assert picked(attempt(stock, wanted)) == ["r1/any=small", "r2=big"]


def test_r12_all_of_nothing_fails_and_r14_counts_only_what_it_finds():
    stock = inventory(devices_slice(device("a"), device("b")))
    assert picked(attempt(stock, claim(everything()))) == ["r=a", "r=b"]
    assert isinstance(attempt(stock, claim(everything(selects=["false"]))), Unallocatable)


def test_devices_of_another_node_are_not_seen():
    stock = inventory(devices_slice(device("a")))
    assert attempt(stock, claim(exactly()), node=N2) == Unallocatable("none", 1)


def test_s1_the_budget_is_kept():
    stock = inventory(devices_slice(device("a"), device("b"), device("c")))
    assert attempt(stock, claim(exactly(count=2)), budget=3) == StepsSpent(3)
    assert picked(attempt(stock, claim(exactly(count=2)), budget=5)) == ["r=a", "r=b"]


def test_asking_twice_gives_the_same_answer_twice():
    stock = inventory(devices_slice(device("a", shared=True, capacity={"m": "4"}), device("b")))
    wanted = claim(exactly("x", capacity={"m": "2"}), exactly("y", 2))
    assert attempt(stock, wanted) == attempt(stock, wanted)
