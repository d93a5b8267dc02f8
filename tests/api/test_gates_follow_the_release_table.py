"""Profiles: which gates are on in which release, and how `--feature-gates` is read."""

from __future__ import annotations

import pytest

from dravite.api.field import FieldError
from dravite.api.gates import GATES, RELEASES
from dravite.api.releases import Profile, profile

STOCK_FEATURES = {
    "AdminAccess",
    "ConsumableCapacity",
    "DeviceBindingAndStatus",
    "DeviceTaints",
    "PartitionableDevices",
    "PrioritizedList",
}
ALPHA_OF_1_37 = (
    "DRADerivedAttributes=true,DRADeviceCompatibilityGroups=true,DRAListTypeAttributes=true,"
    "DRAOptionalNodeOperations=true,DRAFractionalCapacityRange=true"
)


def made(release: str = "1.37", feature_gates: str = "") -> Profile:
    found = profile(release, feature_gates)
    assert isinstance(found, Profile), found
    return found


def refused(feature_gates: str, release: str = "1.37") -> list[str]:
    found = profile(release, feature_gates)
    assert isinstance(found, tuple)
    assert all(isinstance(error, FieldError) for error in found)
    return [error.detail for error in found]


@pytest.mark.parametrize(
    ("release", "features"),
    [
        ("1.31", set()),
        ("1.32", set()),
        ("1.33", set()),
        ("1.34", {"AdminAccess", "PrioritizedList"}),
        ("1.35", {"AdminAccess", "PrioritizedList"}),
        ("1.36", STOCK_FEATURES),
        ("1.37", STOCK_FEATURES),
    ],
)
def test_a_stock_release_has_its_features(release: str, features: set[str]) -> None:
    assert made(release).features == features


def test_a_stock_1_37_has_no_fractional_ranges_though_the_gate_is_beta() -> None:
    assert not made().enabled("DRAFractionalCapacityRange")
    assert made(feature_gates="AllBeta=true").enabled("DRAFractionalCapacityRange")


def test_only_what_is_generally_available_is_left_without_beta() -> None:
    assert made(feature_gates="AllBeta=false").features == {"AdminAccess", "DeviceTaints", "PrioritizedList"}


def test_every_feature_can_be_switched_on() -> None:
    assert made(feature_gates=ALPHA_OF_1_37).features == STOCK_FEATURES | {
        "CompatibilityGroups",
        "DerivedAttributes",
        "FractionalCapacityRange",
        "ListTypeAttributes",
        "OptionalNodeOperations",
    }


def test_binding_conditions_need_both_of_their_gates() -> None:
    features = made("1.34", "DRADeviceBindingConditions=true,DRAResourceClaimDeviceStatus=false").features
    assert "DeviceBindingAndStatus" not in features


def test_a_gate_set_by_name_wins_over_its_group() -> None:
    gates = made(feature_gates="DRAListTypeAttributes=false,AllAlpha=true,GenericWorkload=true")
    assert not gates.enabled("DRAListTypeAttributes")
    assert gates.enabled("DRADerivedAttributes")


def test_a_gate_that_was_merged_or_not_yet_split_off_follows_the_other() -> None:
    assert made("1.37", "GenericWorkload=true").enabled("GangScheduling")
    assert made("1.33", "DynamicResourceAllocation=true,DRADeviceTaints=true").enabled("DRADeviceTaintRules")
    assert made("1.31", "DynamicResourceAllocation=true").features == {"AdminAccess"}


def test_a_release_may_be_written_with_its_patch() -> None:
    assert made("v1.36.5") == made("1.36")
    found = profile("1.30")
    assert isinstance(found, tuple)
    assert found[0].detail == "supported values: 1.31, 1.32, 1.33, 1.34, 1.35, 1.36, 1.37"


@pytest.mark.parametrize(
    ("feature_gates", "detail"),
    [
        ("DRADevceTaints=true", "unrecognized feature gate: DRADevceTaints (did you mean DRADeviceTaints?)"),
        ("NoSuchThing=true", "unrecognized feature gate: NoSuchThing"),
        ("GangScheduling=true", "unrecognized feature gate: GangScheduling (it exists in 1.35 to 1.36)"),
        (
            "DRAControlPlaneController=true",
            "unrecognized feature gate: DRAControlPlaneController (it exists only in 1.31)",
        ),
        (
            "DRAPrioritizedList=false",
            "cannot set feature gate DRAPrioritizedList to false, feature is locked to true",
        ),
        ("DRADeviceTaints", "missing bool value for DRADeviceTaints"),
        ("DRADeviceTaints=yes", "invalid value of DRADeviceTaints=yes: must be true or false"),
        (
            "DRADeviceTaints=false",
            "DRADeviceTaintRules is enabled, but depends on features that are disabled: [DRADeviceTaints]",
        ),
        (
            "CompositePodGroup=true,GenericWorkload=true",
            (
                "CompositePodGroup is enabled, but depends on features that are disabled: "
                "[TopologyAwareWorkloadScheduling]"
            ),
        ),
    ],
)
def test_a_wrong_gate_is_refused_in_the_words_of_kubernetes(feature_gates: str, detail: str) -> None:
    assert refused(feature_gates) == [detail]


def test_all_faults_are_said_at_once() -> None:
    assert len(refused("A=true,B=maybe,DRAPrioritizedList=0")) == 3


def test_gates_of_a_real_cluster_that_change_nothing_here_are_accepted() -> None:
    assert made(feature_gates="InPlacePodVerticalScaling=false,NodeSwap=T,").features == STOCK_FEATURES


def test_components_check_needs_since_1_35_only() -> None:
    assert isinstance(profile("1.34", "DynamicResourceAllocation=false"), Profile)
    assert isinstance(profile("1.36", "GangScheduling=true"), tuple)


def test_every_gate_names_a_stage_for_every_release_and_no_stock_release_is_refused() -> None:
    assert all(len(gate.stages) == len(RELEASES) for gate in GATES.values())
    assert all(set(gate.stages) <= {"A", "b", "B", "G", "GL", "-"} for gate in GATES.values())
    assert all(need in GATES for gate in GATES.values() for need in gate.needs)
    assert all(isinstance(profile(release), Profile) for release in RELEASES)


@pytest.mark.parametrize(
    ("gate", "stages"),
    [
        ("DynamicResourceAllocation", "A b b G GL GL GL"),
        ("DRAPartitionableDevices", "- - A A A B B"),
        ("DRADeviceTaints", "- - A A A B G"),
        ("DRAExtendedResource", "- - - A A B GL"),
        ("GenericWorkload", "- - - - A A b"),
    ],
)
def test_gates_have_the_stages_of_their_releases(gate: str, stages: str) -> None:
    assert " ".join(GATES[gate].stages) == stages
