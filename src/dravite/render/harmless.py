"""What a terminal would obey is spelled out: names and attributes come from others, and may hold control characters."""

from __future__ import annotations

import re
from typing import Final

_OBEYED: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_OBEYED_IN_COLOUR: Final = re.compile(rf"(?!\x1b\[\d+m){_OBEYED.pattern}")
"""Colours are our own. Whoever else sets one changes nothing but the colour."""


def harmless(text: str, *, colour: bool) -> str:
    """The text with control characters and changes of direction as escapes (`\\x1b`); tabs and line ends stay."""
    obeyed = _OBEYED_IN_COLOUR if colour else _OBEYED
    return obeyed.sub(_spelled, text) if obeyed.search(text) else text


def _spelled(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode()
