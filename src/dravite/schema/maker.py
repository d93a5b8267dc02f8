"""JSON Schema (draft 7, which YAML language servers know) of one kind or of all kinds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from dravite.api.registry import KINDS, KindInfo
from dravite.api.required_fields import required_fields
from dravite.api.shapes import Shape, shape_of
from dravite.api.unread_fields import UNREAD
from dravite.schema.words import ENUMS, meaning

Schema = dict[str, Any]

DIALECT: Final = "http://json-schema.org/draft-07/schema#"
QUANTITY: Final = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$"
"""A quantity that is written as a text; one that is a number needs no pattern."""

# kubectl writes `creationTimestamp: null` into manifests that it makes without a server.
_WORDS: Final[Mapping[str, Schema]] = {
    "text": {"type": "string"},
    "bool": {"type": "boolean"},
    "time": {"type": ["string", "null"], "format": "date-time"},
    "quantity": {"type": ["string", "number"], "pattern": QUANTITY},
    "raw": {"type": "object"},
}
_GROUPS: Final = ("resource.k8s.io", "scheduling.k8s.io")


def described_kinds() -> Iterator[tuple[KindInfo, str]]:
    """Every kind in every version that has a schema."""
    for info in KINDS:
        if info.group in _GROUPS:
            yield from ((info, info.api_version(version)) for version in info.types)


def json_schema(info: KindInfo, api_version: str) -> Schema:
    """The schema of a kind in a version; the kind must exist there."""
    maker = _Maker(api_version)
    root = maker.root(info)
    return {"$schema": DIALECT, "title": f"{api_version} {info.kind}", **root, "definitions": maker.definitions}


def all_schemas() -> Schema:
    """One schema for files of all kinds: a document of a kind that is known is checked, any other passes."""
    definitions: Schema = {}
    cases = []
    for info, api_version in described_kinds():
        maker = _Maker(api_version)
        name = _name(api_version, info.kind)
        root = maker.root(info)
        definitions |= {**maker.definitions, name: root}
        mine = {"apiVersion": {"const": api_version}, "kind": {"const": info.kind}}
        cases.append(
            {"if": {"properties": mine, "required": ["apiVersion", "kind"]}, "then": {"$ref": f"#/definitions/{name}"}}
        )
    return {
        "$schema": DIALECT,
        "title": "resource.k8s.io and scheduling.k8s.io",
        "type": "object",
        "allOf": cases,
        "definitions": definitions,
    }


def _name(api_version: str, owner: str) -> str:
    return f"{api_version.replace('/', '.')}.{owner}"


class _Maker:
    """Collects the definitions of one version; alive only inside one function."""

    def __init__(self, api_version: str) -> None:
        self.api_version = api_version
        self.definitions: Schema = {}

    def root(self, info: KindInfo) -> Schema:
        model = info.type_of(self.api_version)
        assert model is not None  # noqa: S101 (the caller has looked)
        made = self._object(shape_of(model), info.kind)
        made["properties"]["apiVersion"] = {"const": self.api_version, "description": meaning(info.kind, "apiVersion")}
        made["properties"]["kind"] = {"const": info.kind, "description": meaning(info.kind, "kind")}
        made["required"] = list(dict.fromkeys(("apiVersion", "kind", "metadata", *made.get("required", ()))))
        group, _, version = self.api_version.rpartition("/")
        made["x-kubernetes-group-version-kind"] = [{"group": group, "version": version, "kind": info.kind}]
        return made

    def _object(self, shape: Shape, owner: str) -> Schema:
        properties = {name: self._field(owner, name, field) for name, field in shape.fields.items()}
        properties |= {name: {} for name in sorted(_unread(shape))}
        made: Schema = {"type": "object", "description": meaning(owner), "properties": properties}
        required = required_names(shape)
        if required:
            made["required"] = list(required)
        made["additionalProperties"] = False
        return made

    def _field(self, owner: str, name: str, shape: Shape) -> Schema:
        described = {"description": meaning(owner, name)}
        made = self._value(shape)
        words = ENUMS.get((owner, name))
        if words is not None and shape.word == "list":
            made["items"] = {**made["items"], "enum": list(words)}
        elif words is not None:
            made["enum"] = list(words)
        # Draft 7 passes over whatever stands beside a reference.
        return {**described, "allOf": [made]} if "$ref" in made else {**described, **made}

    def _value(self, shape: Shape) -> Schema:
        match shape.word:
            case "object":
                return {"$ref": f"#/definitions/{self._defined(shape)}"}
            case "list":
                return {"type": "array", "items": self._item(shape)}
            case "map":
                return {"type": "object", "additionalProperties": self._item(shape)}
            case "integer":
                return {"type": "integer", "format": f"int{shape.bits}"}
        return dict(_WORDS[shape.word])

    def _item(self, shape: Shape) -> Schema:
        return self._value(shape.item) if shape.item is not None else {}

    def _defined(self, shape: Shape) -> str:
        assert shape.owner is not None  # noqa: S101 (an object has one)
        owner = shape.owner.__name__
        name = _name(self.api_version, owner)
        if name not in self.definitions:
            self.definitions[name] = {}
            self.definitions[name] = self._object(shape, owner)
        return name


def required_names(shape: Shape) -> tuple[str, ...]:
    """The wire names of the fields that an object must have, in order."""
    if shape.owner is None:
        return ()
    wire = dict(zip(shape.owner.__struct_fields__, shape.owner.__struct_encode_fields__, strict=True))
    return tuple(wire[name] for name in shape.owner.__struct_fields__ if name in required_fields(shape.owner))


def _unread(shape: Shape) -> frozenset[str]:
    """Fields that Kubernetes has and dravite does not read: they pass."""
    return UNREAD.get(shape.owner, frozenset()) if shape.owner is not None else frozenset()
