"""Schemas of kinds, made from the shapes of dravite's types."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from dravite.api.meta import Model
from dravite.api.plain import Plain
from dravite.api.required_fields import required_fields
from dravite.api.shapes import Shape, shape_of
from dravite.apiserver.kinds import Kind
from dravite.apiserver.list_types import SET, Names, is_atomic, list_keys
from dravite.apiserver.openapi_plain import add_plain
from dravite.schema.words import ENUMS, meaning

_META: Final = "io.k8s.apimachinery.pkg.apis.meta.v1"
_WORDS: Final[dict[str, Plain]] = {
    "text": {"type": "string", "default": ""},
    "bool": {"type": "boolean"},
    "time": {"type": "string", "format": "date-time"},
    "quantity": {"oneOf": [{"type": "string"}, {"type": "number"}]},
    "raw": {"type": "object"},
}
_FREE: Final = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


def kind_name(kind: Kind, version: str) -> str:
    """The name of a kind's schema."""
    group = kind.group.removesuffix(".k8s.io") or "core"
    return f"io.k8s.api.{group}.{version}.{kind.kind}"


def schemas(kinds: Iterable[Kind], version: str) -> Plain:
    """The schemas of some kinds in a version and of all that is in them, by name."""
    made: Plain = {}
    for kind in kinds:
        model = kind.types.get(version)
        name = kind_name(kind, version)
        if model is not None:
            _Walk(kind.kind, name.rpartition(".")[0], made).object(shape_of(model), (), name)
        elif not add_plain(kind.api_version(version), kind.kind, name, made):
            made[name] = {**_FREE, "description": f"{kind.kind} is kept as it is sent."}
        made[name]["x-kubernetes-group-version-kind"] = [{"group": kind.group, "kind": kind.kind, "version": version}]
    return made


class _Walk:
    """A walk over the shapes of one kind; alive only inside `schemas`."""

    __slots__ = ("kind", "made", "package")

    def __init__(self, kind: str, package: str, made: Plain) -> None:
        self.kind = kind
        self.package = package
        self.made = made

    def object(self, shape: Shape, names: Names, name: str) -> None:
        """Describe an object and all inside it, unless that was done before."""
        if name in self.made:
            return
        owner = shape.owner.__name__ if shape.owner is not None else ""
        schema: Plain = {**_described(meaning(owner)), "type": "object", "properties": {}}
        self.made[name] = schema
        for field, inner in shape.fields.items():
            found = self._value(inner, (*names, field))
            words = ENUMS.get((owner, field))
            if words is not None and inner.word == "text":
                found["enum"] = list(words)
            schema["properties"][field] = {**_described(meaning(owner, field)), **found}
        required = sorted(_required(shape))
        if required:
            schema["required"] = required
        if names and is_atomic(self.kind, names):
            schema["x-kubernetes-map-type"] = "atomic"

    def _value(self, shape: Shape, names: Names) -> Plain:
        match shape.word:
            case "object":
                name = self._name(shape)
                self.object(shape, names, name)
                return {"allOf": [{"$ref": f"#/components/schemas/{name}"}], "default": {}}
            case "list":
                return {"type": "array", "items": self._inner(shape, names), **self._list_type(names)}
            case "map":
                return {"type": "object", "additionalProperties": self._inner(shape, names)}
            case "integer":
                return {"type": "integer", "format": f"int{shape.bits}"}
        return dict(_WORDS.get(shape.word, _WORDS["text"]))

    def _inner(self, shape: Shape, names: Names) -> Plain:
        return self._value(shape.item, names) if shape.item is not None else {"type": "object"}

    def _list_type(self, names: Names) -> Plain:
        keys = list_keys(self.kind, names)
        if keys is None:
            return {"x-kubernetes-list-type": "atomic"}
        if keys is SET:
            return {"x-kubernetes-list-type": "set", "x-kubernetes-patch-strategy": "merge"}
        made: Plain = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": list(keys)}
        if len(keys) == 1:
            made |= {"x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": keys[0]}
        return made

    def _name(self, shape: Shape) -> str:
        owner = shape.owner
        module = getattr(owner, "__module__", "")
        if module.endswith(".meta"):
            return f"{_META}.{owner.__name__}" if owner is not None else _META
        return f"{self.package}.{owner.__name__ if owner is not None else 'Object'}"


def _described(text: str) -> Plain:
    return {"description": text} if text else {}


def _required(shape: Shape) -> Iterable[str]:
    owner = shape.owner
    if owner is None or not issubclass(owner, Model):
        return ()
    required = required_fields(owner)
    names = dict(zip(owner.__struct_fields__, owner.__struct_encode_fields__, strict=True))
    return [names[name] for name in required if names[name] not in ("apiVersion", "kind")]
