"""`dravite.interop.read`: objects of other clients by what they can do, whatever packages are installed."""

from __future__ import annotations

import sys
from collections import UserDict
from types import MappingProxyType
from typing import Any

import pytest

from dravite import interop
from dravite.api import core_v1, resource_v1, resource_v1beta1, scheduling_v1beta1
from dravite.api.meta import ObjectMeta
from dravite.api.surface import ModelError
from dravite.compat import kubernetes as official
from dravite.compat.lightkube.models import meta_v1 as lightkube_meta_v1
from dravite.compat.lightkube.models import resource_v1 as lightkube_v1
from dravite.compat.lightkube.models import resource_v1beta1 as lightkube_v1beta1

CLAIM: dict[str, Any] = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceClaim",
    "metadata": {"name": "one", "creationTimestamp": "2026-01-31T12:00:00Z"},
    "spec": {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu.example.com"}}]}},
}
MODEL = resource_v1.ResourceClaim.from_dict(CLAIM)


class Held:
    """As kr8s does it: a dict inside, a class that everybody names as they like."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self.raw = raw


class Former:
    """As former official clients do it: no JSON of their own."""

    def to_dict(self, serialize: bool = False) -> dict[str, Any]:
        return CLAIM | {"status": None} if serialize else {}


class Dynamic:
    """As the dynamic client does it."""

    def to_dict(self) -> dict[str, Any]:
        return CLAIM


@pytest.mark.parametrize(
    "obj",
    [
        MODEL,
        CLAIM,
        MappingProxyType(CLAIM),
        UserDict(CLAIM),
        {"api_version": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": MODEL.metadata, "spec": MODEL.spec},
        Held(CLAIM),
        Former(),
        Dynamic(),
        official.ResourceV1ResourceClaim.from_dict(CLAIM),
        official.ResourceV1ResourceClaim(metadata=CLAIM["metadata"], spec=CLAIM["spec"]),
        lightkube_v1.ResourceClaim.from_dict(CLAIM),
        lightkube_v1.ResourceClaim(
            lightkube_v1.ResourceClaim().apiVersion,
            "ResourceClaim",
            lightkube_meta_v1.ObjectMeta.from_dict(CLAIM["metadata"]),
            lightkube_v1.ResourceClaimSpec.from_dict(CLAIM["spec"]),
        ),
    ],
    ids=lambda obj: type(obj).__name__,
)
def test_an_object_is_the_model_that_it_stands_for(obj: object) -> None:
    assert interop.read(obj) == MODEL
    assert interop.read_lenient(obj) == (MODEL, ())
    assert interop.read(interop.to_plain(obj)) == MODEL


def test_an_object_keeps_its_version() -> None:
    made = interop.read(official.V1beta1ResourceClaim(metadata={"name": "old"}))
    assert made == resource_v1beta1.ResourceClaim(metadata=ObjectMeta(name="old"))
    other = lightkube_v1beta1.ResourceClaim(metadata=lightkube_meta_v1.ObjectMeta(name="old"))
    assert interop.read(other) == made


def test_parts_of_objects_are_told_by_their_class() -> None:
    taint = resource_v1.DeviceTaint(key="a", effect="NoSchedule")
    assert interop.read(official.V1DeviceTaint(key="a", effect="NoSchedule")) == taint
    assert interop.read(lightkube_v1.DeviceTaint("NoSchedule", "a")) == taint
    assert interop.read(official.V1ObjectMeta(name="a", managed_fields=[{"manager": "m"}])) == ObjectMeta(name="a")
    gang = official.V1beta1GangSchedulingPolicy(min_count=2)
    assert interop.read(gang) == scheduling_v1beta1.GangSchedulingPolicy(min_count=2)


def test_lists_are_told_by_their_class_or_kind() -> None:
    items = official.V1ResourceClaimList(items=[CLAIM])
    read = interop.read(items)
    assert read == resource_v1.ResourceClaimList(items=(MODEL,))
    raw = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimList", "items": [CLAIM]}
    assert interop.read(raw) == read


def test_a_dict_that_does_not_know_its_kind_can_be_told() -> None:
    untold = {"metadata": {"name": "one"}}
    with pytest.raises(TypeError, match="nothing tells what this is: dict with apiVersion unknown"):
        interop.read(untold)
    assert interop.read(untold, resource_v1.ResourceClaim).metadata.name == "one"


def test_pods_are_read_as_far_as_dravite_reads_pods() -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"volumes": [], "nodeName": "n"}}
    assert interop.read(pod) == core_v1.Pod(metadata=ObjectMeta(name="p"), spec=core_v1.PodSpec(node_name="n"))


@pytest.mark.parametrize("obj", [3, "claim", None, [CLAIM], object()])
def test_what_can_be_turned_into_no_dict_is_refused(obj: object) -> None:
    with pytest.raises(TypeError, match="cannot be turned into a dict"):
        interop.read(obj)


def test_what_does_not_fit_is_refused_with_its_path() -> None:
    with pytest.raises(ModelError, match=r"spec\.devices\.oops: no such field"):
        interop.read(CLAIM | {"spec": {"devices": {"oops": 1}}})
    claim, unknown = interop.read_lenient(CLAIM | {"new": 1})
    assert claim == MODEL
    assert [field.path for field in unknown] == ["new"]


def test_nothing_of_other_clients_is_imported_on_the_way() -> None:
    before = {name.partition(".")[0] for name in sys.modules}
    interop.read(official.V1Counter(value="1"))
    assert {name.partition(".")[0] for name in sys.modules} == before
