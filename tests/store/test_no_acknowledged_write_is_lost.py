"""A process that is killed while it writes has kept everything that it called durable."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from dravite.store import JournalError, Key, Record, Store
from dravite.store.journal import FILE, backup
from dravite.store.migrations import MIGRATIONS, SCHEMA

_WRITER = """
import sys
from dravite.store import Key, Store
store = Store.open(sys.argv[1])
for number in range(store.revision, 1_000_000):
    store.put(Key("x", "", f"n{number}"), b"%d" % number, 0)
    if number % 7 == 0:
        store.flush()
        print(store.durable, flush=True)
"""


def test_writes_survive_being_killed(tmp_path: Path) -> None:
    promised = 0
    for _ in range(3):
        with subprocess.Popen([sys.executable, "-c", _WRITER, str(tmp_path)], stdout=subprocess.PIPE) as process:  # noqa: S603 (our own code)
            assert process.stdout is not None
            for _ in range(20):
                promised = int(process.stdout.readline())
            process.send_signal(signal.SIGKILL)
            promised = max([promised, *(int(line) for line in process.stdout.read().split())])
        with Store.open(str(tmp_path)) as store:
            assert store.revision >= promised
            for number in range(store.revision):
                assert store.get(Key("x", "", f"n{number}")) == Record(
                    Key("x", "", f"n{number}"), number + 1, b"%d" % number
                )


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    with Store.open(str(tmp_path)), pytest.raises(JournalError, match="in use by another dravite"):
        Store.open(str(tmp_path))
    Store.open(str(tmp_path)).close()


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("no database, but a text that is long enough to be looked at" * 10)
    with pytest.raises(JournalError, match="is no data of dravite"):
        Store.open(str(tmp_path))


def test_data_of_a_newer_dravite_are_refused(tmp_path: Path) -> None:
    Store.open(str(tmp_path)).close()
    database = sqlite3.connect(tmp_path / FILE)
    database.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    database.close()
    with pytest.raises(JournalError, match="newer dravite"):
        Store.open(str(tmp_path))


def test_a_backup_opens_like_the_original(tmp_path: Path) -> None:
    with Store.open(str(tmp_path / "data")) as store:
        store.put(Key("x", "a", "b"), b"1", 0)
        store.flush()
        backup(str(tmp_path / "data"), str(tmp_path / "copy"))
        with pytest.raises(JournalError, match="name a new folder"):
            backup(str(tmp_path / "data"), str(tmp_path / "copy"))
    with Store.open(str(tmp_path / "copy")) as copy:
        assert copy.get(Key("x", "a", "b")) == Record(Key("x", "a", "b"), 1, b"1")


def test_there_is_nothing_to_back_up_without_data(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="has no data"):
        backup(str(tmp_path), str(tmp_path / "copy"))


@pytest.mark.parametrize("schema", range(1, SCHEMA + 1))
def test_data_of_an_older_dravite_open(tmp_path: Path, schema: int) -> None:
    database = sqlite3.connect(tmp_path / FILE)
    for statement in (statement for step in MIGRATIONS[:schema] for statement in step):
        database.execute(statement)
    database.execute("INSERT INTO log VALUES (1, 'x', 'a', 'b', 0, CAST('old' AS BLOB))")
    database.execute(f"PRAGMA user_version = {schema}")
    database.commit()
    database.close()
    for _ in range(2):
        with Store.open(str(tmp_path)) as store:
            assert store.get(Key("x", "a", "b")) == Record(Key("x", "a", "b"), 1, b"old")
            store.write_note("release", "1.37")
    with Store.open(str(tmp_path)) as store:
        assert (store.note("release"), store.note("else")) == ("1.37", "")
