"""`# dravite: ignore` at a line, above it, and for a whole file; what cannot be read is never silent."""

from __future__ import annotations

import pytest

from dravite.lint import without_silenced
from tests.lint.manifests import problems, template

GOOD = "exactly: {deviceClassName: gpu.example.com}"
BAD = template().replace(GOOD, "exactly: {deviceClassName: gpu.example.com, cuont: 2}")
LINE = "        exactly:"


def left(text: str) -> list[str]:
    return [one.type for one in without_silenced(problems(text), {"m.yaml": text})]


def test_without_a_comment_nothing_is_silent() -> None:
    assert left(BAD) == ["unknown-field"]


@pytest.mark.parametrize(
    "comment", ["# dravite: ignore unknown-field", "# dravite: ignore", "#dravite: ignore a, unknown-field"]
)
def test_a_comment_silences_the_line_that_it_ends(comment: str) -> None:
    assert left(BAD.replace("cuont: 2}", f"cuont: 2}}  {comment}")) == []


def test_a_comment_silences_the_line_below_it_across_other_comments() -> None:
    assert left(BAD.replace(LINE, f"        # dravite: ignore unknown-field\n        # it is newer\n{LINE}")) == []


def test_a_comment_of_another_code_or_place_silences_nothing() -> None:
    assert left(BAD.replace("cuont: 2}", "cuont: 2}  # dravite: ignore gate-off")) == ["unknown-field"]
    assert left("# dravite: ignore unknown-field\n" + BAD) == ["unknown-field"]


def test_a_file_can_be_silenced() -> None:
    assert left("# dravite: ignore-file unknown-field\n" + BAD) == []
    assert left(BAD + "# dravite: ignore-file\n") == []


def test_a_text_that_looks_like_a_comment_in_a_value_is_none() -> None:
    assert left(BAD.replace("cuont: 2}", "cuont: 'a#dravite: ignore'}")) == ["unknown-field"]


def test_what_cannot_be_parsed_is_never_silent() -> None:
    assert left("# dravite: ignore-file\na: [\n") == ["yaml-syntax"]
