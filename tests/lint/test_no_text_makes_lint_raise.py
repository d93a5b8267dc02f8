"""Law: whatever a file holds, lint answers, and answers the same again."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dravite.lint import RULES
from tests.lint.manifests import CLASS, NODE, joined, linted, pod, resource_slice, template

GOOD = joined(
    CLASS,
    NODE,
    template("tolerations: [{operator: Exists}], capacity: {requests: {memory: 1Gi}}"),
    pod(),
    resource_slice("  - {name: gpu-0, attributes: {uuid: {string: u}}, capacity: {memory: {value: 1Gi}}}\n"),
)
JUNK = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=8)
    | st.builds(list)
    | st.builds(dict)
    | st.builds(lambda: [{}])
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_objects_with_any_value_in_any_place_are_answered(data: st.DataObject) -> None:
    objects = list(yaml.safe_load_all(GOOD))
    for _ in range(data.draw(st.integers(1, 3))):
        _spoil(data.draw(st.sampled_from(objects)), data)
    text = "---\n".join(msgspec.json.encode(one).decode() + "\n" for one in objects)
    first, again = linted(text), linted(text)
    assert first == again
    assert {problem.type for problem in first.problems} <= set(RULES)


def _spoil(value: Any, data: st.DataObject) -> None:
    """Put junk into a random place of a plain value."""
    while isinstance(value, dict | list) and value:
        key = data.draw(st.sampled_from(sorted(value) if isinstance(value, dict) else range(len(value))))
        if not isinstance(value[key], dict | list) or not value[key] or data.draw(st.booleans()):
            value[key] = data.draw(JUNK)
            return
        value = value[key]


@pytest.mark.parametrize("number", ["9" * 5000, "-" + "9" * 5000, "1e400", "1e-400", "0." + "1" * 5000])
@pytest.mark.parametrize("place", ["count: 77", "capacity: {requests: {memory: 77}}"])
def test_numbers_beyond_all_limits_are_answered_in_yaml_and_json(number: str, place: str) -> None:
    written = template(place)
    for text in (written, json.dumps(yaml.safe_load(written))):
        found = linted(text.replace("77", number))
        assert {problem.type for problem in found.problems} <= set(RULES)
        assert "capacity" in place or number == "1e-400" or "error" in {one.severity for one in found.problems}


def test_faults_by_the_thousand_are_answered_in_time_to_their_number() -> None:
    labels = json.dumps({f"!{number}": "?" for number in range(5000)})
    found = linted(template().replace("name: gpu", f"name: gpu, labels: {labels}", 1))
    assert len(found.problems) >= 5000


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_bytes_of_any_kind_are_answered(data: bytes) -> None:
    found = linted(data.decode("utf-8", "replace"))
    assert {problem.type for problem in found.problems} <= set(RULES)
