"""What each piece of syntax means: the nodes, their places, and the faults that only show in the meaning.

Both readers of the language use it, the parser of valid texts and the one that explains invalid ones. Places matter:
they are where Kubernetes' messages point (an operator's sign, the parenthesis of a call).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from dravite.cel.ast import Call, Constant, Expr, Ident, Select
from dravite.cel.errors import Fault
from dravite.cel.lexer import Token
from dravite.cel.literals import (
    BadLiteral,
    bytes_literal,
    float_literal,
    int_literal,
    string_literal,
    uint_literal,
)
from dravite.cel.macros import MacroFault, Nodes, expansion

RESERVED: Final = frozenset(
    {
        *("as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in", "let"),
        *("loop", "package", "namespace", "null", "return", "true", "var", "void", "while"),
    }
)
_LITERALS: Final[dict[str, Callable[[str], object]]] = {
    "NUM_INT": int_literal,
    "NUM_UINT": uint_literal,
    "NUM_FLOAT": float_literal,
    "STRING": string_literal,
    "BYTES": bytes_literal,
    "true": lambda _: True,
    "false": lambda _: False,
    "null": lambda _: None,
}


class TreeBuilder:
    """Makes one tree from the leaves up and collects what is wrong on the way."""

    def __init__(self) -> None:
        self.nodes = Nodes()
        self.next_id = self.nodes.next_id
        self.faults: list[Fault] = []

    def fault(self, offset: int, message: str) -> Expr:
        """Report a fault; the answer stands where the faulty node would."""
        self.faults.append(Fault(offset, message))
        return Constant(self.next_id(), offset, None)

    def literal(self, token: Token, sign: Token | None = None) -> Expr:
        text, offset = token.text, token.offset
        if sign is not None:
            text, offset = "-" + text, sign.offset
        value = _LITERALS[token.kind](text)
        if isinstance(value, BadLiteral):
            return self.fault(offset, value.message)
        return Constant(self.next_id(), offset, value)

    def ident(self, dot: Token | None, name: Token) -> Expr:
        if name.text in RESERVED:
            return self.fault((dot or name).offset, f"reserved identifier: {name.text}")
        return Ident(self.next_id(), name.offset, f".{name.text}" if dot else name.text)

    def global_call(self, name: tuple[Token | None, Token], paren: int, args: tuple[Expr, ...]) -> Expr:
        dot, word = name
        if word.text in RESERVED:
            return self.fault((dot or word).offset, f"reserved identifier: {word.text}")
        function = f".{word.text}" if dot else word.text
        expanded = self._expand((function, len(args), "global"), paren, None, args)
        if expanded is not None:
            return expanded
        return Call(self.next_id(), paren, function, None, args)

    def member_call(self, target: Expr, function: str, paren: int, args: tuple[Expr, ...]) -> Expr:
        expanded = self._expand((function, len(args), "member"), paren, target, args)
        if expanded is not None:
            return expanded
        return Call(self.next_id(), paren, function, target, args)

    def operator(self, function: str, offset: int, *args: Expr) -> Expr:
        return Call(self.next_id(), offset, function, None, args)

    def select(self, operand: Expr, dot: int, field: Token) -> Expr:
        return Select(self.next_id(), dot, operand, field_name(field))

    def optional_select(self, operand: Expr, dot: int, field: Token) -> Expr:
        name = Constant(self.next_id(), field.offset, field_name(field))
        return Call(self.next_id(), dot, "_?._", None, (operand, name))

    def balanced(self, function: str, terms: Sequence[Expr], offsets: Sequence[int]) -> Expr:
        """A chain of one logical operator as a tree of least depth; `offsets` are those of the signs."""

        def tree(low: int, high: int) -> Expr:
            middle = (low + high + 1) // 2
            left = terms[middle] if middle == low else tree(low, middle - 1)
            right = terms[middle + 1] if middle == high else tree(middle + 1, high)
            return Call(self.next_id(), offsets[middle], function, None, (left, right))

        return tree(0, len(offsets) - 1)

    def _expand(
        self, key: tuple[str, int, str], offset: int, target: Expr | None, args: tuple[Expr, ...]
    ) -> Expr | None:
        expand = expansion(*key)
        if expand is None:
            return None
        self.nodes.at = offset
        expanded = expand(self.nodes, target if target is not None else args[0], args)
        if isinstance(expanded, MacroFault):
            return self.fault(expanded.offset, expanded.message)
        return expanded


def field_name(token: Token) -> str:
    """The name in `.name` or in a name between back-ticks."""
    return token.text[1:-1] if token.kind == "ESC_IDENTIFIER" else token.text
