"""A validator for the part of JSON Schema draft 7 that our schemas use. For tests only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "null": type(None),
}
KNOWN = {
    *("$schema", "$ref", "title", "description", "definitions", "type", "properties", "required", "items", "enum"),
    *("additionalProperties", "const", "pattern", "format", "allOf", "if", "then", "x-kubernetes-group-version-kind"),
}


def faults(value: Any, schema: dict[str, Any], root: dict[str, Any], path: str = "$") -> Iterator[str]:
    """Where and how a value breaks a schema."""
    assert set(schema) <= KNOWN, set(schema) - KNOWN
    if "$ref" in schema:
        yield from faults(value, root["definitions"][schema["$ref"].removeprefix("#/definitions/")], root, path)
        return
    wanted = schema.get("type", [])
    kinds = [wanted] if isinstance(wanted, str) else wanted
    if kinds and not any(_is(value, kind) for kind in kinds):
        yield f"{path}: not of type {wanted}"
        return
    if "const" in schema and value != schema["const"]:
        yield f"{path}: not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{path}: none of {schema['enum']}"
    if "pattern" in schema and isinstance(value, str) and not re.search(schema["pattern"], value):
        yield f"{path}: does not match"
    for inner in schema.get("allOf", ()):
        if "if" not in inner or not list(faults(value, inner["if"], root, path)):
            yield from faults(value, inner.get("then", inner), root, path)
    if isinstance(value, dict):
        yield from _of_object(value, schema, root, path)
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            yield from faults(item, schema["items"], root, f"{path}[{index}]")


def _is(value: Any, kind: str) -> bool:
    return isinstance(value, TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _of_object(value: dict[str, Any], schema: dict[str, Any], root: dict[str, Any], path: str) -> Iterator[str]:
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{path}: lacks {name}"
    for name, inner in value.items():
        rest = schema.get("additionalProperties", {})
        if name in properties:
            yield from faults(inner, properties[name], root, f"{path}.{name}")
        elif rest is False:
            yield f"{path}: does not know {name}"
        else:
            yield from faults(inner, rest, root, f"{path}.{name}")
