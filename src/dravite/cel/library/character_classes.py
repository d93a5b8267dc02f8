"""Character classes of RE2: `[a-z]`, `[[:alpha:]]`, `\\d`, `\\pL` and the escapes that stand for one character.

A class is a set of code point ranges, because RE2's classes cannot all be written with Python's escapes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

import msgspec

BAD_ESCAPE: Final = "invalid escape sequence"
BAD_RANGE: Final = "invalid character class range"
NO_BRACKET: Final = "missing closing ]"
TRAILING_BACKSLASH: Final = "trailing backslash at end of expression"

LAST: Final = 0x10FFFF
Range = tuple[int, int]


def _error(problem: str, fragment: str) -> Exception:
    from dravite.cel.library.patterns import PatternError

    return PatternError(problem, fragment)


def _spans(text: str) -> tuple[Range, ...]:
    """`az09` → the ranges a-z and 0-9."""
    return tuple((ord(first), ord(last)) for first, last in zip(text[::2], text[1::2], strict=True))


_DIGIT: Final = _spans("09")
_SPACE: Final = _spans("\t\n\f\r  ")
_WORD: Final = _spans("09AZ__az")
_PERL: Final[Mapping[str, tuple[Range, ...]]] = {"d": _DIGIT, "s": _SPACE, "w": _WORD}
_POSIX: Final[Mapping[str, tuple[Range, ...]]] = {
    "alnum": _spans("09AZaz"),
    "alpha": _spans("AZaz"),
    "ascii": _spans("\x00\x7f"),
    "blank": _spans("\t\t  "),
    "cntrl": _spans("\x00\x1f\x7f\x7f"),
    "digit": _DIGIT,
    "graph": _spans("!~"),
    "lower": _spans("az"),
    "print": _spans(" ~"),
    "punct": _spans("!/:@[`{~"),
    "space": _spans("\t\r  "),
    "upper": _spans("AZ"),
    "word": _WORD,
    "xdigit": _spans("09AFaf"),
}
_NAMED: Final = re.compile(r"\[:(\^?)(.*?):\]")
_PROPERTY: Final = re.compile(r"\\[pP](?:\{(\^?)([^}]*)\}|([^{]))", re.DOTALL)
_OCTAL: Final = re.compile(r"\\(0[0-7]{0,2}|[1-7][0-7]{1,2})", re.ASCII)
_HEXADECIMAL: Final = re.compile(r"\\x(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2}))", re.ASCII)
_BROKEN_HEXADECIMAL: Final = re.compile(r"\\x(?:\{[0-9a-fA-F]*.?|.{0,2})", re.DOTALL)
_CONTROLS: Final = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_SCRIPT_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "han": ("CJK UNIFIED IDEOGRAPH", "CJK COMPATIBILITY IDEOGRAPH", "CJK RADICAL", "KANGXI RADICAL"),
}
_CATEGORY_NAMES: Final[Mapping[str, str]] = {
    "other": "c", "control": "cc", "format": "cf", "unassigned": "cn", "privateuse": "co", "surrogate": "cs",
    "letter": "l", "casedletter": "lc", "lowercaseletter": "ll", "modifierletter": "lm", "otherletter": "lo",
    "titlecaseletter": "lt", "uppercaseletter": "lu", "mark": "m", "spacingmark": "mc", "enclosingmark": "me",
    "nonspacingmark": "mn", "number": "n", "decimalnumber": "nd", "letternumber": "nl", "othernumber": "no",
    "punctuation": "p", "connectorpunctuation": "pc", "dashpunctuation": "pd", "closepunctuation": "pe",
    "finalpunctuation": "pf", "initialpunctuation": "pi", "otherpunctuation": "po", "openpunctuation": "ps",
    "symbol": "s", "currencysymbol": "sc", "modifiersymbol": "sk", "mathsymbol": "sm", "othersymbol": "so",
    "separator": "z", "lineseparator": "zl", "paragraphseparator": "zp", "spaceseparator": "zs",
    "digit": "nd", "punct": "p", "cntrl": "cc", "combiningmark": "m",
}  # fmt: skip


class CharacterClass(msgspec.Struct, frozen=True):
    """Code point ranges, not necessarily sorted, and whether everything else is meant."""

    ranges: tuple[Range, ...]
    negated: bool = False

    @staticmethod
    def perl(letter: str) -> CharacterClass:
        """`\\d`, `\\s`, `\\w`, or what they leave out."""
        return CharacterClass(_PERL[letter.lower()], letter.isupper())

    def positive(self) -> tuple[Range, ...]:
        """The ranges without negation."""
        return _complement(self.ranges) if self.negated else self.ranges

    def source(self) -> str:
        """The class in Python's syntax."""
        if not self.ranges:
            return "(?s:.)" if self.negated else "(?!)"
        body = "".join(f"{_written(first)}-{_written(last)}" for first, last in self.ranges)
        return f"[{'^' if self.negated else ''}{body}]"


