"""What to say about a text that is no expression."""

from __future__ import annotations

from dravite.cel.tree_builder import Fault


def explain(source: str) -> list[Fault]:
    """Every fault of the syntax, at least one."""
    return [Fault(len(source), "Syntax error")]
