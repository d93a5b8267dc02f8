"""Equality, order and membership of values whose types are only known on the device."""

from __future__ import annotations

import pytest

from tests.cel.gpus import A, C, verdict


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (f"{A}.version == {A}.built", True),
        (f"{A}.version == semver('1.2.3+other')", True),
        (f"{A}.version.compareTo({A}.built) == 0", True),
        (f"{A}.version == '1.2.3'", "no such overload"),
        (f"{A}.version != '1.2.3'", True),
        (f"'1.2.3' == {A}.version", False),
        (f"'1.2.3' != {A}.version", True),
        (f"{A}.text == semver('1.2.3')", False),
        (f"{A}.version.isGreaterThan(semver('1.2.3-rc.1'))", True),
        (f"{A}.version < {A}.built", "no such overload: _<_"),
    ],
)
def test_cel_26_versions(text: str, answer: bool | str) -> None:
    assert verdict(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (f"{C}.memory == quantity('40960Mi')", True),
        (f"{C}.memory == dyn('40Gi')", "no such overload"),
        (f"{C}.memory != dyn('40Gi')", True),
        (f"dyn('40Gi') == {C}.memory", False),
        (f"{C}.memory.isGreaterThan(quantity('39.9Gi'))", True),
        (f"{C}.memory.compareTo(quantity('40Gi')) == 0", True),
        (f"{C}.memory.add(quantity('1')).asInteger() == 42949672961", True),
        (f"{C}.memory.sub(40) .isGreaterThan(quantity('40Gi'))", False),
        ("quantity('1.5').isInteger()", False),
        ("quantity('0.5').asInteger() == 0", "cannot convert value to integer"),
    ],
)
def test_cel_26_quantities(text: str, answer: bool | str) -> None:
    assert verdict(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (f"{A}.five == 5.0", True),
        (f"{A}.five == 5u", True),
        (f"{A}.five < 5.5", True),
        (f"{A}.five == '5'", False),
        (f"{A}.five == true", False),
        (f"{A}.yes == 1", False),
        (f"{A}.five in [5.0, 6.0]", True),
        (f"{A}.yes in [dyn(1), dyn('a')]", False),
        ("dyn(9007199254740993) == 9007199254740992.0", True),
        ("dyn(9007199254740993) == 9007199254740993", True),
        ("dyn(0.0/0.0) == 0.0/0.0", False),
        ("dyn(18446744073709551615u) > 1", True),
        ("dyn(null) == null", True),
        ("dyn([1, 2]) == [1.0, 2.0]", True),
        ("dyn({1: 'a'}) == {1u: 'a'}", True),
        ("dyn({'a': 1}) == {'a': 2}", False),
        ("dyn(b'ab') == 'ab'", False),
        ("dyn(b'a') < b'b'", True),
        ("dyn('Z') < 'a'", True),
        ("dyn('\\uffff') < '\\U00010000'", True),
        ("dyn(true) > false", True),
        ("dyn(type(1)) == int", True),
        ("dyn(duration('60s')) == duration('1m')", True),
        ("dyn(timestamp('2026-01-01T01:00:00+01:00')) == timestamp('2026-01-01T00:00:00Z')", True),
    ],
)
def test_cel_22_numbers_compare_across_types_and_nothing_else_does(text: str, answer: bool) -> None:
    assert verdict(text) is answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (f"{A}.ints.includes(2)", True),
        (f"{A}.ints.includes(2.0)", True),
        (f"{A}.ints.includes('2')", False),
        (f"{A}.five.includes(5)", True),
        (f"{A}.text.includes('b')", False),
        (f"{A}.text.includes('abc')", True),
        (f"2 in {A}.ints", True),
        (f"'text' in {A}", True),
        (f"'b' in {A}.text", "no such overload"),
        (f"5 in {A}.five", "no such overload"),
    ],
)
def test_cel_25_membership(text: str, answer: bool | str) -> None:
    assert verdict(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("semver('v1.2.3', true) == semver('1.2.3')", True),
        ("semver('1', true) == semver('1.0.0')", True),
        ("semver('01.002.3', true) == semver('1.2.3')", True),
        ("isSemver('vv1.2.3', true)", False),
        ("isSemver(' 1.2.3', true)", False),
        ("isSemver('1.2-rc.1', true)", False),
        ("isSemver('v1.2.3')", False),
        ("isQuantity('40Gi') && !isQuantity('40GiB')", True),
    ],
)
def test_cel_27_what_is_a_version_or_a_quantity(text: str, answer: bool) -> None:
    assert verdict(text) is answer
