"""Objects of other clients as models of ours, told by what they can do and never by importing anybody.

The official client's objects, sync and aio, turn into JSON; lightkube's and the dynamic client's turn into dicts;
kr8s keeps a dict inside; and a plain dict is one already.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar, overload

from dravite.api.meta import Model
from dravite.api.unknown_fields import UnknownField
from dravite.interop.names import kind_of_model, model_of_class, model_of_kind

M = TypeVar("M", bound=Model)


@overload
def read(obj: object) -> Model: ...
@overload
def read(obj: object, model: type[M]) -> M: ...
def read(obj: object, model: type[Model] | None = None) -> Model:
    """The model that an object of another client stands for, in the version that it has.

    Args:
        model: its class, for objects that do not know: dicts without apiVersion and kind.

    Raises:
        TypeError: the object can be turned into no dict, or nothing tells what it is.
        dravite.api.surface.ModelError: it does not fit the class.
    """
    return _class_of(obj, model).from_dict(to_plain(obj))


@overload
def read_lenient(obj: object) -> tuple[Model, tuple[UnknownField, ...]]: ...
@overload
def read_lenient(obj: object, model: type[M]) -> tuple[M, tuple[UnknownField, ...]]: ...
def read_lenient(obj: object, model: type[Model] | None = None) -> tuple[Model, tuple[UnknownField, ...]]:
    """As `read`; fields that the class does not have are no fault and are handed back."""
    return _class_of(obj, model).from_dict_lenient(to_plain(obj))


def to_plain(obj: object) -> dict[str, Any]:
    """The dict that every client takes: names as on the wire, with apiVersion and kind where they can be told.

    Raises:
        TypeError: the object can be turned into no dict.
    """
    plain = dict(_plain(obj))
    found = model_of_class(type(obj))
    if found is not None:
        for name, value in zip(("apiVersion", "kind"), kind_of_model(found), strict=True):
            if value and not plain.get(name):
                plain[name] = value
    return plain


def _plain(obj: object) -> Mapping[str, Any]:
    if isinstance(obj, Model):
        return obj.to_dict()
    if isinstance(obj, Mapping):
        return obj
    raw = getattr(obj, "raw", None)
    if isinstance(raw, Mapping):
        return raw
    made = _converted(obj)
    if isinstance(made, Mapping):
        return made
    message = f"cannot be turned into a dict: {type(obj).__name__}"
    raise TypeError(message)


def _converted(obj: object) -> Any:
    """What the object makes of itself: JSON first, which knows what is absent and what is null."""
    to_json, to_dict = getattr(obj, "to_json", None), getattr(obj, "to_dict", None)
    if callable(to_json) and callable(to_dict):
        return json.loads(to_json())
    if not callable(to_dict):
        return None
    try:
        return to_dict(serialize=True)
    except TypeError:
        return to_dict()


def _class_of(obj: object, model: type[Model] | None) -> type[Model]:
    if model is not None:
        return model
    if isinstance(obj, Model):
        return type(obj)
    plain = _plain(obj)
    api_version = plain.get("apiVersion") or plain.get("api_version") or ""
    found = model_of_kind(str(api_version), str(plain.get("kind") or "")) or model_of_class(type(obj))
    if found is None:
        message = f"nothing tells what this is: {type(obj).__name__} with apiVersion {api_version or 'unknown'}"
        raise TypeError(message)
    return found
