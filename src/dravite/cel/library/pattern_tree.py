"""Patterns as trees, and how much work Python's search could make of them.

Python tries the ways in which a pattern may match one after another. Most patterns have few; some (`(a+)+b`) have
more than anyone can wait for, where RE2 needs time in proportion to the text. `longest_text` tells the two apart.
"""

from __future__ import annotations

import sys
from math import factorial
from typing import Final

import msgspec

_PATIENCE: Final = 1_000_000
_MOST_WAYS: Final = 1_000
_MOST_COPIES: Final = 16
_MOST_STEPS: Final = 200_000


class Effort(msgspec.Struct, frozen=True):
    """How many ways a piece may match in one place: at most `ways`, times the length of the text per stretch.

    `endless` where the number grows exponentially.
    """

    ways: int = 1
    stretches: int = 0
    endless: bool = False


_ONE_WAY: Final = Effort()


class Piece(msgspec.Struct, frozen=True):
    """A part of a pattern.

    Attributes:
        source: the piece in Python's syntax.
        alternatives: what is in a group or repeated; nothing in a single character or a place.
        least, most: how often; None is any number.
        lazy: whether fewer are better.
        is_place: whether it matches between characters only (`^`, `\\b`).
        size: how many steps RE2 makes of it.
    """

    source: str
    alternatives: tuple[tuple[Piece, ...], ...] = ()
    least: int = 1
    most: int | None = 1
    lazy: bool = False
    is_place: bool = False
    size: int = 1
    effort: Effort = _ONE_WAY


def place(source: str) -> Piece:
    """A place between characters."""
    return Piece(source, is_place=True)


def group(alternatives: list[list[Piece]], *, captures: bool = False) -> Piece:
    """One of several sequences. Whether it captures matters for its size only."""
    written = "|".join("".join(piece.source for piece in sequence) for sequence in alternatives)
    efforts = [_in_a_row([piece.effort for piece in sequence]) for sequence in alternatives]
    return Piece(
        f"(?:{written})",
        tuple(tuple(sequence) for sequence in alternatives),
        size=sum(max(sum(piece.size for piece in sequence), 1) + 1 for sequence in alternatives) - 1 + 2 * captures,
        effort=Effort(
            min(sum(effort.ways for effort in efforts), _MOST_WAYS + 1),
            max(effort.stretches for effort in efforts),
            any(effort.endless for effort in efforts),
        ),
    )


def repeat(piece: Piece, least: int, most: int | None, *, lazy: bool) -> Piece:
    """A piece `least` to `most` times."""
    operator = f"{{{least},{'' if most is None else most}}}"
    return Piece(
        f"(?:{piece.source}){operator}{'?' if lazy else ''}",
        ((piece,),),
        least,
        most,
        lazy,
        size=_copies(piece.size, least, most),
        effort=_repeated(piece.effort, least, most),
    )


def longest_text(root: Piece) -> int:
    """Up to which length of text Python's search is sure to be quick, or better than anything else; -1 for none."""
    effort = root.effort
    if root.size > _MOST_STEPS:
        return sys.maxsize
    if effort.endless or effort.ways > _MOST_WAYS:
        return -1
    if effort.stretches == 0:
        return sys.maxsize
    power = effort.stretches + 1
    return int((_PATIENCE * factorial(power) / effort.ways) ** (1 / power)) - 1


def _in_a_row(efforts: list[Effort]) -> Effort:
    ways = 1
    for effort in efforts:
        ways = min(ways * effort.ways, _MOST_WAYS + 1)
    return Effort(ways, sum(effort.stretches for effort in efforts), any(effort.endless for effort in efforts))


def _repeated(effort: Effort, least: int, most: int | None) -> Effort:
    wavers = effort.ways > 1 or effort.stretches > 0
    if most is None:
        return Effort(effort.ways, effort.stretches + 1, effort.endless or wavers)
    if wavers and most > _MOST_COPIES:
        return Effort(effort.ways, effort.stretches, endless=True)
    ways = min(effort.ways**most * (most - least + 1) if wavers else most - least + 1, _MOST_WAYS + 1)
    return Effort(ways, effort.stretches * most, effort.endless)


def _copies(size: int, least: int, most: int | None) -> int:
    if most is None:
        return 2 + size if least == 0 else 1 + least * size
    return max(most * size + most - least, 1)
