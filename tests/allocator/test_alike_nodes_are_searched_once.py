"""A fleet gives every node the allocator's own answer, and searches only where no node alike was searched before."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from conformance.differ import plain_difference
from conformance.questions import scenario
from dravite.allocator.allocate import allocate
from dravite.allocator.fleet import Fleet
from dravite.allocator.outcomes import Allocation
from dravite.api.core_v1 import Node
from dravite.api.meta import ObjectMeta
from dravite.api.resource_v1 import DeviceAttribute
from dravite.diagnosis.verdicts import AttemptError
from dravite.snapshot.persistent import PersistentMap
from tests.allocator.situations import (
    alternative,
    claim,
    device,
    devices_slice,
    everything,
    exactly,
    first_of,
    holder,
    inventory,
    picked,
    problem,
)

NODES = tuple(Node(metadata=ObjectMeta(name=f"n{number}")) for number in range(6))


def gpus(node, *kinds):
    """One device per kind; no two in the cluster have the same uuid."""
    made = (
        device(f"d{index}", attributes={"kind": kind, "uuid": f"{node.metadata.name}-{index}"})
        for index, kind in enumerate(kinds)
    )
    name = node.metadata.name
    return devices_slice(*made, name=name, pool=name, node_name=name)


def cluster(*kinds, **more):
    return inventory(*(gpus(node, *kinds) for node in NODES), **more)


def asked(stock, *requests, **constraints):
    return problem(stock, claim(*requests, **constraints))


KIND_A = ['device.attributes["d.io"].kind == "a"']


def test_nodes_that_differ_in_what_nobody_reads_are_searched_once():
    stock = cluster("b", "a", "a")
    fleet, question = Fleet(NODES, stock), asked(stock, exactly("r", 2, KIND_A))
    assert fleet.ask(question).fit == 0b111111
    assert (fleet.effort.asked, fleet.effort.searched) == (6, 1)
    for position, node in enumerate(NODES):
        assert fleet.outcome(question, position) == allocate(question, node)
    assert picked(fleet.outcome(question, 5)) == ["r=d1", "r=d2"]
    assert fleet.effort.searched == 1


def test_values_of_a_constraint_are_only_compared():
    stock = cluster("a", "a")
    fleet, question = Fleet(NODES, stock), asked(stock, exactly("r", 2), distinct=["d.io/uuid"])
    assert fleet.ask(question).fit == 0b111111
    assert fleet.effort.searched == 1
    assert fleet.ask(asked(stock, exactly("r", 2), match=["d.io/uuid"])).fit == 0


def test_a_selector_that_reads_what_differs_is_judged_on_every_node():
    stock = cluster("a")
    fleet = Fleet(NODES, stock)
    answers = fleet.ask(asked(stock, exactly(selects=['device.attributes["d.io"].uuid == "n3-0"'])))
    assert (answers.fit, answers.first) == (0b001000, 3)
    assert fleet.effort.searched == 2


def test_only_nodes_that_changed_are_asked_again():
    stock = cluster("a", "a")
    fleet, question = Fleet(NODES, stock), asked(stock, exactly())
    for number, (fits, expected) in enumerate([(0b111111, 0), (0b111111, 0), (0b111110, 1), (0b111110, 1)]):
        question = question.on(stock)
        answers = fleet.ask(question)
        assert (answers.fit, answers.first) == (fits, expected)
        outcome = fleet.outcome(question, expected)
        assert isinstance(outcome, Allocation)
        stock = stock.with_usage(stock.usage.with_claim(holder(str(number)), outcome.results[0]))
    assert fleet.effort.searched == 3
    assert fleet.effort.asked == 6 + 3 + 4  # all nodes, one after each change but the last, and four outcomes
    freed = stock.with_usage(stock.usage.without_claim(holder("0")))
    assert fleet.ask(question.on(freed)).fit == 0b111101


def test_going_back_to_an_earlier_state_gives_the_earlier_answers():
    before = cluster("a")
    fleet, question = Fleet(NODES, before), asked(before, exactly())
    outcome = fleet.ask(question) and fleet.outcome(question, 0)
    after = before.with_usage(before.usage.with_claim(holder(), outcome.results[0]))
    assert fleet.ask(question.on(after)).fit == 0b111110
    assert fleet.ask(question.on(before)).fit == 0b111111
    assert fleet.ask(question.on(after)).fit == 0b111110


def test_claims_of_one_shape_share_answers_and_keep_their_names():
    stock = cluster("a")
    fleet = Fleet(NODES, stock)
    first, second = (problem(stock, claim(exactly(), name=name)) for name in ("one", "two"))
    fleet.ask(first)
    fleet.ask(second)
    assert (fleet.effort.asked, fleet.effort.searched) == (6, 1)


def test_an_error_is_told_of_each_node_in_its_own_words():
    stock = cluster("a", "a")
    fleet, question = Fleet(NODES, stock), asked(stock, exactly(selects=['device.attributes["d.io"].numa == 1']))
    answers = fleet.ask(question)
    assert (answers.fit, answers.unsure, answers.first) == (0, 0b111111, 0)
    errors = [fleet.outcome(question, position) for position in (0, 4)]
    assert all(isinstance(error, AttemptError) for error in errors)
    assert [error.device for error in errors] == ["d.io/n0/d0", "d.io/n4/d0"]


def test_an_error_that_is_not_reached_does_not_part_nodes():
    stock = inventory(*(gpus(node, "a", DeviceAttribute(int_value=1)) for node in NODES))
    fleet, question = Fleet(NODES, stock), asked(stock, exactly(selects=KIND_A))
    assert fleet.ask(question).fit == 0b111111
    assert fleet.effort.searched == 1


def test_faulty_claims_are_asked_of_every_node_alone():
    stock = cluster("a")
    fleet, question = Fleet(NODES, stock), asked(stock, exactly(device_class_name="missing"))
    assert fleet.ask(question).unsure == 0b111111
    assert (fleet.effort.asked, fleet.effort.alone) == (6, 6)
    assert fleet.outcome(question, 2).message == allocate(question, NODES[2]).message


def test_a_device_of_all_nodes_changes_for_all_of_them():
    stock = inventory(devices_slice(device("d"), all_nodes=True))
    fleet, question = Fleet(NODES, stock), asked(stock, first_of("r", alternative("x", 2), alternative("y", 1)))
    assert fleet.ask(question).fit == 0b111111
    outcome = fleet.outcome(question, 3)
    taken = stock.with_usage(stock.usage.with_claim(holder(), outcome.results[0]))
    assert fleet.ask(question.on(taken)).fit == 0
    assert (fleet.effort.asked, fleet.effort.searched) == (6 + 1 + 6, 2)


def test_all_is_refused_where_a_pool_is_not_ready():
    broken = msgspec.structs.replace(gpus(NODES[2], "a"), metadata=ObjectMeta(name="other"))
    stock = inventory(*(gpus(node, "a") for node in NODES), broken)
    answers = Fleet(NODES, stock).ask(asked(stock, everything()))
    assert (answers.fit, answers.unsure) == (0b111011, 0b000100)


@pytest.mark.parametrize("part", range(4))
def test_random_clusters_are_answered_as_by_a_search_without_shortcuts(part):
    seen: Counter[str] = Counter()
    for seed in range(part * 100, part * 100 + 100):
        assert plain_difference(scenario(seed), seen) == ""
    assert seen["Allocation"] > 100
    assert seen["Unallocatable"] > 100
    assert seen["error selector-runtime"] > 10
    assert seen["fleet searched"] < 0.95 * seen["fleet asked"]


def test_maps_tell_where_they_differ():
    one = PersistentMap({number: str(number) for number in range(1000)})
    other = one.changed({7: "seven", 8: None, 2000: "new"})
    assert sorted(one.differing(other)) == sorted(other.differing(one)) == [7, 8, 2000]
    assert list(one.differing(one)) == []
