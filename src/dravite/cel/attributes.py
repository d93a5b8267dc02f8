"""Attributes: a variable or a value, and the fields and indices that are taken from it.

`device.attributes["a"].b` is one attribute with three qualifiers; a conditional is an attribute of two branches, and
qualifiers go to both. From the first optional qualifier on, a missing field ends the attribute without a failure.
Each qualifier costs one unit, and so does an attribute that is used as a value, unless it only tests presence.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from dravite.cel.ast import Uint
from dravite.cel.equality import MISSING, NO_OVERLOAD, lookup
from dravite.cel.prices import SELECTION
from dravite.cel.show import show
from dravite.cel.steps import DEVICE, Frame, Step, charged, located, meter_of
from dravite.cel.values import LISTS, MAX_INT, NONE, Failure, Map, Message, Optional, host_name, type_name

Qualify = Callable[[Frame, object], object]

_KEY_KINDS: Final = frozenset({str, int, Uint, bool, float})
_DOMAINS: Final = ("attributes", "capacity")


class Qualifier(msgspec.Struct):
    """One field or index: a constant key, or an attribute that gives it. Mutable only while a plan is made."""

    node: int
    key: object = None
    computed: Attribute | None = None
    optional: bool = False
    tests_presence: bool = False


class Attribute(msgspec.Struct):
    """A base and its qualifiers, or a condition and two branches. Mutable only while a plan is made.

    Attributes:
        base: gives what the first qualifier is applied to.
        variable: the slot of the base, if it is a plain variable.
        branches: of a conditional; it has no qualifiers of its own.
        tests_presence: the attribute as a value is the answer of `has(…)`.
    """

    base: Step
    variable: int | None = None
    branches: tuple[Attribute, Attribute] | None = None
    qualifiers: list[Qualifier] = msgspec.field(default_factory=list)
    tests_presence: bool = False
    node: int = 0

    def extend(self, qualifier: Qualifier) -> None:
        """Take one more field or index."""
        if self.branches is None:
            self.qualifiers.append(qualifier)
        else:
            for branch in self.branches:
                branch.extend(qualifier)


# Single fields and indices


def qualify(value: object, key: object) -> object:
    """`value[key]`, or the failure of not finding it."""
    found = qualify_if_present(value, key)
    if found is not MISSING:
        return found
    if isinstance(value, LISTS):
        return Failure(f"index out of bounds: {show(key)}")
    return Failure(f"no such key: {show(key)}")


def qualify_if_present(value: object, key: object) -> object:
    """`value[key]`, or MISSING. An index of the wrong kind is a failure here, too."""
    if isinstance(value, Map):
        return lookup(value, key)
    if isinstance(value, LISTS):
        index = _list_index(key)
        if isinstance(index, Failure):
            return index
        return value[index] if 0 <= index < len(value) else MISSING
    if isinstance(value, Message):
        return Failure(f"no such field '{show(key)}'") if type(key) is str else Failure(NO_OVERLOAD)
    return MISSING


def _list_index(key: object) -> int | Failure:
    if type(key) is int:
        return key
    if isinstance(key, Uint):
        return key.value if key.value <= MAX_INT else Failure(f"unsupported index value {key.value} in list")
    if type(key) is float:
        whole = key.is_integer() and -(2.0**63) < key < 2.0**63
        return int(key) if whole else Failure(f"unsupported index value {show(key)} in list")
    return Failure(f"unsupported index type '{type_name(key)}' in list")


# Whole attributes


def plain_value(attribute: Attribute) -> Step:
    """The attribute as a value, without counting."""
    fast = _device_field(attribute)
    if fast is not None:
        return fast
    resolve = _Resolution(counts=False).step(attribute)
    return _presence(resolve) if attribute.tests_presence else resolve


def counted_value(attribute: Attribute) -> Step:
    """The attribute as a value, with its price."""
    resolve = _Resolution(counts=True).step(attribute)
    if attribute.tests_presence:
        resolve = _presence(resolve)
    # Kubernetes charges nothing for a conditional and gives back the price of a presence test, whatever it tests.
    amount = (0 if attribute.branches else SELECTION) - (SELECTION if attribute.tests_presence else 0)
    return charged(resolve, amount) if amount else resolve


def _presence(resolve: Step) -> Step:
    def run(frame: Frame) -> object:
        value = resolve(frame)
        return value is not NONE if isinstance(value, Optional) else value

    return run


def _device_field(attribute: Attribute) -> Step | None:
    """The shortest way to `device.driver` and `device.attributes["d"].n`; None for any other attribute."""
    qualifiers = attribute.qualifiers
    keys = [qualifier.key for qualifier in qualifiers]
    plain = not any(q.optional or q.tests_presence or q.computed is not None for q in qualifiers)
    if attribute.variable != DEVICE or not plain or not all(type(key) is str for key in keys):
        return None
    if keys == ["driver"]:
        return lambda frame: frame[DEVICE].entries["driver"]  # type: ignore[attr-defined]
    if len(keys) != 3 or keys[0] not in _DOMAINS:
        return None
    kind, domain, name = keys
    node = qualifiers[2].node
    message = f"no such key: {name}"

    def run(frame: Frame) -> object:
        known = frame[DEVICE].entries[kind].entries.get(domain)  # type: ignore[attr-defined]
        value = MISSING if known is None else known.entries.get(name, MISSING)
        return Failure(message, node) if value is MISSING else value

    return run


class _Resolution:
    """Makes the steps that resolve attributes, in one of the two editions."""

    def __init__(self, *, counts: bool) -> None:
        self.counts = counts

    def step(self, attribute: Attribute) -> Step:
        if attribute.branches is not None:
            return self._conditional(attribute, attribute.branches)
        if not attribute.qualifiers:
            return attribute.base
        path = tuple([self._qualifier(q) for q in attribute.qualifiers])
        return _path(attribute.base, path)

    def _conditional(self, attribute: Attribute, branches: tuple[Attribute, Attribute]) -> Step:
        condition, node = attribute.base, attribute.node
        truthy, falsy = (self.step(branch) for branch in branches)

        def run(frame: Frame) -> object:
            value = condition(frame)
            if value is True:
                return truthy(frame)
            if value is False:
                return falsy(frame)
            return value if type(value) is Failure else Failure(NO_OVERLOAD, node)

        return run

    def _qualifier(self, qualifier: Qualifier) -> tuple[Qualify, Qualify, bool]:
        """How to take it, how to take it if it is there (else MISSING), and whether it is optional."""
        take, take_if_present = self._takes(qualifier)
        if qualifier.tests_presence:
            take = _asking(take_if_present)
        node = qualifier.node
        return self._observed(take, node), self._observed(take_if_present, node, silent=True), qualifier.optional

    def _takes(self, qualifier: Qualifier) -> tuple[Qualify, Qualify]:
        if qualifier.computed is None:
            key = qualifier.key
            return (lambda _, value: qualify(value, key)), (lambda _, value: qualify_if_present(value, key))
        give = self.step(qualifier.computed)
        return _computed(give, qualify), _computed(give, qualify_if_present)

    def _observed(self, take: Qualify, node: int, *, silent: bool = False) -> Qualify:
        """Place failures and charge; a `silent` qualifier is charged only where it found something."""
        counts = self.counts

        def run(frame: Frame, value: object) -> object:
            found = take(frame, value)
            if type(found) is Failure:
                located(found, node)
            if counts and not (silent and (found is MISSING or type(found) is Failure)):
                meter_of(frame).charge(SELECTION)
            return found

        return run


def _asking(take_if_present: Qualify) -> Qualify:
    def run(frame: Frame, value: object) -> object:
        found = take_if_present(frame, value)
        return found if type(found) is Failure else found is not MISSING

    return run


def _computed(give: Step, take: Callable[[object, object], object]) -> Qualify:
    def run(frame: Frame, value: object) -> object:
        key = give(frame)
        if type(key) not in _KEY_KINDS:
            return key if type(key) is Failure else Failure(f"invalid qualifier type: {host_name(key)}")
        return take(value, key)

    return run


def _path(base: Step, path: tuple[tuple[Qualify, Qualify, bool], ...]) -> Step:
    """Apply the qualifiers from left to right; an optional value anywhere at the start makes the answer optional."""

    def run(frame: Frame) -> object:
        value = base(frame)
        optional = isinstance(value, Optional)
        if isinstance(value, Optional):
            if value is NONE:
                return NONE
            value = value.value
        elif type(value) is Failure:
            return value
        for take, take_if_present, is_optional in path:
            optional = optional or is_optional
            value = take_if_present(frame, value) if optional else take(frame, value)
            if value is MISSING:
                return NONE
            if type(value) is Failure:
                return value
        return Optional(value) if optional else value

    return run
