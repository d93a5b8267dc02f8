"""The methods of models that read: either spelling, every fault at once with its path, lenient when asked."""

from __future__ import annotations

import json
import math
from datetime import datetime, timedelta, timezone
from enum import StrEnum
from typing import Any

import pytest
from api_objects import VECTORS, objects, read_or_faults
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dravite.api import resource_v1, scheduling_v1beta1, surface
from dravite.api.exact_reading import is_exact_plain
from dravite.api.field import FieldError
from dravite.api.meta import Model, ObjectMeta
from dravite.api.quantity import Quantity
from dravite.api.registry import KINDS, lookup
from dravite.api.resource_v1 import (
    DeviceAttribute,
    DeviceCapacity,
    ExactDeviceRequest,
    ResourceClaim,
    ResourceClaimList,
)
from dravite.api.surface import ModelError

GOLDEN: dict[str, Any] = json.loads((VECTORS / "golden.json").read_text())
CLAIM: dict[str, Any] = {
    "metadata": {"name": "one"},
    "spec": {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu.example.com", "count": 2}}]}},
}


def model_of(raw: dict[str, Any]) -> type[Model]:
    info = lookup(raw["apiVersion"], raw["kind"])
    assert info is not None
    model = info.type_of(raw["apiVersion"])
    assert model is not None
    return model


def faults(value: object, model: type[Model] = ResourceClaim) -> list[str]:
    with pytest.raises(ModelError) as caught:
        model.from_dict(value)  # type: ignore[arg-type]
    return [f"{error.field}: {error.detail}" for error in caught.value.errors]


@pytest.mark.parametrize("name", GOLDEN)
def test_full_objects_are_the_same_by_either_spelling_and_from_text(name: str) -> None:
    raw = GOLDEN[name]
    model = model_of(raw)
    made = model.from_dict(raw)
    assert model.from_dict(made.to_dict(serialize=False)) == made
    assert model.from_json(made.to_json()) == made
    assert model.from_dict_lenient(raw) == (made, ())


def test_names_may_be_those_of_python_or_of_the_wire_side_by_side() -> None:
    request = {"device_class_name": "gpu.example.com", "allocationMode": "All", "admin_access": True}
    made = ExactDeviceRequest.from_dict(request)
    assert made == ExactDeviceRequest(device_class_name="gpu.example.com", allocation_mode="All", admin_access=True)
    assert ExactDeviceRequest.from_json(json.dumps(request)) == made
    assert DeviceAttribute.from_dict({"int_value": 4}) == DeviceAttribute.from_dict({"int": 4})


def test_a_name_given_in_both_spellings_is_a_fault() -> None:
    twice = {"deviceClassName": "a", "device_class_name": "b"}
    assert faults(twice, ExactDeviceRequest) == [
        "deviceClassName: given twice, as deviceClassName and under its Python name"
    ]


def test_typed_values_stand_for_what_they_are_written_as() -> None:
    made = ResourceClaim.from_dict(
        {
            "metadata": ObjectMeta(name="one"),
            "spec": {"devices": {"requests": ({"name": "gpu", "exactly": ExactDeviceRequest(device_class_name="c")},)}},
        }
    )
    assert made.metadata.name == "one"
    assert made.spec.devices.requests[0].exactly == ExactDeviceRequest(device_class_name="c")
    assert DeviceCapacity.from_dict({"value": Quantity.parse("1Gi")}) == DeviceCapacity.from_dict({"value": "1Gi"})
    assert DeviceCapacity.from_dict({"value": 4}).value == Quantity.of(4)
    assert DeviceCapacity.from_dict({"value": 1 << 64}) == DeviceCapacity.from_json('{"value":18446744073709551616}')
    assert ObjectMeta.from_dict({"finalizers": {"a"}, "labels": {}}).finalizers == ("a",)
    zone = timezone(timedelta(hours=2))
    meta = ObjectMeta.from_dict({"creation_timestamp": datetime(2026, 1, 31, 14, 0, 0, tzinfo=zone)})
    assert meta.creation_timestamp == "2026-01-31T12:00:00Z"


class Mode(StrEnum):
    ALL = "All"


class Text(str):
    __slots__ = ()


class Whole(int):
    pass


def test_values_of_derived_types_are_what_they_derive_from() -> None:
    given = {"deviceClassName": Text("c"), "allocationMode": Mode.ALL, "count": Whole(3)}
    made = ExactDeviceRequest.from_dict(given)
    assert made == ExactDeviceRequest(device_class_name="c", allocation_mode="All", count=3)
    assert made.to_json() == '{"deviceClassName":"c","allocationMode":"All","count":3}'


def test_a_model_of_another_type_is_a_fault() -> None:
    assert faults({"metadata": ExactDeviceRequest()}) == ["metadata: must be an ObjectMeta, not an ExactDeviceRequest"]


def test_every_fault_is_named_with_its_path() -> None:
    exactly = {"deviceClassName": 5, "count": "2", "tolerationz": []}
    bad = {"spec": {"devices": {"requests": [{"nam": "gpu", "exactly": exactly}]}}, "count": 2}
    assert faults(bad) == [
        "spec.devices.requests[0].exactly.deviceClassName: must be a string, not a number",
        "spec.devices.requests[0].exactly.count: must be a whole number, not a string",
        "spec.devices.requests[0].name: is required",
        "spec.devices.requests[0].nam: no such field; did you mean name?",
        "spec.devices.requests[0].exactly.tolerationz: no such field; did you mean tolerations?",
        "count: no such field here; did you mean spec.devices.requests[].exactly.count?",
    ]


def test_the_message_lists_every_fault() -> None:
    with pytest.raises(ModelError) as caught:
        ResourceClaim.from_dict({"spce": {}, "metadata": 3})
    assert str(caught.value) == (
        "ResourceClaim cannot be read, 2 faults:\n"
        "  metadata: must be an object, not a number\n"
        "  spce: no such field; did you mean spec?"
    )


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        ([], ": must be an object, not a list"),
        (None, ": must be an object, not null"),
        ("claim", ": must be an object, not a string"),
        ({"apiVersion": "v1"}, "apiVersion: must be resource.k8s.io/v1, not v1"),
        ({"kind": "Pod"}, "kind: must be ResourceClaim, not Pod"),
        ({"spec": {1: 2}}, "spec: must have names as keys, not 1"),
        ({"metadata": {"labels": {1: "a"}}}, "metadata.labels: must have texts as keys, not 1"),
        ({"metadata": {"labels": {"a": True}}}, "metadata.labels[a]: must be a string, not true or false"),
        ({"metadata": {"name": {1, 2}}}, "metadata.name: must be a string, not a list"),
        ({"metadata": {"name": object()}}, "metadata.name: cannot be read: object"),
        ({"metadata": {"name": b"one"}}, "metadata.name: cannot be read: bytes"),
        ({"metadata": {"name": "\ud800"}}, "metadata.name: must be Unicode: it has half of a surrogate pair"),
        ({"metadata": {"generation": True}}, "metadata.generation: must be a whole number, not true or false"),
        ({"metadata": {"generation": 1 << 63}}, "metadata.generation: must be a whole number of 64 bits"),
        ({"metadata": {"generation": 1 << 70}}, "metadata.generation: must be a whole number of 64 bits"),
        ({"metadata": {"generation": math.nan}}, "metadata.generation: must be a number, not nan"),
        (
            {"metadata": {"creationTimestamp": "yesterday"}},
            "metadata.creationTimestamp: must be a time as in RFC 3339: 2026-01-31T12:00:00Z",
        ),
    ],
)
def test_one_fault_is_told_from_another(bad: object, fault: str) -> None:
    assert faults(bad) == [fault]


