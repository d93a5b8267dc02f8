"""Which way to go where the grammar forks, as far as the tokens ahead tell.

One token decides nearly everywhere; names need more, because `a.b{`, `a.b(` and `a.b` begin alike. Where nothing fits
but the rule could already be over, the way out is taken, and the rules around say what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias

from dravite.cel.grammar import PRODUCTS, RELATIONS, SUMS, Decision, State, grammar
from dravite.cel.lexer import Token

Ahead: TypeAlias = Callable[[int], Token]

_NUMBERS: Final = ("NUM_INT", "NUM_FLOAT")
_LITERALS: Final = ("NUM_INT", "NUM_UINT", "NUM_FLOAT", "STRING", "BYTES", "true", "false", "null")
_BRACKETS: Final = {"(": 2, "[": 3, "{": 4}


class Fork(NamedTuple):
    """Tokens that no way fits: the first one, and the one with which the last way ended."""

    start: Token
    stop: Token


Choice: TypeAlias = int | Fork


def choose(state: State, precedence: int, ahead: Ahead) -> Choice:
    """The number of the edge to take. `precedence` says how tightly operators must bind here."""
    special = _DECISIONS.get(state.decision)
    if special is not None:
        return special(state, precedence, ahead)
    kind = ahead(1).kind
    for number, edge in enumerate(state.edges):
        if kind in grammar().next_tokens(edge.target):
            return number
    return len(state.edges) - 1


def _relation(_: State, precedence: int, ahead: Ahead) -> Choice:
    return 0 if ahead(1).kind in RELATIONS and precedence <= 1 else 1


def _calc(_: State, precedence: int, ahead: Ahead) -> Choice:
    kind = ahead(1).kind
    goes_on = (kind in PRODUCTS and precedence <= 2) or (kind in SUMS and precedence <= 1)
    return 0 if goes_on else 1


def _operator(_: State, __: int, ahead: Ahead) -> Choice:
    return 0 if ahead(1).kind in PRODUCTS else 1


def _suffix(_: State, __: int, ahead: Ahead) -> Choice:
    return 0 if ahead(1).kind in (".", "[") else 1


def _begins_operand(token: Token) -> bool:
    return token.kind in grammar().first("member")


def _unary(_: State, __: int, ahead: Ahead) -> Choice:
    first = ahead(1)
    if first.kind == "!":
        return 1
    if first.kind == "-":
        if ahead(2).kind in _NUMBERS:
            return 0
        return 2 if _begins_operand(ahead(2)) else Fork(first, ahead(2))
    return 0 if _begins_operand(first) else Fork(first, first)


def _minus(_: State, __: int, ahead: Ahead) -> Choice:
    first = ahead(1)
    if first.kind == "-":
        return 0 if _begins_operand(ahead(2)) else Fork(first, ahead(2))
    return 1 if _begins_operand(first) else Fork(first, first)


def _member(_: State, __: int, ahead: Ahead) -> Choice:
    if ahead(1).kind == "[":
        return 2
    kind = ahead(2).kind
    if kind == "IDENTIFIER":
        return 1 if ahead(3).kind == "(" else 0
    return 0 if kind in ("?", "ESC_IDENTIFIER") else Fork(ahead(1), ahead(2))


def _primary(_: State, __: int, ahead: Ahead) -> Choice:
    first = ahead(1)
    if first.kind in _BRACKETS:
        return _BRACKETS[first.kind]
    if first.kind in _LITERALS or first.kind == "-":
        return 6
    if first.kind not in (".", "IDENTIFIER"):
        return Fork(first, first)
    distance = 2 if first.kind == "." else 1
    if ahead(distance).kind != "IDENTIFIER":
        return Fork(first, ahead(distance))
    if ahead(distance + 1).kind == "(":
        return 1
    while ahead(distance).kind == "IDENTIFIER" and ahead(distance + 1).kind == ".":
        distance += 2
    return 5 if ahead(distance).kind == "IDENTIFIER" and ahead(distance + 1).kind == "{" else 0


def _comma(state: State, _: int, ahead: Ahead) -> Choice:
    if ahead(1).kind != ",":
        return 1
    behind = state.edges[0].target.edges[0].target
    return 0 if ahead(2).kind in grammar().next_tokens(behind) else 1


def _field(_: State, __: int, ahead: Ahead) -> Choice:
    first = ahead(1)
    match first.kind:
        case "IDENTIFIER":
            return 0
        case "ESC_IDENTIFIER":
            return 1
    return Fork(first, first)


def _literal(_: State, __: int, ahead: Ahead) -> Choice:
    first = ahead(1)
    if first.kind in _LITERALS:
        return _LITERALS.index(first.kind)
    if first.kind == "-" and ahead(2).kind in _NUMBERS:
        return 0 if ahead(2).kind == "NUM_INT" else 2
    return Fork(first, ahead(2) if first.kind == "-" else first)


_DECISIONS: Final[Mapping[Decision, Callable[[State, int, Ahead], Choice]]] = {
    "relation": _relation,
    "calc": _calc,
    "operator": _operator,
    "suffix": _suffix,
    "unary": _unary,
    "minus": _minus,
    "member": _member,
    "primary": _primary,
    "comma": _comma,
    "field": _field,
    "literal": _literal,
}
