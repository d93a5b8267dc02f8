"""`dravite.compat.lightkube` against the published packages: classes, positional order, types, behaviour."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib import import_module
from typing import Any

import msgspec
import pytest
from client_tables import newest_lightkube

from dravite.compat.family import MODULES, classes_of
from dravite.compat.lightkube.model import DictMixin, type_text
from dravite.compat.lightkube.models import meta_v1, resource_v1, resource_v1beta1, scheduling_v1beta1

HOMES = (*MODULES, "meta_v1", "core_v1")


@pytest.mark.parametrize("home", HOMES)
def test_classes_have_the_fields_of_lightkube_in_its_order(home: str) -> None:
    module = import_module(f"dravite.compat.lightkube.models.{home}")
    for (place, name), theirs in newest_lightkube().items():
        if place == home and isinstance(theirs, str):
            assert getattr(module, name) is dict, name
        elif place == home:
            ours = msgspec.structs.fields(getattr(module, name))
            names = [(field.name, field.wire, field.required) for field in theirs]
            assert [(field.name, field.encode_name, field.required) for field in ours] == names, name


@pytest.mark.parametrize("home", HOMES)
def test_fields_have_the_types_of_lightkube(home: str) -> None:
    aliases = {
        name: kind for (place, name), kind in newest_lightkube().items() if place == home and isinstance(kind, str)
    }
    for (place, name), theirs in newest_lightkube().items():
        if place == home and not isinstance(theirs, str):
            ours = {field.wire: type_text(field.type, home) for field in classes_of(home)[name].fields}
            assert ours == {field.wire: aliases.get(field.type, field.type) for field in theirs}, name


def test_arguments_may_be_given_by_position() -> None:
    status = resource_v1.AllocatedDeviceStatus("dev", "driver", "pool", [], shareID="s")
    assert (status.device, status.driver, status.pool, status.conditions) == ("dev", "driver", "pool", [])
    assert status.to_dict() == {"device": "dev", "driver": "driver", "pool": "pool", "conditions": [], "shareID": "s"}


def test_constructors_check_names_but_not_types() -> None:
    assert resource_v1.DeviceTaint(key=1, effect=None).key == 1
    with pytest.raises(TypeError, match="Missing required argument"):
        resource_v1.DeviceTaint("effect")
    with pytest.raises(TypeError, match="Unexpected keyword argument 'share_id'"):
        resource_v1.AllocatedDeviceStatus("a", "b", "c", share_id="s")


def test_objects_know_their_kind_and_leave_out_what_is_none() -> None:
    claim = resource_v1beta1.ResourceClaim(metadata=meta_v1.ObjectMeta(name="one"), spec=None)
    assert claim.to_dict() == {
        "apiVersion": "resource.k8s.io/v1beta1",
        "kind": "ResourceClaim",
        "metadata": {"name": "one"},
    }


def test_dicts_are_read_with_their_types_and_unknown_names_are_passed_over() -> None:
    raw: dict[str, Any] = {
        "metadata": {"creationTimestamp": "2026-01-31T12:00:00Z", "managedFields": [{"fieldsV1": {"f:a": {}}}]},
        "spec": {
            "driver": "d",
            "pool": {"name": "p", "generation": 1, "resourceSliceCount": 1},
            "devices": [{"name": "x", "attributes": {"a": {"int": 3}}}],
        },
        "new": 1,
    }
    made = resource_v1.ResourceSlice.from_dict(raw)
    assert made.metadata.creationTimestamp == datetime(2026, 1, 31, 12, tzinfo=UTC)
    assert isinstance(made.spec.devices[0], resource_v1.Device)
    assert made.spec.devices[0].attributes == {"a": {"int": 3}}
    del raw["new"]
    assert made.to_dict() == {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice"} | raw


def test_reading_checks_what_constructors_do_not() -> None:
    with pytest.raises(msgspec.ValidationError, match="missing required field `effect`"):
        resource_v1.DeviceTaint.from_dict({"key": "a"})
    with pytest.raises(msgspec.ValidationError, match="Expected `str`, got `int`"):
        resource_v1.DeviceTaint.from_dict({"key": 1, "effect": "NoSchedule"})


def test_a_class_that_lightkube_cannot_read_is_read() -> None:
    assert resource_v1.DeviceAttribute.from_dict({"bool": True, "ints": [1]}).to_dict() == {"bool": True, "ints": [1]}


def test_types_may_hold_themselves() -> None:
    inner = {"name": "b", "schedulingPolicy": {"gang": {"minGroupCount": 2}}}
    raw = {"name": "a", "schedulingPolicy": {"basic": {}}, "compositePodGroupTemplates": [inner]}
    assert scheduling_v1beta1.CompositePodGroupTemplate.from_dict(raw).to_dict() == raw


def test_modules_can_be_had_from_the_package() -> None:
    from dravite.compat import lightkube

    assert lightkube.resource_v1 is resource_v1
    assert lightkube.meta_v1 is meta_v1
    with pytest.raises(AttributeError, match="has no attribute 'apps_v1'"):
        lightkube.apps_v1  # noqa: B018


def test_objects_are_equal_by_value_and_can_be_changed() -> None:
    one, other = resource_v1.Counter("1"), resource_v1.Counter("1")
    assert one == other
    other.value = "2"
    assert one != other
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


def test_former_arguments_are_warned_of() -> None:
    with pytest.warns(DeprecationWarning, match="lazy"):
        made = resource_v1.Counter.from_dict({"value": "1"}, lazy=True)
    with pytest.warns(DeprecationWarning, match="dict_factory"):
        assert made.to_dict(dict_factory=lambda pairs: sorted(pairs)) == [("value", "1")]
    assert isinstance(made, DictMixin)
