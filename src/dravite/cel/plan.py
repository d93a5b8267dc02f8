"""From a checked tree to one closure: names become slots, constant parts values, chains of fields attributes.

A plan is made once and run often. It has two editions: one counts what every part costs, the other does not and
gives the same answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal

import msgspec

from dravite.cel.ast import (
    Call,
    Comprehension,
    Constant,
    Expr,
    Ident,
    ListExpr,
    MapExpr,
    Select,
    StructExpr,
    Uint,
)
from dravite.cel.attributes import Attribute, Qualifier, counted_value, plain_value
from dravite.cel.check import Checked
from dravite.cel.dispatch import Routine, pattern_routine, routine
from dravite.cel.equality import equal
from dravite.cel.loops import Body, LoopSlots, accumulator, loop, slot
from dravite.cel.message_literals import build_message
from dravite.cel.prices import LIST_LITERAL, MAP_LITERAL, STRUCT_LITERAL, audit_of, price_of
from dravite.cel.steps import (
    DEVICE,
    FIRST_SLOT,
    Step,
    alternative,
    audited_call,
    call,
    charged,
    constant,
    counted_call,
    counted_lazy_call,
    counted_not_strictly_false,
    equal_to_text,
    equality,
    junction,
    lazy_call,
    list_literal,
    map_literal,
    membership,
    not_strictly_false,
    struct_literal,
)
from dravite.cel.values import LISTS, MAX_INT, Failure, Halt, key_of

Edition = Literal["plain", "counted"]

_INDEXING: Final = {"_[_]": False, "_[?_]": True, "_?._": True}
_SET_KINDS: Final = frozenset({str, int, Uint, bool, float})


class Plan(msgspec.Struct, frozen=True):
    """A step for the whole expression, and how many slots its frame has."""

    step: Step
    slots: int


class _Value(msgspec.Struct, frozen=True):
    """A part that is known already."""

    value: object


class _Computed(msgspec.Struct, frozen=True):
    """A part that a step works out, its price included."""

    step: Step


_Part = _Value | _Computed | Attribute


def make_plan(checked: Checked, constants: Mapping[int, object], edition: Edition) -> Plan:
    """Plan the evaluation of a tree; `constants` holds the values of its constant parts, by node."""
    planner = _Planner(checked, constants, counts=edition == "counted")
    step = planner.step(planner.part(checked.tree))
    return Plan(step, planner.slots)


class _Planner:
    def __init__(self, checked: Checked, constants: Mapping[int, object], *, counts: bool) -> None:
        self.checked = checked
        self.constants = constants
        self.counts = counts
        self.slots = FIRST_SLOT
        self.scopes: list[dict[str, Attribute]] = []

    def part(self, node: Expr) -> _Part:
        if node.id in self.constants:
            return _Value(self.constants[node.id])
        match node:
            case Constant():
                return _Value(node.value)
            case Ident():
                return self.variable(node)
            case Select():
                return self.select(node)
            case Call():
                return self.call(node)
            case ListExpr():
                return self.list_literal(node)
            case MapExpr():
                return self.map_literal(node)
            case StructExpr():
                return self.struct_literal(node)
            case Comprehension():
                return _Computed(self.comprehension(node))

    def step(self, part: _Part) -> Step:
        """The part as a value."""
        match part:
            case _Value():
                return constant(part.value)
            case _Computed():
                return part.step
            case Attribute():
                return counted_value(part) if self.counts else plain_value(part)

    def steps(self, nodes: tuple[Expr, ...]) -> tuple[Step, ...]:
        return tuple([self.step(self.part(node)) for node in nodes])

    def priced(self, step: Step, amount: int) -> _Computed:
        return _Computed(charged(step, amount) if self.counts else step)

    # Attributes

    def variable(self, node: Ident) -> Attribute:
        if not node.name.startswith("."):
            for scope in reversed(self.scopes):
                known = scope.get(node.name)
                if known is not None:
                    return Attribute(known.base, variable=known.variable, node=node.id)
        return Attribute(slot(DEVICE), variable=DEVICE, node=node.id)

    def attribute(self, part: _Part, node: int) -> Attribute:
        """The part as something that fields can be taken from."""
        return part if isinstance(part, Attribute) else Attribute(self.step(part), node=node)

    def select(self, node: Select) -> Attribute:
        attribute = self.attribute(self.part(node.operand), node.operand.id)
        attribute.extend(Qualifier(node.id, node.field, tests_presence=node.test_only))
        attribute.tests_presence = node.test_only
        return attribute

    def index(self, node: Call, *, optional: bool) -> Attribute:
        operand, key = node.args
        attribute = self.attribute(self.part(operand), operand.id)
        part = self.part(key)
        if isinstance(part, _Value):
            attribute.extend(Qualifier(node.id, part.value, optional=optional))
        else:
            attribute.extend(Qualifier(node.id, computed=self.attribute(part, node.id), optional=optional))
        return attribute

    def conditional(self, node: Call) -> Attribute:
        condition, truthy, falsy = node.args
        branches = tuple([self.attribute(self.part(branch), branch.id) for branch in (truthy, falsy)])
        return Attribute(self.step(self.part(condition)), branches=(branches[0], branches[1]), node=node.id)

    # Calls

    def call(self, node: Call) -> _Part:
        function = node.function
        if function in _INDEXING:
            return self.index(node, optional=_INDEXING[function])
        if function == "_?_:_":
            return self.conditional(node)
        special = _SPECIAL.get(function)
        if special is not None:
            return _Computed(special(self, node))
        operands = node.args if node.target is None else (node.target, *node.args)
        parts = tuple([self.part(operand) for operand in operands])
        arguments = tuple([self.step(part) for part in parts])
        found = self.routine(node, parts)
        overloads = self.checked.overloads[node.id]
        if not self.counts:
            audit = audit_of(overloads)
            if audit is not None:
                return _Computed(audited_call(arguments, found.apply, audit, node.id))
            return _Computed(_settled(parts, (lazy_call if found.lazy else call)(arguments, found.apply, node.id)))
        price = price_of(function, overloads)
        counted = counted_lazy_call if found.lazy else counted_call
        return _Computed(counted(arguments, found.apply, price, node.id))

    def routine(self, node: Call, parts: tuple[_Part, ...]) -> Routine:
        pattern = parts[1] if len(parts) > 1 else None
        if isinstance(pattern, _Value) and isinstance(pattern.value, str):
            found = pattern_routine(node.function, pattern.value)
            if found is not None:
                return found
        return routine(node.function, self.checked.overloads[node.id])

    def junction(self, node: Call) -> Step:
        """All terms of a chain of one operator, from left to right."""
        terms: list[Expr] = []
        waiting: list[Expr] = [node]
        while waiting:
            term = waiting.pop()
            if isinstance(term, Call) and term.function == node.function:
                waiting.extend(reversed(term.args))
            else:
                terms.append(term)
        return junction(self.steps(tuple(terms)), decisive=node.function == "_||_", node=node.id)

    def equality(self, node: Call) -> Step:
        first, second = (self.part(operand) for operand in node.args)
        wanted = node.function == "_==_"
        left, right = self.step(first), self.step(second)
        if self.counts:
            price = price_of(node.function, ("equals" if wanted else "not_equals",))
            return counted_call((left, right), _EQUALITY[wanted], price, node.id)
        if wanted and isinstance(second, _Value) and isinstance(second.value, str):
            return equal_to_text(left, second.value)
        return equality(left, right, wanted=wanted)

    def inclusion(self, node: Call) -> Step:
        """`x in y`: a set, if y is a constant list of plain values."""
        parts = [self.part(operand) for operand in node.args]
        container = parts[1]
        if isinstance(container, _Value) and isinstance(container.value, LISTS):
            keys = _set_keys(container.value) if self.checked.overloads[node.id] == ("in_list",) else None
            if keys is not None:
                return membership(self.step(parts[0]), keys)
        arguments = tuple([self.step(part) for part in parts])
        found = routine(node.function, self.checked.overloads[node.id])
        if not self.counts:
            return call(arguments, found.apply, node.id)
        price = price_of(node.function, self.checked.overloads[node.id])
        return counted_call(arguments, found.apply, price, node.id)

    def going_on(self, node: Call) -> Step:
        argument = self.step(self.part(node.args[0]))
        return counted_not_strictly_false(argument) if self.counts else not_strictly_false(argument)

    def alternative(self, node: Call) -> Step:
        operands = node.args if node.target is None else (node.target, *node.args)
        first, second = self.steps(operands)
        return alternative(first, second, unwrap=node.function == "orValue", node=node.id)

    # Literals

    def list_literal(self, node: ListExpr) -> _Computed:
        return self.priced(list_literal(self.steps(node.elements), node.optional, node.id), LIST_LITERAL)

    def map_literal(self, node: MapExpr) -> _Computed:
        entries = [
            (self.step(self.part(entry.key)), self.step(self.part(entry.value)), entry.optional)
            for entry in node.entries
        ]
        return self.priced(map_literal(tuple(entries), node.id), MAP_LITERAL)

    def struct_literal(self, node: StructExpr) -> _Computed:
        name = node.type_name
        entries = [(entry.field, self.step(self.part(entry.value)), entry.optional) for entry in node.entries]
        build = struct_literal(tuple(entries), lambda fields: build_message(name, fields), node.id)
        return self.priced(build, STRUCT_LITERAL)

    # Loops

    def comprehension(self, node: Comprehension) -> Step:
        source = self.step(self.part(node.iter_range))
        start = self.step(self.part(node.accu_init))
        slots = LoopSlots(self.slots, self.slots + 1, self.slots + 2 if node.iter_var2 else -1)
        self.slots += 3
        self.scopes.append({node.accu_var: _variable(accumulator(slots.accumulator, start), slots.accumulator)})
        entry = {node.iter_var: _variable(slot(slots.first), slots.first)}
        if node.iter_var2:
            entry[node.iter_var2] = _variable(slot(slots.second), slots.second)
        self.scopes.append(entry)
        condition, advance = self.steps((node.loop_condition, node.loop_step))
        self.scopes.pop()
        (result,) = self.steps((node.result,))
        self.scopes.pop()
        return loop(source, slots, Body(condition, advance, result), node.id)


def _settled(parts: tuple[_Part, ...], step: Step) -> Step:
    """The step; worked out now if all its parts are known and it gives a value. Only where nothing is counted."""
    if not all(isinstance(part, _Value) for part in parts):
        return step
    try:
        value = step([])
    except Halt:
        return step
    return step if isinstance(value, Failure) else constant(value)


def _variable(read: Step, index: int) -> Attribute:
    return Attribute(read, variable=index)


def _set_keys(elements: tuple[object, ...] | list[object]) -> frozenset[object] | None:
    """The keys of a list of plain values, numbers in all kinds that can hold them; None if it holds others."""
    keys: set[object] = set()
    for element in elements:
        if type(element) not in _SET_KINDS:
            return None
        keys.update(key_of(same) for same in _same_values(element))
    return frozenset(keys)


def _same_values(value: object) -> tuple[object, ...]:
    match value:
        case bool() | str():
            return (value,)
        case int():
            return (value, float(value), Uint(value)) if value >= 0 else (value, float(value))
        case Uint(value=number):
            return (value, float(number), number) if number <= MAX_INT else (value, float(number))
        case float() if value.is_integer():
            return _same_wholes(value)
    return (value,)


def _same_wholes(value: float) -> tuple[object, ...]:
    whole = int(value)
    same: list[object] = [value]
    if -(2**63) < whole < 2**63:
        same.append(whole)
    if 0 <= whole < 2**64:
        same.append(Uint(whole))
    return tuple(same)


def _differs(left: object, right: object) -> bool:
    return equal(left, right) is not True


_EQUALITY: Final = {True: equal, False: _differs}

_SPECIAL: Final[Mapping[str, Callable[[_Planner, Call], Step]]] = {
    "_&&_": _Planner.junction,
    "_||_": _Planner.junction,
    "_==_": _Planner.equality,
    "_!=_": _Planner.equality,
    "@in": _Planner.inclusion,
    "@not_strictly_false": _Planner.going_on,
    "or": _Planner.alternative,
    "orValue": _Planner.alternative,
}
"""Calls that are more than a function applied to arguments."""
