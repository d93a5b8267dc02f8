"""Functions of strings. Positions count code points; an index outside of the string is an error."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from dravite.api.field_text import ESCAPES
from dravite.cel.equality import NO_OVERLOAD
from dravite.cel.library.formatting import format_string
from dravite.cel.show import show
from dravite.cel.values import Failure

_ASCII_UPPER: Final = {code: code - 32 for code in range(ord("a"), ord("z") + 1)}
_ASCII_LOWER: Final = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_BLANKS: Final = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
_QUOTED: Final = str.maketrans(ESCAPES)


def _out_of_range(index: int) -> Failure:
    return Failure(f"index out of range: {index}")


def _char_at(text: str, index: int) -> object:
    return text[index : index + 1] if 0 <= index <= len(text) else _out_of_range(index)


def _index_of(text: str, wanted: str, offset: int = 0) -> object:
    if offset < 0:
        return _out_of_range(offset)
    return min(offset, len(text)) if not wanted else text.find(wanted, offset)


def _last_index_of(text: str, wanted: str) -> object:
    return text.rfind(wanted)


def _last_index_of_from(text: str, wanted: str, offset: int) -> object:
    if offset < 0:
        return _out_of_range(offset)
    if not wanted:
        return min(offset, len(text))
    return -1 if offset >= len(text) else text.rfind(wanted, 0, offset + len(wanted))


def _replace(text: str, old: str, new: str, count: int = -1) -> object:
    return text.replace(old, new, max(count, -1))


def _split(text: str, separator: str, count: int = -1) -> object:
    if count == 0:
        return ()
    if separator:
        return tuple(text.split(separator, count - 1 if count > 0 else -1))
    if count < 0 or count >= len(text):
        return tuple(text)
    return (*text[: count - 1], text[count - 1 :])


def _substring(text: str, start: int) -> object:
    return text[start:] if 0 <= start <= len(text) else _out_of_range(start)


def _substring_range(text: str, start: int, end: int) -> object:
    if start > end:
        return Failure(f"invalid substring range. start: {start}, end: {end}")
    for index in (start, end):
        if not 0 <= index <= len(text):
            return _out_of_range(index)
    return text[start:end]


def _join(elements: Sequence[object], separator: str = "") -> object:
    texts = [element for element in elements if isinstance(element, str)]
    if len(texts) < len(elements):
        wrong = next(element for element in elements if not isinstance(element, str))
        return Failure(f"join: invalid input: {show(wrong)}")
    return separator.join(texts)


def _quote(text: str) -> str:
    return f'"{text.translate(_QUOTED)}"'


def _both_strings(test: Callable[[str, str], bool]) -> Callable[[object, object], object]:
    """The test, for functions that look at their arguments' kinds themselves."""

    def checked(text: object, other: object) -> object:
        if type(text) is str and type(other) is str:
            return test(text, other)
        return Failure(NO_OVERLOAD)

    return checked


OVERLOADS: Final[Mapping[str, Callable[..., object]]] = {
    "contains_string": _both_strings(lambda text, other: other in text),
    "ends_with_string": _both_strings(str.endswith),
    "starts_with_string": _both_strings(str.startswith),
    "string_char_at_int": _char_at,
    "string_index_of_string": _index_of,
    "string_index_of_string_int": _index_of,
    "string_last_index_of_string": _last_index_of,
    "string_last_index_of_string_int": _last_index_of_from,
    "string_lower_ascii": lambda text: text.translate(_ASCII_LOWER),
    "string_upper_ascii": lambda text: text.translate(_ASCII_UPPER),
    "string_replace_string_string": _replace,
    "string_replace_string_string_int": _replace,
    "string_split_string": _split,
    "string_split_string_int": _split,
    "string_substring_int": _substring,
    "string_substring_int_int": _substring_range,
    "string_trim": lambda text: text.strip(_BLANKS),
    "string_format": format_string,
    "strings_quote": _quote,
    "list_join": _join,
    "list_join_string": _join,
}
