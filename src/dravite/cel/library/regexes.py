"""`matches`, `find` and `findAll`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from dravite.cel.arithmetic import unsupported
from dravite.cel.equality import NO_OVERLOAD
from dravite.cel.library.patterns import PatternError, compile_pattern
from dravite.cel.values import Failure


def matches(text: object, pattern: object) -> object:
    """Whether the pattern is found anywhere in the text."""
    if type(text) is not str:
        return unsupported("matches", text)
    if type(pattern) is not str:
        return Failure(NO_OVERLOAD)
    try:
        return compile_pattern(pattern).is_in(text)
    except PatternError as error:
        return Failure(str(error))


def find(text: str, pattern: str) -> object:
    """The first match, or an empty text."""
    try:
        found = compile_pattern(pattern).search(text)
    except PatternError as error:
        return Failure(f"Illegal regex: {error}")
    return text[slice(*found)] if found else ""


def find_all(text: str, pattern: str, limit: int = -1) -> object:
    """All matches from left to right. An empty match right behind another match does not count."""
    try:
        compiled = compile_pattern(pattern)
    except PatternError as error:
        return Failure(f"Illegal regex: {error}")
    found: list[str] = []
    place, last_end = 0, -1
    while place <= len(text) and not 0 <= limit <= len(found):
        span = compiled.search(text, place)
        if span is None:
            break
        begin, end = span
        if end > place or begin != last_end:
            found.append(text[begin:end])
        last_end = end
        place = last_end if last_end > place else place + 1
    return tuple(found)


OVERLOADS: Final[Mapping[str, Callable[..., object]]] = {
    "matches": matches,
    "string_find_string": find,
    "string_find_all_string": find_all,
    "string_find_all_string_int": find_all,
}
