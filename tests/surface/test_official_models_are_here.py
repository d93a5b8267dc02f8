"""`dravite.compat.kubernetes` against the published package: classes, names, types, and what the client does."""

from __future__ import annotations

import copy
import json
import pickle
from datetime import UTC, datetime
from typing import Any

import pytest
from client_tables import official

from dravite.compat import kubernetes as client

STATUS = {"driver": "d", "pool": "p", "device": "x"}


def faults(make: Any, *arguments: Any, **given: Any) -> list[tuple[str, tuple[Any, ...]]]:
    with pytest.raises(client.ValidationError) as caught:
        make(*arguments, **given)
    return [(fault["type"], fault["loc"]) for fault in caught.value.errors()]


def test_there_is_every_class_of_the_client_and_no_other() -> None:
    assert sorted(official()) == sorted(name for name in client.__all__ if name != "ValidationError")


@pytest.mark.parametrize("name", official())
def test_a_class_has_the_attributes_of_the_client_in_its_order(name: str) -> None:
    ours = getattr(client, name)
    assert list(ours.attribute_map.items()) == [(field.name, field.wire) for field in official()[name]]
    types = {attribute: kind.replace(" ", "") for attribute, kind in ours.openapi_types.items()}
    assert types == {field.name: field.type for field in official()[name]}


@pytest.mark.parametrize("name", official())
def test_a_class_requires_what_the_client_requires(name: str) -> None:
    required = [field.wire for field in official()[name] if field.required]
    made = getattr(client, name)
    if required:
        assert faults(made) == [("missing", (wire,)) for wire in required]
    else:
        assert made().to_json() == "{}"


def test_either_spelling_makes_the_same_object() -> None:
    assert client.V1AllocatedDeviceStatus(**STATUS, share_id="s") == client.V1AllocatedDeviceStatus(
        **STATUS, shareID="s"
    )
    assert faults(client.V1AllocatedDeviceStatus, **STATUS, share_id="s", shareID="s") == [
        ("extra_forbidden", ("share_id",))
    ]


def test_arguments_have_names() -> None:
    with pytest.raises(TypeError, match="takes 1 positional argument but 2 were given"):
        client.V1Counter("1")


def test_every_fault_is_told_at_once_with_its_place() -> None:
    assert faults(client.V1AllocatedDeviceStatus, driver=1, pool=None, foo=1, conditions=[{"type": "Ready"}, 3]) == [
        ("missing", ("conditions", 0, "lastTransitionTime")),
        ("missing", ("conditions", 0, "message")),
        ("missing", ("conditions", 0, "reason")),
        ("missing", ("conditions", 0, "status")),
        ("model_type", ("conditions", 1)),
        ("missing", ("device",)),
        ("string_type", ("driver",)),
        ("string_type", ("pool",)),
        ("extra_forbidden", ("foo",)),
    ]


def test_errors_read_like_those_of_the_client() -> None:
    with pytest.raises(ValueError, match="validation error") as caught:
        client.V1DeviceTaint(key="a", effect=3)
    assert str(caught.value) == (
        "1 validation error for V1DeviceTaint\n"
        "effect\n"
        "  Input should be a valid string [type=string_type, input_value=3, input_type=int]"
    )


@pytest.mark.parametrize(
    ("made", "given", "fault"),
    [
        ("V1DeviceAttribute", {"bool": 1}, ("bool_type", ("bool",))),
        ("V1DeviceAttribute", {"int": True}, ("int_type", ("int",))),
        ("V1DeviceAttribute", {"ints": "12"}, ("list_type", ("ints",))),
        ("V1DeviceAttribute", {"ints": {1: 2}}, ("list_type", ("ints",))),
        ("V1DeviceCapacity", {"value": 4}, ("string_type", ("value",))),
        ("V1OpaqueDeviceConfiguration", {"driver": "d", "parameters": "x"}, ("dict_type", ("parameters",))),
        ("V1ObjectMeta", {"labels": {2: "x"}}, ("string_type", ("labels", 2, "[key]"))),
        ("V1ObjectMeta", {"creation_timestamp": True}, ("datetime_type", ("creation_timestamp",))),
        ("V1ObjectMeta", {"creation_timestamp": "now"}, ("datetime_from_date_parsing", ("creation_timestamp",))),
        ("V1ObjectMeta", {"creation_timestamp": float("nan")}, ("datetime_parsing", ("creation_timestamp",))),
        ("V1ObjectMeta", {"creation_timestamp": 1e20}, ("datetime_parsing", ("creation_timestamp",))),
    ],
)
def test_values_are_not_bent(made: str, given: dict[str, Any], fault: tuple[str, tuple[Any, ...]]) -> None:
    assert faults(getattr(client, made), **given) == [fault]


def test_what_the_server_checks_is_not_checked_here() -> None:
    assert client.V1DeviceToleration(operator="Foo").operator == "Foo"
    both = client.V1DeviceAttribute(bool=True, string="x")
    assert both.to_json() == '{"bool": true, "string": "x"}'
    assert client.V1DeviceCapacity(value="4Gi").value == "4Gi"


