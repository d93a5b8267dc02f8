"""A server with the example cluster, and the command line that asks it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.console_blocks import run
from tests.live.server import ApiServer, serving

EXAMPLES = Path(__file__).parents[2] / "examples"

Ask = Callable[[str], tuple[str, int]]


def objects(*folders: str) -> list[dict[str, Any]]:
    """All objects of some of the example folders."""
    files = [file for folder in folders for file in sorted((EXAMPLES / folder).glob("*.yaml"))]
    return [one for file in files for one in yaml.safe_load_all(file.read_text()) if one]


@pytest.fixture
def api() -> Iterator[ApiServer]:
    """The example cluster with its jobs, on a server."""
    with serving(ApiServer(objects("cluster", "jobs"))) as served:
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
