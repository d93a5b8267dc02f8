"""Regular expressions in RE2's syntax, made into Python's.

What RE2 refuses is refused, with its message; what it means otherwise than Python (`$`, `\\d`, `\\pL`, `{,3}`, `(?U)`)
is written out. Groups capture nothing, because nobody asks for them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from dravite.cel.library.character_classes import CharacterClass, escape_of, read_class, unicode_class
from dravite.cel.library.pattern_search import Pattern
from dravite.cel.library.pattern_tree import Piece, group, place, repeat
from dravite.cel.recursion import SHALLOW, make_room

_MAX_REPEAT: Final = 1000
_MAX_DEPTH: Final = 1000
_MAX_SIZE: Final = 3_355_443
_REPEAT: Final = re.compile(r"\{(0|[1-9][0-9]*)(?:(,)(0|[1-9][0-9]*)?)?\}", re.ASCII)
_NAME_START: Final = re.compile(r"\(\?P?<.", re.DOTALL)
_NAME: Final = re.compile(r"\(\?P?<([0-9A-Za-z_]+)>", re.ASCII)
_OPERATORS: Final[Mapping[str, tuple[int, int | None]]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_ANCHORS: Final = {"A": r"\A", "z": r"\Z", "b": r"(?a:\b)", "B": r"(?!(?a:\b))"}

NESTED_OPERATOR: Final = "invalid nested repetition operator"
NO_ARGUMENT: Final = "missing argument to repetition operator"
BAD_COUNT: Final = "invalid repeat count"
BAD_PERL: Final = "invalid or unsupported Perl syntax"
BAD_NAME: Final = "invalid named capture"
NO_PARENTHESIS: Final = "missing closing )"
EXTRA_PARENTHESIS: Final = "unexpected )"
TOO_LARGE: Final = "expression too large"
TOO_DEEP: Final = "expression nests too deeply"


class PatternError(ValueError):
    """A text that is no regular expression. `str(error)` is the sentence of Kubernetes."""

    def __init__(self, problem: str, fragment: str) -> None:
        super().__init__(f"error parsing regexp: {problem}: `{fragment}`")


@lru_cache(maxsize=512)
def compile_pattern(text: str) -> Pattern:
    """The pattern, ready for searching.

    Raises:
        PatternError: RE2 would not take it.
    """
    if text.count("(") > SHALLOW:
        make_room()
    return Pattern(_Translation(text).run())


class _Flags:
    """`i`, `m`, `s` and `U`, as they stand at one place of the pattern."""

    __slots__ = ("i", "m", "s", "ungreedy")

    def __init__(self) -> None:
        self.i = self.m = self.s = self.ungreedy = False

    def copy(self) -> _Flags:
        other = _Flags()
        other.i, other.m, other.s, other.ungreedy = self.i, self.m, self.s, self.ungreedy
        return other

    def put(self, letter: str, *, on: bool) -> None:
        setattr(self, "ungreedy" if letter == "U" else letter, on)


class _Group:
    """An open parenthesis: the alternatives so far, the flags before it, and how often its content repeats at most."""

    __slots__ = ("alternatives", "captures", "flags", "weight")

    def __init__(self, flags: _Flags, *, captures: bool = False) -> None:
        self.flags = flags
        self.captures = captures
        self.alternatives: list[list[Piece]] = [[]]
        self.weight = 1


class _Translation:
    """One pass over one pattern. Mutable, and never seen outside of `compile_pattern`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.flags = _Flags()
        self.groups = [_Group(self.flags)]
        self.last_repeat = -1
        self.weight = 1
        self.repeatable = False

    def run(self) -> Piece:
        text = self.text
        while self.place < len(text):
            start = self.place
            char = text[start]
            if char in "*+?" or (char == "{" and _REPEAT.match(text, start)):
                self._repeat(start)
            else:
                self.last_repeat = -1
                self._step(char)
        if len(self.groups) > 1:
            raise PatternError(NO_PARENTHESIS, text)
        root = group(self.groups[0].alternatives)
        if root.size > _MAX_SIZE:
            raise PatternError(TOO_LARGE, text)
        return root

    def _step(self, char: str) -> None:
        match char:
            case "(":
                self._open()
            case ")":
                self._close()
            case "|":
                self.groups[-1].alternatives.append([])
                self.place += 1
                self.repeatable = False
            case "[":
                found, self.place = read_class(self.text, self.place)
                self._atom(self._folded(found.source()))
            case "^" | "$":
                self.place += 1
                self._add(place(self._line_end(char)))
            case "\\":
                self._escape()
            case _:
                self.place += 1
                self._atom(self._plain(char))

    def _plain(self, char: str) -> str:
        if char == ".":
            return "(?s:.)" if self.flags.s else "[^\\n]"
        return self._folded(re.escape(char))

    def _line_end(self, char: str) -> str:
        if self.flags.m:
            return f"(?m:{char})"
        return r"\A" if char == "^" else r"\Z"

    def _folded(self, source: str) -> str:
        return f"(?i:{source})" if self.flags.i else source

    def _atom(self, source: str) -> None:
        self._add(Piece(source))

    def _add(self, piece: Piece, weight: int = 1) -> None:
        self.groups[-1].alternatives[-1].append(piece)
        self.weight = weight
        self.repeatable = True

    def _open(self) -> None:
        text = self.text
        flags = self.flags.copy()
        captures = True
        if text.startswith("(?", self.place):
            named = _NAME.match(text, self.place)
            if named:
                self.place = named.end()
            elif _NAME_START.match(text, self.place):
                raise PatternError(BAD_NAME, self._bad_name())
            elif self._read_flags():
                captures = False
            else:
                return
        else:
            self.place += 1
        self.groups.append(_Group(flags, captures=captures))
        if len(self.groups) > _MAX_DEPTH:
            raise PatternError(TOO_DEEP, text)
        self.repeatable = False

    def _bad_name(self) -> str:
        end = self.text.find(">", self.place)
        lookbehind = self.text.startswith(("(?<=", "(?<!"), self.place)
        return self.text[self.place :] if end < 0 or lookbehind else self.text[self.place : end + 1]

    def _read_flags(self) -> bool:
        """Read `(?i-s:` or `(?i)`; true if a group begins."""
        text = self.text
        start = self.place
        place = start + 2
        on, seen = True, False
        flags = self.flags.copy()
        while place < len(text):
            char = text[place]
            place += 1
            if char in "imsU":
                flags.put(char, on=on)
                seen = True
            elif char == "-" and on:
                on, seen = False, False
            elif char in ":)" and (on or seen):
                self.place = place
                self.flags = flags
                return char == ":"
            else:
                break
        raise PatternError(BAD_PERL, text[start:place])

    def _close(self) -> None:
        if len(self.groups) == 1:
            raise PatternError(EXTRA_PARENTHESIS, self.text)
        closed = self.groups.pop()
        self.flags = closed.flags
        self.place += 1
        self._add(group(closed.alternatives, captures=closed.captures), closed.weight)
        self._outweigh(closed.weight)

    def _outweigh(self, weight: int) -> None:
        self.groups[-1].weight = max(self.groups[-1].weight, weight)

    def _escape(self) -> None:
        text, start = self.text, self.place
        letter = text[start + 1 : start + 2]
        if letter in _ANCHORS and letter:
            self.place += 2
            self._add(place(_ANCHORS[letter]))
        elif letter == "Q":
            self._literal_run(start + 2)
        elif letter in ("p", "P"):
            found, self.place = unicode_class(text, start)
            self._atom(self._folded(found.source()))
        elif letter and letter in "dDsSwW":
            self.place += 2
            self._atom(CharacterClass.perl(letter).source())
        else:
            char, self.place = escape_of(text, start)
            self._atom(self._folded(re.escape(char)))

    def _literal_run(self, start: int) -> None:
        end = self.text.find("\\E", start)
        stop = len(self.text) if end < 0 else end
        for char in self.text[start:stop]:
            self._atom(self._folded(re.escape(char)))
        self.place = stop if end < 0 else end + 2

    def _repeat(self, start: int) -> None:
        text = self.text
        counted = _REPEAT.match(text, start)
        end = counted.end() if counted else start + 1
        least, most = _counted(counted) if counted else _OPERATORS[text[start]]
        lazy = text.startswith("?", end)
        end += lazy
        if not self.repeatable:
            raise PatternError(NO_ARGUMENT, text[start:end])
        if self.last_repeat >= 0:
            raise PatternError(NESTED_OPERATOR, text[self.last_repeat : end])
        if counted:
            self._weigh(counted, text[start : counted.end()])
        pieces = self.groups[-1].alternatives[-1]
        pieces[-1] = repeat(pieces[-1], least, most, lazy=lazy != self.flags.ungreedy)
        self.last_repeat = start
        self.place = end

    def _weigh(self, counted: re.Match[str], operator: str) -> None:
        """Refuse repeats of repeats that come to more than 1000 copies."""
        least, _, most = counted.groups()
        times = max(int(most or least), 1)
        self.weight *= times
        if times >= 2 and self.weight > _MAX_REPEAT:
            raise PatternError(BAD_COUNT, operator)
        self._outweigh(self.weight)


def _counted(counted: re.Match[str]) -> tuple[int, int | None]:
    least, comma, most = counted.groups()
    for number in (least, most):
        if number and (len(number) > 8 or int(number) > _MAX_REPEAT):
            raise PatternError(BAD_COUNT, counted.group())
    if most and int(most) < int(least):
        raise PatternError(BAD_COUNT, counted.group())
    return int(least), int(most) if most else None if comma else int(least)
