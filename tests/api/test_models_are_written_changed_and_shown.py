"""The methods of models that write and change: dicts, JSON, copies with changes, `repr`, equality."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import msgspec
import pytest
from api_objects import objects, read_or_faults
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dravite.api.field import ErrorType
from dravite.api.meta import ObjectMeta
from dravite.api.quantity import Quantity
from dravite.api.registry import KINDS
from dravite.api.resource_v1 import (
    Counter,
    CounterSet,
    DeviceAttribute,
    DeviceClaim,
    DeviceRequest,
    ExactDeviceRequest,
    OpaqueDeviceConfiguration,
    ResourceClaim,
    ResourceClaimList,
    ResourceClaimSpec,
    ResourceSlice,
)
from dravite.api.surface import ModelError

CLAIM = ResourceClaim(
    metadata=ObjectMeta(name="one", labels={"a.example.com/b": "c"}),
    spec=ResourceClaimSpec(
        devices=DeviceClaim(
            requests=(DeviceRequest(name="gpu", exactly=ExactDeviceRequest(device_class_name="c", admin_access=False)),)
        )
    ),
)
COUNTERS = CounterSet(name="set", counters={"memory": Counter(value=Quantity.parse("1024Mi"))})


def test_dicts_have_the_names_on_the_wire_and_leave_out_what_is_absent() -> None:
    assert CLAIM.to_dict() == {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": "one", "labels": {"a.example.com/b": "c"}},
        "spec": {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "c", "adminAccess": False}}]}},
    }


def test_dicts_have_pythons_names_when_they_are_not_to_be_serialized() -> None:
    assert CLAIM.to_dict(serialize=False) == {
        "api_version": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": "one", "labels": {"a.example.com/b": "c"}},
        "spec": {
            "devices": {"requests": [{"name": "gpu", "exactly": {"device_class_name": "c", "admin_access": False}}]}
        },
    }
    assert DeviceAttribute(int_value=3).to_dict(serialize=False) == {"int_value": 3}


def test_quantities_are_written_as_servers_write_them() -> None:
    assert COUNTERS.to_dict() == {"name": "set", "counters": {"memory": {"value": "1Gi"}}}
    assert COUNTERS.to_json() == '{"name":"set","counters":{"memory":{"value":"1Gi"}}}'


def test_required_objects_and_lists_are_written_even_when_empty() -> None:
    empty = {"name": "", "generation": 0, "resourceSliceCount": 0}
    assert ResourceSlice().to_dict()["spec"] == {"driver": "", "pool": empty}
    assert ResourceClaimList().to_dict()["items"] == []


def test_a_copy_with_changes_leaves_the_object_as_it_was() -> None:
    changed = CLAIM.replace(metadata=CLAIM.metadata.replace(name="two", generateName="x"))
    assert (changed.metadata.name, changed.metadata.generate_name) == ("two", "x")
    assert changed.metadata.labels == CLAIM.metadata.labels
    assert changed.spec is CLAIM.spec
    assert CLAIM.metadata.name == "one"


def test_changes_may_be_plain_and_take_fields_away() -> None:
    changed = CLAIM.replace(metadata={"name": "two"}, spec=None)
    assert changed == ResourceClaim(metadata=ObjectMeta(name="two"))
    assert COUNTERS.replace(counters={"memory": {"value": 5}}).counters == {"memory": Counter(value=Quantity.of(5))}


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"metdata": {}}, "metdata: no such field; did you mean metadata?"),
        ({"metadata": 3}, "metadata: must be an object, not a number"),
        ({"metadata": CLAIM}, "metadata: must be an ObjectMeta, not a ResourceClaim"),
        ({"kind": "Pod"}, "kind: must be ResourceClaim, not Pod"),
        ({"spec": {"devices": {"requests": [{}]}}}, "spec.devices.requests[0].name: is required"),
    ],
)
def test_changes_are_checked_like_everything_that_is_read(changes: dict[str, Any], fault: str) -> None:
    with pytest.raises(ModelError) as caught:
        CLAIM.replace(**changes)
    assert [f"{error.field}: {error.detail}" for error in caught.value.errors] == [fault]


def test_what_is_required_cannot_be_taken_away_and_need_not_be_given() -> None:
    assert COUNTERS.replace(counters={}) == CounterSet(name="set")
    with pytest.raises(ModelError, match="name: is required"):
        COUNTERS.replace(name=None)


def test_objects_show_what_they_say() -> None:
    assert repr(CLAIM) == (
        "ResourceClaim(metadata=ObjectMeta(name='one', labels={'a.example.com/b': 'c'}), "
        "spec=ResourceClaimSpec(devices=DeviceClaim(requests=(DeviceRequest(name='gpu', "
        "exactly=ExactDeviceRequest(device_class_name='c', admin_access=False)),))))"
    )
    assert repr(COUNTERS) == "CounterSet(name='set', counters={'memory': Counter(value=Quantity('1Gi'))})"
    opaque = OpaqueDeviceConfiguration(driver="d", parameters=msgspec.Raw(b'{"a":1}'))
    assert repr(opaque) == "OpaqueDeviceConfiguration(driver='d', parameters=Raw(b'{\"a\":1}'))"
    assert repr(ResourceClaim()) == "ResourceClaim()"


def test_objects_are_equal_by_value_and_cannot_be_changed() -> None:
    assert ResourceClaim.from_dict(CLAIM.to_dict()) == CLAIM
    assert CLAIM.replace(metadata=None) != CLAIM
    assert ObjectMeta(name="a") != DeviceRequest(name="a")
    with pytest.raises(AttributeError):
        CLAIM.metadata = ObjectMeta()  # type: ignore[misc]


def test_objects_can_be_copied_and_pickled() -> None:
    assert copy.deepcopy(CLAIM) == CLAIM
    assert pickle.loads(pickle.dumps(COUNTERS)) == COUNTERS  # noqa: S301 (our own bytes)
    error = ModelError("ResourceClaim", ())
    assert str(pickle.loads(pickle.dumps(error))) == str(error)  # noqa: S301


@given(data=st.data())
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_what_is_written_can_be_read_again(data: st.DataObject) -> None:
    info = data.draw(st.sampled_from([info for info in KINDS if info.group]))
    model = data.draw(st.sampled_from(list(info.types.values())))
    made = data.draw(objects(model))
    for written in (made.to_dict(), made.to_dict(serialize=False)):
        read = read_or_faults(written, model)
        if isinstance(read, tuple):
            assert {fault.type for fault in read} == {ErrorType.REQUIRED}
        else:
            assert read == made
    assert json.loads(made.to_json()) == made.to_dict()