def _written(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _complement(ranges: tuple[Range, ...]) -> tuple[Range, ...]:
    rest: list[Range] = []
    next_code = 0
    for first, last in sorted(ranges):
        if first > next_code:
            rest.append((next_code, first - 1))
        next_code = max(next_code, last + 1)
    return tuple([*rest, (next_code, LAST)] if next_code <= LAST else rest)


def read_class(text: str, start: int) -> tuple[CharacterClass, int]:
    """The class in brackets that begins at `start`, and the place behind it."""
    place = start + 1
    negated = text.startswith("^", place)
    place += negated
    ranges: list[Range] = []
    first = True
    while not text.startswith("]", place) or first:
        if place >= len(text):
            raise _error(NO_BRACKET, text[start:])
        first = False
        found, place = _class_item(text, place, start)
        ranges.extend(found)
    return CharacterClass(tuple(ranges), negated), place + 1


def _class_item(text: str, place: int, start: int) -> tuple[tuple[Range, ...], int]:
    """One named class, escape class, character or range inside brackets."""
    named = _NAMED.match(text, place)
    if named:
        ranges = _POSIX.get(named[2])
        if ranges is None:
            raise _error(BAD_RANGE, named[0])
        return CharacterClass(ranges, bool(named[1])).positive(), named.end()
    if text[place] == "\\":
        letter = text[place + 1 : place + 2]
        if letter in ("p", "P"):
            found, place = unicode_class(text, place)
            return found.positive(), place
        if letter and letter in "dDsSwW":
            return CharacterClass.perl(letter).positive(), place + 2
    begin = place
    low, place = _class_character(text, place, start)
    high = low
    if text.startswith("-", place) and place + 1 < len(text) and text[place + 1] != "]":
        high, place = _class_character(text, place + 1, start)
        if high < low:
            raise _error(BAD_RANGE, text[begin:place])
    return ((low, high),), place


def _class_character(text: str, place: int, start: int) -> tuple[int, int]:
    if place >= len(text):
        raise _error(NO_BRACKET, text[start:])
    if text[place] == "\\":
        char, place = escape_of(text, place)
        return ord(char), place
    return ord(text[place]), place + 1


def escape_of(text: str, start: int) -> tuple[str, int]:
    """The character that the escape at `start` stands for, and the place behind it."""
    letter = text[start + 1 : start + 2]
    if not letter:
        raise _error(TRAILING_BACKSLASH, "")
    octal = _OCTAL.match(text, start)
    if octal:
        return chr(int(octal[1], 8)), octal.end()
    if letter == "x":
        return _hexadecimal(text, start)
    if letter in _CONTROLS:
        return _CONTROLS[letter], start + 2
    if letter.isascii() and not letter.isalnum():
        return letter, start + 2
    raise _error(BAD_ESCAPE, text[start : start + 2])


def _hexadecimal(text: str, start: int) -> tuple[str, int]:
    match = _HEXADECIMAL.match(text, start)
    code = int(match[1] or match[2], 16) if match and len(match[0]) < 40 else LAST + 1
    if match and code <= LAST:
        return chr(code), match.end()
    broken = _BROKEN_HEXADECIMAL.match(text, start)
    fragment = broken[0] if broken else text[start:]
    while match and len(fragment) > 3 and int(fragment[3:].rstrip("}") or "0", 16) > LAST * 16 + 15:
        fragment = fragment[:-1]
    raise _error(BAD_ESCAPE, fragment.rstrip("}") if match else fragment)


def unicode_class(text: str, start: int) -> tuple[CharacterClass, int]:
    """`\\pL` or `\\p{Greek}` at `start`, and the place behind it."""
    match = _PROPERTY.match(text, start)
    if match is None:
        raise _error(BAD_RANGE, text[start:])
    name = match[2] if match[3] is None else match[3]
    ranges = _property(re.sub(r"[ _-]", "", name).lower())
    if ranges is None:
        raise _error(BAD_RANGE, match[0])
    negated = (text[start + 1] == "P") != bool(match[1])
    return CharacterClass(ranges, negated), match.end()


def _property(name: str) -> tuple[Range, ...] | None:
    if not name:
        return None
    name = _CATEGORY_NAMES.get(name, name)
    if name == "any":
        return ((0, LAST),)
    if name == "ascii":
        return ((0, 0x7F),)
    if name == "assigned":
        return _complement(_categories().get("cn", ()))
    if name == "lc":
        return tuple(span for category in ("ll", "lt", "lu") for span in _categories()[category])
    if len(name) <= 2:
        found = [span for category, spans in _categories().items() if category.startswith(name) for span in spans]
        return tuple(found) or None
    return _script(name) or None


@cache
def _categories() -> Mapping[str, tuple[Range, ...]]:
    """The code points of every general category, in lower case."""
    from unicodedata import category

    ranges: dict[str, list[Range]] = {}
    begin, current = 0, category("\x00")
    for code in range(1, LAST + 2):
        kind = category(chr(code)) if code <= LAST else ""
        if kind != current:
            ranges.setdefault(current.lower(), []).append((begin, code - 1))
            begin, current = code, kind
    return {name: tuple(spans) for name, spans in sorted(ranges.items())}


@cache
def _script(name: str) -> tuple[Range, ...]:
    """The letters and marks of a script, told by their names: Python does not know scripts."""
    from unicodedata import name as name_of

    words = _SCRIPT_NAMES.get(name, (name.upper(),))
    spans: list[Range] = []
    for code in range(0x41, 0x3FFFF):
        title = name_of(chr(code), "")
        if title.startswith(words) and (name in _SCRIPT_NAMES or f" {title} ".startswith(f" {words[0]} ")):
            if spans and spans[-1][1] == code - 1:
                spans[-1] = (spans[-1][0], code)
            else:
                spans.append((code, code))
    return tuple(spans)
