"""What an expression reads of a device: never too little, so one evaluation can serve all devices that agree in it."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from dravite.api.quantity import Quantity
from dravite.api.resource_v1 import Device, DeviceAttribute, DeviceCapacity
from dravite.cel import Program, activate, compile_selector, evaluate_selector
from dravite.cel.device import Activation

_DOMAINS = ("a.example.com", "b.example.com")
_NAMES = ("x", "y", "z")
_D = 'device.attributes["a.example.com"]'
_C = 'device.capacity["a.example.com"]'

Reads = frozenset[tuple[str, ...]]


def program(text: str) -> Program:
    found = compile_selector(text)
    assert isinstance(found, Program), found
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("true", []),
        ('device.driver == "d"', ["driver"]),
        ("device.allowMultipleAllocations", ["allowMultipleAllocations"]),
        (f"{_D}.x == 1 && {_C}.y.isInteger()", ["attributes a.example.com x", "capacity a.example.com y"]),
        (f'has({_D}.x) || "y" in {_D}', ["attributes a.example.com x", "attributes a.example.com y"]),
        (f"cel.bind(d, {_D}, d.x == d.y)", ["attributes a.example.com x", "attributes a.example.com y"]),
        (f"{_D}.?x.optMap(v, v + 1).orValue(2) == 3", ["attributes a.example.com x"]),
        (f"{_D}.x.exists(v, v == 1)", ["attributes a.example.com x"]),
        (f"{_D}.size() == 1", ["attributes a.example.com"]),
        (f"{_D}.exists(name, name == 'x')", ["attributes a.example.com"]),
        ('"a.example.com" in device.attributes', ["attributes a.example.com"]),
        ("device.attributes[device.driver].x == 1", ["attributes", "driver"]),
        ("[1].exists(device, device == 1)", []),
        ("[1].exists(device, .device.driver == 'd')", ["driver"]),
    ],
    ids=repr,
)
def test_the_parts_that_are_read(text: str, expected: list[str]) -> None:
    reads = program(text).reads
    assert reads is not None
    assert sorted(" ".join(part) for part in reads) == expected


@pytest.mark.parametrize("text", ["type(device) == type(1)", "device == device", "[device].size() == 1"])
def test_a_device_as_a_whole_has_no_parts(text: str) -> None:
    assert program(text).reads is None


_TEMPLATES = (
    "{m}.x == 1",
    "has({m}.x)",
    '"x" in {m}',
    "{m}.?x.orValue(1) == 1",
    "size({m}) > 1",
    '{m}["y"] == {m}["x"]',
    "cel.bind(b, {m}, has(b.x) && b.x == 2)",
    "{m}.exists(k, k == 'y')",
    "{m}.x.includes(1)",
    "{m}[?'x'].hasValue()",
    "{m} == {m}",
    "{m}.all(k, v, v == 1)",
    "(device.driver == 'd' ? {m} : {{}}) == {{}}",
    "dyn({m}).x == 1",
    "{m}[string('x')] == 1",
    "device.driver == 'd'",
    "'a.example.com' in device.attributes",
    "size(device.attributes) == 1",
    "device.attributes[device.driver].y == 1",
    "device.allowMultipleAllocations",
    "cel.bind(d, device, has(d.attributes.q.x))",
)
_MAPS = (_D, _C, 'device.attributes["b.example.com"]', 'device.attributes["no.example.com"]')
_CLAUSES = sorted({template.format(m=m) for template in _TEMPLATES for m in _MAPS})
_SELECTORS = [clause for clause in _CLAUSES if isinstance(compile_selector(clause), Program)]
expressions = st.lists(st.sampled_from(_SELECTORS), min_size=1, max_size=3).flatmap(
    lambda clauses: st.sampled_from([" && ", " || "]).map(lambda sign: sign.join(f"({c})" for c in clauses))
)

_values = st.one_of(
    st.integers(1, 2).map(lambda value: DeviceAttribute(int_value=value)),
    st.booleans().map(lambda value: DeviceAttribute(bool_value=value)),
    st.just(DeviceAttribute(int_values=(1, 2))),
)
_amounts = st.integers(1, 2).map(lambda whole: DeviceCapacity(value=Quantity.of(whole)))
_full_names = st.builds("/".join, st.tuples(st.sampled_from(_DOMAINS), st.sampled_from(_NAMES)))
devices = st.builds(
    lambda attributes, capacity, shared: Device(
        name="gpu-0", attributes=attributes, capacity=capacity, allow_multiple_allocations=shared
    ),
    st.dictionaries(_full_names, _values, max_size=5),
    st.dictionaries(_full_names, _amounts, max_size=3),
    st.booleans(),
)
drivers = st.sampled_from(("d", "a.example.com"))


def agreeing(reads: Reads, first: Device, second: Device) -> Device:
    """The second device, changed to agree with the first one in everything that is read."""

    def merged(field: str, ours: dict[str, object], theirs: dict[str, object]) -> dict[str, object]:
        def is_read(name: str) -> bool:
            domain, _, rest = name.partition("/")
            return any(part in reads for part in ((field,), (field, domain), (field, domain, rest)))

        kept = {name: value for name, value in ours.items() if is_read(name)}
        return {**{name: value for name, value in theirs.items() if not is_read(name)}, **kept}

    shared = first if ("allowMultipleAllocations",) in reads else second
    return msgspec.structs.replace(
        second,
        attributes=merged("attributes", dict(first.attributes), dict(second.attributes)),
        capacity=merged("capacity", dict(first.capacity), dict(second.capacity)),
        allow_multiple_allocations=shared.allow_multiple_allocations,
    )


@given(expressions, devices, devices, drivers, drivers)
def test_agreement_in_the_parts_is_agreement_in_the_answer(
    text: str, first: Device, second: Device, driver: str, other_driver: str
) -> None:
    selector = program(text)
    assert selector.reads is not None
    twin = agreeing(selector.reads, first, second)
    twin_driver = driver if ("driver",) in selector.reads else other_driver
    one, other = activate(driver, first), activate(twin_driver, twin)
    assert isinstance(one, Activation)
    assert isinstance(other, Activation)
    answer = evaluate_selector(selector, one)
    event(type(answer).__name__)
    assert answer == evaluate_selector(selector, other)


def test_the_selectors_reach_every_answer() -> None:
    sample = Device(name="gpu-0", attributes={"a.example.com/x": DeviceAttribute(int_value=1)})
    activation = activate("d", sample)
    assert isinstance(activation, Activation)
    answers = {type(evaluate_selector(program(text), activation)).__name__ for text in _SELECTORS}
    assert answers == {"bool", "CelError"}
    assert len(_SELECTORS) > 40
