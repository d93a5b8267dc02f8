"""matchAttribute and distinctAttribute, device by device (CON-4 to CON-13)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dravite.allocator.constraints import UNREADABLE, constraint_state, read_derived, read_scalar, read_set
from dravite.allocator.outcomes import Unallocatable
from dravite.api.resource_v1 import DeviceAttribute
from dravite.api.semver import Semver
from dravite.diagnosis.verdicts import AttemptError
from tests.allocator.situations import (
    FEATURES,
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

LISTS = FEATURES | {"ListTypeAttributes"}


def numbered(*values):
    return devices_slice(*(device(f"d{i}", attributes={"k": value}) for i, value in enumerate(values)))


def lists(*values):
    return numbered(*(DeviceAttribute(int_values=tuple(value)) for value in values))


@pytest.mark.parametrize(
    ("attribute", "scalar", "values"),
    [
        (DeviceAttribute(int_value=1), ("int", 1), ("int", frozenset({1}))),
        (DeviceAttribute(version_value="1.0.0+a"), ("version", "1.0.0+a"), ("version", frozenset({"1.0.0+a"}))),
        (DeviceAttribute(string_values=("a", "a")), UNREADABLE, ("string", frozenset({"a"}))),
        (DeviceAttribute(int_values=()), UNREADABLE, None),
        (DeviceAttribute(), UNREADABLE, None),
    ],
)
def test_con5_con7_how_an_attribute_reads(attribute, scalar, values):
    assert (read_scalar(attribute), read_set(attribute)) == (scalar, values)


@pytest.mark.parametrize(
    ("value", "scalar", "values"),
    [
        (True, ("bool", True), ("bool", frozenset({True}))),
        (7, ("int", 7), ("int", frozenset({7}))),
        (Semver.parse("1.2.3"), ("version", "1.2.3"), ("version", frozenset({"1.2.3"}))),
        (("a", "b"), UNREADABLE, ("string", frozenset({"a", "b"}))),
        ((), UNREADABLE, None),
    ],
)
def test_a_derived_value_reads_as_a_published_one(value, scalar, values):
    assert (read_derived(value, lists=False), read_derived(value, lists=True)) == (scalar, values)


def test_con5_one_and_true_are_different_values():
    assert isinstance(attempt(inventory(numbered(1, True)), claim(exactly(count=2), match=["d.io/k"])), Unallocatable)


def test_con10_the_wider_intersection_comes_back():
    stock = inventory(lists([1, 2], [1], [2], [2]), features=LISTS)
    assert picked(attempt(stock, claim(exactly(count=3), match=["d.io/k"]))) == ["r=d0", "r=d2", "r=d3"]


def test_con11_a_third_device_is_compared_with_the_first():
    stock = inventory(numbered(1, 2, 1))
    assert isinstance(attempt(stock, claim(exactly(count=3), distinct=["d.io/k"])), Unallocatable)


def test_con4_a_missing_attribute_is_refused_even_alone():
    stock = inventory(devices_slice(device("bare"), device("good", attributes={"k": 1})))
    assert picked(attempt(stock, claim(exactly(), distinct=["d.io/k"]))) == ["r=good"]


def test_r13_all_turns_a_broken_constraint_into_an_error_even_before_an_alternative():
    stock = inventory(numbered(1, 2))
    wanted = claim(first_of("r", alternative("all", 0, allocation_mode="All"), alternative("one")), match=["d.io/k"])
    outcome = attempt(stock, wanted)
    assert isinstance(outcome, AttemptError)
    assert outcome.message == (
        "claim ns/claim, request all: cannot add device d.io/pool/d1 because a claim constraint would not be satisfied"
    )
    assert picked(attempt(stock, claim(everything(), distinct=["d.io/k"]))) == ["r=d0", "r=d1"]


readings = st.tuples(st.sampled_from(["int", "string"]), st.integers(0, 3))
sets = st.tuples(st.sampled_from(["int", "string"]), st.frozensets(st.integers(0, 3), min_size=1))


@given(kind=st.sampled_from(["match", "distinct"]), use_lists=st.booleans(), data=st.data())
def test_con13_what_is_given_up_leaves_no_trace(kind, use_lists, data):
    """A state after any adds and pops decides as one that only ever saw what is left."""
    state, left = constraint_state(kind, lists=use_lists), []
    values = sets if use_lists else st.one_of(readings, st.just(UNREADABLE))
    for value in data.draw(st.lists(st.one_of(values, st.none()), max_size=12)):
        if value is None:
            if left:
                state.pop()
                left.pop()
        elif state.add(value):
            left.append(value)
    fresh = constraint_state(kind, lists=use_lists)
    assert all(fresh.add(value) for value in left)
    probe = data.draw(values)
    assert state.add(probe) == fresh.add(probe)
