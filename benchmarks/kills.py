"""Killing the server while it writes: `python -m benchmarks.kills [ROUNDS] [--seed N]`.

Each round forks a server on the same data folder, lets a few clients create, change and delete claims, kills it after
a random number of writes, and looks whether all that was acknowledged is there. What was under way may have happened
or not.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from benchmarks.serve import CLAIMS, read_answer
from dravite.apiserver import Settings
from dravite.embedded import ControlPlane, Place
from dravite.embedded.control_loop import Work
from dravite.store import Compacted, Store

_ROOT: Final = Path(__file__).parents[1]
_CLIENTS: Final = 8
_MOST: Final = 500
"""Writes that are acknowledged, at most, before the kill."""

_GONE: Final = ""


class Promises:
    """What clients were told, by the name of the object: its label, or that it is gone."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}
        self.under_way: dict[str, str] = {}
        self.revision = 0
        self.count = 0
        self.until = 0
        self.is_enough = asyncio.Event()

    def acknowledge(self, name: str, revision: int) -> None:
        """What was under way is promised now."""
        self.kept[name] = self.under_way.pop(name)
        self.revision = max(self.revision, revision)
        self.count += 1
        if self.count >= self.until:
            self.is_enough.set()

    def why_broken(self, found: dict[str, str], revision: int) -> Iterator[str]:
        """How the objects that were found break them."""
        if revision < self.revision:
            yield f"revision {revision} after {self.revision} was told"
        for name in sorted({*self.kept, *found, *self.under_way}):
            state, kept = found.get(name, _GONE), self.kept.get(name, _GONE)
            if state not in (kept, self.under_way.get(name, kept)):
                yield f"{name} is {state or 'gone'}, told was {kept or 'gone'}"


def play(rounds: int, folder: Path, dice: random.Random) -> Iterator[str]:
    """What was lost; nothing if nothing was. The last line says how much was written."""
    promises = Promises()
    command = [sys.executable, "-m", "benchmarks.kills", "--servers-in", str(folder)]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=_ROOT, **pipes) as nursery:
        assert nursery.stdin is not None
        assert nursery.stdout is not None
        for number in range(rounds):
            print("next", file=nursery.stdin, flush=True)
            port, process = map(int, nursery.stdout.readline().split())
            asyncio.run(_until_killed(port, process, promises, dice))
            nursery.stdout.readline()
            found, revision = _found(folder)
            yield from (f"round {number}: {broken}" for broken in promises.why_broken(found, revision))
            promises.kept, promises.under_way = found, {}
        nursery.stdin.close()
    yield f"{rounds} kills, {promises.count} acknowledged writes"


def _fork_servers(folder: Path) -> None:
    """For each line of stdin a server, forked from a process that has loaded everything and runs nothing.

    Its port and its process are said, and then that it has ended.
    """
    for _ in sys.stdin:
        process = os.fork()
        if not process:
            with ControlPlane(Place(data=folder, plain=True), Settings(), Work(controllers=False)) as plane:
                port = plane.url.rpartition(":")[2]
                plane.serve(lambda port=port: print(port, os.getpid(), flush=True))  # type: ignore[misc]
            os._exit(0)
        os.waitpid(process, 0)
        print("it has ended", flush=True)


async def _until_killed(port: int, process: int, promises: Promises, dice: random.Random) -> None:
    promises.until, promises.is_enough = promises.count + dice.randint(1, _MOST), asyncio.Event()
    clients = [asyncio.create_task(_write(port, client, promises, dice)) for client in range(_CLIENTS)]
    enough = asyncio.create_task(promises.is_enough.wait())
    await asyncio.wait((enough, *clients), return_when=asyncio.FIRST_COMPLETED)
    os.kill(process, signal.SIGKILL)
    enough.cancel()
    await asyncio.gather(*clients)


async def _write(port: int, client: int, promises: Promises, dice: random.Random) -> None:
    """Write until the connection breaks. Each client has objects of its own."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        while not reader.at_eof():
            name = f"o-{client}-{dice.randrange(8)}"
            method, path, body, state = _next(name, promises, dice)
            promises.under_way[name] = state
            media = "application/merge-patch+json" if method == "PATCH" else "application/json"
            head = f"{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: {media}\r\n"
            writer.write(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
            said = json.loads(await read_answer(reader))
            promises.acknowledge(name, int(said["metadata"].get("resourceVersion", 0)))
    except (OSError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


def _next(name: str, promises: Promises, dice: random.Random) -> tuple[str, str, bytes, str]:
    """A request, and the state of the object after it."""
    state = str(time.monotonic_ns())
    meta: dict[str, Any] = {"labels": {"state": state}}
    if not promises.kept.get(name):
        spec = {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "c"}}]}}
        return "POST", CLAIMS, json.dumps({"metadata": {"name": name, **meta}, "spec": spec}).encode(), state
    if dice.random() < 0.3:
        return "DELETE", f"{CLAIMS}/{name}", b"", _GONE
    return "PATCH", f"{CLAIMS}/{name}", json.dumps({"metadata": meta}).encode(), state


def _found(folder: Path) -> tuple[dict[str, str], int]:
    """The objects in a folder, and the newest revision."""
    with Store.open(str(folder)) as store:
        page = store.page("resourceclaims.resource.k8s.io")
        assert not isinstance(page, Compacted)
        metas = (json.loads(record.body)["metadata"] for record in page.records)
        return {meta["name"]: meta["labels"]["state"] for meta in metas}, store.revision


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.kills", description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("rounds", type=int, nargs="?", default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--servers-in", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.servers_in is not None:
        _fork_servers(options.servers_in)
        return
    with tempfile.TemporaryDirectory() as folder:
        lines = list(play(options.rounds, Path(folder), random.Random(options.seed)))  # noqa: S311 (no secret)
    print("\n".join(lines))
    raise SystemExit(len(lines) > 1)


if __name__ == "__main__":
    main()
