"""Macros: calls that stand for a larger tree, such as `has(x.y)` or `list.exists(x, …)`.

One table, name and number of arguments to expansion. An expansion answers with the tree, with what is wrong with
the arguments, or with None where the call is no macro after all. Source: the CEL language definition and the
extensions that Kubernetes switches on (optional types, bindings, two-variable comprehensions, lists).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import Final, TypeAlias

import msgspec

from dravite.cel.ast import (
    Call,
    Comprehension,
    Constant,
    Expr,
    FieldEntry,
    Ident,
    ListExpr,
    MapEntry,
    MapExpr,
    Select,
    StructExpr,
)

ACCUMULATOR: Final = "@result"
_RESERVED: Final = frozenset({ACCUMULATOR, "__result__"})
_UNUSED: Final = "#unused"
_SORT_INPUT: Final = "@__sortBy_input__"


class MacroFault(msgspec.Struct, frozen=True):
    """Arguments that a macro cannot take: where, and the sentence."""

    offset: int
    message: str


class Loop(msgspec.Struct, frozen=True):
    """The parts of a comprehension that differ from macro to macro."""

    start: Expr
    condition: Expr
    step: Expr
    result: Expr


class Nodes:
    """Makes the nodes of one tree, each with a number of its own; `at` is the place for nodes without text."""

    def __init__(self) -> None:
        self.next_id = count(1).__next__
        self.at = 0

    def constant(self, value: object) -> Expr:
        return Constant(self.next_id(), self.at, value)

    def ident(self, name: str) -> Expr:
        return Ident(self.next_id(), self.at, name)

    def result(self) -> Expr:
        """The variable in which a comprehension gathers its result."""
        return Ident(self.next_id(), self.at, ACCUMULATOR)

    def call(self, function: str, *args: Expr) -> Expr:
        return Call(self.next_id(), self.at, function, None, args)

    def method(self, target: Expr, function: str, *args: Expr) -> Expr:
        return Call(self.next_id(), self.at, function, target, args)

    def elements(self, *elements: Expr) -> Expr:
        return ListExpr(self.next_id(), self.at, elements)

    def empty_map(self) -> Expr:
        return MapExpr(self.next_id(), self.at, ())

    def loop(self, over: Expr, variables: tuple[str, str], parts: Loop) -> Expr:
        first, second = variables
        inner = (parts.start, parts.condition, parts.step, parts.result)
        return Comprehension(self.next_id(), self.at, over, first, second, ACCUMULATOR, *inner)

    def bind(self, name: str, value: Expr, body: Expr) -> Expr:
        """`body` with `name` standing for `value`: a loop over nothing."""
        parts = (value, self.constant(False), self.ident(name), body)  # noqa: FBT003
        return Comprehension(self.next_id(), self.at, self.elements(), _UNUSED, "", name, *parts)

    def copy(self, node: Expr) -> Expr:
        """The same tree with new numbers."""
        new, copy = self.next_id, self.copy
        match node:
            case Constant(_, offset, value):
                return Constant(new(), offset, value)
            case Ident(_, offset, name):
                return Ident(new(), offset, name)
            case Select(_, offset, operand, field, test_only):
                return Select(new(), offset, copy(operand), field, test_only)
            case Call(_, offset, function, target, args):
                on = None if target is None else copy(target)
                return Call(new(), offset, function, on, tuple([copy(a) for a in args]))
            case ListExpr(_, offset, elements, optional):
                return ListExpr(new(), offset, tuple([copy(e) for e in elements]), optional)
            case MapExpr(_, offset, entries):
                return MapExpr(new(), offset, tuple([self._copy_entry(e) for e in entries]))
            case StructExpr(_, offset, type_name, fields):
                return StructExpr(new(), offset, type_name, tuple([self._copy_field(f) for f in fields]))
            case Comprehension(_, offset, over, first, second, accumulator, start, condition, step, result):
                parts = (copy(start), copy(condition), copy(step), copy(result))
                return Comprehension(new(), offset, copy(over), first, second, accumulator, *parts)

    def _copy_entry(self, entry: MapEntry) -> MapEntry:
        key, value = self.copy(entry.key), self.copy(entry.value)
        return MapEntry(self.next_id(), self.at, key, value, entry.optional)

    def _copy_field(self, entry: FieldEntry) -> FieldEntry:
        return FieldEntry(self.next_id(), self.at, entry.field, self.copy(entry.value), entry.optional)


Expansion: TypeAlias = Callable[[Nodes, Expr, tuple[Expr, ...]], "Expr | MacroFault | None"]


def expansion(function: str, args: int, style: str) -> Expansion | None:
    """The macro behind a call: `style` is `global` or `member`."""
    return _MACROS.get((function, args, style))


def _has(nodes: Nodes, _: Expr, args: tuple[Expr, ...]) -> Expr | MacroFault:
    field = args[0]
    if isinstance(field, Select):
        return Select(nodes.next_id(), nodes.at, field.operand, field.field, test_only=True)
    return MacroFault(field.offset, "invalid argument to has() macro")


def _all(nodes: Nodes, body: Expr) -> Loop:
    return Loop(
        nodes.constant(True),  # noqa: FBT003
        nodes.call("@not_strictly_false", nodes.result()),
        nodes.call("_&&_", nodes.result(), body),
        nodes.result(),
    )


def _exists(nodes: Nodes, body: Expr) -> Loop:
    return Loop(
        nodes.constant(False),  # noqa: FBT003
        nodes.call("@not_strictly_false", nodes.call("!_", nodes.result())),
        nodes.call("_||_", nodes.result(), body),
        nodes.result(),
    )


def _exists_one(nodes: Nodes, body: Expr) -> Loop:
    one_more = nodes.call("_+_", nodes.result(), nodes.constant(1))
    return Loop(
        nodes.constant(0),
        nodes.constant(True),  # noqa: FBT003
        nodes.call("_?_:_", body, one_more, nodes.result()),
        nodes.call("_==_", nodes.result(), nodes.constant(1)),
    )


def _gather(nodes: Nodes, start: Expr, step: Expr, condition: Expr | None) -> Loop:
    """A loop that visits everything; `condition` decides which elements take part."""
    if condition is not None:
        step = nodes.call("_?_:_", condition, step, nodes.result())
    return Loop(start, nodes.constant(True), step, nodes.result())  # noqa: FBT003


def _one_name(node: Expr, message: str) -> str | MacroFault:
    if not isinstance(node, Ident):
        return MacroFault(node.offset, message)
    if node.name in _RESERVED:
        return MacroFault(node.offset, "iteration variable overwrites accumulator variable")
    return node.name


def _two_names(args: tuple[Expr, ...]) -> tuple[str, str] | MacroFault:
    for node in args[:2]:
        if not isinstance(node, Ident):
            return MacroFault(node.offset, "argument must be a simple name")
    first, second = args[0], args[1]
    assert isinstance(first, Ident) and isinstance(second, Ident)  # noqa: S101, PT018
    if first.name == second.name:
        return MacroFault(second.offset, f"duplicate variable name: {first.name}")
    for node in (first, second):
        if node.name in _RESERVED:
            return MacroFault(node.offset, "iteration variable overwrites accumulator variable")
    return first.name, second.name


def _quantifier(parts: Callable[[Nodes, Expr], Loop]) -> Expansion:
    def expand(nodes: Nodes, target: Expr, args: tuple[Expr, ...]) -> Expr | MacroFault:
        name = _one_name(args[0], "argument must be a simple name")
        if isinstance(name, MacroFault):
            return name
        return nodes.loop(target, (name, ""), parts(nodes, args[1]))

    return expand


def _quantifier2(parts: Callable[[Nodes, Expr], Loop]) -> Expansion:
    def expand(nodes: Nodes, target: Expr, args: tuple[Expr, ...]) -> Expr | MacroFault:
        names = _two_names(args)
        return names if isinstance(names, MacroFault) else nodes.loop(target, names, parts(nodes, args[2]))

    return expand


def _map(nodes: Nodes, target: Expr, args: tuple[Expr, ...]) -> Expr | MacroFault:
    name = _one_name(args[0], "argument is not an identifier")
    if isinstance(name, MacroFault):
        return name
    step = nodes.call("_+_", nodes.result(), nodes.elements(args[-1]))
    condition = args[1] if len(args) == 3 else None
    return nodes.loop(target, (name, ""), _gather(nodes, nodes.elements(), step, condition))


def _filter(nodes: Nodes, target: Expr, args: tuple[Expr, ...]) -> Expr | MacroFault:
    name = _one_name(args[0], "argument is not an identifier")
    if isinstance(name, MacroFault):
        return name
    step = nodes.call("_+_", nodes.result(), nodes.elements(args[0]))
    return nodes.loop(target, (name, ""), _gather(nodes, nodes.elements(), step, args[1]))


def _transform_list(nodes: Nodes, target: Expr, args: tuple[Expr, ...]) -> Expr | MacroFault:
    names = _two_names(args)
    if isinstance(names, MacroFault):
        return names
    step = nodes.call("_+_", nodes.result(), nodes.elements(args[-1]))
    condition = args[2] if len(args) == 4 else None
    return nodes.loop(target, names, _gather(nodes, nodes.elements(), step, condition))


def _transform_map(nodes: Nodes, target: Expr, args: tuple[Expr, ...]) -> Expr | MacroFault:
    names = _two_names(args)
    if isinstance(names, MacroFault):
        return names
    step = nodes.call("cel.@mapInsert", nodes.result(), nodes.ident(names[0]), args[-1])
    condition = args[2] if len(args) == 4 else None
    return nodes.loop(target, names, _gather(nodes, nodes.empty_map(), step, condition))


def _transform_map_entry(nodes: Nodes, target: Expr, args: tuple[Expr, ...]) -> Expr | MacroFault:
    names = _two_names(args)
    if isinstance(names, MacroFault):
        return names
    step = nodes.call("cel.@mapInsert", nodes.result(), args[-1])
    condition = args[2] if len(args) == 4 else None
    return nodes.loop(target, names, _gather(nodes, nodes.empty_map(), step, condition))


def _bind(nodes: Nodes, target: Expr, args: tuple[Expr, ...]) -> Expr | MacroFault | None:
    if not (isinstance(target, Ident) and target.name == "cel"):
        return None
    if not isinstance(args[0], Ident):
        return MacroFault(args[0].offset, "cel.bind() variable names must be simple identifiers")
    return nodes.bind(args[0].name, args[1], args[2])


def _opt_map(nodes: Nodes, target: Expr, args: tuple[Expr, ...]) -> Expr | MacroFault:
    if not isinstance(args[0], Ident):
        return MacroFault(args[0].offset, "optMap() variable name must be a simple identifier")
    value = nodes.bind(args[0].name, nodes.method(nodes.copy(target), "value"), args[1])
    return nodes.call(
        "_?_:_",
        nodes.method(target, "hasValue"),
        nodes.call("optional.of", value),
        nodes.call("optional.none"),
    )


def _opt_flat_map(nodes: Nodes, target: Expr, args: tuple[Expr, ...]) -> Expr | MacroFault:
    if not isinstance(args[0], Ident):
        return MacroFault(args[0].offset, "optFlatMap() variable name must be a simple identifier")
    value = nodes.bind(args[0].name, nodes.method(nodes.copy(target), "value"), args[1])
    return nodes.call("_?_:_", nodes.method(target, "hasValue"), value, nodes.call("optional.none"))


def _sort_by(nodes: Nodes, target: Expr, args: tuple[Expr, ...]) -> Expr | MacroFault:
    if not isinstance(target, ListExpr | Select | Ident | Comprehension | Call):
        message = "sortBy can only be applied to a list, identifier, comprehension, call or select expression"
        return MacroFault(target.offset, message)
    keys = _map(nodes, nodes.ident(_SORT_INPUT), args)
    if isinstance(keys, MacroFault):
        return keys
    sorted_list = nodes.method(nodes.ident(_SORT_INPUT), "@sortByAssociatedKeys", keys)
    return nodes.bind(_SORT_INPUT, target, sorted_list)


_MACROS: Final[Mapping[tuple[str, int, str], Expansion]] = {
    ("has", 1, "global"): _has,
    ("all", 2, "member"): _quantifier(_all),
    ("exists", 2, "member"): _quantifier(_exists),
    ("exists_one", 2, "member"): _quantifier(_exists_one),
    ("map", 2, "member"): _map,
    ("map", 3, "member"): _map,
    ("filter", 2, "member"): _filter,
    ("optMap", 2, "member"): _opt_map,
    ("optFlatMap", 2, "member"): _opt_flat_map,
    ("all", 3, "member"): _quantifier2(_all),
    ("exists", 3, "member"): _quantifier2(_exists),
    ("existsOne", 3, "member"): _quantifier2(_exists_one),
    ("exists_one", 3, "member"): _quantifier2(_exists_one),
    ("transformList", 3, "member"): _transform_list,
    ("transformList", 4, "member"): _transform_list,
    ("transformMap", 3, "member"): _transform_map,
    ("transformMap", 4, "member"): _transform_map,
    ("transformMapEntry", 3, "member"): _transform_map_entry,
    ("transformMapEntry", 4, "member"): _transform_map_entry,
    ("sortBy", 2, "member"): _sort_by,
    ("bind", 3, "member"): _bind,
}
