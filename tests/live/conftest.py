"""A server with the example cluster, and the command line that asks it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.console_blocks import run
from tests.live.server import EXAMPLES, ApiServer, examples, serving

Ask = Callable[[str], tuple[str, int]]


@pytest.fixture
def api() -> Iterator[ApiServer]:
    """The example cluster with its jobs, on a server."""
    with serving(ApiServer(examples("cluster", "jobs"))) as served:
        yield served


@pytest.fixture
def ask(api: ApiServer, tmp_path: Path) -> Ask:
    """Runs `dravite WORDS` with a kubeconfig that leads to the server; the output and the exit code."""
    kubeconfig = api.kubeconfig(tmp_path)

    def asked(line: str) -> tuple[str, int]:
        return run(f"dravite {line} --kubeconfig {kubeconfig}", EXAMPLES.parent)

    return asked


def document(told: str) -> Any:
    """The JSON document in an output."""
    return json.loads(told)
