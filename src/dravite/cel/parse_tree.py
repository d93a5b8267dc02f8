"""What could be read of an invalid text, and the faults in its meaning.

Kubernetes reports a reserved word or a wrong macro along with the syntax errors around it, so a broken tree is still
turned into nodes, as far as it goes. The nodes themselves are thrown away.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from dravite.cel.ast import Constant, Expr, ListExpr
from dravite.cel.errors import NOWHERE, Fault
from dravite.cel.lexer import Token
from dravite.cel.recursion import MAX_HEIGHT, TOO_HIGH
from dravite.cel.tree_builder import RESERVED, TreeBuilder


class Node:
    """One rule as it was read: its parts by name (a rule or a kind of token), and which way it took."""

    __slots__ = ("choice", "parts", "rule", "start")

    def __init__(self, rule: str, start: Token, parts: Sequence[tuple[str, Node | Token]] = ()) -> None:
        self.rule = rule
        self.start = start
        self.parts: list[tuple[str, Node | Token]] = list(parts)
        self.choice: int | None = None

    def nodes(self, rule: str) -> list[Node]:
        return [part for name, part in self.parts if name == rule and isinstance(part, Node)]

    def tokens(self, *kinds: str) -> list[Token]:
        return [part for name, part in self.parts if name in kinds and isinstance(part, Token)]

    def token(self, kind: str) -> Token | None:
        found = self.tokens(kind)
        return found[0] if found else None


class _TooHigh(Exception):  # noqa: N818 - it never leaves this module
    """The tree of compound pieces is higher than Kubernetes reads."""


Args: TypeAlias = tuple[Expr, ...]


def meaning_faults(tree: Node) -> list[Fault]:
    """The faults that show when the tree is given a meaning."""
    visitor = _Visitor()
    try:
        visitor.visit(tree)
    except _TooHigh:
        visitor.build.faults.append(Fault(None, TOO_HIGH))
    return visitor.build.faults


class _Visitor:
    def __init__(self) -> None:
        self.build = TreeBuilder()
        self.height = 0

    def visit(self, node: Node | None) -> Expr:
        """The node's meaning; something without one where nothing was read."""
        if node is None:
            return self.nothing()
        if not _is_compound(node):
            return self.meaning(node)
        self.height += 1
        if self.height > MAX_HEIGHT:
            raise _TooHigh
        meaning = self.meaning(node)
        self.height -= 1
        return meaning

    def meaning(self, node: Node) -> Expr:
        match node.rule:
            case "start" | "element":
                return self.visit(_first(node.nodes("expr")))
            case "expr":
                return self.expr(node)
            case "either":
                return self.chain(node, "both", ("_||_", "||"))
            case "both":
                return self.chain(node, "relation", ("_&&_", "&&"))
            case "relation" | "calc":
                return self.infix(node)
            case "unary":
                return self.unary(node)
            case "member":
                return self.member(node)
            case "primary":
                return self.primary(node)
            case "literal":
                return self.literal(node)
        return self.nothing()

    def nothing(self) -> Expr:
        return Constant(self.build.next_id(), NOWHERE, None)

    def expr(self, node: Node) -> Expr:
        parts = node.nodes("either")
        condition = self.visit(_first(parts))
        sign = node.token("?")
        if sign is None:
            return condition
        accepted = self.visit(parts[1] if len(parts) > 1 else None)
        refused = self.visit(_first(node.nodes("expr")))
        return self.build.operator("_?_:_", sign.offset, condition, accepted, refused)

    def chain(self, node: Node, rule: str, operator: tuple[str, str]) -> Expr:
        function, sign = operator
        terms = [self.visit(part) for part in node.nodes(rule)]
        signs = node.tokens(sign)
        if not signs or len(terms) <= len(signs):
            return terms[0] if terms else self.nothing()
        return self.build.balanced(function, terms, [token.offset for token in signs])

    def infix(self, node: Node) -> Expr:
        operands = [part for _, part in node.parts if isinstance(part, Node)]
        signs = [part for _, part in node.parts if isinstance(part, Token)]
        left = self.visit(_first(operands))
        if not signs:
            return left
        right = self.visit(operands[1] if len(operands) > 1 else None)
        return self.build.operator(signs[0].text, signs[0].offset, left, right)

    def unary(self, node: Node) -> Expr:
        if node.choice is None:
            return Constant(self.build.next_id(), node.start.offset, None)
        signs = node.tokens("!", "-")
        operand = self.visit(_first(node.nodes("member")))
        return self.build.operator(signs[0].text, signs[0].offset, operand) if len(signs) % 2 else operand

    def member(self, node: Node) -> Expr:
        inner = _first(node.nodes("member"))
        if inner is None:
            return self.visit(_first(node.nodes("primary")))
        operand = self.visit(inner)
        match node.choice:
            case 0:
                return self.select(node, operand)
            case 1:
                name, paren = node.token("IDENTIFIER"), node.token("(")
                if name is None or paren is None:
                    return self.nothing()
                return self.build.member_call(operand, name.text, paren.offset, self.args(node))
            case 2:
                return self.index(node, operand)
        return operand

    def index(self, node: Node, operand: Expr) -> Expr:
        bracket = node.token("[")
        key = self.visit(_first(node.nodes("expr")))
        return self.nothing() if bracket is None else self.build.operator("_[_]", bracket.offset, operand, key)

    def select(self, node: Node, operand: Expr) -> Expr:
        dot, field = node.token("."), _first(node.nodes("field"))
        if dot is None or field is None:
            return self.nothing()
        name = _name(field)
        if name is None:
            self.build.fault(field.start.offset, "unsupported ident kind")
            name = Token("IDENTIFIER", "", field.start.offset)
        if node.token("?"):
            return self.build.optional_select(operand, dot.offset, name)
        return self.build.select(operand, dot.offset, name)

    def args(self, node: Node) -> Args:
        return tuple([self.visit(part) for exprs in node.nodes("exprs") for part in exprs.nodes("expr")])

    def primary(self, node: Node) -> Expr:
        name, dot = node.token("IDENTIFIER"), node.token(".")
        match node.choice:
            case 0 if name is not None:
                return self.build.ident(dot, name)
            case 1 if name is not None and name.text in RESERVED:
                return self.build.ident(dot, name)
            case 1 if name is not None:
                paren = node.token("(")
                offset = paren.offset if paren else name.offset
                return self.build.global_call((dot, name), offset, self.args(node))
            case 2:
                return self.visit(_first(node.nodes("expr")))
            case 3:
                return self.each(node, (part for rest in node.nodes("elements") for part in rest.nodes("element")))
            case 4:
                return self.each(node, (part for rest in node.nodes("entries") for part in self.entry_parts(rest)))
            case 5:
                return self.message(node)
            case 6:
                return self.visit(_first(node.nodes("literal")))
        return self.nothing()

    def each(self, node: Node, parts: Iterable[Node]) -> Expr:
        """A list or map; only its place matters."""
        elements = tuple([self.visit(part) for part in parts])
        return ListExpr(self.build.next_id(), node.start.offset, elements)

    def entry_parts(self, entries: Node) -> list[Node]:
        """Keys and values of the entries that were read whole."""
        keys, values = entries.nodes("element"), entries.nodes("expr")
        whole = min(len(keys), len(values), len(entries.tokens(":")))
        return [part for pair in zip(keys[:whole], values[:whole], strict=True) for part in pair]

    def message(self, node: Node) -> Expr:
        brace = node.token("{")
        for fields in node.nodes("fields"):
            names, values = fields.nodes("optional_field"), fields.nodes("expr")
            for optional_field, value in zip(names, values, strict=False):
                field = _first(optional_field.nodes("field"))
                if field is None or _name(field) is None:
                    self.build.fault(fields.start.offset, "unsupported ident kind")
                else:
                    self.visit(value)
        return Constant(self.build.next_id(), brace.offset, None) if brace else self.nothing()

    def literal(self, node: Node) -> Expr:
        values = [part for name, part in node.parts if name != "-" and isinstance(part, Token)]
        return self.build.literal(values[0], node.token("-")) if values else self.nothing()


def _is_compound(node: Node) -> bool:
    match node.rule:
        case "expr":
            return node.token("?") is not None
        case "relation" | "calc":
            return any(isinstance(part, Token) for _, part in node.parts)
        case "member":
            return node.choice is not None
    return False


def _first(nodes: Sequence[Node]) -> Node | None:
    return nodes[0] if nodes else None


def _name(field: Node) -> Token | None:
    names = field.tokens("IDENTIFIER", "ESC_IDENTIFIER")
    return names[0] if names else None
