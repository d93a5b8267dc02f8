"""How fast the server is: `python -m benchmarks.serve [requests|watchers|pages]…`; all of it if none is named.

The server runs in a process of its own, on plain HTTP, without controllers. `requests` gives requests per second of the
server's CPU time beside those of an application that sends each body back, or as many blanks as a list is long, in the
same HTTP server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

CLAIMS: Final = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims"
PODS: Final = "/api/v1/namespaces/default/pods"
_CONNECTIONS: Final = 16
_REQUESTS: Final = 3_000
_RUNS: Final = 5
_UPDATES: Final = 100
"""In a second."""

_PATIENCE: Final = 60.0

_LISTED: Final = 34_000
"""Bytes of a list of 50."""

Asked = tuple[str, str, bytes]


class Server(NamedTuple):
    """A server in a process of its own."""

    process: int
    port: int

    @property
    def cpu(self) -> float:
        """Seconds of CPU time so far."""
        threads = Path(f"/proc/{self.process}/task").iterdir()
        return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9

    @property
    def memory(self) -> float:
        """MiB in use at most so far."""
        status = Path(f"/proc/{self.process}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024


@contextmanager
def serving(what: str, folder: str) -> Iterator[Server]:
    """A server until the block ends: `dravite`, or `echo`."""
    command = [sys.executable, "-m", "benchmarks.serve", "--serve", what, "--data", folder]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield Server(process.pid, int(process.stdout.readline()))
        finally:
            process.terminate()


def serve(what: str, folder: str) -> None:
    """Be the server, and say on which port."""
    import uvicorn

    from dravite.apiserver import Settings
    from dravite.embedded import ControlPlane, Place
    from dravite.embedded.control_loop import Work

    place = Place(data=Path(folder) if folder else None, plain=True)
    with ControlPlane(place, Settings(), Work(controllers=False)) as plane:
        port = plane.url.rpartition(":")[2]
        say = lambda: print(port, flush=True)  # noqa: E731
        if what == "dravite":
            plane.serve(say)
            return
        plane.sockets[0].listen()
        say()
        config = uvicorn.Config(_echo, log_level="error", access_log=False, lifespan="off")
        uvicorn.Server(config).run(sockets=plane.sockets)


async def _echo(scope: Mapping[str, Any], receive: Callable[[], Any], send: Callable[[Any], Any]) -> None:
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    body = body or b" " * (_LISTED if scope["query_string"] else 0)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 201, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def ask_all(port: int, asked: Sequence[Asked]) -> list[bytes]:
    """The answers to requests, over a few connections that are kept open. Every one must be a success."""
    answers: list[bytes] = [b""] * len(asked)
    waiting = iter(range(len(asked)))

    async def client() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 26)
        for number in waiting:
            method, path, body = asked[number]
            head = f"{method} {path} HTTP/1.1\r\nhost: localhost\r\nuser-agent: bench\r\n"
            media = "application/merge-patch+json" if method == "PATCH" else "application/json"
            head += f"content-type: {media}\r\ncontent-length: {len(body)}\r\n\r\n"
            writer.write(head.encode() + body)
            answers[number] = await read_answer(reader)
        writer.close()

    await asyncio.gather(*(client() for _ in range(min(_CONNECTIONS, len(asked)))))
    return answers


async def read_answer(reader: asyncio.StreamReader) -> bytes:
    """The body of an answer, which must be a success."""
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
    body = await reader.readexactly(length)
    if not head.startswith((b"http/1.1 200", b"http/1.1 201")):
        message = f"{head.decode()}{body.decode()}"
        raise AssertionError(message)
    return body


def claim(name: str, *, model: int = 0, label: int = 0) -> bytes:
    """A claim as users write them, with a selector for a model."""
    expression = f'device.attributes["gpu.example.com"].model == "m{model}"'
    exactly = {"deviceClassName": "gpu.example.com", "selectors": [{"cel": {"expression": expression}}]}
    spec = {"devices": {"requests": [{"name": "gpu", "exactly": exactly}]}}
    meta = {"name": name, "labels": {"job": f"j{label}"}}
    made = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": meta, "spec": spec}
    return json.dumps(made).encode()


def claim_of_its_own(name: str, number: int) -> bytes:
    """A claim with a spec that no other number has."""
    made = json.loads(claim(name))
    made["spec"]["devices"]["requests"][0]["name"] = f"gpu-{number}"
    return json.dumps(made).encode()


def claim_in_use(name: str) -> bytes:
    """A claim with a status as the scheduler writes it."""
    made = json.loads(claim(name))
    result = {"request": "gpu", "driver": "gpu.example.com", "pool": "n-1", "device": "gpu-0"}
    field = {"key": "metadata.name", "operator": "In", "values": ["n-1"]}
    where = {"nodeSelectorTerms": [{"matchFields": [field]}]}
    user = {"resource": "pods", "name": name, "uid": "8d5b6c4e-0000-4000-8000-000000000000"}
    made["status"] = {"allocation": {"devices": {"results": [result]}, "nodeSelector": where}, "reservedFor": [user]}
    return json.dumps(made).encode()


def pod(name: str, number: int) -> bytes:
    """A pod with a claim from a template."""
    asked = {"requests": {"cpu": "1", "memory": "1Gi"}, "claims": [{"name": "gpu"}]}
    spec = {
        "containers": [{"name": "main", "image": "example.com/train:1", "resources": asked}],
        "resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": "gpu"}],
    }
    meta = {"name": name, "labels": {"job": f"j{number}"}}
    return json.dumps({"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": spec}).encode()


def _posts(collection: str, body: Callable[[str, int], bytes], letter: str) -> Callable[[int], Sequence[Asked]]:
    """Requests to create, by the number of the run."""
    return lambda run: [
        ("POST", collection, body(f"{letter}{run}-{number}", number + run * _REQUESTS)) for number in range(_REQUESTS)
    ]


_LOADS: Final[Mapping[str, Callable[[int], Sequence[Asked]]]] = {
    "create, one template": _posts(CLAIMS, lambda name, _: claim(name), "t"),
    "get": lambda run: [("GET", f"{CLAIMS}/t{run}-{number}", b"") for number in range(_REQUESTS)],
    "list of 50": lambda run: [("GET", f"{CLAIMS}?limit=50", b"")] * _REQUESTS,
    "create, each with labels of its own": _posts(CLAIMS, lambda name, number: claim(name, label=number), "l"),
    "create, each with a new selector": _posts(CLAIMS, lambda name, number: claim(name, model=number), "n"),
    "create, each with a new spec": _posts(CLAIMS, claim_of_its_own, "s"),
    "create a pod": _posts(PODS, pod, "p"),
    "update a status": lambda run: [
        ("PUT", f"{CLAIMS}/t{run}-{number}/status", claim_in_use(f"t{run}-{number}")) for number in range(_REQUESTS)
    ],
    "patch a label": lambda run: [
        ("PATCH", f"{CLAIMS}/l{run}-{number}", b'{"metadata":{"labels":{"patched":"%d"}}}' % number)
        for number in range(_REQUESTS)
    ],
}
"""Requests, by the number of the run. Some speak of what others made before."""


def measure_requests() -> Iterator[str]:
    """Requests per second of CPU time, and how that compares."""
    yield "| requests | per CPU second | per second | echo, per CPU second | ratio |"
    yield "|---|---:|---:|---:|---:|"
    with tempfile.TemporaryDirectory() as folder, serving("echo", "") as echo:
        for where, data in (("in memory", ""), ("in a folder", folder)):
            with serving("dravite", data) as ours:
                for name, load in _LOADS.items():
                    yield _compared(f"{name}, {where}", load, ours, echo)


def _compared(name: str, load: Callable[[int], Sequence[Asked]], ours: Server, echo: Server) -> str:
    """A row of the table: medians of a few runs, which take turns."""
    mine, walls, others = [], [], []
    for run in range(_RUNS):
        others.append(_rate(echo, load(run))[0])
        cpu, wall = _rate(ours, load(run))
        mine.append(cpu)
        walls.append(wall)
    cpu, other = statistics.median(mine), statistics.median(others)
    return f"| {name} | {cpu:,.0f} | {statistics.median(walls):,.0f} | {other:,.0f} | {cpu / other:.2f} |"


def _rate(server: Server, asked: Sequence[Asked]) -> tuple[float, float]:
    """Requests per second of the server's CPU time, and of the clock."""
    cpu, clock = server.cpu, time.perf_counter()
    asyncio.run(ask_all(server.port, asked))
    return len(asked) / (server.cpu - cpu), len(asked) / (time.perf_counter() - clock)


