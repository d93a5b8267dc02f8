"""A selector taken apart: the clauses that its top level joins with `&&`, and what each of them demands.

A clause is a stretch of the user's own text that is an expression by itself. This module evaluates nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from dravite.cel.ast import Call, Constant, Expr, ListExpr, Select
from dravite.cel.lexer import Token, tokenize
from dravite.cel.syntax import parse
from dravite.explain.insights import Comparison, OperandKind, Operator
from dravite.explain.selectors.paths import path_of
from dravite.snapshot.device_paths import DevicePath

_OPENING: Final = frozenset("([{")
_CLOSING: Final = frozenset(")]}")
_WEAKER: Final = frozenset({"||", "?"})

_RELATIONS: Final[Mapping[str, Operator]] = {
    "_==_": "==",
    "_!=_": "!=",
    "_<_": "<",
    "_<=_": "<=",
    "_>_": ">",
    "_>=_": ">=",
}
_MIRRORED: Final[Mapping[Operator, Operator]] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_METHODS: Final[Mapping[str, Operator]] = {
    "startsWith": "startsWith",
    "endsWith": "endsWith",
    "contains": "contains",
    "matches": "matches",
    "includes": "includes",
    "isGreaterThan": ">",
    "isLessThan": "<",
}
_MAKERS: Final[Mapping[str, OperandKind]] = {"quantity": "quantity", "semver": "version"}


class Part(msgspec.Struct, frozen=True):
    """A clause: its text and where it begins in the whole expression."""

    text: str
    offset: int


class _Operand(msgspec.Struct, frozen=True):
    text: str
    kind: OperandKind
    literal: str


def split(expression: str) -> tuple[Part, ...]:
    """The clauses of an expression in their order; an expression that is no conjunction is one clause.

    Parentheses around the whole expression are looked through. Text that cannot be read is one clause.
    """
    tokens, faults = tokenize(expression)
    if faults:
        return (Part(expression, 0),)
    words = list(tokens[:-1])
    while _wrapped(words):
        words = words[1:-1]
    cuts = _cuts(words)
    if not words or cuts is None:
        return (Part(expression, 0),)
    parts = []
    start = 0
    for cut in (*cuts, len(words)):
        if start < cut:
            parts.append(_part(expression, words[start:cut]))
        start = cut + 1
    return tuple(parts)


def _part(expression: str, words: list[Token]) -> Part:
    first, last = words[0], words[-1]
    return Part(expression[first.offset : last.offset + len(last.text)], first.offset)


def _wrapped(words: list[Token]) -> bool:
    """Whether one pair of parentheses holds everything."""
    if len(words) < 3 or words[0].kind != "(" or words[-1].kind != ")":
        return False
    depth = 0
    for place, word in enumerate(words):
        depth += (word.kind in _OPENING) - (word.kind in _CLOSING)
        if depth == 0:
            return place == len(words) - 1
    return False


def _cuts(words: list[Token]) -> list[int] | None:
    """Where the top level says `&&`; None where a weaker operator stands there."""
    cuts = []
    depth = 0
    for place, word in enumerate(words):
        depth += (word.kind in _OPENING) - (word.kind in _CLOSING)
        if depth:
            continue
        if word.kind == "&&":
            cuts.append(place)
        elif word.kind in _WEAKER and not (place and words[place - 1].kind == "."):
            return None
    return cuts


def is_weak(text: str) -> bool:
    """Whether the text needs parentheses before it can be joined with `&&`."""
    return _cuts(list(tokenize(text)[0][:-1])) is None


def demand(text: str) -> Comparison | None:
    """What a clause demands of one value, where it has such a form; None for everything else."""
    tree = parse(text).tree
    return None if tree is None else _demand(tree)


def _demand(tree: Expr) -> Comparison | None:
    for read in (_presence, _negation, _relation, _membership, _method, _bare):
        found = read(tree)
        if found is not None:
            return found
    return None


def _presence(tree: Expr) -> Comparison | None:
    """`has(path)` and `path.hasValue()`."""
    path = None
    if isinstance(tree, Select) and tree.test_only:
        path = path_of(tree)
    elif isinstance(tree, Call) and tree.function == "hasValue" and tree.target is not None:
        path = path_of(tree.target)
    return None if path is None else Comparison(path, "has", "", "presence")


def _negation(tree: Expr) -> Comparison | None:
    if not (isinstance(tree, Call) and tree.function == "!_"):
        return None
    inner = _demand(tree.args[0])
    if inner is None:
        return None
    return Comparison(inner.path, inner.operator, inner.operand, inner.kind, inner.literal, not inner.negated)


def _relation(tree: Expr) -> Comparison | None:
    """`path == constant` either way round, and `path.compareTo(constant) >= 0`."""
    if not (isinstance(tree, Call) and tree.function in _RELATIONS):
        return None
    operator = _RELATIONS[tree.function]
    left, right = tree.args
    for value, constant, relation in ((left, right, operator), (right, left, _MIRRORED[operator])):
        compared = _compare_to(value) if _is_zero(constant) else None
        if compared is not None:
            return _comparison(compared[0], relation, compared[1])
        operand = _constant(constant)
        if operand is not None:
            return _comparison(value, relation, operand)
    return None


def _is_zero(tree: Expr) -> bool:
    return isinstance(tree, Constant) and tree.value == 0 and not isinstance(tree.value, bool)


def _compare_to(tree: Expr) -> tuple[Expr, _Operand] | None:
    if not (isinstance(tree, Call) and tree.function == "compareTo" and tree.target is not None):
        return None
    operand = _constant(tree.args[0])
    return None if operand is None else (tree.target, operand)


def _membership(tree: Expr) -> Comparison | None:
    """`path in [constants]`, `constant in path` and `"domain" in device.attributes`."""
    if not (isinstance(tree, Call) and tree.function == "@in"):
        return None
    item, collection = tree.args
    operand = _constant(collection)
    if operand is not None:
        return _comparison(item, "in", operand)
    sought, place = _constant(item), path_of(collection)
    if sought is None or place is None:
        return None
    if place.root in ("attributes", "capacity") and not place.name:
        name = DevicePath(place.root, place.domain, sought.text) if place.domain else None
        return Comparison(name or DevicePath(place.root, sought.text), "has", "", "presence")
    return Comparison(place, "includes", sought.text, sought.kind, sought.literal)


def _method(tree: Expr) -> Comparison | None:
    if not (isinstance(tree, Call) and tree.function in _METHODS and tree.target is not None and len(tree.args) == 1):
        return None
    operand = _constant(tree.args[0])
    return None if operand is None else _comparison(tree.target, _METHODS[tree.function], operand)


def _bare(tree: Expr) -> Comparison | None:
    """A value used as a condition: it must be true."""
    path = path_of(tree)
    return None if path is None else Comparison(path, "is", "true", "bool")


def _comparison(value: Expr, operator: Operator, operand: _Operand) -> Comparison | None:
    path = path_of(value)
    return None if path is None else Comparison(path, operator, operand.text, operand.kind, operand.literal)


def _constant(tree: Expr) -> _Operand | None:
    match tree:
        case Constant(value=value):
            return _CONSTANTS[type(value)](value) if type(value) in _CONSTANTS else None
        case Call(function=maker, target=None, args=(Constant(value=str(text)), *_)) if maker in _MAKERS:
            return _Operand(text, _MAKERS[maker], f"{maker}({quoted(text)})")
        case ListExpr(elements=elements) if elements:
            inner = [_constant(e) for e in elements]
            if all(o is not None for o in inner):
                texts = ", ".join(o.text for o in inner if o is not None)
                return _Operand(texts, "list", "[" + ", ".join(o.literal for o in inner if o is not None) + "]")
    return None


def quoted(text: str) -> str:
    """The text as a string literal of the selector language."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'


_CONSTANTS: Final[Mapping[type, Callable[[object], _Operand]]] = {
    bool: lambda v: _Operand("true" if v else "false", "bool", "true" if v else "false"),
    int: lambda v: _Operand(str(v), "number", str(v)),
    float: lambda v: _Operand(repr(v), "number", repr(v)),
    str: lambda v: _Operand(str(v), "text", quoted(str(v))),
}
