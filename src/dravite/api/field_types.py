"""The fields of a type with their types, as `msgspec.inspect` would tell them, one level deep.

`msgspec.inspect.type_info` always describes everything that a type reaches. Here a nested type is known by its class
alone (`StructType.fields` is empty), so that the many types of the API are described once each, and only when needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import UnionType
from typing import Any, Union, get_args, get_origin

import msgspec
from msgspec import inspect


@lru_cache(maxsize=1024)
def struct_info(model: type[msgspec.Struct]) -> inspect.StructType:
    """A type with its fields."""
    fields = tuple(
        inspect.Field(
            name=field.name,
            encode_name=field.encode_name,
            type=_info(field.type),
            required=field.required,
            default=field.default,
            default_factory=field.default_factory,
        )
        for field in msgspec.structs.fields(model)
    )
    return inspect.StructType(cls=model, fields=fields)


@lru_cache(maxsize=4096)
def _info(annotation: Any) -> inspect.Type:
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        return inspect.StructType(cls=annotation, fields=())
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in (Union, UnionType):
        return inspect.UnionType(tuple(_info(one) for one in arguments))
    if origin is tuple and arguments[1:] == (...,):
        return inspect.VarTupleType(_info(arguments[0]))
    if isinstance(origin, type) and len(arguments) == 2 and issubclass(origin, Mapping):
        return inspect.DictType(_info(arguments[0]), _info(arguments[1]))
    return inspect.type_info(annotation)
