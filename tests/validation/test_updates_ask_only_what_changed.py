"""An update is held to the rules where it changes something; what was stored under other rules may stay."""

from __future__ import annotations

import msgspec

from dravite.admission.refusals import Refused
from dravite.admission.requests import Accepted, judge
from dravite.api.meta import Model
from dravite.api.resource_v1 import DeviceTaintRule, ResourceSlice
from tests.admission.writes import HERE, NOW, faults, server, stored, written

SLICE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s, resourceVersion: "1"}
spec:
  driver: d.example.com
  nodeName: n
  pool: {name: p, generation: GENERATION, resourceSliceCount: 1}
  devices:
  - name: dev
    allowMultipleAllocations: true
    capacity:
      memory: {value: "10", requestPolicy: {default: "DEFAULT", validRange: {min: "500m", step: "STEP"}}}
"""
CLASS = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: c, resourceVersion: "1", labels: {changed: "no"}}
spec:
  selectors: [{cel: {expression: EXPRESSION}}]
"""
RULE = """\
apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: r, resourceVersion: "1"}
spec:
  deviceSelector: {driver: d.example.com}
  taint: {key: broken, effect: EFFECT, timeAdded: "2025-06-01T00:00:00Z"}
"""
CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, resourceVersion: "1"}
spec:
  devices:
    requests:
    - {name: r, exactly: {deviceClassName: CLASS}}
"""
FRACTIONS = "DRAFractionalCapacityRange=true"
NO_FRACTIONS = "DRAFractionalCapacityRange=false"


def fill(text: str, **words: str) -> str:
    for name, word in words.items():
        text = text.replace(name, word)
    return text


def updated(text: str, old: Model, gates: str = "") -> Accepted | Refused:
    return judge(written(text, "update", old), HERE, server(gates=gates), NOW)


def test_a_policy_from_before_a_gate_was_closed_stays_while_nobody_touches_it() -> None:
    text = fill(SLICE, GENERATION="1", DEFAULT="1500m", STEP="500m")
    old = stored(text, server(gates=FRACTIONS))
    assert faults(updated(text.replace("generation: 1", "generation: 2"), old, NO_FRACTIONS)) == []
    touched = faults(updated(text.replace("1500m", "1501m"), old, FRACTIONS))
    assert touched == ["spec.devices[0].capacity[memory].requestPolicy.validRange.step: FieldValueInvalid"]


def test_without_fractions_a_server_reckons_with_amounts_that_are_rounded_up() -> None:
    text = fill(SLICE, GENERATION="1", DEFAULT="3", STEP="2")
    exactly = judge(written(text), HERE, server(gates=FRACTIONS))
    assert faults(exactly) == ["spec.devices[0].capacity[memory].requestPolicy.validRange.step: FieldValueInvalid"]
    assert faults(judge(written(text), HERE, server(gates=NO_FRACTIONS))) == []


def test_an_expression_that_is_stored_is_not_compiled_again() -> None:
    old = stored(fill(CLASS, EXPRESSION="'true'"), server())
    selectors = old.spec.selectors  # type: ignore[attr-defined]
    cel = msgspec.structs.replace(selectors[0].cel, expression="nothing.like.it")
    bad = (msgspec.structs.replace(selectors[0], cel=cel),)
    old = msgspec.structs.replace(old, spec=msgspec.structs.replace(old.spec, selectors=bad))  # type: ignore[attr-defined]
    same = fill(CLASS, EXPRESSION="nothing.like.it").replace('"no"', '"yes"')
    assert faults(updated(same, old)) == []
    other = fill(CLASS, EXPRESSION="nothing.like.that")
    assert faults(updated(other, old)) == ["spec.selectors[0].cel.expression: FieldValueInvalid"]


def test_a_new_effect_begins_now_unless_a_time_is_given() -> None:
    old = stored(fill(RULE, EFFECT="NoSchedule"), server())
    same = updated(fill(RULE, EFFECT="NoSchedule"), old)
    begun = updated(fill(RULE, EFFECT="NoExecute"), old)
    given = updated(fill(RULE, EFFECT="NoExecute").replace("2025-06", "2025-07"), old)
    times = [
        answer.object.spec.taint.time_added
        for answer in (same, begun, given)
        if isinstance(answer, Accepted) and isinstance(answer.object, DeviceTaintRule)
    ]
    assert times == ["2025-06-01T00:00:00Z", NOW, "2025-07-01T00:00:00Z"]


def test_generations_count_changes_of_the_spec_alone() -> None:
    text = fill(SLICE, GENERATION="1", DEFAULT="1500m", STEP="500m")
    old = stored(text, server(gates=FRACTIONS))
    labelled = updated(text.replace("{name: s,", "{name: s, labels: {a: b},"), old, FRACTIONS)
    grown = updated(text.replace("generation: 1", "generation: 2"), old, FRACTIONS)
    generations = [answer.object.metadata.generation for answer in (labelled, grown) if isinstance(answer, Accepted)]  # type: ignore[attr-defined]
    assert generations == [1, 2]


def test_a_claim_keeps_its_spec_and_no_other_fault_of_it_is_told() -> None:
    old = stored(fill(CLAIM, CLASS="gpu"), server())
    assert faults(updated(fill(CLAIM, CLASS="gpu"), old)) == []
    assert faults(updated(fill(CLAIM, CLASS="'-'"), old)) == ["spec: FieldValueInvalid"]


def test_fields_of_closed_gates_go_unless_the_stored_object_has_them() -> None:
    text = fill(SLICE, GENERATION="1", DEFAULT="1", STEP="500m").replace("500m", "1")
    off = "DRAConsumableCapacity=false"
    without = stored(text, server(gates=off))
    assert isinstance(without, ResourceSlice)
    assert without.spec.devices is not None
    assert without.spec.devices[0].allow_multiple_allocations is None
    having = stored(text, server())
    kept = updated(text.replace("generation: 1", "generation: 2"), having, off)
    gone = updated(text.replace("generation: 1", "generation: 2"), without, off)
    flags = [
        answer.object.spec.devices[0].allow_multiple_allocations
        for answer in (kept, gone)
        if isinstance(answer, Accepted)
        and isinstance(answer.object, ResourceSlice)
        and answer.object.spec.devices is not None
    ]
    assert flags == [True, None]
