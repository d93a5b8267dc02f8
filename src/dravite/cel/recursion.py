"""Room for deep trees.

Expressions may nest 250 levels deep, and a macro makes several nodes of one level. Walking such a tree needs more
frames than Python allows by default; ordinary expressions never come here. The limit is Python's own and concerns
every thread, so it is raised once and stays: lowering it again could hit another thread in the middle of a deep tree.

The limit also guards the stack of whatever recurses in C, such as readers of JSON (some 450 bytes a level): it must
not be higher than the usual stack of 8 MiB can bear, and a thread with a smaller stack must not read strangers' JSON.
"""

from __future__ import annotations

import sys
from typing import Final

ROOM: Final = 9_000
"""Enough for the deepest tree that any text makes: 8,000 frames."""
SHALLOW: Final = 30
"""Levels of nesting that need no extra room."""
MAX_DEPTH: Final = 250
"""How deep expressions, relations and calculations may nest."""
MAX_HEIGHT: Final = 250
"""How high a tree of compound pieces may be."""
TOO_HIGH: Final = "max recursion depth exceeded"


def make_room() -> None:
    """Let Python recurse deep enough for any tree that the parser accepts. Only ever raises the limit."""
    if sys.getrecursionlimit() < ROOM:
        sys.setrecursionlimit(ROOM)
