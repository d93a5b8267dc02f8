"""A server that can write no more says so, and acknowledges nothing that it could not keep."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from dravite.store import Store

_SCRIPT = """
import asyncio, json, resource, signal, sys
sys.path.insert(0, sys.argv[2])
from asking import CLAIMS, claim
from test_clients_are_borne_within_limits import Wire
from dravite.apiserver import ApiServer, Settings, Application
from dravite.store import Store

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = Store.open(sys.argv[1])
app = Application(ApiServer(store, Settings()))
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))

async def ask(method, path, body=b""):
    wire = Wire(method, path, body)
    await app(wire.scope, wire.receive, wire.send)
    return wire

async def play():
    for number in range(50):
        body = json.dumps(claim(f"c{number}", annotations={"a": "x" * 50_000})).encode()
        wire = await ask("POST", CLAIMS, body)
        if wire.code != 201:
            break
        print(f"c{number}")
    ready = await ask("GET", "/readyz")
    print(wire.code, wire.said["reason"], ready.code)

asyncio.run(play())
"""


def test_what_cannot_be_written_is_not_acknowledged(tmp_path: Path) -> None:
    given = [sys.executable, "-c", _SCRIPT, str(tmp_path), str(Path(__file__).parent)]
    said = subprocess.run(given, check=True, capture_output=True, text=True, timeout=60)  # noqa: S603 (our own code)
    *kept, outcome = said.stdout.splitlines()
    assert outcome == "500 InternalError 500"
    assert kept
    with Store.open(str(tmp_path)) as store:
        page = store.page("resourceclaims.resource.k8s.io")
        assert {record.key.name for record in page.records} >= set(kept)  # type: ignore[union-attr]
