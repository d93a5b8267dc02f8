"""`matches`, `find` and `findAll` understand the patterns of RE2 and refuse what it refuses, in its words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dravite.cel import CelError, compile_selector
from dravite.cel.library.patterns import PatternError, compile_pattern
from tests.cel.gpus import A, verdict


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


@pytest.mark.parametrize(
    ("pattern", "text", "answer"),
    [
        (r"^(\w+\s?)*$", "NVIDIA A100 SXM4 80GB, in the first slot of the second row", False),
        (r"^(\w+\s?)*$", "NVIDIA A100 SXM4 80GB in the first slot of the second row", True),
        (r"(a+)+b", "a" * 5000, False),
        (r"(a|a)*b", "a" * 5000, False),
        ("a?" * 40 + "a" * 40, "a" * 40, True),
        (r".*.*.*.*.*x", "a" * 1000, False),
        (r"^(([a-z])+.)+[A-Z]([a-z])+$", "a" * 1000, False),
    ],
    ids=lambda value: str(value)[:24],
)
def test_no_pattern_takes_forever(pattern: str, text: str, answer: bool) -> None:
    assert compile_pattern(pattern).is_in(text) is answer


def test_simple_patterns_are_left_to_python() -> None:
    for simple in ("^NVIDIA (A100|H100)", "-80GB$", r"^\d{4}:[0-9a-f]{2}:[0-9a-f]{2}\.\d$", "(?i)^mlx5", "gpu-.*-mig"):
        assert compile_pattern(simple).longest > 64


pieces = st.sampled_from(("a", "b", ".", "[ab]", "^", "$", r"\b", r"\w", "()", "(?i:A)", "[^a]", "ab"))
patterns = st.recursive(
    pieces,
    lambda inner: st.one_of(
        st.builds("({}|{})".format, inner, inner),
        st.builds("{}{}".format, inner, inner),
        st.builds("(?:{}){}".format, inner, st.sampled_from(("*", "+", "?", "{2}", "{1,3}", "{2,}", "*?", "+?", "??"))),
    ),
    max_leaves=6,
)


@settings(deadline=None)
@given(patterns, st.text("abA -\n", max_size=8))
def test_both_ways_of_searching_find_the_same(text: str, subject: str) -> None:
    pattern = compile_pattern(text)
    if pattern.longest >= 0:
        found = pattern.python.search(subject)
        assert pattern._machine.search(subject, 0) == (found.span() if found else None)
    assert pattern.is_in(subject) == (pattern.search(subject) is not None)


@pytest.mark.parametrize("nested", ["(" * 999 + "a" + ")*" * 999, "(?:" * 999 + "a" + "|b)" * 999])
def test_deep_patterns_do_not_exhaust_python(nested: str) -> None:
    assert compile_pattern(nested).is_in("a") is True


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("(" * 1001 + ")" * 1001, "expression nests too deeply"),
        ("(" + "a" * 3353 + "){1000}", ""),
        ("(" + "a" * 3354 + "){1000}", "expression too large"),
    ],
    ids=["deep", "large", "too large"],
)
def test_what_is_too_much(pattern: str, problem: str) -> None:
    if not problem:
        compile_pattern(pattern)
        return
    with pytest.raises(PatternError, match=problem):
        compile_pattern(pattern)
