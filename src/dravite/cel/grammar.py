"""The grammar as a graph, for the reader that explains invalid texts.

Each rule is a path of states; an edge is free, or takes a token, or goes through another rule. Messages say what was
expected, so the questions to the graph are: which tokens can come next here, and which can come once the rules
around are over. Source: the CEL language definition; the shape of loops and options decides how a reader recovers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, Literal, TypeAlias

import msgspec

StateKind = Literal["plain", "choice", "loop_back"]
Decision = Literal[
    "", "relation", "calc", "operator", "unary", "minus", "suffix", "member", "primary", "comma", "field", "literal"
]  # fmt: skip

END: Final = "<EOF>"
RULE_END: Final = "<end of rule>"
"""Stands among the next tokens where the rule can be over."""

_TOKEN_ORDER: Final = (
    *(END, "==", "!=", "in", "<", "<=", ">=", ">", "&&", "||", "[", "]", "{", "}", "(", ")", ".", ",", "-", "!", "?"),
    *(":", "+", "*", "/", "%", "true", "false", "null", "NUM_FLOAT", "NUM_INT", "NUM_UINT", "STRING", "BYTES"),
    *("IDENTIFIER", "ESC_IDENTIFIER"),
)
_RANK: Final = {token: rank for rank, token in enumerate(_TOKEN_ORDER)}
RELATIONS: Final = frozenset({"<", "<=", ">=", ">", "==", "!=", "in"})
SUMS: Final = frozenset({"+", "-"})
PRODUCTS: Final = frozenset({"*", "/", "%"})


class State:
    """A place in a rule. `decision` names how a `choice` is made where the next token alone does not tell."""

    __slots__ = ("decision", "edges", "kind", "number")

    def __init__(self, number: int) -> None:
        self.number = number
        self.kind: StateKind = "plain"
        self.decision: Decision = ""
        self.edges: list[Edge] = []


class Call(msgspec.Struct, frozen=True):
    """A way through another rule; `precedence` is how tightly operators must bind inside."""

    rule: str
    precedence: int


class Edge(msgspec.Struct, frozen=True):
    """A way to another state: free (None), by one of some tokens, or through a rule."""

    label: frozenset[str] | Call | None
    target: State


class Optional_(msgspec.Struct, frozen=True):  # noqa: N801 - `Optional` is a value elsewhere
    parts: tuple[Part, ...]


class Star(msgspec.Struct, frozen=True):
    decision: Decision
    parts: tuple[Part, ...]


class Plus(msgspec.Struct, frozen=True):
    decision: Decision
    parts: tuple[Part, ...]


class OneOf(msgspec.Struct, frozen=True):
    decision: Decision
    choices: tuple[tuple[Part, ...], ...]


Part: TypeAlias = str | frozenset[str] | Call | Optional_ | Star | Plus | OneOf


def _maybe(*parts: Part) -> Optional_:
    return Optional_(parts)


def _rule(name: str, precedence: int = 0) -> Call:
    return Call(name, precedence)


_ARGUMENTS: Final = ("(", _maybe(_rule("exprs")), ")")
_RULES: Final[dict[str, tuple[Part, ...]]] = {
    "start": (_rule("expr"), END),
    "expr": (_rule("either"), _maybe("?", _rule("either"), ":", _rule("expr"))),
    "either": (_rule("both"), Star("", ("||", _rule("both")))),
    "both": (_rule("relation"), Star("", ("&&", _rule("relation")))),
    "relation": (_rule("calc"), Star("relation", (RELATIONS, _rule("relation", 2)))),
    "calc": (
        _rule("unary"),
        Star("calc", (OneOf("operator", ((PRODUCTS, _rule("calc", 3)), (SUMS, _rule("calc", 2)))),)),
    ),
    "unary": (
        OneOf(
            "unary",
            (
                (_rule("member"),),
                (Plus("", ("!",)), _rule("member")),
                (Plus("minus", ("-",)), _rule("member")),
            ),
        ),
    ),
    "member": (
        _rule("primary"),
        Star(
            "suffix",
            (
                OneOf(
                    "member",
                    (
                        (".", _maybe("?"), _rule("field")),
                        (".", "IDENTIFIER", *_ARGUMENTS),
                        ("[", _maybe("?"), _rule("expr"), "]"),
                    ),
                ),
            ),
        ),
    ),
    "primary": (
        OneOf(
            "primary",
            (
                (_maybe("."), "IDENTIFIER"),
                (_maybe("."), "IDENTIFIER", *_ARGUMENTS),
                ("(", _rule("expr"), ")"),
                ("[", _maybe(_rule("elements")), _maybe(","), "]"),
                ("{", _maybe(_rule("entries")), _maybe(","), "}"),
                (
                    *(_maybe("."), "IDENTIFIER", Star("", (".", "IDENTIFIER"))),
                    *("{", _maybe(_rule("fields")), _maybe(","), "}"),
                ),
                (_rule("literal"),),
            ),
        ),
    ),
    "exprs": (_rule("expr"), Star("", (",", _rule("expr")))),
    "elements": (_rule("element"), Star("comma", (",", _rule("element")))),
    "fields": (
        *(_rule("optional_field"), ":", _rule("expr")),
        Star("comma", (",", _rule("optional_field"), ":", _rule("expr"))),
    ),
    "optional_field": (_maybe("?"), _rule("field")),
    "entries": (
        *(_rule("element"), ":", _rule("expr")),
        Star("comma", (",", _rule("element"), ":", _rule("expr"))),
    ),
    "field": (OneOf("field", (("IDENTIFIER",), ("ESC_IDENTIFIER",))),),
    "element": (_maybe("?"), _rule("expr")),
    "literal": (
        OneOf(
            "literal",
            (
                (_maybe("-"), "NUM_INT"),
                ("NUM_UINT",),
                (_maybe("-"), "NUM_FLOAT"),
                *(("STRING",), ("BYTES",), ("true",), ("false",), ("null",)),
            ),
        ),
    ),
}


class Grammar:
    """All rules as graphs: where each begins, and what can come next at any state."""

    def __init__(self) -> None:
        self._count = 0
        self.starts: dict[str, State] = {}
        for name, parts in _RULES.items():
            self.starts[name] = start = self._state()
            self._sequence(start, parts)
        self._next: dict[State, frozenset[str]] = {}

    def next_tokens(self, state: State) -> frozenset[str]:
        """The tokens that can come next, within the rule and the rules it goes through."""
        known = self._next.get(state)
        if known is None:
            known = self._next[state] = frozenset(self._look(state, set()))
        return known

    def first(self, rule: str) -> frozenset[str]:
        return self.next_tokens(self.starts[rule])

    def expected(self, state: State, follows: Sequence[State]) -> frozenset[str]:
        """The tokens that can come next, given where the rules around go on (the innermost last)."""
        found = self.next_tokens(state)
        tokens = set(found)
        for follow in reversed(follows):
            if RULE_END not in found:
                break
            found = self.next_tokens(follow)
            tokens |= found
        if RULE_END in found:
            tokens.add(END)
        return frozenset(tokens - {RULE_END})

    def _look(self, state: State, seen: set[State]) -> set[str]:
        if state in seen:
            return set()
        seen.add(state)
        if not state.edges:
            return {RULE_END}
        tokens: set[str] = set()
        for edge in state.edges:
            label, target = edge.label, edge.target
            if label is None:
                tokens |= self._look(target, seen)
            elif isinstance(label, Call):
                inside = self.first(label.rule)
                tokens |= inside - {RULE_END}
                if RULE_END in inside:
                    tokens |= self._look(target, seen)
            else:
                tokens |= label
        return tokens

    def _state(self) -> State:
        self._count += 1
        return State(self._count)

    def _sequence(self, start: State, parts: Iterable[Part]) -> State:
        """Lay the parts one after the other; the answer is where they end."""
        for part in parts:
            start = self._part(start, part)
        return start

    def _part(self, start: State, part: Part) -> State:
        end = self._state()
        match part:
            case str():
                start.edges.append(Edge(frozenset({part}), end))
            case frozenset() | Call():
                start.edges.append(Edge(part, end))
            case Optional_(parts):
                self._choice(start, "", (parts, ()), end)
            case OneOf(decision, choices):
                self._choice(start, decision, choices, end)
            case Star(decision, parts):
                self._loop(start, decision, parts, end)
            case Plus(decision, parts):
                start.kind = "choice"
                body = self._state()
                start.edges.append(Edge(None, body))
                back = self._sequence(body, parts)
                back.kind, back.decision = "loop_back", decision
                back.edges += [Edge(None, body), Edge(None, end)]
        return end

    def _choice(self, start: State, decision: Decision, choices: Iterable[tuple[Part, ...]], end: State) -> None:
        start.kind, start.decision = "choice", decision
        for parts in choices:
            branch = self._state()
            start.edges.append(Edge(None, branch))
            self._sequence(branch, parts).edges.append(Edge(None, end))

    def _loop(self, start: State, decision: Decision, parts: tuple[Part, ...], end: State) -> None:
        start.kind, start.decision = "choice", decision
        body = self._state()
        start.edges += [Edge(None, body), Edge(None, end)]
        back = self._sequence(body, parts)
        back.kind, back.decision = "loop_back", decision
        back.edges += [Edge(None, body), Edge(None, end)]


@cache
def grammar() -> Grammar:
    """The one grammar, laid out when first asked for."""
    return Grammar()


def in_words(tokens: Iterable[str]) -> str:
    """A set of tokens as messages have it: `')'`, or `{'[', IDENTIFIER}`."""
    ordered = sorted(tokens, key=_RANK.__getitem__)
    words = [token if (token[0] == "<" and len(token) > 2) or token[0].isupper() else f"'{token}'" for token in ordered]
    return words[0] if len(words) == 1 else "{" + ", ".join(words) + "}"
