"""What can be wrong with an expression, at compile time or at run time.

The sentence is Kubernetes' own, because people search for it; the caret under the user's text is ours. This module
does not know who says an error where: objects, fields and devices are added by those who know them.
"""

from __future__ import annotations

import re
from typing import Final, Literal

import msgspec

Phase = Literal["compile", "runtime"]

_PLACE: Final = re.compile(r"\A(?:compilation failed: )?(?:ERROR: <input>:-?\d+:-?\d+: )?")


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

    def excerpt(self, indent: str = "") -> str:
        """The line of the source that holds the fault, and a caret under the place.

        Without a known place this is the first line alone. Both lines start with `indent`.
        """
        offset = self.offset
        if offset is None or offset > len(self.source):
            return indent + self.source.split("\n", 1)[0]
        start = self.source.rfind("\n", 0, offset) + 1
        line = self.source[start:].split("\n", 1)[0]
        padding = "".join("\t" if c == "\t" else " " for c in line[: offset - start])
        return f"{indent}{line}\n{indent}{padding.ljust(offset - start)}^"
