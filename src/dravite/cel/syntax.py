"""Tokens to a tree, with all macros expanded.

This parser knows what is right. Where a text leaves the grammar it stops at once and hands over to
`syntax_errors`, which finds the words for it. Source: the CEL language definition.
"""

from __future__ import annotations

from collections.abc import Sized
from functools import lru_cache
from typing import Final

import msgspec

from dravite.cel.ast import Expr, FieldEntry, ListExpr, MapEntry, MapExpr, StructExpr
from dravite.cel.errors import Fault
from dravite.cel.lexer import Token, tokenize
from dravite.cel.recursion import MAX_DEPTH, MAX_HEIGHT, SHALLOW, TOO_HIGH, make_room
from dravite.cel.tree_builder import TreeBuilder, field_name

MAX_LENGTH: Final = 100_000

RELATIONS: Final = {
    "<": "_<_", "<=": "_<=_", ">=": "_>=_", ">": "_>_", "==": "_==_", "!=": "_!=_", "in": "@in"
}  # fmt: skip
CALCULATIONS: Final = {"*": "_*_", "/": "_/_", "%": "_%_", "+": "_+_", "-": "_-_"}
PRECEDENCE: Final = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2}
LITERALS: Final = frozenset({"NUM_INT", "NUM_UINT", "NUM_FLOAT", "STRING", "BYTES", "true", "false", "null"})


class Parsed(msgspec.Struct, frozen=True):
    """The tree, or everything that is wrong with the syntax."""

    tree: Expr | None
    faults: tuple[Fault, ...]


class _OutsideGrammar(Exception):  # noqa: N818 - it never leaves this module
    """The text cannot be read on; `syntax_errors` says why."""


@lru_cache(maxsize=256)
def parse(source: str) -> Parsed:
    """Read an expression. Never raises. Servers and schedulers check the same texts in environments of their own."""
    if len(source) > MAX_LENGTH:
        size = f"size: {len(source)}, limit {MAX_LENGTH}"
        return Parsed(None, (Fault(None, f"expression code point size exceeds limit: {size}"),))
    tokens, lexical_faults = tokenize(source)
    if not lexical_faults:
        reader = _Reader(tokens)
        try:
            tree = reader.whole()
        except _OutsideGrammar:
            pass
        else:
            faults = reader.build.faults
            if reader.height > SHALLOW:
                make_room()
            if reader.height > MAX_HEIGHT:
                faults.append(Fault(None, TOO_HIGH))
            return Parsed(None if faults else tree, tuple(faults))
    from dravite.cel.syntax_errors import explain  # a second grammar, which valid texts do not need

    return Parsed(None, tuple(explain(source, tokens, lexical_faults)))


