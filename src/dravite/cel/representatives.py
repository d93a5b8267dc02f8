"""One expression for many: those that differ in nothing but the letters of texts that something is compared with.

A compiler asks of such a text for its type and its length alone, so all of them compile, or none does, and all cost the
same. What they find differs; ask for that with their own text.
"""

from __future__ import annotations

from typing import Final

_MARK: Final = '"'
_ELSEWHERE: Final = ("'", "\\", "//", '"""')
"""Where one of these stands, a mark may begin or end something else."""

_EQUAL: Final = ("==", "!=")
_ENDS: Final = ("&&", "||", ")", "?", ":", ",", "]")
_LETTER: Final = "x"


def representative(expression: str) -> str:
    """The expression with other letters in the texts that it compares something with; itself where that is not sure."""
    parts = expression.split(_MARK)
    if len(parts) < 3 or any(sign in expression for sign in _ELSEWHERE):
        return expression
    for place in range(1, len(parts) - 1, 2):
        text, after = parts[place], parts[place + 1].lstrip()
        if _compares(parts[place - 1]) and (after.startswith(_ENDS) or not after) and _is_printable(text):
            parts[place] = _LETTER * len(text)
    return _MARK.join(parts)


def _compares(before: str) -> bool:
    """Whether the code before a text ends in a name or an index that is compared with it."""
    before = before.rstrip()
    left = before[:-2].rstrip()
    return before.endswith(_EQUAL) and (left[-1:].isalnum() or left[-1:] in ("_", "]"))


def _is_printable(text: str) -> bool:
    return text.isascii() and text.isprintable()
