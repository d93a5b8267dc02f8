"""What is merged item by item, and what is one value, by the table of list types."""

from __future__ import annotations

import pytest

from dravite.apiserver.list_types import SET, Traits, is_atomic, list_keys, traits
from dravite.apiserver.patches import strategic_merge


@pytest.mark.parametrize(
    ("kind", "path", "keys"),
    [
        ("ResourceClaim", "status.devices", ("driver", "device", "pool", "shareID")),
        ("ResourceClaim", "status.devices.conditions", ("type",)),
        ("ResourceClaim", "spec.devices.requests", None),
        ("PodSchedulingContext", "status.resourceClaims", ("name",)),
        ("Workload", "spec.podGroupTemplates.resourceClaims", ("name",)),
        ("CronJob", "spec.jobTemplate.spec.template.spec.containers.ports", ("containerPort", "protocol")),
        ("Pod", "spec.tolerations", None),
        ("Widget", "metadata.finalizers", SET),
        ("Widget", "spec.items", None),
    ],
)
def test_lists_have_keys(kind: str, path: str, keys: object) -> None:
    assert list_keys(kind, tuple(path.split("."))) == keys


@pytest.mark.parametrize(
    ("kind", "path", "wanted"),
    [
        ("Pod", "spec.nodeSelector", True),
        ("Pod", "spec.affinity", False),
        ("Deployment", "spec.selector", True),
        ("Event", "involvedObject", True),
        ("RoleBinding", "roleRef", True),
        ("DeviceClass", "spec.config.opaque.parameters", True),
        ("Widget", "metadata.ownerReferences", True),
        ("Widget", "spec", False),
    ],
)
def test_some_objects_are_one_value(kind: str, path: str, wanted: object) -> None:
    assert is_atomic(kind, tuple(path.split("."))) is wanted


def test_a_list_of_devices_is_a_map_to_an_apply_and_one_value_to_a_patch() -> None:
    assert traits("ResourceClaim", ("status", "devices")).merge_key is None
    assert traits("ResourceClaim", ("status", "reservedFor")) == Traits(keys=("uid",), merge_key="uid")
    before = {"spec": {"podGroupTemplates": [{"name": "a"}, {"name": "b"}]}}
    patch = {"spec": {"podGroupTemplates": [{"priority": 1}]}}
    assert strategic_merge(before, patch, "Workload") == patch


def test_a_budget_gets_the_selector_of_its_patch() -> None:
    before = {"spec": {"selector": {"matchLabels": {"a": "b"}}}}
    patch = {"spec": {"selector": {"matchLabels": {"c": "d"}}}}
    assert strategic_merge(before, patch, "PodDisruptionBudget") == patch