@pytest.mark.parametrize(
    ("given", "time", "written"),
    [
        ("2026-01-31T12:00:00Z", datetime(2026, 1, 31, 12, tzinfo=UTC), "2026-01-31T12:00:00Z"),
        ("2026-01-31T12:00:00.5+02:00", None, "2026-01-31T12:00:00.500000+02:00"),
        ("2026-01-31", None, "2026-01-31T00:00:00"),
        (0, datetime(1970, 1, 1, tzinfo=UTC), "1970-01-01T00:00:00Z"),
        ("20000000001", None, "1970-08-20T11:33:20.001000Z"),
        (b"2026-01-31 12:00", None, "2026-01-31T12:00:00"),
        (datetime(2026, 1, 1), datetime(2026, 1, 1), "2026-01-01T00:00:00"),  # noqa: DTZ001 (the client takes such)
        (datetime(2026, 1, 1).date(), None, "2026-01-01T00:00:00"),  # noqa: DTZ001
    ],
)
def test_times_are_read_and_written_as_the_client_does(given: object, time: datetime | None, written: str) -> None:
    meta = client.V1ObjectMeta(creation_timestamp=given)
    assert isinstance(meta.creation_timestamp, datetime)
    assert time is None or meta.creation_timestamp == time
    assert json.loads(meta.to_json()) == {"creationTimestamp": written}


def test_dicts_have_every_field_and_json_only_those_with_values() -> None:
    status = client.V1AllocatedDeviceStatus(**STATUS, network_data={"ips": ["10.0.0.1/24"]}, data={"a": None})
    network = {"hardware_address": None, "interface_name": None, "ips": ["10.0.0.1/24"]}
    assert status.to_dict() == STATUS | {
        "conditions": None,
        "data": {"a": None},
        "network_data": network,
        "share_id": None,
    }
    assert list(status.to_dict(serialize=True)) == [
        "conditions",
        "data",
        "device",
        "driver",
        "networkData",
        "pool",
        "shareID",
    ]
    assert status.to_json() == (
        '{"data": {"a": null}, "device": "x", "driver": "d", "networkData": {"ips": ["10.0.0.1/24"]}, "pool": "p"}'
    )


def test_objects_show_themselves_as_printed_dicts() -> None:
    counter = client.V1CounterSet(name="s", counters={"m": {"value": "1"}})
    assert repr(counter) == counter.to_str() == "{'counters': {'m': {'value': '1'}}, 'name': 's'}"
    assert str(client.V1Counter(value="1")) == "value='1'"


def test_dicts_are_read_with_less_care_than_arguments() -> None:
    assert client.V1Counter.from_dict(None) is None
    read = client.V1AllocatedDeviceStatus.from_dict(STATUS | {"foo": 1, "shareID": "w", "share_id": "s"})
    assert read == client.V1AllocatedDeviceStatus(**STATUS, share_id="w")
    assert faults(client.V1AllocatedDeviceStatus.from_dict, {}) == [
        ("string_type", ("device",)),
        ("string_type", ("driver",)),
        ("string_type", ("pool",)),
    ]
    assert client.V1AllocatedDeviceStatus.from_json(read.to_json()) == read
    assert client.V1ListMeta.from_dict({"continue": "x"})._continue == "x"
    assert faults(client.V1Counter.from_dict, "x") == [("model_type", ())]


def test_objects_inside_objects_are_made_of_dicts_or_taken_as_they_are() -> None:
    taint = client.V1DeviceTaint(key="a", effect="NoSchedule")
    device = client.V1Device(name="x", taints=(taint, {"key": "b", "effect": "NoSchedule"}))
    assert device.taints[0] is taint
    assert device.taints[1] == client.V1DeviceTaint(key="b", effect="NoSchedule")
    assert faults(client.V1Device, name="x", taints=[client.V1Counter(value="1")]) == [("model_type", ("taints", 0))]


def test_objects_without_fields_are_dicts() -> None:
    policy = client.V1beta1PodGroupSchedulingPolicy(basic={}, gang={"minCount": 3})
    assert policy.to_json() == '{"basic": {}, "gang": {"minCount": 3}}'
    assert policy.openapi_types["basic"] == "object"


def test_attributes_are_checked_when_they_are_set() -> None:
    status = client.V1AllocatedDeviceStatus(**STATUS)
    status.share_id = "s"
    status.network_data = {"ips": []}
    assert isinstance(status.network_data, client.V1NetworkDeviceData)
    assert faults(setattr, status, "driver", None) == [("string_type", ("driver",))]
    assert faults(setattr, status, "shareID", "s") == [("no_such_attribute", ("shareID",))]
    assert faults(setattr, status, "network_data", {"foo": 1}) == [("extra_forbidden", ("network_data", "foo"))]
    assert status.driver == "d"


def test_the_claim_of_v1_has_the_name_that_is_left() -> None:
    assert client.ResourceV1ResourceClaim.openapi_types["spec"] == "V1ResourceClaimSpec"
    assert client.V1ResourceClaimList.openapi_types["items"] == "List[ResourceV1ResourceClaim]"
    assert not hasattr(client, "V1ResourceClaim")


def test_objects_are_equal_by_value_and_can_be_copied() -> None:
    device = client.V1Device(name="x", attributes={"a": {"int": 3}})
    assert copy.deepcopy(device) == device
    assert pickle.loads(pickle.dumps(device)) == device  # noqa: S301 (our own bytes)
    assert device != client.V1Device(name="x")
    assert device != {"name": "x"}
    with pytest.raises(TypeError, match="unhashable"):
        hash(device)


def test_what_pydantic_offers_on_top_is_there_as_far_as_it_is_used() -> None:
    meta = client.V1ObjectMeta(name="x", creation_timestamp="2026-01-31T12:00:00Z")
    short = {"creationTimestamp": "2026-01-31T12:00:00Z", "name": "x"}
    assert meta.model_dump() == meta.to_dict()
    assert meta.model_dump(by_alias=True, exclude_none=True, mode="json") == short
    assert json.loads(meta.model_dump_json(by_alias=True, exclude_none=True)) == short
    assert meta.model_copy(update={"name": "y"}).name == "y"
    assert client.V1ObjectMeta.model_validate(short) == meta
    assert faults(client.V1ObjectMeta.model_validate, {"foo": 1}) == [("extra_forbidden", ("foo",))]
