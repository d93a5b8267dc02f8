"""The registry: kinds and versions as discovery shows them, and one full object of each that keeps every field."""

from __future__ import annotations

import json
from typing import Any

import pytest
from api_objects import VECTORS, dense, read, written

from dravite.api.gates import RELEASES
from dravite.api.registry import KINDS, deprecation, known_kind, lookup, served, served_versions

GOLDEN: dict[str, Any] = json.loads((VECTORS / "golden.json").read_text())
FOUR = ("DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice")


@pytest.mark.parametrize("name", GOLDEN)
def test_a_full_object_keeps_every_field(name: str) -> None:
    assert written(read(GOLDEN[name])) == dense(GOLDEN[name])


def test_there_is_a_full_object_of_every_kind_and_version() -> None:
    wanted = {(info.api_version(version), info.kind) for info in KINDS for version in info.types}
    assert {(raw["apiVersion"], raw["kind"]) for raw in GOLDEN.values()} == wanted


@pytest.mark.parametrize(
    ("kind", "plural", "short_names", "scope"),
    [
        ("DeviceClass", "deviceclasses", (), "Cluster"),
        ("PriorityClass", "priorityclasses", ("pc",), "Cluster"),
        ("ResourceClaim", "resourceclaims", (), "Namespaced"),
        ("ResourceSlice", "resourceslices", (), "Cluster"),
        ("Workload", "workloads", (), "Namespaced"),
    ],
)
def test_kinds_are_named_as_in_discovery(kind: str, plural: str, short_names: tuple[str, ...], scope: str) -> None:
    group = "scheduling.k8s.io" if kind in ("PriorityClass", "Workload") else "resource.k8s.io"
    info = known_kind(group, kind)
    assert info is not None
    assert (info.plural, info.singular, info.short_names, info.scope) == (plural, kind.lower(), short_names, scope)


def test_the_hub_is_the_newest_version() -> None:
    hubs = {info.kind: info.hub for info in KINDS}
    assert hubs["ResourceClaim"] == "resource.k8s.io/v1"
    assert hubs["PodGroup"] == "scheduling.k8s.io/v1beta1"
    assert hubs["CompositePodGroup"] == "scheduling.k8s.io/v1alpha3"
    assert hubs["Pod"] == "v1"


def test_what_does_not_exist_is_not_found() -> None:
    assert lookup("resource.k8s.io/v1", "PodSchedulingContext") is None
    assert lookup("resource.k8s.io/v2", "ResourceClaim") is None
    assert lookup("apps/v1", "Deployment") is None
    assert lookup("", "") is None


@pytest.mark.parametrize(
    ("release", "versions"),
    [
        ("1.31", ("v1alpha3",)),
        ("1.32", ("v1beta1", "v1alpha3")),
        ("1.33", ("v1beta2", "v1beta1", "v1alpha3")),
        ("1.34", ("v1", "v1beta2", "v1beta1")),
        ("1.37", ("v1", "v1beta2", "v1beta1")),
    ],
)
def test_releases_serve_the_four_old_kinds_in_their_versions(release: str, versions: tuple[str, ...]) -> None:
    for kind in FOUR:
        info = known_kind("resource.k8s.io", kind)
        assert info is not None
        assert served_versions(info, release) == tuple(f"resource.k8s.io/{version}" for version in versions)


@pytest.mark.parametrize(
    ("api_version", "kind", "letters"),
    [
        ("resource.k8s.io/v1alpha3", "PodSchedulingContext", "s------"),
        ("resource.k8s.io/v1alpha3", "DeviceTaintRule", "--sssss"),
        ("resource.k8s.io/v1beta2", "DeviceTaintRule", "-----ss"),
        ("resource.k8s.io/v1", "DeviceTaintRule", "------S"),
        ("resource.k8s.io/v1alpha3", "ResourcePoolStatusRequest", "-----ss"),
        ("scheduling.k8s.io/v1alpha1", "Workload", "----s--"),
        ("scheduling.k8s.io/v1alpha1", "PriorityClass", "-------"),
        ("scheduling.k8s.io/v1alpha2", "PodGroup", "-----s-"),
        ("scheduling.k8s.io/v1beta1", "PodGroup", "------s"),
        ("scheduling.k8s.io/v1alpha3", "CompositePodGroup", "------s"),
        ("scheduling.k8s.io/v1", "PriorityClass", "SSSSSSS"),
        ("v1", "Node", "SSSSSSS"),
    ],
)
def test_versions_come_and_go_with_releases(api_version: str, kind: str, letters: str) -> None:
    words = {"S": "always", "s": "if-enabled", "-": "never"}
    assert [served(api_version, kind, release) for release in RELEASES] == [words[letter] for letter in letters]


def test_servers_warn_of_versions_that_will_go() -> None:
    text = "resource.k8s.io/v1beta1 ResourceClaim is deprecated in v1.35+, unavailable in v1.38+"
    assert deprecation("resource.k8s.io/v1beta1", "ResourceClaim", "1.37") == text
    assert deprecation("resource.k8s.io/v1beta1", "ResourceClaim", "1.34") is None
    assert deprecation("resource.k8s.io/v1beta2", "DeviceTaintRule", "1.37") is None
