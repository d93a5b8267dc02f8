"""The end of a namespace: all that is in it goes first, and it stays as long as something of that does."""

from __future__ import annotations

from dravite.api.plain import Plain
from dravite.apiserver.backend import Backend
from dravite.store import Compacted, Record


def content(backend: Backend, name: str) -> tuple[Record, ...]:
    """All objects in a namespace."""
    found: list[Record] = []
    for collection in backend.store.collections():
        page = backend.store.page(collection, name)
        found += () if isinstance(page, Compacted) else page.records
    return tuple(found)


def terminating(plain: Plain) -> Plain:
    """The namespace as it waits for its end."""
    return {**plain, "status": {**(plain.get("status") or {}), "phase": "Terminating"}}
