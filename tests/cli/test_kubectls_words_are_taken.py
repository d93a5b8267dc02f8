"""`kubectl apply` and `kubectl delete` have lent `what-if` their words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.console_blocks import run

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("words", "ours"),
    [
        ("--apply examples/jobs", "--with examples/jobs"),
        ("--delete pod/vision/render-0", "--without pod/vision/render-0"),
    ],
)
def test_both_words_mean_the_same(words: str, ours: str) -> None:
    answer = run(f"dravite what-if -f examples/cluster {words} -o json", ROOT)
    assert answer == run(f"dravite what-if -f examples/cluster {ours} -o json", ROOT)
    assert json.loads(answer[0])["changes"]
