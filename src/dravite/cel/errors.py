"""What can be wrong with an expression, at compile time or at run time.

The sentence is Kubernetes' own, because people search for it; the caret under the user's text is ours. This module
does not know who says an error where: objects, fields and devices are added by those who know them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

import msgspec

Phase = Literal["compile", "runtime"]

_PLACE: Final = re.compile(r"\A(?:compilation failed: )?(?:ERROR: <input>:-?\d+:-?\d+: )?")


_MAX_EXCERPT: Final = 16_384
_MAX_FAULTS: Final = 100


NOWHERE: Final = -1
"""The place of a piece that is missing; messages put it before the first column."""


class Fault(msgspec.Struct, frozen=True):
    """Something wrong at a place; `offset` is None where the whole text is meant."""

    offset: int | None
    message: str


class CelError(msgspec.Struct, frozen=True):
    """One expression that cannot be compiled, or cannot be evaluated on one device.

    Attributes:
        phase: `compile` or `runtime`.
        message: Kubernetes' whole text, which for a compile error may hold several lines.
        source: the expression.
        offset: where in the source the (first) fault is, in code points; None where no place is known.
    """

    phase: Phase
    message: str
    source: str
    offset: int | None = None

    @property
    def headline(self) -> str:
        """The first line of the message, without what Kubernetes' compiler puts around it."""
        line = self.message.split("\n", 1)[0]
        return _PLACE.sub("", line)


def compile_error(source: str, faults: Sequence[Fault]) -> CelError:
    """All faults of one expression as Kubernetes writes them: by place, each with its line and a caret."""
    ordered = sorted(faults, key=lambda fault: -2 if fault.offset is None else fault.offset)
    texts = [_fault_text(source, fault) for fault in ordered[:_MAX_FAULTS]]
    if len(ordered) > _MAX_FAULTS:
        texts.append(f"{len(ordered) - _MAX_FAULTS} more errors were truncated")
    message = "compilation failed: " + "\n".join(texts)
    first = ordered[0].offset
    return CelError("compile", message, source, None if first is None else max(first, 0))


def _fault_text(source: str, fault: Fault) -> str:
    if fault.offset is None:
        return f"ERROR: <input>:-1:0: {fault.message}"
    if not source:
        return f"ERROR: <input>:1:0: {fault.message}"
    before = source[: max(fault.offset, 0)]
    start = before.rfind("\n") + 1
    number, column = before.count("\n") + 1, fault.offset - start
    line = source[start:].split("\n", 1)[0].replace("\t", " ")
    text = f"ERROR: <input>:{number}:{column + 1}: {fault.message}"
    if len(line.encode("utf-8", "surrogatepass")) > _MAX_EXCERPT:
        return text
    dots = "".join("." if ord(c) < 0x80 else "\uff0e" for c in line[: max(column, 0)])
    caret = "\uff3e" if 0 <= column < len(line) and ord(line[column]) >= 0x80 else "^"
    return f"{text}\n | {line}\n | {dots}{caret}"