def test_null_is_as_good_as_missing() -> None:
    assert ResourceClaim.from_dict({"metadata": None, "status": None}) == ResourceClaim()
    assert faults({"name": None}, resource_v1.DeviceTaint) == [
        "key: is required",
        "effect: is required",
        "name: no such field",
    ]


def test_required_values_may_be_empty_but_not_missing() -> None:
    assert faults({"driver": "d"}, resource_v1.OpaqueDeviceConfiguration) == ["parameters: is required"]
    assert faults({"driver": "d", "parameters": None}, resource_v1.OpaqueDeviceConfiguration) == [
        "parameters: is required"
    ]
    with pytest.raises(ModelError, match="min: is required"):
        resource_v1.CapacityRequestPolicyRange.from_json('{"min":null}')
    assert resource_v1.CounterSet.from_dict({"name": "", "counters": {}}) == resource_v1.CounterSet()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{", "is no JSON: .*line 1 column 2"),
        (b"\xff", "is no JSON: "),
        ("[" + "9" * 5000 + "]", "is no JSON: "),
        ('{"metadata":{"name":"\\ud800"}}', "metadata.name: must be Unicode"),
        ("null", "must be an object, not null"),
        ('{"metadata":{"generation":1e400}}', "metadata.generation: must be a number, not inf"),
        ('{"metadata":{"generation":NaN}}', "metadata.generation: must be a number, not nan"),
        ('{"spec":' * 100_000, "nested too deeply"),
        ('{"spec":{"devices":{"config":' + "[" * 100_000 + "]" * 100_000 + "}}}", "nested too deeply"),
    ],
)
def test_broken_json_is_a_fault_like_any_other(text: str | bytes, fault: str) -> None:
    with pytest.raises(ModelError, match=fault):
        ResourceClaim.from_json(text)


