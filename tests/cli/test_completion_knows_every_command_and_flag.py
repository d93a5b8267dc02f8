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


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["plan", "-o", ""], "text json yaml"),
        (["lint", "--output", ""], "text json sarif github"),
        (["explain", "--kubernetes", "1.36"], "1.36"),
        (["completion", ""], "bash zsh fish"),
        (["exp"], "explain"),
        (["plan", "--bud"], "--budget"),
    ],
)
def test_bash_offers_what_the_command_takes(words: list[str], offered: str, tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed")
    script, _ = run("dravite completion bash", tmp_path)
    line = " ".join(f"'{word}'" for word in ("dravite", *words))
    asked = f'{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(words)}; _dravite; echo "${{COMPREPLY[*]}}"'
    done = subprocess.run([bash, "-c", asked], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout == f"{offered}\n"
