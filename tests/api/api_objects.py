"""Plain data in and out of typed objects, and random objects of any type, for the tests of this folder."""

from __future__ import annotations

import gzip
import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec import inspect

from dravite.api.codec import encode, from_plain
from dravite.api.field import FieldError
from dravite.api.meta import Model
from dravite.api.quantity import Quantity
from dravite.api.registry import lookup
from dravite.api.surface import ModelError

VECTORS = Path(__file__).parent.parent / "vectors" / "api"

_AMOUNTS = tuple(map(Quantity.parse, ("1", "1500m", "80Gi", "3e6")))
_CONSTANT = ("api_version", "kind")
_TIME_NAME = re.compile(r"(timestamp|_time|time_added)\Z")
_TIMES = ("2026-01-31T12:00:00Z", "2026-01-31T13:00:00.5+01:00", None)
_JSON = (msgspec.Raw(b'{"a":1}'), msgspec.Raw(b"{}"))


def recorded(name: str) -> tuple[dict[str, Any], ...]:
    with gzip.open(VECTORS / f"{name}.jsonl.gz") as lines:
        return tuple(map(json.loads, lines))


def read(raw: dict[str, Any]) -> Model:
    info = lookup(raw["apiVersion"], raw["kind"])
    assert info is not None
    model = info.type_of(raw["apiVersion"])
    assert model is not None
    made = from_plain(raw, model)
    assert isinstance(made, Model), made
    return made


def read_or_faults(value: Any, model: type[Model]) -> Model | tuple[FieldError, ...]:
    """The object that a model's own method reads, or every fault that it finds."""
    try:
        return model.from_dict(value)
    except ModelError as error:
        return error.errors


def written(obj: Model) -> Any:
    return dense(json.loads(encode(obj)))


def dense(value: Any) -> Any:
    """The value without nulls, empty maps and empty lists, which servers write here and there."""
    if isinstance(value, dict):
        kept = {key: dense(item) for key, item in value.items() if item is not None}
        return {key: item for key, item in kept.items() if item not in ({}, [])}
    return [dense(item) for item in value] if isinstance(value, list) else value


def said(value: Any) -> Any:
    """Everything that an object says, field by field, without what is missing or empty."""
    if isinstance(value, Model):
        return dense({name: said(getattr(value, name)) for name in value.__struct_fields__})
    if isinstance(value, dict):
        return {key: said(item) for key, item in value.items()}
    return [said(item) for item in value] if isinstance(value, tuple) else value


@lru_cache(maxsize=64)
def objects(model: type[Model]) -> st.SearchStrategy[Any]:
    """Random objects of a type, whatever validation would say; most fields keep their default."""
    return _strategy(inspect.type_info(model), {})


def _strategy(kind: inspect.Type, known: dict[type, st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    match kind:
        case inspect.StructType():
            return _struct(kind, known)
        case inspect.VarTupleType(item_type=item):
            return st.lists(_strategy(item, known), max_size=2).map(tuple)
        case inspect.DictType(value_type=item):
            return st.dictionaries(st.sampled_from(("a", "d.example.com/b")), _strategy(item, known), max_size=2)
        case inspect.UnionType(types=types):
            return st.one_of([_strategy(member, known) for member in types])
        case inspect.LiteralType(values=values):
            return st.sampled_from(values)
        case inspect.CustomType():
            return st.sampled_from(_AMOUNTS)
        case inspect.RawType():
            return st.sampled_from(_JSON)
        case inspect.BoolType():
            return st.booleans()
        case inspect.IntType():
            return st.integers(0, 3)
        case inspect.NoneType():
            return st.none()
        case _:
            return st.sampled_from(("", "a", "b"))


def _field(field: inspect.Field, known: dict[type, st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    return st.sampled_from(_TIMES) if _TIME_NAME.search(field.name) else _strategy(field.type, known)


def _struct(info: inspect.StructType, known: dict[type, st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    if info.cls not in known:
        known[info.cls] = st.deferred(lambda: known[info.cls])
        values = {field.name: _field(field, known) for field in info.fields if field.name not in _CONSTANT}
        known[info.cls] = (
            st.sets(st.sampled_from(sorted(values)), min_size=1, max_size=6).flatmap(
                lambda names: st.builds(info.cls, **{name: values[name] for name in sorted(names)})
            )
            if values
            else st.builds(info.cls)
        )
    return known[info.cls]
