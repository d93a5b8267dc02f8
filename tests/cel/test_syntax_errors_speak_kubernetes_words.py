"""Messages that people search for: what stands where an expression leaves the grammar."""

from __future__ import annotations

import pytest

from dravite.cel import CelError, compile_selector

_OPERAND = (
    "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"
)


def faults(text: str) -> list[str]:
    """Place and sentence of every fault, in order."""
    error = compile_selector(text)
    assert isinstance(error, CelError), error
    lines = error.message.removeprefix("compilation failed: ").split("\n")
    return [line.removeprefix("ERROR: <input>:") for line in lines if line.startswith("ERROR: ")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('device.driver = "a"', ["1:15: Syntax error: token recognition error at: '= '",
                                 "1:17: Syntax error: extraneous input '\"a\"' expecting <EOF>"]),
        ("1 == 1 and true", ["1:8: Syntax error: mismatched input 'and' expecting <EOF>"]),
        ("1 2", ["1:3: Syntax error: extraneous input '2' expecting <EOF>"]),
        ("(1", ["1:3: Syntax error: missing ')' at '<EOF>'"]),
        ("[1 2]", ["1:4: Syntax error: extraneous input '2' expecting {']', ','}"]),
        ("{1 2}", ["1:4: Syntax error: missing ':' at '2'"]),
        ("1 ? 2", ["1:6: Syntax error: mismatched input '<EOF>' expecting ':'"]),
        ("size(1", ["1:7: Syntax error: missing ')' at '<EOF>'"]),
        ("1 +", [f"1:4: Syntax error: mismatched input '<EOF>' expecting {_OPERAND}"]),
        ("!", [f"1:2: Syntax error: extraneous input '<EOF>' expecting {_OPERAND}"]),
        ("!-x", ["1:3: Syntax error: no viable alternative at input '-x'"]),
        ("-", ["1:2: Syntax error: no viable alternative at input '-'",
               f"1:2: Syntax error: mismatched input '<EOF>' expecting {_OPERAND}"]),
        ("x.true", ["1:3: Syntax error: mismatched input 'true' expecting IDENTIFIER"]),
        ("x..y", ["1:3: Syntax error: no viable alternative at input '..'"]),
        ("x. [1]", ["1:4: Syntax error: no viable alternative at input '. ['"]),
        ("x.?(", ["1:4: Syntax error: mismatched input '(' expecting {IDENTIFIER, ESC_IDENTIFIER}",
                  "1:4: unsupported ident kind"]),
        ("'a", ["1:1: Syntax error: token recognition error at: ''a'",
                f"1:3: Syntax error: mismatched input '<EOF>' expecting {_OPERAND}"]),
        ("'a\\q'", ["1:1: Syntax error: token recognition error at: ''a\\q'",
                    "1:5: Syntax error: token recognition error at: '''",
                    f"1:6: Syntax error: mismatched input '<EOF>' expecting {_OPERAND}"]),
        ("a # b", ["1:3: Syntax error: token recognition error at: '#'",
                   "1:5: Syntax error: extraneous input 'b' expecting <EOF>"]),
        ("true &&\n  ) ", [f"2:3: Syntax error: mismatched input ')' expecting {_OPERAND}"]),
        ("", [f"1:0: Syntax error: mismatched input '<EOF>' expecting {_OPERAND}"]),
    ],
    ids=repr,
)  # fmt: skip
def test_where_the_grammar_is_left(text: str, expected: list[str]) -> None:
    assert faults(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if(1)", ["1:1: reserved identifier: if"]),
        ("has(device)", ["1:5: invalid argument to has() macro"]),
        ("[1].all(1, true)", ["1:9: argument must be a simple name"]),
        ("[1].map(1, true)", ["1:9: argument is not an identifier"]),
        ("[1].all(__result__, true)", ["1:9: iteration variable overwrites accumulator variable"]),
        ("[1].all(a, a, true)", ["1:12: duplicate variable name: a"]),
        ("cel.bind(1, 2, 3)", ["1:10: cel.bind() variable names must be simple identifiers"]),
        ("9223372036854775808", ["1:1: invalid int literal"]),
        ("- 9223372036854775809", ["1:1: invalid int literal"]),
        ("18446744073709551616u", ["1:1: invalid uint literal"]),
        ("9" * 5000, ["1:1: invalid int literal"]),
        ("9" * 5000 + "u", ["1:1: invalid uint literal"]),
        ("1e309", ["1:1: invalid double literal"]),
        ("'\\ud800'", ["1:1: invalid unicode code point"]),
        ("b'\\u00e9'", ["1:1: unable to unescape string"]),
    ],
    ids=repr,
)
def test_what_the_grammar_allows_and_the_language_does_not(text: str, expected: list[str]) -> None:
    assert faults(text) == expected


def test_faults_of_meaning_are_reported_along_with_those_of_syntax() -> None:
    assert faults("has(device) &&") == [
        "1:5: invalid argument to has() macro",
        f"1:15: Syntax error: mismatched input '<EOF>' expecting {_OPERAND}",
    ]


def test_the_caret_stands_under_wide_characters() -> None:
    error = compile_selector("'é' == é")
    assert isinstance(error, CelError)
    assert error.message.split("\n")[1:3] == [" | 'é' == é", " | .\uff0e.....\uff3e"]


def test_the_headline_leaves_out_what_the_compiler_puts_around_it() -> None:
    error = compile_selector("true &&\n\tdevice.foo")
    assert isinstance(error, CelError)
    assert error.headline == "undefined field 'foo'"
