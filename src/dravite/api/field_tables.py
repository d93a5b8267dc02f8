"""Named fields of named types, found and cleared wherever they occur inside an object.

Feature gates and conversions both speak of "field F of type T". This module walks an object by the types of its
fields and visits only those below which such a field can be; what the fields mean is for the callers to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from operator import attrgetter, methodcaller, ne
from typing import Any, Final, Literal, TypeVar, cast

import msgspec
from msgspec import inspect

from dravite.api.field import child, keyed
from dravite.api.field_types import struct_info
from dravite.api.meta import Model

M = TypeVar("M", bound=Model)

Shape = Literal["one", "list", "map"]

_VALUES: Final = methodcaller("values")


class Found(msgspec.Struct, frozen=True):
    """A field that is set: the type it belongs to, its Python name, and the path to it in wire names."""

    owner: type[Model]
    name: str
    path: str


class _Plan(msgspec.Struct, frozen=True):
    """How to treat objects of one type: the fields to look at, and the fields to descend into.

    `read` gets the values of the fields, `blank` is what it gets where none is set.
    """

    names: tuple[str, ...]
    wire_names: tuple[str, ...]
    defaults: tuple[Any, ...]
    read: Callable[[Model], Any]
    blank: Any
    children: tuple[tuple[str, str, Shape, type[Model]], ...]

    def is_set(self, owner: Model) -> bool:
        return bool(self.read(owner) != self.blank)


class FieldTable:
    """Fields by type, compiled for one kind of root object.

    Attributes:
        fields: Python names of the fields, per type. Every one must have a plain default.
    """

    __slots__ = ("_plans", "fields")

    def __init__(self, root: type[Model], fields: Mapping[type[Model], tuple[str, ...]]) -> None:
        self.fields = fields
        self._plans = _compile(root, fields)

    def clear(self, owner: M) -> M:
        """The object with every field of the table at its default; the same object when none was set."""
        plan = self._plans.get(type(owner))
        if plan is None or not self._is_any_set((owner,), plan):
            return owner
        changes: dict[str, Any] = {}
        if plan.is_set(owner):
            changes.update(zip(plan.names, plan.defaults, strict=True))
        for name, _, shape, kind in plan.children:
            value = getattr(owner, name)
            cleared = self._cleared(value, shape, kind) if value else value
            if cleared is not value:
                changes[name] = cleared
        return msgspec.structs.replace(owner, **changes) if changes else owner

    def _cleared(self, value: Any, shape: Shape, kind: type[Model]) -> Any:
        if shape == "one":
            return self.clear(value)
        items = value.values() if shape == "map" else value
        cleared = [self.clear(item) for item in items]
        if all(new is old for new, old in zip(cleared, items, strict=True)):
            return value
        return dict(zip(value, cleared, strict=True)) if shape == "map" else tuple(cleared)

    def _is_any_set(self, owners: Sequence[Model], plan: _Plan) -> bool:
        """Whether a field of the table is set in any of these objects of one type, or anywhere below them."""
        if plan.names and any(map(ne, map(plan.read, owners), repeat(plan.blank))):
            return True
        for name, _, shape, kind in plan.children:
            values = list(filter(None, map(attrgetter(name), owners)))
            if shape != "one":
                values = list(chain.from_iterable(map(_VALUES, values) if shape == "map" else values))
            if values and self._is_any_set(values, self._plans[kind]):
                return True
        return False

    def is_any_set(self, owner: Model) -> bool:
        """Whether a field of the table is set anywhere in the object."""
        plan = self._plans.get(type(owner))
        return plan is not None and self._is_any_set((owner,), plan)

    def find(self, owner: Model, path: str = "") -> Iterator[Found]:
        """Every field of the table that is set, in the order of the object."""
        plan = self._plans.get(type(owner))
        if plan is None:
            return
        if plan.is_set(owner):
            for name, wire_name, default in zip(plan.names, plan.wire_names, plan.defaults, strict=True):
                if getattr(owner, name) != default:
                    yield Found(type(owner), name, child(path, wire_name))
        for name, wire_name, shape, _ in plan.children:
            value = getattr(owner, name)
            for place, item in _items(value, shape, child(path, wire_name)) if value else ():
                yield from self.find(item, place)


def _items(value: Any, shape: Shape, path: str) -> Iterator[tuple[str, Model]]:
    if shape == "one":
        yield path, value
    elif shape == "list":
        yield from ((child(path, position), item) for position, item in enumerate(value))
    else:
        yield from ((keyed(path, key), item) for key, item in value.items())


def _compile(root: type[Model], fields: Mapping[type[Model], tuple[str, ...]]) -> Mapping[type[Model], _Plan]:
    structs = {cast("type[Model]", info.cls): info for info in _structs(root)}
    edges = {cls: tuple(_edges(info)) for cls, info in structs.items()}
    wanted = {cls for cls in structs if cls in fields}
    while True:
        grown = wanted | {cls for cls, below in edges.items() if any(kind in wanted for *_, kind in below)}
        if grown == wanted:
            break
        wanted = grown
    return {cls: _plan(structs[cls], fields.get(cls, ()), edges[cls], wanted) for cls in structs if cls in wanted}


def _plan(
    info: inspect.StructType,
    names: tuple[str, ...],
    edges: tuple[tuple[str, str, Shape, type[Model]], ...],
    wanted: set[type[Model]],
) -> _Plan:
    by_name = {field.name: field for field in info.fields}
    defaults = tuple(_default(by_name[name]) for name in names)
    return _Plan(
        names=names,
        wire_names=tuple(by_name[name].encode_name for name in names),
        defaults=defaults,
        read=attrgetter(*names) if names else _nothing,
        blank=defaults if len(names) != 1 else defaults[0],
        children=tuple(edge for edge in edges if edge[3] in wanted and edge[0] not in names),
    )


def _nothing(_: Model) -> tuple[Any, ...]:
    """What is read where there is no field to look at."""
    return ()


def _default(field: inspect.Field) -> Any:
    return field.default_factory() if field.default is msgspec.NODEFAULT else field.default


def _edges(info: inspect.StructType) -> Iterator[tuple[str, str, Shape, type[Model]]]:
    for field in info.fields:
        for shape, kind in _below(field.type):
            yield field.name, field.encode_name, shape, cast("type[Model]", kind.cls)


def _below(kind: inspect.Type) -> Iterator[tuple[Shape, inspect.StructType]]:
    """The Struct types that a field of this type holds: itself, in a list or in a map."""
    match kind:
        case inspect.StructType():
            yield "one", kind
        case inspect.VarTupleType(item_type=inspect.StructType() as item):
            yield "list", item
        case inspect.DictType(value_type=inspect.StructType() as item):
            yield "map", item
        case inspect.UnionType(types=types):
            for member in types:
                yield from _below(member)


def _structs(root: type[Model]) -> Iterator[inspect.StructType]:
    """Every Struct type reachable from the root, each once."""
    seen: set[type] = set()
    pending: list[type] = [root]
    while pending:
        cls = pending.pop()
        if cls not in seen:
            seen.add(cls)
            info = struct_info(cls)
            yield info
            pending.extend(item.cls for field in info.fields for _, item in _below(field.type))
