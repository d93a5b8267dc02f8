"""What a selector sees of a device, and what it is told about things that a device does not have (CEL-8 to CEL-14)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dravite.api.quantity import Quantity
from dravite.api.resource_v1 import Device, DeviceAttribute, DeviceCapacity
from dravite.api.semver import Semver
from dravite.cel import CelError, activate, evaluate_selector
from tests.cel.gpus import DRIVER, A, C, activation, program, ran, verdict


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("device.driver == 'gpu.example.com'", True),
        ("device.allowMultipleAllocations", False),
        (f"{A}.text", "abc"),
        (f"{A}.empty", ""),
        (f"{A}.five", 5),
        (f"{A}.yes", True),
        (f"{A}.version", Semver.parse("1.2.3")),
        (f"{A}.ints", (1, 2, 3)),
        (f"{A}.texts", ("a", "b")),
        (f"{C}.memory == quantity('40Gi')", True),
    ],
    ids=str,
)
def test_cel_11_each_field_has_its_type(text: str, value: object) -> None:
    found = ran(text).value
    assert (type(found), found) == (type(value), value)


def test_sharing_is_false_where_nothing_is_said() -> None:
    shared = Device(name="gpu-0", allow_multiple_allocations=True)
    assert verdict("device.allowMultipleAllocations") is False
    assert verdict("device.allowMultipleAllocations", shared) is True


def test_cel_8_names_without_a_domain_belong_to_the_driver() -> None:
    assert verdict('device.attributes["rack.example.com"].row == 7') is True
    assert verdict('"row" in device.attributes["gpu.example.com"]') is False
    assert verdict("device.attributes.map(domain, domain) == ['gpu.example.com', 'rack.example.com']") is True


def test_cel_8_only_the_first_slash_splits() -> None:
    device = Device(name="gpu-0", attributes={"rack.example.com/a/b": DeviceAttribute(int_value=1)})
    assert verdict('device.attributes["rack.example.com"]["a/b"] == 1', device) is True


@pytest.mark.parametrize("names", [("size", f"{DRIVER}/size"), (f"{DRIVER}/size", "size")], ids=str)
def test_cel_9_the_qualified_name_wins(names: tuple[str, str]) -> None:
    qualified = {name: len(name) for name in names}
    device = Device(
        name="gpu-0",
        attributes={name: DeviceAttribute(int_value=value) for name, value in qualified.items()},
        capacity={name: DeviceCapacity(value=Quantity.of(value)) for name, value in qualified.items()},
    )
    assert verdict(f"{A}.size == 20 && {C}.size == quantity('20')", device) is True


@pytest.mark.parametrize(
    ("attribute", "message"),
    [
        (DeviceAttribute(), "attribute bad: unsupported attribute value"),
        (
            DeviceAttribute(version_value="1.2"),
            "attribute bad: parse semantic version: No Major.Minor.Patch elements found",
        ),
        (
            DeviceAttribute(version_values=("1.2.3", "01.0.0")),
            'attribute bad: parse semantic version: Major number must not contain leading zeroes "01"',
        ),
    ],
    ids=["nothing", "version", "one of a list"],
)
def test_cel_10_one_bad_attribute_breaks_the_whole_device(attribute: DeviceAttribute, message: str) -> None:
    device = Device(name="gpu-0", attributes={"good": DeviceAttribute(int_value=1), "bad": attribute})
    error = activate(DRIVER, device)
    assert isinstance(error, CelError)
    assert (error.phase, error.message) == ("runtime", message)


def test_cel_10_the_first_field_that_is_set_counts() -> None:
    device = Device(
        name="gpu-0",
        attributes={
            "list": DeviceAttribute(int_values=(), string_value="ignored"),
            "single": DeviceAttribute(int_value=0, bool_value=True, version_value="ignored"),
        },
    )
    assert verdict(f"{A}.list == []", device) is True
    assert verdict(f"{A}.single == 0", device) is True


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('device.attributes["no.example.com"] == {}', True),
        ('device.capacity["no.example.com"].size() == 0', True),
        ('"no.example.com" in device.attributes', False),
        ("device.attributes.size() == 2", True),
        ('has(device.attributes["no.example.com"].x)', False),
        ('device.attributes["no.example.com"].?x.orValue(4) == 4', True),
        ("has(device.attributes.zzz)", True),
        ('device.attributes[?"no.example.com"].hasValue()', True),
        ("has(device.driver)", True),
    ],
    ids=str,
)
def test_cel_12_to_14_an_unknown_domain_is_empty_but_no_member(text: str, answer: bool) -> None:
    assert verdict(text) is answer


def test_a_device_without_anything_has_no_domains() -> None:
    assert verdict("device.attributes.size() + device.capacity.size() == 0", Device(name="gpu-0")) is True


def test_one_activation_serves_any_number_of_selectors() -> None:
    active = activation()
    for text, answer in ((f"{A}.five == 5", True), (f"{A}.five == 6", False), (f"{C}.memory.isInteger()", True)) * 2:
        assert evaluate_selector(program(text), active) is answer


names = st.sampled_from(("a", "b", "gpu.example.com/a", "rack.example.com/a", "rack.example.com/b"))


@settings(deadline=None)
@given(st.dictionaries(names, st.integers(0, 3)))
def test_the_order_of_attributes_does_not_matter(values: dict[str, int]) -> None:
    one, other = (
        Device(name="gpu-0", attributes={name: DeviceAttribute(int_value=value) for name, value in items})
        for items in (values.items(), reversed(values.items()))
    )
    listing = "device.attributes.transformList(domain, ids, ids.transformList(id, value, [domain, id, string(value)]))"
    assert ran(f"dyn({listing})", one) == ran(f"dyn({listing})", other)
