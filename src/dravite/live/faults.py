"""Why a cluster could not be read: one message, and what to do. The only exception that leaves this package."""

from __future__ import annotations


class ClusterError(Exception):
    """There is no answer from this cluster.

    Attributes:
        hint: what would help; None where nothing is known to.
        known: what had been read before, one line each; empty where nothing was.
    """

    def __init__(self, message: str, hint: str | None = None, known: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.hint = hint
        self.known = known
