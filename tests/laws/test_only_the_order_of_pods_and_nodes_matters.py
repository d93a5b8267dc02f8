"""Law (f): permuting what holds neither pods nor nodes changes no byte of the plan."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from dravite.api.meta import ObjectMeta
from dravite.api.resource_v1 import DeviceTaint, DeviceTaintRule, DeviceTaintRuleSpec, DeviceTaintSelector
from dravite.diagnosis.verdicts import Scheduled
from dravite.planning.planner import make_plan
from dravite.snapshot.manifests import Manifests
from dravite.snapshot.snapshot import build
from tests.clusters import claim, device_class, devices_of, manifests, node, pod, release, template, with_claims

RELEASES = ("1.34", "1.37")


def rule(name: str, pool: str) -> DeviceTaintRule:
    taint = DeviceTaint(key=name, effect="NoSchedule")
    spec = DeviceTaintRuleSpec(device_selector=DeviceTaintSelector(pool=pool), taint=taint)
    return DeviceTaintRule(metadata=ObjectMeta(name=name), spec=spec)


@st.composite
def clusters(draw) -> Manifests:
    names = [f"n{number}" for number in range(draw(st.integers(1, 4)))]
    slices = [devices_of(name, draw(st.integers(0, 3))) for name in names]
    entries = st.sampled_from(["shared", "own", "@one", "@two", "gone"])
    pods = [with_claims(pod(f"p{number}"), a=draw(entries)) for number in range(draw(st.integers(1, 6)))]
    given = manifests(
        *[node(name) for name in names], *slices, device_class("gpu"), device_class("nic"),
        claim("shared"), claim("own", 2), template("one"), template("two", 2), *pods,
    )  # fmt: skip
    rules = tuple(rule(f"r{number}", name) for number, name in enumerate(names) if draw(st.booleans()))
    return msgspec.structs.replace(given, taint_rules=rules)


def as_bytes(given: Manifests, number: str) -> bytes:
    return msgspec.json.encode(make_plan(build(given, release(number))).decisions, enc_hook=str)


@pytest.mark.parametrize("number", RELEASES)
@settings(max_examples=40, deadline=None)
@given(given_cluster=clusters(), data=st.data())
def test_permuted_slices_classes_claims_templates_and_rules_give_the_same_bytes(number, given_cluster, data):
    kinds = ("slices", "classes", "claims", "templates", "taint_rules")
    shuffled = {kind: tuple(data.draw(st.permutations(getattr(given_cluster, kind)))) for kind in kinds}
    expected = as_bytes(given_cluster, number)
    placed = make_plan(build(given_cluster, release(number))).decisions
    event(f"placed: {sum(isinstance(one.decision, Scheduled) for one in placed)}")
    assert as_bytes(msgspec.structs.replace(given_cluster, **shuffled), number) == expected
