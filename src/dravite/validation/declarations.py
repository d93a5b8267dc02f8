"""Rules that Kubernetes declares at the fields of its types: written as tables, and read by one function.

A table says for each field what must hold; `broken` walks an object along its table, in the order in which a server
does. On an update nothing is asked of a field that is as it was. What a table cannot say is a function elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from dravite.api.field import FieldError, child
from dravite.api.meta import Model
from dravite.api.releases import Profile
from dravite.validation.alike import alike
from dravite.validation.faults import Faults, duplicate, forbidden, invalid, required, too_many

IMMUTABLE: Final = "field is immutable"


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """What is declared at one field.

    Attributes:
        name: the field, in Python's spelling.
        gate: while it is off, the field may not be set.
        immutable: an update may not change it.
        immutable_while_on: an update may not change it while the gate is on.
        required: it must be set; a zero counts as missing where zero is the default.
        most: how many items a list may have.
        keys: the fields that tell the items of a list apart; no two items may agree in them.
        fixed: an update may change the items of a list but neither add nor remove one.
        settled: an update may neither set nor clear it.
        check: the rule about a value that is set.
        inner: the rules of the value, or of each item.
    """

    name: str
    gate: str = ""
    immutable: bool = False
    immutable_while_on: bool = False
    required: bool = False
    most: int | None = None
    keys: tuple[str, ...] = ()
    fixed: bool = False
    settled: bool = False
    check: Callable[[str, Any], Faults] | None = None
    inner: Table | None = None


class Table(msgspec.Struct):
    """The rules of a type. `one_of` names fields of which exactly one must be set. Tables may hold themselves."""

    rules: tuple[Rule, ...] = ()
    one_of: tuple[str, ...] = ()


class _Known(msgspec.Struct, frozen=True):
    """A field of a type: its wire name, and the value that counts as missing."""

    wire_name: str
    default: Any


def broken(table: Table, value: Model, old: Model | None, path: str, profile: Profile) -> Faults:
    """Every rule of the table that a value breaks. `old` is what is stored, None for what is new."""
    known = _known(type(value))
    if table.one_of:
        yield from _union(table.one_of, value, old, path)
    for rule in table.rules:
        field = known[rule.name]
        before = None if old is None else _Stored(getattr(old, rule.name))
        new = getattr(value, rule.name)
        if before is None or not alike(new, before.value):
            yield from _field(rule, _Value(new, _is_missing(new, field)), before, child(path, field.wire_name), profile)


class _Stored(msgspec.Struct, frozen=True):
    """What a field was before an update."""

    value: Any


class _Value(msgspec.Struct, frozen=True):
    """What a field is now, and whether that counts as missing."""

    value: Any
    missing: bool


@lru_cache(maxsize=256)
def _known(kind: type[Model]) -> Mapping[str, _Known]:
    return {field.name: _Known(field.encode_name, _default(field)) for field in msgspec.structs.fields(kind)}


def _default(field: msgspec.structs.FieldInfo) -> Any:
    if field.default is not msgspec.NODEFAULT:
        return field.default
    return field.default_factory() if callable(field.default_factory) else None


def _is_missing(value: Any, field: _Known) -> bool:
    return value is None or (not isinstance(value, Model) and value == field.default)


def _field(rule: Rule, new: _Value, old: _Stored | None, path: str, profile: Profile) -> Faults:
    stopping = tuple(_stopping(rule, new, old, path, profile))
    yield from stopping
    if stopping or new.missing:
        return
    value, before = new.value, None if old is None else old.value
    if rule.keys:
        yield from _repeated(rule.keys, value, path)
    if rule.check is not None:
        yield from rule.check(path, value)
    if rule.inner is not None and isinstance(value, Model):
        yield from broken(rule.inner, value, before, path, profile)
    elif rule.inner is not None:
        for position, item in enumerate(value):
            match = _partner(rule.keys, item, before or ())
            if match is None or not alike(item, match):
                yield from broken(rule.inner, item, match, child(path, position), profile)


def _stopping(rule: Rule, new: _Value, old: _Stored | None, path: str, profile: Profile) -> Faults:
    """The rules after which nothing else is asked of a field."""
    closed = bool(rule.gate) and not profile.enabled(rule.gate)
    if closed and not new.missing:
        yield forbidden(path, "")
    if old is not None and (rule.immutable or (rule.immutable_while_on and not closed)):
        yield invalid(path, None, IMMUTABLE)
    if rule.most is not None and len(new.value or ()) > rule.most:
        yield too_many(path, len(new.value), rule.most)
    if rule.required and new.missing:
        yield required(path)
    if rule.fixed and old is not None:
        yield from _membership(rule.keys, new.value or (), old.value or (), path)
    if rule.settled and old is not None and (old.value is None) != new.missing:
        yield invalid(
            path, None, "field cannot be cleared once set" if new.missing else "field cannot be set once created"
        )


def _membership(keys: Sequence[str], items: Sequence[Any], before: Sequence[Any], path: str) -> Iterator[FieldError]:
    for position, item in enumerate(items):
        if _partner(keys, item, before) is None:
            yield forbidden(child(path, position), "item may not be added")
    for item in before:
        if _partner(keys, item, items) is None:
            yield forbidden(path, "item may not be removed")


def _partner(keys: Sequence[str], item: Any, others: Sequence[Any]) -> Any:
    """The item of another list that has the same keys."""
    wanted = _key(keys, item)
    return next((other for other in others if _key(keys, other) == wanted), None) if keys else None


def _key(keys: Sequence[str], item: Any) -> tuple[Any, ...]:
    return tuple(getattr(item, name) for name in keys)


def _repeated(keys: Sequence[str], items: Sequence[Any], path: str) -> Faults:
    seen: set[tuple[Any, ...]] = set()
    for position, item in enumerate(items):
        key = _key(keys, item)
        if key in seen:
            yield duplicate(child(path, position), item)
        seen.add(key)


def _union(names: Sequence[str], value: Model, old: Model | None, path: str) -> Faults:
    known = _known(type(value))
    present = _present(names, value)
    if old is not None and present == _present(names, old):
        return
    members = ", ".join(f"`{known[name].wire_name}`" for name in names)
    if not present:
        yield invalid(path, "", f"must specify one of: {members}")
    elif len(present) > 1:
        shown = "{" + ", ".join(known[name].wire_name for name in present) + "}"
        yield invalid(path, shown, f"must specify exactly one of: {members}")


def _present(names: Sequence[str], value: Model) -> tuple[str, ...]:
    return tuple(name for name in names if getattr(value, name) not in (None, ()))
