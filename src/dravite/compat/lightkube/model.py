"""The common ancestor of lightkube's classes, and how one is made."""

from __future__ import annotations

import keyword
import warnings
from collections.abc import Callable, Mapping
from typing import Any, Final, Self, cast

import msgspec

from dravite.compat.family import ClientClass, ClientField, ClientType, classes_of

_WORDS: Final[Mapping[str, str]] = {"text": "str", "integer": "int", "bool": "bool", "map": "dict"}
_NAMES: Final[Mapping[str, str]] = {
    "quantity": "resource.Quantity",
    "time": "meta_v1.Time",
    "raw": "runtime.RawExtension",
    "object": "Dict",
}

_SHADOWED: Final[Mapping[str, Any]] = {
    "Optional[bool]": bool | None,
    "Optional[int]": int | None,
    "Optional[List[bool]]": list[bool] | None,
    "Optional[List[int]]": list[int] | None,
}
"""Types whose names a class can hide by fields of the same name, as DeviceAttribute does. lightkube fails there."""


class DictMixin(msgspec.Struct, omit_defaults=True):
    """What every class of lightkube can do."""

    @classmethod
    def from_dict(cls, d: Mapping[str, Any], lazy: bool = False) -> Self:  # noqa: FBT001, FBT002 (lightkube's signature)
        """The object that a dict says, with names as on the wire. Unknown names are passed over.

        Raises:
            msgspec.ValidationError: something required is missing, or a value has the wrong type.
        """
        if lazy:
            warnings.warn("lazy=True has no effect: objects are read at once", DeprecationWarning, stacklevel=2)
        return msgspec.convert(d, cls)

    def to_dict(self, dict_factory: Callable[..., Any] = dict) -> Any:
        """The object as plain values, with names as on the wire, without what is at its default."""
        plain = msgspec.to_builtins(self)
        if dict_factory is dict:
            return plain
        warnings.warn("dict_factory is deprecated: use the dict that is returned", DeprecationWarning, stacklevel=2)
        return _with_dicts_of(dict_factory, plain)


def _with_dicts_of(factory: Callable[..., Any], value: Any) -> Any:
    if isinstance(value, dict):
        return factory((key, _with_dicts_of(factory, item)) for key, item in value.items())
    return [_with_dicts_of(factory, item) for item in value] if isinstance(value, list) else value


def module_names(home: str) -> Mapping[str, Any]:
    """Every name of one of lightkube's modules; a class without fields is a dict there."""
    return {name: _made(made) if made.fields else dict for name, made in classes_of(home).items()}


def _made(client: ClientClass) -> type[DictMixin]:
    """The class, in the module that lightkube has it in.

    Types are written as in lightkube, and found in that module when objects are first read.
    """
    fields = sorted(client.fields, key=lambda field: not field.required)
    members = [_member(field, client.home) for field in fields]
    namespace: dict[str, Any] = {}
    if client.api_version:
        namespace["__post_init__"] = _typed_as(client.api_version, client.kind)
    module = f"dravite.compat.lightkube.models.{client.home}"
    made = msgspec.defstruct(client.name, members, bases=(DictMixin,), namespace=namespace, module=module)
    return cast("type[DictMixin]", made)


def _member(field: ClientField, home: str) -> Any:
    name = f"{field.wire}_" if keyword.iskeyword(field.wire) else field.wire
    kind = type_text(field.type, home)
    if field.required:
        return name, kind
    optional = f"Optional[{kind}]"
    return name, _SHADOWED.get(optional, optional), msgspec.field(default=None, name=field.wire)


def type_text(kind: ClientType, home: str) -> str:
    """A type in lightkube's words, as seen from one of its modules."""
    if kind.word == "list" and kind.item is not None:
        return f"List[{type_text(kind.item, home)}]"
    if kind.word == "object" and kind.name:
        return kind.name if kind.home == home else f"{kind.home}.{kind.name}"
    if kind.word == "raw" and home == "meta_v1":
        return "FieldsV1"
    return _WORDS.get(kind.word) or _NAMES[kind.word].removeprefix(f"{home}.")


def _typed_as(api_version: str, kind: str) -> Callable[[Any], None]:
    def fill_in(self: Any) -> None:
        self.apiVersion = api_version
        self.kind = kind

    return fill_in