class Watcher:
    """One client that watches all claims, and a checksum of the lines that it got."""

    def __init__(self) -> None:
        self.lines = 0
        self.sum = 0
        self.last = 0.0

    async def watch(self, port: int, began: asyncio.Semaphore) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 26)
        writer.write(f"GET {CLAIMS}?watch=true&resourceVersion=0 HTTP/1.1\r\nhost: localhost\r\n\r\n".encode())
        await reader.readuntil(b"\r\n\r\n")
        began.release()
        with suppress(asyncio.CancelledError):
            while size := int(await reader.readline(), 16):
                data = (await reader.readexactly(size + 2))[:-2]
                self.lines += data.count(b"\n")
                self.sum = zlib.crc32(data, self.sum)
                self.last = time.perf_counter()
        writer.close()


async def _watched(server: Server, watchers: Sequence[Watcher], seconds: int) -> tuple[float, float]:
    """Seconds that the updates took, and how long after the last of them the last watcher had it."""
    objects, count = 10, seconds * _UPDATES
    await ask_all(server.port, [("POST", CLAIMS, claim(f"w-{number}")) for number in range(objects)])
    began = asyncio.Semaphore(0)
    tasks = [asyncio.create_task(watcher.watch(server.port, began)) for watcher in watchers]
    for _ in watchers:
        await began.acquire()
    start = time.perf_counter()
    for number in range(count):
        patch = json.dumps({"metadata": {"labels": {"update": str(number)}}}).encode()
        await ask_all(server.port, [("PATCH", f"{CLAIMS}/w-{number % objects}", patch)])
        await asyncio.sleep(max(0.0, start + number / _UPDATES - time.perf_counter()))
    end = time.perf_counter()
    while any(watcher.lines < objects + count for watcher in watchers) and time.perf_counter() < end + _PATIENCE:
        await asyncio.sleep(0.05)
    for task in tasks:
        task.cancel()
    return end - start, max(watcher.last for watcher in watchers) - end


