"""The scripts are made from the tables, and the shells that are here accept them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from dravite.cli import COMMANDS, flags
from tests.console_blocks import run


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_everything_is_completed(shell: str, tmp_path: Path) -> None:
    script, code = run(f"dravite completion {shell}", tmp_path)
    assert code == 0
    for command in COMMANDS:
        assert command in script
        for flag in flags.COMMAND_FLAGS[command]:
            assert flag.names[-1].removeprefix("--") in script


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_accepts_its_script(shell: str, tmp_path: Path) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    script, _ = run(f"dravite completion {shell}", tmp_path)
    (tmp_path / "script").write_text(script)
    subprocess.run([program, "-n", str(tmp_path / "script")], check=True)  # noqa: S603
