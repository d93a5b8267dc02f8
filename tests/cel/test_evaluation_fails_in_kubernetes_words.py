"""What a selector answers where it has no answer: the messages, what absorbs an error, and where it points."""

from __future__ import annotations

import pytest

from dravite.cel import CelError, Program, compile_derived_attribute, evaluate_derived_attribute, with_hint
from tests.cel.gpus import A, C, activation, ran, verdict

HINT = (
    ". consider using CEL optional chaining (.? followed by orValue()) or guarding the check with has() "
    "for optional fields"
)
QUANTITY_SHAPE = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (f"{A}.typo == 1", "typo"),
        ('device.attributes["no.example.com"].x', "x"),
        (f"{A}.text.length == 1", "length"),
        (f"{C}.typo.isInteger()", "typo"),
    ],
)
def test_cel_17_a_missing_key_comes_with_a_hint_once(text: str, key: str) -> None:
    assert verdict(text) == f"no such key: {key}{HINT}"


def test_cel_17_the_hint_is_added_once_and_only_to_missing_keys() -> None:
    missing, other = CelError("runtime", "no such key: x", ""), CelError("runtime", "division by zero", "")
    assert with_hint(with_hint(missing)) == with_hint(missing)
    assert with_hint(other) == other


def test_cel_17_derived_attributes_get_no_hint() -> None:
    program = compile_derived_attribute(f"{A}.typo")
    assert isinstance(program, Program)
    error = evaluate_derived_attribute(program, activation())
    assert isinstance(error, CelError)
    assert error.message == "no such key: typo"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{A}.text", "string could not be converted to bool: unsupported native conversion from string to 'bool'"),
        (f"{A}.five", "int could not be converted to bool: unsupported type conversion from 'int' to bool"),
        (f"{A}.ints", "list could not be converted to bool: type conversion error from list to 'bool'"),
        (f"dyn({A})", "map could not be converted to bool: type conversion error from map to 'bool'"),
        (
            f"{A}.version",
            "kubernetes.Semver could not be converted to bool: type conversion error from 'Semver' to 'bool'",
        ),
        (f"dyn({A}.?typo)", "optional_type could not be converted to bool: optional.none() dereference"),
    ],
)
def test_cel_7_a_selector_must_answer_with_a_bool(text: str, reason: str) -> None:
    assert verdict(text) == f"CEL result of type {reason}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{A}.five / 0 == 1", "division by zero"),
        (f"{A}.five % 0 == 1", "modulus by zero"),
        (f"{A}.five + 9223372036854775807 > 0", "integer overflow"),
        (f"uint({A}.five) - 6u == 0u", "unsigned integer overflow"),
        (f"-({A}.five - 5 - 9223372036854775807 - 1) == 0", "integer overflow"),
        (f"{A}.ints[3] == 1", "index out of bounds: 3"),
        (f"int({A}.text) == 1", "type conversion error from 'string' to 'int'"),
        (f'{A}.text.matches("a" + "(")', "error parsing regexp: missing closing ): `a(`"),
        (f"{A}.text < 5", "no such overload"),
        (f"{A}.five.isGreaterThan({A}.version)", "no such overload: isGreaterThan(int, kubernetes.Semver)"),
        (f"quantity({A}.text + 'Gi').isInteger()", QUANTITY_SHAPE),
        (f"semver({A}.text).major() == 1", "No Major.Minor.Patch elements found"),
    ],
)
def test_what_goes_wrong_is_said(text: str, message: str) -> None:
    assert verdict(text) == message


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("{error} || true", True),
        ("true || {error}", True),
        ("{error} && false", False),
        ("false && {error}", False),
        ("!({error} && false)", True),
        ("true ? true : {error}", True),
        ("{A}.ints.exists(x, x == 2 || {error})", True),
        ("{A}.ints.exists(x, {error} || x == 3)", True),
        ("{A}.ints.all(x, {error} && x == 3)", False),
        ("[{error}].size() == 1", None),
        ("{error} || false", None),
        ("{error} && true", None),
        ("{error} ? true : true", None),
        ("{A}.ints.exists_one(x, x == 2 || {error})", None),
        ("{A}.ints.exists(x, x == 4 || {error})", None),
    ],
)
def test_cel_15_logic_absorbs_errors_where_the_answer_is_known(text: str, answer: bool | None) -> None:
    found = verdict(text.format(error=f"{A}.typo", A=A))
    assert found == (f"no such key: typo{HINT}" if answer is None else answer)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (f"{A}.five == 5 && {A}.five / 0 == 1", " / 0"),
        (f"{A}.yes && [1].exists(x, x == 1 && {A}.text < x)", " < x"),
    ],
)
def test_an_error_points_to_its_place(text: str, place: str) -> None:
    error = ran(text).error
    assert error is not None
    assert (error.phase, error.source) == ("runtime", text)
    assert error.offset is not None
    assert text[error.offset :].startswith(place.strip())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (f"{A}.five + 1", 6),
        (f"{A}.text + '!'", "abc!"),
        (f"{A}.ints.map(x, x * 2)", (2, 4, 6)),
        (f"{A}.?typo.orValue('none')", "none"),
        (f"{A}.version", None),
        ("['a', 'b'].filter(x, x == 'c')", ()),
        ("dyn({})", "unsupported CEL return type: map[ref.Val]ref.Val"),
        ("[dyn(1), dyn('a')]", "expected list element at index 1 to be int, got string"),
        ("[1.5].map(x, dyn(x))", "unsupported list element type: float64"),
    ],
)
def test_what_a_derived_attribute_can_be(text: str, value: object) -> None:
    program = compile_derived_attribute(text)
    assert isinstance(program, Program), program
    found = evaluate_derived_attribute(program, activation())
    assert value is None or (found.message if isinstance(found, CelError) else found) == value