def measure_watchers() -> Iterator[str]:
    """Many watchers of one kind, and updates at a steady rate; nothing may be lost or come in another order."""
    watchers, seconds = [Watcher() for _ in range(1_000)], 10
    with serving("dravite", "") as server:
        cpu = server.cpu
        took, late = asyncio.run(_watched(server, watchers, seconds))
        lost = sum(1 for watcher in watchers if watcher.lines != 10 + seconds * _UPDATES)
        sums = len({watcher.sum for watcher in watchers})
        yield (
            f"{len(watchers)} watchers, {seconds * _UPDATES / took:.0f} updates per second for {took:.1f} s: "
            f"{lost} lost lines, {sums} different stream(s), the last line {late:.2f} s after the last update, "
            f"{server.cpu - cpu:.1f} s of CPU time"
        )


def fill(folder: str, count: int) -> None:
    """Put claims into a data folder."""
    from dravite.apiserver import ApiServer, Settings
    from dravite.apiserver.requests import Request
    from dravite.store import Store

    with Store.open(folder) as store:
        server = ApiServer(store, Settings())
        for number in range(count):
            body = claim(f"c-{number:06}", model=number % 100)
            answer = server.handle(Request(method="POST", path=CLAIMS, headers={"user-agent": "bench"}, body=body))
            assert getattr(answer, "code", 0) == 201, answer


async def _all_pages(server: Server) -> int:
    token, found = "", 0
    while True:
        path = f"{CLAIMS}?limit=500" + (f"&continue={token}" if token else "")
        page = json.loads((await ask_all(server.port, [("GET", path, b"")]))[0])
        found += len(page["items"])
        token = page["metadata"].get("continue", "")
        if not token:
            return found


def measure_pages() -> Iterator[str]:
    """A server that starts with many objects, which are then listed in pages."""
    count = 100_000
    with tempfile.TemporaryDirectory() as folder:
        fill(folder, count)
        clock = time.perf_counter()
        with serving("dravite", folder) as server:
            yield f"{count:,} objects: ready after {time.perf_counter() - clock:.1f} s, {server.cpu:.1f} s of CPU time"
            before, cpu, clock = server.memory, server.cpu, time.perf_counter()
            found = asyncio.run(_all_pages(server))
            assert found == count
            yield (
                f"listed in pages of 500: {time.perf_counter() - clock:.1f} s, {server.cpu - cpu:.1f} s of CPU time, "
                f"at most {before:.0f} MiB before and {server.memory:.0f} MiB after"
            )


MEASURES: Final[Mapping[str, Callable[[], Iterator[str]]]] = {
    "requests": measure_requests,
    "watchers": measure_watchers,
    "pages": measure_pages,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.serve", description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--serve", choices=("dravite", "echo"), help=argparse.SUPPRESS)
    parser.add_argument("--data", help=argparse.SUPPRESS)
    parser.add_argument("measures", nargs="*", metavar="MEASURE", help=f"of: {', '.join(MEASURES)}")
    options = parser.parse_args()
    if options.serve:
        serve(options.serve, options.data)
        return
    for name in options.measures or MEASURES:
        for line in MEASURES[name]():
            print(line, flush=True)


if __name__ == "__main__":
    main()
