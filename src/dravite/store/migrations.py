"""The schema of the log, as the steps that lead to it. A step that was released is never changed.

The log holds every write since the last compaction and, before it, the last write of each object that still exists.
Notes are what the owner of a store wants to know of it later.
"""

from __future__ import annotations

from typing import Final

MIGRATIONS: Final = (
    (
        """CREATE TABLE log (
            revision INTEGER PRIMARY KEY,
            collection TEXT NOT NULL,
            namespace TEXT NOT NULL,
            name TEXT NOT NULL,
            deleted INTEGER NOT NULL,
            body BLOB NOT NULL
        )""",
        "CREATE INDEX log_key ON log (collection, namespace, name, revision)",
        "CREATE TABLE facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL)",
        "INSERT INTO facts VALUES ('compacted', 0)",
    ),
    ("CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL)",),
)

SCHEMA: Final = len(MIGRATIONS)
