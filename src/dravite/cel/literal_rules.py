"""Rules for what is written out in a valid expression: lists of one type, readable durations, working patterns.

They are the API server's; an expression that breaks one would only fail at run time otherwise. They look at trees that
passed the type checker. Source: the validators that Kubernetes' base environment switches on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from dravite.cel.ast import Call, Constant, Expr, ListExpr, MapExpr, children
from dravite.cel.check import Checked
from dravite.cel.errors import Fault
from dravite.cel.fold import convert
from dravite.cel.types import Kind, Type, is_optional, optional_of, same
from dravite.cel.values import Failure

_FORMAT: Final = "format"


def literal_faults(checked: Checked) -> list[Fault]:
    """Every literal that breaks a rule."""
    faults: list[Fault] = []
    calls: list[Call] = []
    nodes: list[tuple[Expr, bool]] = [(checked.tree, False)]
    while nodes:
        node, in_format = nodes.pop()
        if isinstance(node, ListExpr) and not in_format:
            faults += _mixed_list(checked, node)
        elif isinstance(node, MapExpr) and not in_format:
            faults += _mixed_map(checked, node)
        elif isinstance(node, Call):
            calls.append(node)
            in_format = in_format or node.function == _FORMAT
        nodes += [(child, in_format) for child in reversed(children(node))]
    for function, rule in _CALL_RULES.items():
        for call in calls:
            if call.function == function:
                faults += rule(checked, call)
    return faults


def _mixed_list(checked: Checked, node: ListExpr) -> Iterator[Fault]:
    """The first element whose type differs from that of the first one."""
    expected: Type | None = None
    for position, element in enumerate(node.elements):
        found = checked.types[element.id]
        if position in node.optional:
            if not is_optional(found):
                yield _mismatch(element, optional_of(found), found)
                return
            found = found.params[0]
        if expected is None:
            expected = found
        elif not same(expected, found):
            yield _mismatch(element, expected, found)
            return


def _mixed_map(checked: Checked, node: MapExpr) -> Iterator[Fault]:
    """Every key and value whose type differs from those of the first entry."""
    keys: Type | None = None
    values: Type | None = None
    for entry in node.entries:
        key, value = checked.types[entry.key.id], checked.types[entry.value.id]
        if entry.optional:
            if not is_optional(value):
                yield _mismatch(entry.value, optional_of(value), value)
                return
            value = value.params[0]
        if keys is None or values is None:
            keys, values = key, value
            continue
        if not same(keys, key):
            yield _mismatch(entry.key, keys, key)
        if not same(values, value):
            yield _mismatch(entry.value, values, value)


def _mismatch(node: Expr, expected: Type, found: Type) -> Fault:
    return Fault(node.offset, f"expected type '{expected.label}' but found '{found.label}'")


def _readable(_: Checked, call: Call) -> Iterator[Fault]:
    """A duration or timestamp that is written out can be read."""
    literal = call.args[0] if call.args else None
    if isinstance(literal, Constant) and isinstance(convert(call.function, literal.value), Failure):
        yield Fault(literal.offset, f"invalid {call.function} argument")


def _working_pattern(_: Checked, call: Call) -> Iterator[Fault]:
    literal = call.args[0] if call.args else None
    if not isinstance(literal, Constant) or not isinstance(literal.value, str):
        return
    from dravite.cel.library.patterns import PatternError, compile_pattern

    try:
        compile_pattern(literal.value)
    except PatternError:
        yield Fault(literal.offset, "invalid matches argument")


def _fitting_format(checked: Checked, call: Call) -> Iterator[Fault]:
    """The clauses of a format fit the arguments, in number and kind."""
    template = call.target
    if not isinstance(template, Constant) or not isinstance(template.value, str):
        return
    if len(call.args) != 1 or not isinstance(call.args[0], ListExpr):
        return
    arguments = call.args[0].elements
    used = _use_arguments(checked, call, template.value, arguments)
    if isinstance(used, Fault):
        yield used
    elif used < len(arguments):
        counts = f"(expected {used}, got {len(arguments)})"
        yield Fault(call.offset, f"too many arguments supplied to string.format {counts}")


def _use_arguments(checked: Checked, call: Call, template: str, arguments: tuple[Expr, ...]) -> int | Fault:
    """How many arguments the clauses use, or the first clause that cannot be filled."""
    from dravite.cel.library.formatting import WRONG_KIND, read_clause

    place = used = 0
    while (clause := template.find("%", place)) >= 0:
        if template.startswith("%%", clause):
            place = clause + 2
            continue
        if clause + 1 >= len(template):
            return Fault(call.offset, "unexpected end of string")
        if used >= len(arguments):
            return Fault(call.offset, f"index {used} out of range")
        read = read_clause(template, clause + 1)
        if isinstance(read, Failure):
            return Fault(call.offset, f"could not parse formatting clause: {read.message}")
        letter, _, place = read
        wrong = _unfit_argument(checked, letter, arguments[used])
        if wrong is not None:
            found = checked.types[wrong.id].name
            kind = _CLAUSE_KINDS[letter][0]
            return Fault(wrong.offset, f"error during formatting: {WRONG_KIND[kind]}, was given {found}")
        used += 1
    return used


def _unfit_argument(checked: Checked, letter: str, argument: Expr) -> Expr | None:
    """The argument, or the part of it, that a clause cannot write; None if it can."""
    t = checked.types[argument.id]
    if t.kind != "dyn" and t.kind not in _CLAUSE_KINDS[letter][1]:
        return argument
    if letter != "s" or not isinstance(argument, ListExpr | MapExpr):
        return None
    parts = (_unfit_argument(checked, letter, part) for part in children(argument))
    return next((part for part in parts if part is not None), None)


_WHOLE: Final[frozenset[Kind]] = frozenset({"int", "uint"})
_FRACTION: Final[frozenset[Kind]] = frozenset({"double", "string"})
_HEX: Final[frozenset[Kind]] = frozenset({"int", "uint", "string", "bytes"})
_TEXT: Final[frozenset[Kind]] = frozenset(
    {
        *("list", "map", "int", "uint", "double", "bool", "string", "timestamp", "bytes", "duration", "type"),
        "null",
    }
)
_CLAUSE_KINDS: Final[Mapping[str, tuple[str, frozenset[Kind]]]] = {
    "s": ("string", _TEXT),
    "d": ("decimal", _WHOLE),
    "f": ("fixed-point", _FRACTION),
    "e": ("scientific", _FRACTION),
    "b": ("binary", frozenset({"int", "uint", "bool"})),
    "x": ("hex", _HEX),
    "X": ("hex", _HEX),
    "o": ("octal", _WHOLE),
}
"""Clause to what messages call it and to the types that it takes."""

_CALL_RULES: Final[Mapping[str, Callable[[Checked, Call], Iterator[Fault]]]] = {
    "duration": _readable,
    "timestamp": _readable,
    "matches": _working_pattern,
    _FORMAT: _fitting_format,
}