def test_deep_values_are_a_fault_like_any_other() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    config = [{"opaque": {"driver": "d", "parameters": deep}}]
    assert faults({"spec": {"devices": {"config": config}}}) == [": is nested too deeply"]


def test_lenient_reading_hands_unknown_fields_back_and_they_can_be_put_back() -> None:
    raw: dict[str, Any] = json.loads(json.dumps(CLAIM))
    raw["spec"]["devices"]["requests"][0]["exactly"]["newField"] = {"a": [1]}
    raw["newSection"] = "b"
    claim, unknown = ResourceClaim.from_dict_lenient(raw)
    assert [(field.path, field.value) for field in unknown] == [
        ("spec.devices.requests[0].exactly.newField", {"a": [1]}),
        ("newSection", "b"),
    ]
    assert claim == ResourceClaim.from_dict(CLAIM)
    assert claim.to_dict(unknown=unknown) == raw | {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim"}
    assert ResourceClaim.from_json_lenient(json.dumps(raw)) == (claim, unknown)


def test_lenient_reading_refuses_everything_else() -> None:
    with pytest.raises(ModelError, match=r"spec: must be an object, not a number$"):
        ResourceClaim.from_dict_lenient({"spec": 3, "newSection": "b"})


def test_lists_are_read_with_their_items() -> None:
    read = ResourceClaimList.from_json(json.dumps({"items": [CLAIM, CLAIM], "metadata": {"resourceVersion": "7"}}))
    assert [item.metadata.name for item in read.items] == ["one", "one"]
    assert read.metadata.resource_version == "7"
    with pytest.raises(ModelError, match=r"items\[1\]\.spce: no such field"):
        ResourceClaimList.from_json(json.dumps({"items": [CLAIM, {"spce": {}}]}))


def test_what_only_servers_write_is_passed_over() -> None:
    meta = {"name": "one", "managedFields": [{"manager": "kubectl"}], "selfLink": "/x"}
    assert ResourceClaim.from_json(json.dumps({"metadata": meta})).metadata == ObjectMeta(name="one")
    assert ResourceClaim.from_dict({"metadata": meta}).metadata == ObjectMeta(name="one")


def test_types_that_hold_themselves_are_read_to_the_bottom() -> None:
    inner = {"name": "b", "schedulingPolicy": {}, "oops": 1}
    template = {"name": "a", "schedulingPolicy": {}, "compositePodGroupTemplates": [inner]}
    with pytest.raises(ModelError, match=r"compositePodGroupTemplates\[0\]\.oops: no such field"):
        scheduling_v1beta1.CompositePodGroupTemplate.from_json(json.dumps(template))


MODELS = [model for info in KINDS for model in info.types.values()]


def spoiled(data: st.DataObject, value: Any) -> Any:
    """The value, or with one place in it changed."""
    if isinstance(value, dict) and value and data.draw(st.integers(0, 5)):
        key = data.draw(st.sampled_from(sorted(value)))
        changed = dict(value)
        if data.draw(st.integers(0, 5)) == 0:
            del changed[key]
        else:
            changed[key] = spoiled(data, value[key])
        return changed
    if isinstance(value, list) and value:
        return [spoiled(data, value[0]), *value[1:]]
    unlike = (None, 1, -1, 1 << 40, 1 << 64, 1.5, True, "", "1Gi", "2026-01-31T12:00:00Z", [], {}, {"x": 1}, [None])
    return data.draw(st.sampled_from(unlike))


def walked(value: Any, model: type[Model]) -> Model | tuple[FieldError, ...]:
    """What the slow way says, whatever the quick one would."""
    try:
        return surface._strict(value, model)
    except ModelError as error:
        return error.errors


@given(data=st.data())
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_quick_way_passes_only_what_the_walk_passes_and_makes_the_same_of_it(data: st.DataObject) -> None:
    model = data.draw(st.sampled_from(MODELS))
    value = spoiled(data, data.draw(objects(model)).to_dict())
    slowly = walked(value, model)
    text = json.dumps(value, separators=(",", ":"))
    for quickly in (surface._quickly_from_dict(value, model), surface._quickly_from_json(text, model)):
        assert quickly is None or quickly == slowly
    assert read_or_faults(value, model) == slowly
    assert isinstance(slowly, tuple) or model.from_dict_lenient(value) == (slowly, ())


def test_the_law_sees_values_that_pass_the_quick_look_and_values_that_do_not() -> None:
    seen = {True: 0, False: 0}

    @given(data=st.data())
    @settings(max_examples=200, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
    def sample(data: st.DataObject) -> None:
        model = data.draw(st.sampled_from(MODELS))
        seen[is_exact_plain(spoiled(data, data.draw(objects(model)).to_dict()), model)] += 1

    sample()
    assert seen[True] >= 10
    assert seen[False] >= 10
