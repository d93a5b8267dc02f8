"""What somebody probably meant: the known word that is nearest to a misspelled one."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The first of the words that are most alike; None where none is `cutoff` alike, of 1."""
    from difflib import get_close_matches  # of use only where something is misspelled

    found = get_close_matches(word, list(known), n=1, cutoff=cutoff)
    return found[0] if found else None
