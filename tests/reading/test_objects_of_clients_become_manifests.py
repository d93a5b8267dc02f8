"""`read_objects`: what a program holds in its hands is planned like files."""

from __future__ import annotations

from datetime import UTC, datetime
from types import MappingProxyType

import pytest

import dravite
from dravite.api import resource_v1
from dravite.api.meta import ObjectMeta
from dravite.compat import kubernetes as official
from dravite.compat.lightkube.models import resource_v1 as lightkube_v1

NODE = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}, "status": {"allocatable": {"pods": "10"}}}
POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "p", "creationTimestamp": datetime(2026, 1, 31, tzinfo=UTC)},
    "spec": {"containers": [{"name": "c", "image": "i"}]},
}


def test_objects_of_all_clients_and_dicts_are_taken_together() -> None:
    objects = [
        MappingProxyType(NODE),
        POD,
        official.V1DeviceClassList(items=[{"metadata": {"name": "official"}}]),
        lightkube_v1.DeviceClass.from_dict({"metadata": {"name": "lightkube"}}),
        resource_v1.DeviceClass(metadata=ObjectMeta(name="model")),
    ]
    manifests = dravite.read_objects(objects)
    assert manifests.problems == ()
    assert sorted(found.metadata.name for found in manifests.classes) == ["lightkube", "model", "official"]
    plan = dravite.make_plan(dravite.build_snapshot(manifests))
    assert [type(decision.decision).__name__ for decision in plan.decisions] == ["Scheduled"]


def test_problems_say_which_object_has_them() -> None:
    manifests = dravite.read_objects([NODE, {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "P!"}}])
    assert {problem.file for problem in manifests.problems} == {"<object 2>"}


def test_what_is_no_object_is_refused() -> None:
    with pytest.raises(TypeError, match="cannot be turned into a dict: int"):
        dravite.read_objects([3])
    with pytest.raises(TypeError, match="cannot be written as JSON: object"):
        dravite.read_objects([{"kind": object()}])
