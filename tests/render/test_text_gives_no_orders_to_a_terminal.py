"""Names and attributes are somebody else's text: what a terminal would obey in them is spelled out."""

from __future__ import annotations

from pathlib import Path

import pytest

from dravite.render.harmless import harmless
from tests.console_blocks import run

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a\x1b[2Jb", r"a\x1b[2Jb"),
        ("a\x1b]0;title\x07b", r"a\x1b]0;title\x07b"),
        ("a\rb\x9bc\x7f", r"a\rb\x9bc\x7f"),
        ("pod\u202etxt", r"pod\u202etxt"),
        ("a\tb\nc é", "a\tb\nc é"),
    ],
)
def test_control_characters_are_spelled_out(text: str, said: str) -> None:
    assert harmless(text, colour=False) == said
    assert harmless(text, colour=True) == said


def test_colours_stay_where_there_are_colours() -> None:
    assert harmless("\x1b[31merror\x1b[0m\x1b[2K", colour=True) == "\x1b[31merror\x1b[0m\\x1b[2K"
    assert harmless("\x1b[31merror\x1b[0m", colour=False) == r"\x1b[31merror\x1b[0m"


def test_an_attribute_of_a_device_cannot_wipe_the_screen(tmp_path: Path) -> None:
    slices = (ROOT / "examples/cluster/slices.yaml").read_text()
    (tmp_path / "slices.yaml").write_text(slices.replace("string: G80", 'string: "G80\\e[2J"'))
    told, code = run("dravite pools slices.yaml", tmp_path)
    assert r"G80\x1b[2J" in told
    assert "\x1b" not in told
    assert code == 0