class _Reader:
    """Recursive descent over the tokens.

    Two things are limited, as in Kubernetes: how deep expressions, relations and calculations nest, and how high the
    tree of compound pieces is (`height`, of the piece read last), to which chains of operators and fields add, too.
    """

    def __init__(self, tokens: tuple[Token, ...]) -> None:
        self.tokens = tokens
        self.position = 0
        self.kind = tokens[0].kind
        self.build = TreeBuilder()
        self.height = 0
        self.exprs = self.relations = self.calculations = 0

    def whole(self) -> Expr:
        tree = self.expr()
        if self.kind != "<EOF>":
            raise _OutsideGrammar
        return tree

    def advance(self) -> Token:
        token = self.tokens[self.position]
        self.position += 1
        if token.kind != "<EOF>":
            self.kind = self.tokens[self.position].kind
        return token

    def expect(self, kind: str) -> Token:
        if self.kind != kind:
            raise _OutsideGrammar
        return self.advance()

    def expr(self) -> Expr:
        self.exprs += 1
        if self.exprs > SHALLOW:
            make_room()
            self.limit(self.exprs)
        condition = self.either()
        if self.kind == "?":
            height, sign = self.height, self.advance()
            accepted = self.either()
            height = max(height, self.height)
            self.expect(":")
            refused = self.expr()
            self.height = max(height, self.height) + 1
            condition = self.build.operator("_?_:_", sign.offset, condition, accepted, refused)
        self.exprs -= 1
        return condition

    def limit(self, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise _OutsideGrammar

    def either(self) -> Expr:
        first = self.both()
        if self.kind != "||":
            return first
        height, terms, offsets = self.height, [first], []
        while self.kind == "||":
            offsets.append(self.advance().offset)
            terms.append(self.both())
            height = max(height, self.height)
        self.height = height
        return self.build.balanced("_||_", terms, offsets)

    def both(self) -> Expr:
        first = self.relation()
        if self.kind != "&&":
            return first
        height, terms, offsets = self.height, [first], []
        while self.kind == "&&":
            offsets.append(self.advance().offset)
            terms.append(self.relation())
            height = max(height, self.height)
        self.height = height
        return self.build.balanced("_&&_", terms, offsets)

    def relation(self) -> Expr:
        before = self.relations
        self.relations += 1
        self.limit(self.relations)
        left = self.calculation(1)
        while self.kind in RELATIONS:
            height, sign = self.height, self.advance()
            self.relations += 1
            self.limit(self.relations)
            right = self.calculation(1)
            self.relations -= 1
            self.height = max(height, self.height) + 1
            left = self.build.operator(RELATIONS[sign.kind], sign.offset, left, right)
        self.relations = before
        return left

    def calculation(self, least: int) -> Expr:
        before = self.calculations
        self.calculations += 1
        self.limit(self.calculations)
        left = self.unary()
        while (precedence := PRECEDENCE.get(self.kind, 0)) >= least:
            height, sign = self.height, self.advance()
            right = self.calculation(precedence + 1)
            self.height = max(height, self.height) + 1
            left = self.build.operator(CALCULATIONS[sign.kind], sign.offset, left, right)
        self.calculations = before
        return left

    def unary(self) -> Expr:
        kind = self.kind
        if kind != "!" and kind != "-":
            return self.member()
        if kind == "-" and self.tokens[self.position + 1].kind in ("NUM_INT", "NUM_FLOAT"):
            return self.member()
        signs = [self.advance()]
        while self.kind == kind:
            signs.append(self.advance())
        operand = self.member()
        if len(signs) % 2 == 0:
            return operand
        return self.build.operator("!_" if kind == "!" else "-_", signs[0].offset, operand)

    def member(self) -> Expr:
        node = self.primary()
        while True:
            if self.kind == ".":
                node = self.selection(node)
            elif self.kind == "[":
                node = self.index(node)
            else:
                break
        return node

    def selection(self, operand: Expr) -> Expr:
        dot = self.advance().offset
        optional = self.kind == "?"
        if optional:
            self.advance()
        if self.kind == "ESC_IDENTIFIER":
            name = self.advance()
        else:
            name = self.expect("IDENTIFIER")
            if self.kind == "(" and not optional:
                return self.method(operand, name)
        self.height += 1
        if optional:
            return self.build.optional_select(operand, dot, name)
        return self.build.select(operand, dot, name)

    def method(self, target: Expr, name: Token) -> Expr:
        height = self.height
        paren = self.advance().offset
        args = self.arguments()
        self.height = max(height, self.height) + 1
        return self.build.member_call(target, name.text, paren, args)

    def index(self, operand: Expr) -> Expr:
        height, bracket = self.height, self.advance().offset
        function = "_[_]"
        if self.kind == "?":
            self.advance()
            function = "_[?_]"
        key = self.expr()
        self.expect("]")
        self.height = max(height, self.height) + 1
        return self.build.operator(function, bracket, operand, key)

    def arguments(self) -> tuple[Expr, ...]:
        """The arguments up to and with the closing parenthesis; sets the height of the highest."""
        self.height = height = 0
        args: list[Expr] = []
        if self.kind != ")":
            args.append(self.expr())
            height = self.height
            while self.kind == ",":
                self.advance()
                args.append(self.expr())
                height = max(height, self.height)
        self.expect(")")
        self.height = height
        return tuple(args)

    def primary(self) -> Expr:
        kind = self.kind
        self.height = 0
        if kind == "IDENTIFIER":
            return self.named(None)
        if kind in LITERALS:
            return self.build.literal(self.advance())
        match kind:
            case "(":
                self.advance()
                inner = self.expr()
                self.expect(")")
                return inner
            case "[":
                return self.list_literal()
            case "{":
                return self.map_literal()
            case ".":
                return self.named(self.advance())
            case "-":
                return self.negative()
        raise _OutsideGrammar

    def negative(self) -> Expr:
        sign = self.advance()
        if self.kind not in ("NUM_INT", "NUM_FLOAT"):
            raise _OutsideGrammar
        return self.build.literal(self.advance(), sign)

    def named(self, dot: Token | None) -> Expr:
        if self.is_struct():
            return self.struct_literal(dot)
        name = self.expect("IDENTIFIER")
        if self.kind == "(":
            paren = self.advance().offset
            return self.build.global_call((dot, name), paren, self.arguments())
        return self.build.ident(dot, name)

    def is_struct(self) -> bool:
        """Whether a dotted name and an opening brace follow."""
        ahead = self.position
        kinds = self.tokens
        while kinds[ahead].kind == "IDENTIFIER":
            following = kinds[ahead + 1].kind
            if following != ".":
                return following == "{"
            ahead += 2
        return False

    def list_literal(self) -> Expr:
        bracket = self.advance().offset
        elements: list[Expr] = []
        optional: list[int] = []
        height = 0
        while self.another(elements, "]"):
            if self.optional_mark():
                optional.append(len(elements))
            elements.append(self.expr())
            height = max(height, self.height)
        self.expect("]")
        self.height = height
        return ListExpr(self.build.next_id(), bracket, tuple(elements), frozenset(optional))

    def map_literal(self) -> Expr:
        brace = self.advance().offset
        entries: list[MapEntry] = []
        height = 0
        while self.another(entries, "}"):
            optional = self.optional_mark()
            key = self.expr()
            height = max(height, self.height)
            colon = self.expect(":").offset
            value = self.expr()
            height = max(height, self.height)
            entries.append(MapEntry(self.build.next_id(), colon, key, value, optional))
        self.expect("}")
        self.height = height
        return MapExpr(self.build.next_id(), brace, tuple(entries))

    def struct_literal(self, dot: Token | None) -> Expr:
        words = [self.expect("IDENTIFIER").text]
        while self.kind == ".":
            self.advance()
            words.append(self.expect("IDENTIFIER").text)
        brace = self.expect("{").offset
        entries: list[FieldEntry] = []
        height = 0
        while self.another(entries, "}"):
            optional = self.optional_mark()
            word = self.advance() if self.kind == "ESC_IDENTIFIER" else self.expect("IDENTIFIER")
            colon = self.expect(":").offset
            value = self.expr()
            height = max(height, self.height)
            entries.append(FieldEntry(self.build.next_id(), colon, field_name(word), value, optional))
        self.expect("}")
        self.height = height
        name = ".".join(words)
        return StructExpr(self.build.next_id(), brace, f".{name}" if dot else name, tuple(entries))

    def another(self, so_far: Sized, closing: str) -> bool:
        """Whether an element follows; eats the comma before it, which may also be the last thing."""
        if so_far and self.kind != ",":
            return False
        if self.kind == ",":
            self.advance()
            return bool(so_far) and self.kind != closing
        return self.kind != closing

    def optional_mark(self) -> bool:
        if self.kind != "?":
            return False
        self.advance()
        return True
