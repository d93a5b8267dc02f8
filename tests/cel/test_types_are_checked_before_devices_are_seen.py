"""The type checker: what Kubernetes refuses at once, and what an environment declares (CEL-5 to CEL-7, CEL-22)."""

from __future__ import annotations

import pytest

from dravite.cel import CelError, Program, compile_derived_attribute, compile_selector, new_environment

_NO_RANGE = "cannot be range of a comprehension (must be list, map, or dynamic)"
_WHOLE_ONLY = "decimal clause can only be used on integers"
_VALUE = 'device.attributes["a.example.com"].x'


def headline(outcome: Program | CelError) -> str:
    assert isinstance(outcome, CelError), outcome
    return outcome.message.split("\n", 1)[0].removeprefix("compilation failed: ERROR: <input>:")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("device.foo", "1:7: undefined field 'foo'"),
        ("driver == 'x'", "1:1: undeclared reference to 'driver' (in container '')"),
        ("device.driver.foo", "1:14: type 'string' does not support field selection"),
        ("quantity('1').foo", "1:14: unexpected failed resolution of 'kubernetes.Quantity'"),
        ("1 + 'a' == 2", "1:3: found no matching overload for '_+_' applied to '(int, string)'"),
        ("device.driver.size(1)", "1:19: found no matching overload for 'size' applied to 'string.(int)'"),
        ("1 == 1.0", "1:3: found no matching overload for '_==_' applied to '(int, double)'"),
        ("true && 1", "1:9: expected type 'bool' but found 'int'"),
        ("true ? 1 : 'a'", "1:6: found no matching overload for '_?_:_' applied to '(bool, int, string)'"),
        ("[1, 'a'] == []", "1:5: expected type 'int' but found 'string'"),
        ("{'a': 1, 2: 3} == {}", "1:10: expected type 'string' but found 'int'"),
        (f"[{_VALUE}, 1] == []", "1:40: expected type 'dyn' but found 'int'"),
        ("5.all(x, true)", f"1:1: expression of type 'int' {_NO_RANGE}"),
        ("google.protobuf.Timestamp{second: 1} == timestamp(1)", "1:33: undefined field 'second'"),
        ("duration('x') == duration('1s')", "1:10: invalid duration argument"),
        ("timestamp('2020') == timestamp(0)", "1:11: invalid timestamp argument"),
        ("'a'.matches('(')", "1:13: invalid matches argument"),
        ("'%d'.format(['x']) == ''", f"1:14: error during formatting: {_WHOLE_ONLY}, was given string"),
        ("'%d'.format([1, 2]) == ''", "1:12: too many arguments supplied to string.format (expected 1, got 2)"),
        ("'%d'.format([]) == ''", "1:12: index 0 out of range"),
    ],
    ids=repr,
)  # fmt: skip
def test_what_cannot_be_meant(text: str, expected: str) -> None:
    assert headline(compile_selector(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int('x') == 1", "type conversion error from 'string' to 'int'"),
        ("false && int('x') == 1", "type conversion error from 'string' to 'int'"),
        ("int(18446744073709551615u) == 1", "integer overflow"),
        ("'a'.find('(') == ''", "error parsing regexp: missing closing ): `(`"),
        ("{null: 1}[null] == 1", "invalid qualifier type: types.Null"),
        ("type(device) == kubernetes.DRADevice", "reference to undefined type: kubernetes.DRADevice"),
    ],
    ids=repr,
)
def test_constant_parts_are_worked_out_at_once(text: str, expected: str) -> None:
    error = compile_selector(text)
    assert isinstance(error, CelError)
    assert error.message == f"program instantiation failed: {expected}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", "int"),
        ("device", "kubernetes.DRADevice"),
        ("device.attributes", "map(string, map(string, dyn))"),
        ("[]", "list(dyn)"),
        ("null", "null_type"),
        ("type(1)", "type(int)"),
        ("optional.of(1)", "optional_type(int)"),
    ],
    ids=repr,
)
def test_cel_7_a_selector_answers_with_a_bool_or_something_unknown(text: str, expected: str) -> None:
    assert headline(compile_selector(text)) == f"must evaluate to bool or the unknown type, not {expected}"


def test_cel_7_the_output_type_is_kept() -> None:
    for text, expected in (("true", "bool"), (_VALUE, "dyn")):
        program = compile_selector(text)
        assert isinstance(program, Program)
        assert program.output_type == expected


@pytest.mark.parametrize("text", ["1", "'a'", "true", "semver('1.0.0')", "[1]", "[semver('1.0.0')]", _VALUE, "[]"])
def test_a_derived_attribute_is_a_scalar_or_a_list_of_scalars(text: str) -> None:
    assert isinstance(compile_derived_attribute(text), Program)


@pytest.mark.parametrize("text", ["1.5", "{}", "[[1]]", "quantity('1')", "null", "device"])
def test_a_derived_attribute_is_nothing_else(text: str) -> None:
    expected = "must evaluate to a primitive scalar (string, integer, boolean, semver) or a list of these scalars, not "
    assert headline(compile_derived_attribute(text)).startswith(expected)


_GATED = {
    "device.allowMultipleAllocations": ("ConsumableCapacity", "1:7: undefined field 'allowMultipleAllocations'"),
    f"{_VALUE}.includes(1)": ("ListTypeAttributes", "1:46: undeclared reference to 'includes' (in container '')"),
    f"{_VALUE}.exists(v, v == 1)": (
        "ListTypeAttributes",
        f"1:35: expression of type 'any' {_NO_RANGE}",
    ),
}


@pytest.mark.parametrize("text", _GATED)
@pytest.mark.parametrize("features", [(), ("ConsumableCapacity",), ("ListTypeAttributes",)], ids=repr)
def test_cel_6_new_expressions_are_held_to_the_feature_gates(text: str, features: tuple[str, ...]) -> None:
    gate, message = _GATED[text]
    outcome = compile_selector(text, new_environment(frozenset(features)))
    if gate in features:
        assert isinstance(outcome, Program)
    else:
        assert headline(outcome) == message
    assert isinstance(compile_selector(text), Program), "stored expressions may use everything"


@pytest.mark.parametrize("text", [f"{_VALUE}[0] == 1", f"1 in {_VALUE}", f"size({_VALUE}) == 1"])
def test_cel_6_indexing_needs_no_gate(text: str) -> None:
    assert isinstance(compile_selector(text, new_environment(frozenset())), Program)
