"""`deploy/web=3`, `gpu-01=2`: values of flags that say how many there are to be of something."""

from __future__ import annotations

from dravite.cli.dispatch import UsageError
from dravite.cli.flags import Flag


def counted(flag: Flag, word: str, example: str, *, least: int) -> tuple[str, int]:
    """What, and how many. Raises `UsageError`."""
    what, _, number = word.rpartition("=")
    if not what or not number.isascii() or not number.isdecimal() or len(number) > 9 or int(number) < least:
        message = f"{flag.names[-1]} takes a number from {least} behind =, not {word!r}"
        raise UsageError(message, f"as in {flag.names[-1]} {example}")
    return what, int(number)
