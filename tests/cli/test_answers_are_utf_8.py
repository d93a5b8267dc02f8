"""The locale of a shell, or the bytes of a file's name, do not keep an answer back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

POD = "{apiVersion: v1, kind: Pod, metadata: {name: p, labels: {a: é}}, spec: {containers: [{name: c, image: i}]}}"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8:strict"])
@pytest.mark.parametrize("name", ["café.yaml".encode(), b"caf\xe9.yaml"])
def test_every_name_is_printed(encoding: str, name: bytes, tmp_path: Path) -> None:
    try:
        Path(tmp_path, os.fsdecode(name)).write_text(POD, "utf-8")
    except OSError:
        pytest.skip("this file system takes no such name")
    command = [os.fsencode(sys.executable), b"-m", b"dravite", b"plan", name, b"-o", b"json"]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)  # noqa: S603
    assert done.stderr == b""
    told = json.loads(done.stdout.decode("utf-8"))
    assert os.fsdecode(name) in {one["file"] for one in told["problems"]}
