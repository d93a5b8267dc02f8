"""What one request takes of a device's capacity (CAP-2 to CAP-6, CAP-18), and what is then left (CAP-7, CAP-8)."""

from __future__ import annotations

import pytest

from dravite.allocator.capacity import CapacityFault, CapacityRefused, consumption
from dravite.allocator.demands import CapacityDemand
from dravite.allocator.outcomes import Allocation, Unallocatable
from dravite.api.meta import ObjectRef
from dravite.diagnosis.reasons import ConstraintID
from tests.allocator.situations import (
    attempt,
    claim,
    device,
    devices_slice,
    everything,
    exactly,
    holding,
    inventory,
    picked,
    policy,
    quantity,
    share,
)

NO_POLICY = None
STEPS = policy("2", low="2", step="3", high="8")
FRACTIONS = policy("500m", low="500m", step="250m", high="4")
VALUES = policy("2", values=["2", "8"])


def amount(value, rule, request, *, fractional=False):
    demands = ()
    if request is not None:
        place = ConstraintID(ObjectRef("ResourceClaim", "ns", "c"), "spec")
        demands = (CapacityDemand(place, "m", quantity(request)),)
    found = consumption(device("d", capacity={"m": (value, rule)}), demands, fractional=fractional)
    if isinstance(found, tuple):
        return found[0].taken.text
    return found.reason if isinstance(found, CapacityRefused) else found.text.partition(": ")[2]


@pytest.mark.parametrize(
    ("value", "rule", "request_", "taken"),
    [
        ("10", NO_POLICY, None, "10"),
        ("10", NO_POLICY, "3", "3"),
        ("10", NO_POLICY, "11", "small"),
        ("10", NO_POLICY, "-1", "capacity value is negative"),
        ("10", NO_POLICY, "100E", "small"),
        ("20", STEPS, None, "2"),
        ("20", STEPS, "1", "2"),
        ("20", STEPS, "-1", "2"),
        ("20", STEPS, "4", "5"),
        ("20", STEPS, "6", "8"),
        ("20", STEPS, "9", "policy"),
        ("20", VALUES, "3", "8"),
        ("20", VALUES, "9", "policy"),
        ("20", policy("4", low="2", high="8"), "9", "policy"),
        ("20", policy("3", low="2", step="4"), None, "3"),
        ("20", policy(None, low="2", step="4"), None, "policy"),
        ("8Gi", policy("1Ki", low="1Ki", step="1024", high="1Mi"), "1500", "2048"),
        ("8Gi", policy("1024", low="1024", step="1Ki", high="1Mi"), "1500", "2Ki"),
        ("8Gi", policy("1e3", low="1e3", step="1e3", high="8e3"), "1500", "2e3"),
        ("8", FRACTIONS, "600m", "1"),
    ],
)
def test_cap4_an_amount_is_rounded_as_its_policy_says(value, rule, request_, taken):
    assert amount(value, rule, request_) == taken


@pytest.mark.parametrize(
    ("request_", "taken"), [("600m", "750m"), ("900m", "1"), ("4100m", "policy"), ("100u", "500m")]
)
def test_cap18_ranges_are_computed_in_thousandths_where_they_can(request_, taken):
    assert amount("8", FRACTIONS, request_, fractional=True) == taken


ARITHMETIC = "capacity request cannot be represented in the device's range arithmetic: "


@pytest.mark.parametrize(
    ("request_", "fractional", "text"),
    [
        ("10E", False, "request 10E exceeds MaxInt64"),
        ("10E", True, "request 10E is not a representable milli value"),
        ("2500500u", True, "request 2500500u is not a representable milli value"),
        ("9223372036854775807", False, "rounding request 9223372036854775807 up to the next step passes MaxInt64"),
    ],
)
def test_cap18_what_the_arithmetic_cannot_say_is_an_error(request_, fractional, text):
    open_ended = policy("2", low="2", step="3")
    assert amount("9E", open_ended, request_, fractional=fractional) == ARITHMETIC + text


def test_cap2_a_missing_capacity_comes_before_an_error():
    place = ConstraintID(ObjectRef("ResourceClaim", "ns", "c"), "spec")
    demands = (CapacityDemand(place, "m", quantity("-1")), CapacityDemand(place, "other", quantity("1")))
    found = consumption(device("d", capacity={"m": "4"}), demands, fractional=False)
    assert found == CapacityRefused("missing", "other")


def test_a_range_that_crashes_kubernetes_is_an_error():
    assert isinstance(
        consumption(
            device("d", capacity={"m": ("8", policy("2", step="2", high="8"))}),
            (CapacityDemand(ConstraintID(ObjectRef("", "", ""), ""), "m", quantity("3")),),
            fractional=False,
        ),
        CapacityFault,
    )


def test_cap7_shares_of_all_claims_add_up():
    stock = inventory(
        devices_slice(device("d", capacity={"m": "10"}, shared=True)), allocated=[holding(share("d", m="5"))]
    )
    assert picked(attempt(stock, claim(exactly("a", capacity={"m": "3"}), exactly("b", capacity={"m": "2"})))) == [
        "a=d",
        "b=d",
    ]
    assert isinstance(
        attempt(stock, claim(exactly("a", capacity={"m": "3"}), exactly("b", capacity={"m": "3"}))), Unallocatable
    )


def test_cap9_a_share_lists_every_capacity_of_the_device():
    stock = inventory(devices_slice(device("d", capacity={"m": "10", "n": ("4", policy("1", low="0"))}, shared=True)))
    outcome = attempt(stock, claim(exactly(capacity={"m": "3"})))
    assert isinstance(outcome, Allocation)
    (result,) = outcome.results[0].devices.results
    assert (result.share_id, {k: v.text for k, v in result.consumed_capacity.items()}) == (
        "share-1",
        {"m": "3", "n": "1"},
    )


def test_cap12_one_request_takes_a_shared_device_once():
    stock = inventory(devices_slice(device("d", shared=True)))
    assert isinstance(attempt(stock, claim(exactly(count=2))), Unallocatable)
    assert picked(attempt(stock, claim(exactly("a"), exactly("b")))) == ["a=d", "b=d"]


def test_r10_all_counts_an_exhausted_device_and_fails():
    stock = inventory(
        devices_slice(
            device("full", capacity={"m": "4"}, shared=True), device("small", capacity={"m": "1"}, shared=True)
        ),
        allocated=[holding(share("full", m="4"))],
    )
    assert isinstance(attempt(stock, claim(everything(capacity={"m": "2"}))), Unallocatable)
    assert picked(attempt(stock, claim(everything(capacity={"m": "0"})))) == ["r=full", "r=small"]
