"""Every demand and constraint has an address, and the rest can be asked without it."""

from __future__ import annotations

from dravite.allocator.allocate import allocate
from dravite.allocator.demands import ClaimSource
from dravite.allocator.outcomes import Unallocatable
from dravite.allocator.problem import Problem, prepare
from dravite.api.meta import ObjectRef
from dravite.diagnosis.verdicts import AttemptError
from dravite.snapshot.usage import allocated_state
from tests.allocator.situations import (
    FEATURES,
    N1,
    DeviceRequest,
    alternative,
    claim,
    device,
    devices_slice,
    everything,
    exactly,
    first_of,
    holding,
    inventory,
    picked,
    problem,
)

REQUESTS = "spec.devices.requests"


def asked():
    return claim(
        exactly("a", 2, ['device.driver == "x.io"'], {"m": "1Gi"}, device_class_name="c0"),
        first_of("b", alternative("x", selects=["false"]), alternative("y", 0, allocation_mode="All")),
        match=["d.io/k"],
    )


def paths(made: Problem) -> list[str]:
    return [one.path for one in made.constraint_ids()]


def stock(count=1):
    return inventory(devices_slice(*(device(f"d{i}") for i in range(count))), class_selectors=["true"])


def test_everything_that_was_asked_has_an_address():
    assert paths(problem(stock(), asked())) == [
        f"{REQUESTS}[0]",
        f"{REQUESTS}[0].exactly.count",
        "spec.selectors[0].cel.expression",
        f"{REQUESTS}[0].exactly.selectors[0].cel.expression",
        f"{REQUESTS}[0].exactly.capacity.requests[m]",
        f"{REQUESTS}[1]",
        f"{REQUESTS}[1].firstAvailable[0].count",
        f"{REQUESTS}[1].firstAvailable[0].selectors[0].cel.expression",
        f"{REQUESTS}[1].firstAvailable[1].allocationMode",
        "spec.devices.constraints[0].matchAttribute",
    ]


def test_the_address_is_in_the_template_that_was_written():
    template = ObjectRef("ResourceClaimTemplate", "ns", "t")
    made = prepare([claim(exactly())], stock(), [ClaimSource(template, "spec.spec")])
    assert isinstance(made, Problem)
    assert [(one.object, one.path) for one in made.constraint_ids()][1] == (
        template,
        "spec.spec.devices.requests[0].exactly.count",
    )


def switched_off(made: Problem, *which: str) -> Problem:
    return made.without(one for one in made.constraint_ids() if one.path.endswith(which))


def test_without_its_count_a_request_wants_one_device():
    made = problem(stock(1), claim(exactly(count=3)))
    assert isinstance(allocate(made, N1), Unallocatable)
    assert picked(allocate(switched_off(made, ".count"), N1)) == ["r=d0"]


def test_without_its_mode_all_wants_any_one():
    busy = inventory(devices_slice(device("d0"), device("d1")), allocated=[holding("d0")])
    made = problem(busy, claim(everything()))
    assert isinstance(allocate(made, N1), Unallocatable)
    assert picked(allocate(switched_off(made, ".allocationMode"), N1)) == ["r=d1"]


def test_without_a_selector_a_request_takes_what_it_refused():
    made = problem(stock(), claim(exactly(selects=["false"])))
    assert picked(allocate(switched_off(made, ".expression"), N1)) == ["r=d0"]


def test_without_a_request_the_others_are_served():
    made = problem(stock(), claim(exactly("a"), exactly("b")))
    assert isinstance(allocate(made, N1), Unallocatable)
    assert picked(allocate(switched_off(made, "requests[0]"), N1)) == ["b=d0"]


def test_without_a_constraint_its_attribute_is_not_missed():
    made = problem(stock(), claim(exactly(), match=["d.io/k"]))
    assert isinstance(allocate(made, N1), Unallocatable)
    assert picked(allocate(switched_off(made, ".matchAttribute"), N1)) == ["r=d0"]


def test_what_is_off_stays_off():
    made = switched_off(switched_off(problem(stock(), asked()), ".matchAttribute"), ".expression")
    assert not [one for one in paths(made) if one.endswith((".matchAttribute", ".expression"))]


def test_the_same_claims_can_be_asked_against_other_allocations():
    made = problem(stock(), claim(exactly()))
    taken = made.inventory.with_usage(allocated_state([holding("d0")], FEATURES))
    assert isinstance(allocate(made.on(taken), N1), Unallocatable)
    assert picked(allocate(made, N1)) == ["r=d0"]


def test_r2_a_request_for_nothing_is_an_error_before_any_node():
    made = prepare([claim(DeviceRequest(name="r"))], stock())
    assert isinstance(made, AttemptError)
    assert (made.kind, made.request) == ("request", "r")
