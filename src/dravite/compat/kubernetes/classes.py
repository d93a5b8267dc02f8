"""How the classes of the official client are made: their names, their attributes, and what the client says of types."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from dravite.compat.family import ClientClass, ClientField, ClientType, newest_classes
from dravite.compat.kubernetes.checks import Check, check_of, optional
from dravite.compat.kubernetes.model import Field, KubernetesModel, check_object

Classes = Mapping[str, type[KubernetesModel]]

_MODULE: Final = "dravite.compat.kubernetes"
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_RENAMED: Final[Mapping[tuple[str, str], str]] = {("resource_v1", "ResourceClaim"): "ResourceV1ResourceClaim"}
"""A second class would have the name that the others follow: core/v1 has a ResourceClaim too."""

_WORDS: Final[Mapping[str, str]] = {
    "text": "str",
    "quantity": "str",
    "integer": "int",
    "bool": "bool",
    "time": "datetime",
}


def make_classes() -> Classes:
    """Every class that the newest client has, by name."""
    classes: dict[str, type[KubernetesModel]] = {}
    for client in newest_classes():
        name = class_name(client.home, client.name)
        classes[name] = _class(client, name, classes)
    return classes


def class_name(home: str, name: str) -> str:
    """What the client calls a class of a module."""
    version = home.rpartition("_")[2]
    return _RENAMED.get((home, name)) or f"V{version[1:]}{name}"


def attribute_name(wire: str) -> str:
    """The attribute of a field: `shareID` is `share_id`, and what Python reserves gets an underscore."""
    name = _HUMP.sub("_", wire).lower()
    return f"_{name}" if keyword.iskeyword(name) else name


def type_text(kind: ClientType) -> str:
    """A type in the client's words."""
    if kind.item is not None:
        inner = type_text(kind.item)
        return f"List[{inner}]" if kind.word == "list" else f"Dict[str, {inner}]"
    return class_name(kind.home, kind.name) if kind.name else _WORDS.get(kind.word, "object")


def _class(client: ClientClass, name: str, classes: Classes) -> type[KubernetesModel]:
    fields = [_field(field, classes) for field in client.fields]
    members: dict[str, Any] = {
        "__module__": _MODULE,
        "openapi_types": {attribute_name(field.wire): type_text(field.type) for field in client.fields},
        "attribute_map": {field.name: field.wire for field in fields},
        "fields_by_name": {field.name: field for field in fields},
    }
    return type(name, (KubernetesModel,), members)


def _field(field: ClientField, classes: Classes) -> Field:
    check = check_of(field.type, partial(_object_check, classes))
    return Field(
        name=attribute_name(field.wire),
        wire=field.wire,
        required=field.required,
        check=check if field.required else optional(check),
        read=_reading(field.type, classes),
    )


def _object_check(classes: Classes, kind: ClientType) -> Check:
    """The check of a class that may not be made yet."""
    name = class_name(kind.home, kind.name)
    return lambda value, location, faults: check_object(classes[name], value, location, faults)


def _reading(kind: ClientType, classes: Classes) -> Callable[[Any], Any]:
    """What `from_dict` makes of a raw value before it is checked."""
    inner = kind.item or kind
    if not inner.name:
        return lambda raw: raw
    name = class_name(inner.home, inner.name)
    if kind.word == "list":
        return lambda raw: [classes[name].from_dict(item) for item in raw]
    if kind.word == "map":
        return lambda raw: {key: classes[name].from_dict(item) for key, item in raw.items()}
    return lambda raw: classes[name].from_dict(raw)
