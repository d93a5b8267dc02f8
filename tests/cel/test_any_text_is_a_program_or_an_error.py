"""Whatever people write: it compiles, or says where and why it does not."""

from __future__ import annotations

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from dravite.cel import CelError, Program, compile_derived_attribute, compile_selector
from dravite.cel.syntax import parse

_PIECES = (
    *(
        "device",
        ".driver",
        ".attributes",
        '["a.example.com"]',
        ".x",
        "==",
        "!=",
        "&&",
        "||",
        "!",
        "-",
        "1",
        "2u",
        "0.5",
    ),
    *('"text"', "'t'", 'b"y"', "true", "null", "in", "[", "]", "{", "}", "(", ")", ",", ":", "?", ".", ".?", "[?"),
    *("has(", ".exists(v, ", ".map(", "cel.bind(b, ", "size(", "`q`", "\n", " ", "//\n", ";", "&", '"', "if", "é"),
)
fragments = st.lists(st.sampled_from(_PIECES), max_size=14).map("".join)
texts = st.one_of(st.text(max_size=80), fragments)


@given(texts)
def test_compiling_never_raises(text: str) -> None:
    outcome = compile_selector(text)
    event(type(outcome).__name__)
    assert isinstance(outcome, Program | CelError)
    assert isinstance(compile_derived_attribute(text), Program | CelError)


@given(texts)
def test_errors_point_into_the_source(text: str) -> None:
    error = compile_selector(text)
    if isinstance(error, CelError):
        assert error.phase == "compile"
        assert error.source == text
        assert error.message
        assert error.offset is None or 0 <= error.offset <= len(text)


@given(fragments)
def test_reading_gives_a_tree_or_faults_and_never_both(text: str) -> None:
    parsed = parse(text)
    assert (parsed.tree is None) == bool(parsed.faults)


@given(fragments)
def test_the_same_text_gives_the_same_answer(text: str) -> None:
    first, second = compile_selector(text), compile_selector(text)
    assert str(first) == str(second)


def test_the_fragments_make_both_programs_and_errors() -> None:
    assert isinstance(compile_selector('device.driver == "text"'), Program)
    assert isinstance(compile_selector("device.driver =="), CelError)


@pytest.mark.parametrize(
    "nested",
    [
        "(" * 249 + "true" + ")" * 249,
        "[1]" + "[0]" * 249 + " == 1",
        "true" + " && true" * 3000,
        "1" + " + 1" * 249 + " == 250",
        "[1].exists(a, " * 100 + "true" + ")" * 100,
        "true ? true : " * 249 + "true",
    ],
    ids=lambda text: text[:16],
)
def test_deep_expressions_do_not_exhaust_python(nested: str) -> None:
    assert isinstance(compile_selector(nested), Program | CelError)


@pytest.mark.parametrize(
    ("too_much", "message"),
    [
        ("(" * 250 + "true" + ")" * 250, "expression recursion limit exceeded: 250"),
        ("true ? true : " * 250 + "true", "expression recursion limit exceeded: 250"),
        ("1" + " + 1" * 250 + " == 1", "max recursion depth exceeded"),
        ("device" + ".a" * 250 + " == 1", "max recursion depth exceeded"),
        ('"' + "a" * 100_000 + '"', "expression code point size exceeds limit: size: 100002, limit 100000"),
    ],
    ids=["parentheses", "ternaries", "sums", "fields", "length"],
)
def test_limits_are_said_about_the_whole_text(too_much: str, message: str) -> None:
    error = compile_selector(too_much)
    assert isinstance(error, CelError)
    assert error.message == f"compilation failed: ERROR: <input>:-1:0: {message}"
    assert error.offset is None
