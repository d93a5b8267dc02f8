"""Other ways to write a selector that does not do what it was meant to do.

Text in, text out: only the clause at fault is touched, everything else stays as the user wrote it. Whether a
rewriting helps is not decided here; it is planned before anybody is told.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, NamedTuple, TypeAlias

from dravite.api.semver import Semver, SemverError
from dravite.cel.lexer import Token, tokenize
from dravite.cel.literals import BadLiteral, string_literal
from dravite.explain.insights import Comparison
from dravite.explain.selectors.clauses import Part, is_weak, quoted
from dravite.snapshot.device_paths import DevicePath, Found

How: TypeAlias = Literal["guard", "capacity", "attribute", "version", "quantity", "value", "name", "drop"]

Chooser: TypeAlias = Callable[[Token], bool]

_ORDERED: Final = frozenset({"==", "!=", "<", "<=", ">", ">="})


class Rewriting(NamedTuple):
    """The whole new expression, and the part that changed: `removed` became `added`."""

    how: How
    expression: str
    removed: str
    added: str


def guard(expression: str, part: Part, path: DevicePath) -> Rewriting:
    """Test that a value is there before it is read."""
    body = f"({part.text})" if is_weak(part.text) else part.text
    return _replaced("guard", expression, part, f"has({path}) && {body}")


def as_quantity(expression: str, part: Part, demand: Comparison, path: DevicePath) -> Rewriting | None:
    """Compare a capacity with a quantity, the way quantities are compared.

    `path` is where the capacity is; None where the comparison has no such form.
    """
    if demand.operator not in _ORDERED or demand.kind not in ("text", "number", "quantity"):
        return None
    how: How = "quantity" if path == demand.path else "capacity"
    body = f"{path}.compareTo(quantity({quoted(demand.operand)})) {demand.operator} 0"
    return _replaced(how, expression, part, _negated(demand, body))


def as_version(expression: str, part: Part, demand: Comparison) -> Rewriting | None:
    """Compare a version with a version; short forms such as `8.0` are filled up."""
    text = full_version(demand.operand)
    if demand.operator not in _ORDERED or demand.kind not in ("text", "number", "version") or text is None:
        return None
    body = f"{demand.path}.compareTo(semver({quoted(text)})) {demand.operator} 0"
    return _replaced("version", expression, part, _negated(demand, body))


def as_attribute(expression: str, part: Part, demand: Comparison, path: DevicePath, found: Found) -> Rewriting | None:
    """Read an attribute where the expression reads a capacity, compared as its kind is compared."""
    if demand.operator not in _ORDERED:
        return None
    if found.kind == "version":
        moved = Comparison(path, demand.operator, demand.operand, "version", demand.literal, demand.negated)
        version = as_version(expression, part, moved)
        return None if version is None else version._replace(how="attribute")
    operand = demand.operand if found.kind == "int" else quoted(demand.operand)
    return _replaced("attribute", expression, part, _negated(demand, f"{path} {demand.operator} {operand}"))


def other_value(expression: str, part: Part, demand: Comparison, value: str) -> Rewriting | None:
    """Ask for another value; only for texts, numbers, quantities and versions that stand there as one literal."""
    if demand.kind in ("bool", "list", "presence"):
        return None
    spelled = value if demand.kind == "number" else quoted(value)
    text = _with_tokens(part.text, lambda token: _means(token, demand.operand), spelled)
    return None if text is None else _replaced("value", expression, part, text)


def other_kind(expression: str, part: Part, demand: Comparison) -> Rewriting | None:
    """Compare with the same value as another kind: `true` for `"true"`, `"0"` for `0`."""
    spelled = quoted(demand.operand)
    if demand.kind == "text":
        spelled = demand.operand
        if spelled not in ("true", "false") and not spelled.lstrip("-").isdecimal():
            return None
    text = _with_tokens(part.text, lambda token: _means(token, demand.operand), spelled)
    return None if text is None else _replaced("value", expression, part, text)


def other_name(expression: str, part: Part, wrong: DevicePath, right: DevicePath) -> Rewriting | None:
    """Read another published name of the same map in the place of one that nobody publishes."""
    if wrong.root != right.root:
        return None
    text: str | None = part.text
    if wrong.domain != right.domain:
        text = _with_tokens(part.text, lambda token: _means(token, wrong.domain), quoted(right.domain))
    if text is not None and wrong.name != right.name:
        text = _with_tokens(text, lambda token: token.text == wrong.name, right.name) or _with_tokens(
            text, lambda token: _means(token, wrong.name), quoted(right.name)
        )
    return None if text is None else _replaced("name", expression, part, text)


def without(expression: str, parts: tuple[Part, ...], dropped: Part) -> Rewriting:
    """Leave a clause out; the empty expression where it was the only one."""
    kept = " && ".join(part.text for part in parts if part != dropped)
    return Rewriting("drop", kept, dropped.text, "")


def full_version(text: str) -> str | None:
    """The text as a whole semantic version: `8.0` is `8.0.0`, `v1.2.3` is `1.2.3`; None where it is none."""
    bare = text.removeprefix("v")
    if bare.replace(".", "").isdigit() and bare.count(".") < 2:
        bare += ".0" * (2 - bare.count("."))
    try:
        return Semver.parse(bare).text
    except SemverError:
        return None


def _negated(demand: Comparison, body: str) -> str:
    return f"!({body})" if demand.negated else body


def _replaced(how: How, expression: str, part: Part, text: str) -> Rewriting:
    before, after = expression[: part.offset], expression[part.offset + len(part.text) :]
    return Rewriting(how, before + text + after, part.text, text)


def _means(token: Token, value: str) -> bool:
    """Whether the token is a literal with that value."""
    if token.kind == "STRING":
        meant = string_literal(token.text)
        return not isinstance(meant, BadLiteral) and meant == value
    return token.kind in ("NUM_INT", "NUM_FLOAT") and token.text == value


def _with_tokens(text: str, chosen: Chooser, replacement: str) -> str | None:
    """The text with all chosen tokens replaced; None where none was chosen."""
    tokens, _ = tokenize(text)
    found = [token for token in tokens if token.kind != "<EOF>" and chosen(token)]
    for token in reversed(found):
        text = text[: token.offset] + replacement + text[token.offset + len(token.text) :]
    return text if found else None
