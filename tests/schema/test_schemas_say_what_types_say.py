"""Schemas against objects: every object that a server accepted passes, misspelt and mistyped ones do not."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from dravite.api.registry import known_kind
from dravite.api.shapes import Shape, shape_of
from dravite.schema import all_schemas, json_schema
from dravite.schema.maker import described_kinds
from dravite.schema.words import ENUMS, described, meaning
from tests.schema.draft7 import faults

ROOT = Path(__file__).parents[2]
CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: g, count: 2}}]}}
"""


@lru_cache(maxsize=1)
def everything() -> dict[str, Any]:
    return all_schemas()


def stored() -> Iterator[dict[str, Any]]:
    """Objects as servers of the newest release gave them back."""
    data = gzip.decompress((ROOT / "tests" / "vectors" / "validation" / "1.37.jsonl.gz").read_bytes())
    for line in data.decode().splitlines():
        vector = json.loads(line)
        found = vector.get("expected", {}).get("object")
        if isinstance(found, dict) and "$repeat" not in line and "<now>" not in line and "<5>" not in line:
            yield _without_nulls(found)


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(inner) for key, inner in value.items() if inner is not None}
    return [_without_nulls(inner) for inner in value] if isinstance(value, list) else value


def test_every_object_that_a_server_stored_passes() -> None:
    schemas = {(api_version, info.kind): json_schema(info, api_version) for info, api_version in described_kinds()}
    counts = 0
    for found in list(stored())[::4]:
        schema = schemas[found["apiVersion"], found["kind"]]
        said = [one for one in faults(found, schema, schema) if "mayberequired" not in one]
        missing = [one for one in said if ": lacks " in one]
        assert said == missing, (found["kind"], said)
        counts += not said
    assert counts > 500


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (("exactly:", "exactyl:"), "$.spec.devices.requests[0]: does not know exactyl"),
        (("count: 2", "count: two"), "$.spec.devices.requests[0].exactly.count: not of type integer"),
        (("count: 2", "allocationMode: Some"), "$.spec.devices.requests[0].exactly.allocationMode: none of"),
        (("name: r, ", ""), "$.spec.devices.requests[0]: lacks name"),
        (("count: 2", "capacity: {requests: {m: 1 Gi}}"), "requests.m: does not match"),
        (("kind: ResourceClaim\n", "kind: Pod\n"), None),
        (("name: c}", "name: c, creationTimestamp: null}"), None),
    ],
)
def test_what_is_wrong_is_found_in_the_schema_of_all_kinds(change: tuple[str, str], fault: str | None) -> None:
    good = yaml.safe_load(CLAIM)
    assert list(faults(good, everything(), everything())) == []
    found = list(faults(yaml.safe_load(CLAIM.replace(*change)), everything(), everything()))
    assert (found == []) if fault is None else (fault in found[0])


def test_no_field_is_required_twice() -> None:
    twice = [
        name
        for name, one in everything()["definitions"].items()
        if len(set(one.get("required", ()))) < len(one.get("required", ()))
    ]
    assert twice == []


def test_the_examples_pass() -> None:
    checked = 0
    for file in sorted((ROOT / "examples").rglob("*.yaml")):
        for found in yaml.safe_load_all(file.read_text()):
            assert list(faults(found, everything(), everything())) == [], file
            checked += known_kind("resource.k8s.io", found["kind"]) is not None
    assert checked > 5


def test_every_field_of_every_version_has_a_meaning_and_none_is_left_over() -> None:
    fields = {
        (owner, field)
        for info, version in described_kinds()
        for owner, field in _fields(shape_of(info.types[version.rpartition("/")[2]]))
    }
    assert len(fields) > 300
    assert {(owner, field) for owner, field in fields if not meaning(owner, field)} == set()
    assert described() - fields == set()
    assert set(ENUMS) <= fields


def _fields(shape: Shape) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    pending = [shape]
    while pending:
        one = pending.pop()
        while one.item is not None:
            one = one.item
        if one.owner is None or (one.owner.__module__, one.owner.__name__) in seen:
            continue
        seen.add((one.owner.__module__, one.owner.__name__))  # type: ignore[arg-type]
        yield (one.owner.__name__, "")
        yield from ((one.owner.__name__, field) for field in one.fields)
        pending += one.fields.values()
