"""What to say about a text that is no expression."""

from __future__ import annotations

from dravite.cel.errors import Fault


def explain(source: str) -> list[Fault]:
    """Every fault of the syntax, at least one."""
    return [Fault(len(source), "Syntax error")]
