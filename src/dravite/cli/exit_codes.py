"""Exit codes are answers. The worst one that applies is the program's."""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class ExitCode(IntEnum):
    """What each code says; where several apply the order of `worst` decides."""

    YES = 0
    NO = 1
    BAD_INPUT = 2
    NO_ANSWER = 3
    OUR_FAULT = 70


INTERRUPTED: Final = 130
"""What shells expect of a program that Ctrl-C ended; the answer as far as it had come is printed all the same."""

SEVERITY = (ExitCode.YES, ExitCode.NO, ExitCode.NO_ANSWER, ExitCode.BAD_INPUT, ExitCode.OUR_FAULT)


def worst(*codes: ExitCode) -> ExitCode:
    """A refused object outweighs a spent budget, which outweighs a good plan that says no."""
    return max(codes, key=SEVERITY.index, default=ExitCode.YES)
