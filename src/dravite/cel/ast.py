"""The tree of an expression, as the parser makes it with all macros expanded.

Costs are counted per node of this tree, so it has the node kinds of the CEL specification and no others. Every
node has a number that is unique in its tree and the offset (in code points) that messages about it point at.
Evaluation, cost and analysis all read these classes: fields may be added, never changed or removed.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec


class Constant(msgspec.Struct, frozen=True):
    """A literal: null, bool, int, `Uint`, float, str or bytes."""

    id: int
    offset: int
    value: object


class Ident(msgspec.Struct, frozen=True):
    id: int
    offset: int
    name: str


class Select(msgspec.Struct, frozen=True):
    """`operand.field`, or with `test_only` what `has(operand.field)` becomes."""

    id: int
    offset: int
    operand: Expr
    field: str
    test_only: bool = False


class Call(msgspec.Struct, frozen=True):
    """A function, operator (`_+_`, `_&&_`, `_[_]`, `_?_:_` …) or, with a target, a method call."""

    id: int
    offset: int
    function: str
    target: Expr | None
    args: tuple[Expr, ...]


class ListExpr(msgspec.Struct, frozen=True):
    """A list literal; `optional` holds the indices of `?x` elements."""

    id: int
    offset: int
    elements: tuple[Expr, ...]
    optional: frozenset[int] = frozenset()


class MapEntry(msgspec.Struct, frozen=True):
    id: int
    offset: int
    key: Expr
    value: Expr
    optional: bool = False


class MapExpr(msgspec.Struct, frozen=True):
    id: int
    offset: int
    entries: tuple[MapEntry, ...]


class FieldEntry(msgspec.Struct, frozen=True):
    id: int
    offset: int
    field: str
    value: Expr
    optional: bool = False


class StructExpr(msgspec.Struct, frozen=True):
    id: int
    offset: int
    type_name: str
    entries: tuple[FieldEntry, ...]


class Comprehension(msgspec.Struct, frozen=True):
    """What the macros `all`, `exists`, `map` … become. `iter_var2` is empty for one-variable macros."""

    id: int
    offset: int
    iter_range: Expr
    iter_var: str
    iter_var2: str
    accu_var: str
    accu_init: Expr
    loop_condition: Expr
    loop_step: Expr
    result: Expr


Expr: TypeAlias = Constant | Ident | Select | Call | ListExpr | MapExpr | StructExpr | Comprehension


class Uint(msgspec.Struct, frozen=True):
    """An unsigned integer, kept apart from int: CEL tells `1u` from `1`."""

    value: int


def children(node: Expr) -> tuple[Expr, ...]:
    """The nodes directly below a node, in the order of the source as far as it has one."""
    match node:
        case Select():
            return (node.operand,)
        case Call():
            return node.args if node.target is None else (node.target, *node.args)
        case ListExpr():
            return node.elements
        case MapExpr():
            return tuple([part for entry in node.entries for part in (entry.key, entry.value)])
        case StructExpr():
            return tuple([entry.value for entry in node.entries])
        case Comprehension():
            loop = (node.loop_condition, node.loop_step, node.result)
            return (node.iter_range, node.accu_init, *loop)
    return ()
