"""Names that a controller draws: the fixed part as Kubernetes cuts it, and a stand-in for the random part."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count, product
from typing import Final
from zlib import crc32

import msgspec

STAND_IN: Final = "xxxxx"
"""What dravite writes where Kubernetes draws five letters and digits: a name that could be drawn, and hardly is."""

LONGEST_BASE: Final = 57
"""Longest `pod-entry-` that is kept whole (A2.6): 63 bytes less five drawn ones and a hyphen."""

LONGEST_DRAWN_BASE: Final = 58
"""What the API server keeps of any base before it draws."""

_ALPHABET: Final = "xwvtsrqpnmlkjhgfdcbz2456789"
_DRAWN: Final = 5
_SAFE: Final = str.maketrans("0123456789", "456789bcdf")
"""How Kubernetes writes the digits of a hash, so that they never make a word."""


def generate_name(owner: str, entry: str) -> str:
    """What the name of a claim made for `owner` and `entry` begins with (A2.5, A2.6).

    Where both are too long they are cut in proportion, and the drawn part follows without a hyphen.
    """
    whole = f"{owner}-{entry}-"
    if len(whole) <= LONGEST_BASE:
        return whole
    kept_owner = len(owner) * LONGEST_BASE // len(whole)
    kept_entry = len(entry) * LONGEST_BASE // len(whole)
    return f"{owner[:kept_owner]}-{entry[:kept_entry]}"


def drawn_name(base: str, is_taken: Callable[[str], bool], seed: str = "") -> str:
    """A name on this base that is not taken: with the stand-in where that is free, else with the next one.

    With a seed the name is really drawn.
    """
    if seed:
        return seeded_name(base, f"{seed}/{base}", is_taken)
    base = base[:LONGEST_DRAWN_BASE]
    if not is_taken(base + STAND_IN):
        return base + STAND_IN
    return next(name for end in product(_ALPHABET, repeat=5) if not is_taken(name := base + "".join(end)))


def seeded_name(base: str, seed: str, is_taken: Callable[[str], bool]) -> str:
    """A name on this base that is not taken; another seed draws another one."""
    base = base[:LONGEST_DRAWN_BASE]
    drawn = (base + _letters(crc32(f"{seed}/{number}".encode())) for number in count())
    return next(name for name in drawn if not is_taken(name))


def safe_hash(value: object) -> str:
    """A few letters and digits that stand for a value; never a word. Equal values have equal ones."""
    digits = str(crc32(msgspec.json.encode(value, order="sorted")))
    return digits.translate(_SAFE)


def _letters(number: int) -> str:
    found = ""
    for _ in range(_DRAWN):
        number, rest = divmod(number, len(_ALPHABET))
        found += _ALPHABET[rest]
    return found
