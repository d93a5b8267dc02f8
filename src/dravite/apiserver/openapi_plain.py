"""Schemas of kinds that are kept as they are sent, made from the table of protobuf fields: names and types only."""

from __future__ import annotations

from typing import Final

from dravite.api.plain import Plain
from dravite.apiserver.protobuf import Field, fields_of, message_types, type_name

_WORDS: Final[dict[str, Plain]] = {
    "s": {"type": "string"},
    "b": {"type": "boolean"},
    "i": {"type": "integer", "format": "int64"},
    "y": {"type": "string", "format": "byte"},
    "resource.Quantity": {"oneOf": [{"type": "string"}, {"type": "number"}]},
    "meta/v1.Time": {"type": "string", "format": "date-time"},
    "meta/v1.MicroTime": {"type": "string", "format": "date-time"},
    "intstr.IntOrString": {"oneOf": [{"type": "integer"}, {"type": "string"}], "x-kubernetes-int-or-string": True},
    "runtime.RawExtension": {"type": "object"},
    "meta/v1.FieldsV1": {"type": "object"},
}


def add_plain(api_version: str, kind: str, name: str, made: Plain) -> bool:
    """Add the schemas of a kind and of all that is in it under these names; whether the table knows the kind."""
    found = type_name(api_version, kind)
    if found not in message_types():
        return False
    made[name] = {"type": "object", "properties": {"apiVersion": _WORDS["s"], "kind": _WORDS["s"]}}
    made[name]["properties"] |= _properties(found, made)
    return True


def _properties(message: str, made: Plain) -> Plain:
    return {name: _field(field, made) for name, field in fields_of(message).items()}


def _field(field: Field, made: Plain) -> Plain:
    value = _value(field.code, made)
    if field.many == "[":
        return {"type": "array", "items": value}
    return {"type": "object", "additionalProperties": value} if field.many == "{" else value


def _value(code: str, made: Plain) -> Plain:
    if code in _WORDS:
        return _WORDS[code]
    package, _, kind = code.partition(".")
    group, _, version = package.rpartition("/")
    home = "io.k8s.apimachinery.pkg.apis" if group == "meta" else "io.k8s.api"
    name = f"{home}.{group}.{version}.{kind}"
    if name not in made:
        made[name] = {"type": "object"}
        made[name]["properties"] = _properties(code, made)
    return {"allOf": [{"$ref": f"#/components/schemas/{name}"}], "default": {}}
