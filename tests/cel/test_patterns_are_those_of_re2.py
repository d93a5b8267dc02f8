"""`matches`, `find` and `findAll` understand the patterns of RE2 and refuse what it refuses, in its words."""

from __future__ import annotations

import pytest
from tests.cel.gpus import A, verdict

from dravite.cel import CelError, compile_selector


@pytest.mark.parametrize(
    ("pattern", "text", "answer"),
    [
        ("b", "abc", True),
        ("^b", "abc", False),
        ("^a.c$", "abc", True),
        ("a.c", "a\\nc", False),
        ("(?s)a.c", "a\\nc", True),
        ("^c$", "a\\nc", False),
        ("(?m)^c$", "a\\nc", True),
        ("c$", "c\\n", False),
        ("(?i)ABC", "xabcx", True),
        ("(?i:A)B", "aB", True),
        ("(?i:A)B", "ab", False),
        ("\\\\d+", "٣", False),
        ("\\\\pN", "٣", True),
        ("\\\\p{Greek}", "λ", True),
        ("\\\\P{L}", "λ", False),
        ("[[:alpha:]]{3}", "ab1", False),
        ("[[:^digit:]]", "1", False),
        ("\\\\x{3bb}", "λ", True),
        ("\\\\Qa.c\\\\E", "abc", False),
        ("a{,2}", "a{,2}", True),
        ("(?P<name>a)", "a", True),
        ("(?<name>a)", "a", True),
        ("\\\\Aab\\\\z", "ab", True),
        ("(|a)+", "b", True),
        ("\\\\bb", "a b", True),
    ],
)
def test_what_matches(pattern: str, text: str, answer: bool) -> None:
    assert verdict(f'dyn("{text}").matches("{pattern}")') is answer


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(", "missing closing ): `(`"),
        (")", "unexpected ): `)`"),
        ("*", "missing argument to repetition operator: `*`"),
        ("a**", "invalid nested repetition operator: `**`"),
        ("[b-a]", "invalid character class range: `b-a`"),
        ("[", "missing closing ]: `[`"),
        ("(?=a)", "invalid or unsupported Perl syntax: `(?=`"),
        ("(?<!a)", "invalid named capture: `(?<!a)`"),
        ("(a)\\\\1", "invalid escape sequence: `\\1`"),
        ("\\\\Z", "invalid escape sequence: `\\Z`"),
        ("a{1001}", "invalid repeat count: `{1001}`"),
        ("a{2,1}", "invalid repeat count: `{2,1}`"),
        ("\\\\p{Klingon}", "invalid character class range: `\\p{Klingon}`"),
        ("\\\\", "trailing backslash at end of expression: ``"),
    ],
)
def test_what_is_refused(pattern: str, reason: str) -> None:
    assert verdict(f'device.driver.matches({A}.empty + "{pattern}")') == f"error parsing regexp: {reason}"


def test_patterns_that_are_written_out_are_refused_early() -> None:
    error = compile_selector('device.driver.matches("(")')
    assert isinstance(error, CelError)
    assert "invalid matches argument" in error.message


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('"a1b22".find("[0-9]+") == "1"', True),
        ('"ab".find("[0-9]+") == ""', True),
        ('"a1b22".findAll("[0-9]+") == ["1", "22"]', True),
        ('"a1b22".findAll("[0-9]+", 1) == ["1"]', True),
        ('"a1b22".findAll("[0-9]+", 0) == []', True),
        ('"aab".findAll("a*") == ["aa", ""]', True),
        ('"ab".findAll("") == ["", "", ""]', True),
        (
            '"ab".find(device.driver + "(") == ""',
            "Illegal regex: error parsing regexp: missing closing ): `gpu.example.com(`",
        ),
    ],
)
def test_what_is_found(text: str, answer: bool | str) -> None:
    assert verdict(text) == answer
