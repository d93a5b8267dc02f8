"""Runs the console blocks of a Markdown file and compares their whole output, or rewrites it.

    ```yaml cluster.yaml          a file that the blocks below may name
    ```console exit=1             commands after `$ `, each followed by all that it prints; exit code 0 unless said
    ```console live               the same, with a server at hand that holds the example cluster and its jobs

Commands run inside this process at 80 columns, in a folder that holds the files above them. Rewriting is for
reviewing: a change that cannot be explained is a fault that was found.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from dravite.cli import main

FENCE = re.compile(r"^(?P<fence>`{3,})(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=fence)[ ]*$", re.MULTILINE | re.DOTALL)
ENVIRONMENT = {"COLUMNS": "80", "NO_COLOR": "1"}


class Block(NamedTuple):
    """A fenced block: language, the rest of its info line, its text, and where that text stands in the file."""

    language: str
    info: str
    body: str
    start: int


class Command(NamedTuple):
    line: str
    output: str


def blocks(text: str) -> Iterator[Block]:
    for found in FENCE.finditer(text):
        language, _, info = found["info"].strip().partition(" ")
        yield Block(language, info.strip(), found["body"], found.start("body"))


def commands(body: str) -> list[Command]:
    """The commands of a console block and what stands below each."""
    found: list[Command] = []
    for line in body.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append(Command(line[2:].rstrip("\n"), ""))
        else:
            found[-1] = found[-1]._replace(output=found[-1].output + line)
    return found


def run(line: str, folder: Path, kubeconfig: str | None = None) -> tuple[str, int]:
    """What a `dravite …` command prints on both streams, and its exit code."""
    words = shlex.split(line)
    assert words[0] == "dravite", f"only dravite commands are run: {line}"
    told = io.StringIO()
    told.fileno = lambda: 1  # type: ignore[method-assign]
    before, arguments, environment = Path.cwd(), sys.argv, dict(os.environ)
    try:
        os.chdir(folder)
        sys.argv = words
        os.environ.update(ENVIRONMENT if kubeconfig is None else {**ENVIRONMENT, "KUBECONFIG": kubeconfig})
        with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
            try:
                code = main()
            except SystemExit as leaving:
                code = int(leaving.code or 0)
    finally:
        os.chdir(before)
        sys.argv = arguments
        os.environ.clear()
        os.environ.update(environment)
    return told.getvalue(), code


def play(text: str, folder: Path) -> str:
    """The same Markdown with every console block as it comes out when it is run in `folder`."""
    made: list[str] = []
    end = 0
    for block in blocks(text):
        if block.language == "yaml" and block.info:
            target = folder / block.info
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.body)
        if block.language != "console":
            continue
        made += [text[end : block.start], _played(block, folder)]
        end = block.start + len(block.body)
    return "".join([*made, text[end:]])


def _played(block: Block, folder: Path) -> str:
    words = block.info.split()
    wanted = next((int(word.removeprefix("exit=")) for word in words if word.startswith("exit=")), 0)
    with cluster(folder) if "live" in words else contextlib.nullcontext(None) as kubeconfig:
        made = ""
        for command in commands(block.body):
            output, code = run(command.line, folder, kubeconfig)
            assert code == wanted, f"exit code {code}, not {wanted}: {command.line}\n{output}"
            made += f"$ {command.line}\n{output}"
    return made


@contextlib.contextmanager
def cluster(folder: Path) -> Iterator[str]:
    """A server that holds the example cluster and its jobs; the kubeconfig that leads to it."""
    from tests.live.server import ApiServer, examples, serving

    with serving(ApiServer(examples("cluster", "jobs"))) as api:
        yield api.kubeconfig(folder)


def check(file: Path, folder: Path, *, rewrite: bool) -> None:
    """Compare a Markdown file with what its commands print; with `rewrite` the file is changed instead."""
    text = file.read_text()
    played = play(text, folder)
    if rewrite and played != text:
        file.write_text(played)
        return
    assert played == text
