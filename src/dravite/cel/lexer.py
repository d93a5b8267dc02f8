"""Text to tokens.

Decides where words, numbers and strings begin and end, and reports characters that begin nothing. It knows no
grammar; blanks and comments end here. Source of the token shapes: the CEL language definition.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

import msgspec

_ESCAPE: Final = r"\\(?:[abfnrtv\"'\\?`]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7][0-7])"
_STRING: Final = (
    rf'(?:"""(?:{_ESCAPE}|[^\\])*?"""'
    rf"|'''(?:{_ESCAPE}|[^\\])*?'''"
    rf'|"(?:{_ESCAPE}|[^\\"\n\r])*"'
    rf"|'(?:{_ESCAPE}|[^\\'\n\r])*'"
    r'|[rR]"""[\s\S]*?"""'
    r"|[rR]'''[\s\S]*?'''"
    r'|[rR]"[^"\n\r]*"'
    r"|[rR]'[^'\n\r]*')"
)
_SHAPES: Final = (
    ("BLANK", r"[\t \r\n\f]+|//[^\n]*"),
    ("STRING", rf"[bB]?{_STRING}"),
    ("WORD", r"[A-Za-z_][A-Za-z0-9_]*"),
    ("NUM_FLOAT", r"[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?"),
    ("NUM_UINT", r"0x[0-9a-fA-F]+[uU]|[0-9]+[uU]"),
    ("NUM_INT", r"0x[0-9a-fA-F]+|[0-9]+"),
    ("SIGN", r"==|!=|<=|>=|&&|\|\||[][{}().,\-!?:+*/%<>]"),
    ("ESC_IDENTIFIER", r"`[A-Za-z0-9_.\-/ ]+`"),
)
_KEYWORDS: Final = frozenset({"in", "true", "false", "null"})

# How far a text that begins no token was read before the fault: each shape matches the readable part.
_BROKEN: Final = (
    r"=",
    r"&",
    r"\|",
    rf'"""(?:{_ESCAPE}|[^\\])*(?:\\(?:[xX][0-9a-fA-F]?|u[0-9a-fA-F]{{0,3}}|U[0-9a-fA-F]{{0,7}}|[0-3][0-7]?)?)?',
    rf"'''(?:{_ESCAPE}|[^\\])*(?:\\(?:[xX][0-9a-fA-F]?|u[0-9a-fA-F]{{0,3}}|U[0-9a-fA-F]{{0,7}}|[0-3][0-7]?)?)?",
    rf'"(?:{_ESCAPE}|[^\\"\n\r])*(?:\\(?:[xX][0-9a-fA-F]?|u[0-9a-fA-F]{{0,3}}|U[0-9a-fA-F]{{0,7}}|[0-3][0-7]?)?)?',
    rf"'(?:{_ESCAPE}|[^\\'\n\r])*(?:\\(?:[xX][0-9a-fA-F]?|u[0-9a-fA-F]{{0,3}}|U[0-9a-fA-F]{{0,7}}|[0-3][0-7]?)?)?",
    r"`[A-Za-z0-9_.\-/ ]*",
)


class Token(msgspec.Struct, frozen=True):
    """A word of the source: its kind (`IDENTIFIER`, `NUM_INT`, `STRING`, `==` …), its text and where it begins."""

    kind: str
    text: str
    offset: int


class LexicalFault(msgspec.Struct, frozen=True):
    """A stretch of the source that is no token."""

    text: str
    offset: int


def tokenize(source: str) -> tuple[tuple[Token, ...], tuple[LexicalFault, ...]]:
    """All tokens of the source, the last one of kind `<EOF>`, and what had to be skipped on the way."""
    tokens: list[Token] = []
    faults: list[LexicalFault] = []
    match = _token_pattern().match
    position, end = 0, len(source)
    while position < end:
        found = match(source, position)
        if found is None:
            fault = _fault(source, position)
            faults.append(fault)
            position += len(fault.text)
            continue
        kind = found.lastgroup
        if kind != "BLANK":
            text = found.group()
            tokens.append(Token(_kind(kind or "", text), text, position))
        position = found.end()
    tokens.append(Token("<EOF>", "<EOF>", end))
    return tuple(tokens), tuple(faults)


def _kind(shape: str, text: str) -> str:
    if shape == "SIGN" or (shape == "WORD" and text in _KEYWORDS):
        return text
    if shape == "STRING" and text[0] in "bB":
        return "BYTES"
    return "IDENTIFIER" if shape == "WORD" else shape


@cache
def _token_pattern() -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{name}>{shape})" for name, shape in _SHAPES))


@cache
def _broken_pattern() -> re.Pattern[str]:
    return re.compile("|".join(_BROKEN))


def _fault(source: str, position: int) -> LexicalFault:
    """The unreadable text: what could still have become a token, and the character that spoiled it."""
    found = _broken_pattern().match(source, position)
    spoiled = found.end() if found else position
    return LexicalFault(source[position : spoiled + 1], position)
