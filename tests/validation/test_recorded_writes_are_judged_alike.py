"""Every recorded request gets the server's answer: code, reasons, fields, objects, words and warnings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from conformance import conversions, gates_off
from conformance.validate import answer, expand
from conformance.validate_check import compare, differences
from tests.validation.recordings import VECTORS, Key, read, requests

KEYS = sorted(requests())
PRINTED_BY_GO = re.compile(r"value: ([{\[]|null: binding|\"G_)")
"""Values that only Go prints so, and names that differ from run to run."""


@pytest.mark.parametrize("key", KEYS, ids="-".join)
def test_code_causes_and_object_are_the_servers(key: Key) -> None:
    found = {line["name"]: differences(line, key[0]) for line in requests()[key]}
    assert {name: texts for name, texts in found.items() if texts} == {}


@pytest.mark.parametrize("key", [key for key in KEYS if key[:2] == ("1.37", "resource.k8s.io/v1")], ids="-".join)
def test_messages_and_warnings_are_the_servers(key: Key) -> None:
    for line in requests()[key]:
        found = answer(line, key[0])
        assert found.get("warnings", []) == line["expected"].get("warnings", []), line["name"]
        assert _messages(found) == _messages(expand(line["expected"])), line["name"]


def _messages(answered: Mapping[str, Any]) -> list[str]:
    messages = sorted(cause["message"] for cause in answered.get("causes", ()))
    return [message for message in messages if not PRINTED_BY_GO.search(message)]


@pytest.mark.parametrize("line", read(VECTORS / "api" / "conversions.jsonl.gz"), ids=lambda line: line["name"])
def test_objects_are_read_in_every_version_as_a_server_shows_them(line: Mapping[str, Any]) -> None:
    assert conversions.differences(line) == []


@pytest.mark.parametrize("line", read(VECTORS / "api" / "gates-turned-off.jsonl.gz"), ids=lambda line: line["name"])
def test_what_was_stored_while_gates_were_on_stays(line: Mapping[str, Any]) -> None:
    assert gates_off.differences(line) == []


@pytest.mark.parametrize(
    "line", read(VECTORS / "validation" / "gates-turned-off-1.31.jsonl.gz"), ids=lambda line: line["name"]
)
def test_claims_of_classic_drivers_stay_theirs(line: Mapping[str, Any]) -> None:
    assert gates_off.differences(line, "1.31") == []


def test_a_wrong_recording_is_noticed() -> None:
    line = next(line for line in requests()[KEYS[0]] if line["expected"]["code"] == 422)
    found = answer(line, KEYS[0][0])
    causes = line["expected"]["causes"]
    assert list(compare(line["expected"], found)) == []
    assert list(compare({**line["expected"], "causes": causes[1:]}, found)) != []
    assert list(compare({**line["expected"], "code": 403, "message": "x"}, found)) != []
