"""A text that nests too deeply is refused, also where room was made for deep expressions before."""

from __future__ import annotations

import subprocess
import sys

import pytest

READ = """
from dravite.api.surface import ModelError
from dravite.api.resource_v1 import ResourceClaim
from dravite.cel import compile_selector

compile_selector("(" * 240 + "true" + ")" * 240)
try:
    ResourceClaim.from_json({text})
except ModelError as error:
    print(error)
"""


@pytest.mark.parametrize(
    "text",
    ["'[' * 100_000", "'{\"a\":' * 100_000", '\'{"spec":{"a":\' * 100_000', "'{\"spec\":' + '[{\"a\":' * 100_000"],
)
def test_deep_json_is_refused_after_a_deep_expression(text: str) -> None:
    command = [sys.executable, "-c", READ.format(text=text)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own words
    assert done.returncode == 0, done.stderr
    assert "nested too deeply" in done.stdout
