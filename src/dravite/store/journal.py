"""The log on disk: one SQLite file in a folder that one process has open.

Writes are queued and a thread commits all that wait at once, so that a burst costs a few commits. A commit survives
the end of the process at any point (WAL, synchronous NORMAL); it may not survive a power cut.
"""

from __future__ import annotations

import fcntl
import os
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final

import msgspec

from dravite.store.migrations import MIGRATIONS, SCHEMA
from dravite.store.records import Event, Key, Record

FILE: Final = "dravite.db"
_LOCK: Final = "lock"
_BATCH: Final = 256
_COMPANY: Final = 0.000_5
"""Seconds for which a write waits for others when several came at once before."""

_INSERT: Final = "INSERT INTO log (revision, collection, namespace, name, deleted, body) VALUES "
_ROW: Final = "(?, ?, ?, ?, ?, ?)"
_FORGET: Final = """
DELETE FROM log WHERE revision <= :revision AND (deleted OR EXISTS (
    SELECT 1 FROM log AS newer WHERE newer.collection = log.collection AND newer.namespace = log.namespace
    AND newer.name = log.name AND newer.revision > log.revision AND newer.revision <= :revision))
"""


class JournalError(Exception):
    """A data folder that cannot be used; the message says why and what to do."""


class Row(msgspec.Struct, frozen=True):
    """One write as it was kept: the object after it, or how it was when it went."""

    key: Key
    revision: int
    after: Record | None
    last: bytes


class Journal:
    """The open log of a folder. Everything but `durable` and `failure` belongs to the store's thread."""

    def __init__(self, folder: str) -> None:
        self._lock = _locked(Path(folder))
        try:
            self._database = _opened(Path(folder) / FILE)
        except BaseException:
            self._lock.close()
            raise
        self.told: list[Callable[[], None]] = []
        self.failure: Exception | None = None
        self.span = self._read_span()
        self.durable = self.span[1]
        self.notes: Mapping[str, str] = dict(self._database.execute("SELECT name, value FROM notes"))
        self._queue: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        self._moved = threading.Condition()
        self._thread = threading.Thread(target=self._work, name="dravite-journal", daemon=True)
        self._thread.start()

    def rows(self) -> Iterator[Row]:
        """All writes that are kept, oldest first. Only before the first write."""
        rows = self._database.execute(
            "SELECT revision, collection, namespace, name, deleted, body FROM log ORDER BY revision"
        )
        for revision, collection, namespace, name, deleted, body in rows:
            key = Key(collection, namespace, name)
            yield Row(key, revision, None if deleted else Record(key, revision, body), body if deleted else b"")

    def write(self, key: Key, event: Event) -> None:
        """Queue a write."""
        body = event.after.body if event.after is not None else event.last
        self._queue.put(("write", (event.revision, *key, event.after is None, body)))

    def compact(self, revision: int) -> None:
        """Queue the removal of what is no longer needed at a revision."""
        self._queue.put(("compact", revision))

    def note(self, name: str, value: str) -> None:
        """Queue a note."""
        self._queue.put(("note", (name, value)))

    def flush(self, revision: int) -> None:
        """Wait until a revision is durable. Raises JournalError when writing has failed."""
        with self._moved:
            self._moved.wait_for(lambda: self.durable >= revision or self.failure is not None)
        if self.failure is not None:
            message = f"the data could not be written: {self.failure}"
            raise JournalError(message)

    def close(self) -> None:
        """Write what is queued and let go of the folder."""
        if self._thread.is_alive():
            self._queue.put(("close", None))
            self._thread.join()
        self._database.close()
        self._lock.close()

    def _read_span(self) -> tuple[int, int]:
        """The revision up to which history is gone, and the newest one."""
        compacted = self._database.execute("SELECT value FROM facts WHERE name = 'compacted'").fetchone()[0]
        newest = self._database.execute("SELECT max(revision) FROM log").fetchone()[0] or 0
        return compacted, max(compacted, newest)

    def _work(self) -> None:
        batch: list[tuple[str, Any]] = []
        while True:
            is_busy = len(batch) > 1
            batch = [self._queue.get()]
            if is_busy:
                time.sleep(_COMPANY)
            while len(batch) < _BATCH and not self._queue.empty():
                batch.append(self._queue.get())
            try:
                self._commit(batch)
            except Exception as error:
                self.failure = error
            with self._moved:
                self._moved.notify_all()
            for told in self.told:
                told()
            if self.failure is not None or batch[-1][0] == "close":
                return

    def _commit(self, batch: Sequence[tuple[str, Any]]) -> None:
        rows = [row for what, row in batch if what == "write"]
        with self._database:
            if rows:  # in one statement: between two of them another thread may take its turn
                self._database.execute(
                    _INSERT + ", ".join([_ROW] * len(rows)), [value for row in rows for value in row]
                )
            for what, about in batch:
                if what == "note":
                    self._database.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", about)
                if what == "compact":
                    self._database.execute(_FORGET, {"revision": about})
                    self._database.execute("UPDATE facts SET value = ? WHERE name = 'compacted'", (about,))
        if rows:
            self.durable = rows[-1][0]


def backup(folder: str, target: str) -> None:
    """Copy the data of a folder into a new folder, also while a server writes to it.

    Raises:
        JournalError: there is no data, or the target exists.
    """
    source = Path(folder) / FILE
    if not source.exists():
        message = f"{folder} has no data of dravite"
        raise JournalError(message)
    copy = Path(target) / FILE
    if copy.exists():
        message = f"{copy} exists; name a new folder"
        raise JournalError(message)
    copy.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    original, written = sqlite3.connect(source), sqlite3.connect(copy)
    try:
        original.backup(written)
    finally:
        original.close()
        written.close()


def _locked(folder: Path) -> IO[str]:
    """The lock file of a folder, held until it is closed or the process ends."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = (folder / _LOCK).open("a+")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.seek(0)
        owner = file.read().strip()
        file.close()
        message = (
            f"{folder} is in use by another dravite (process {owner or 'unknown'}); stop it or name another folder"
        )
        raise JournalError(message) from None
    file.truncate(0)
    file.write(f"{os.getpid()}\n")
    file.flush()
    return file


def _opened(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, check_same_thread=False)
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        _migrate(database, path)
    except sqlite3.DatabaseError as error:
        database.close()
        message = f"{path} is no data of dravite: {error}"
        raise JournalError(message) from None
    except JournalError:
        database.close()
        raise
    return database


def _migrate(database: sqlite3.Connection, path: Path) -> None:
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if version > SCHEMA:
        message = f"{path} was written by a newer dravite (schema {version}, this one knows {SCHEMA})"
        raise JournalError(message)
    for number, statements in enumerate(MIGRATIONS[version:], start=version + 1):
        with database:
            for statement in statements:
                database.execute(statement)
            database.execute(f"PRAGMA user_version = {number}")
