"""Amounts: read, added, compared and written as Kubernetes does, without ever losing a nano unit."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dravite.api.quantity import NANO, TOO_LONG, WRONG_SHAPE, WRONG_SUFFIX, Quantity, QuantityError

EXABYTE = 10**18


@pytest.mark.parametrize(
    ("text", "nano"),
    [
        ("0", 0),
        ("1", NANO),
        ("-1", -NANO),
        ("+1.5", 1_500_000_000),
        (".5", NANO // 2),
        ("5.", 5 * NANO),
        ("500m", NANO // 2),
        ("1u", 1000),
        ("1n", 1),
        ("1k", 1000 * NANO),
        ("1Ki", 1024 * NANO),
        ("40Gi", 40 * 2**30 * NANO),
        ("1.5Gi", 3 * 2**29 * NANO),
        ("1E", EXABYTE * NANO),
        ("1e3", 1000 * NANO),
        ("1E-3", NANO // 1000),
        ("0.1n", 1),
        ("Gi", 0),
        (".", 0),
        ("1.0000000001", NANO + 1),
    ],
)
def test_what_texts_mean(text: str, nano: int) -> None:
    assert Quantity.parse(text).nano == nano


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", WRONG_SHAPE),
        (" 1", WRONG_SHAPE),
        ("1 Gi", WRONG_SHAPE),
        ("1GiB", WRONG_SHAPE),
        ("1.2.3", WRONG_SHAPE),
        ("٣", WRONG_SHAPE),
        ("1gi", WRONG_SHAPE),
        ("1ki", WRONG_SUFFIX),
        ("1K", WRONG_SUFFIX),
        ("1mi", WRONG_SUFFIX),
        ("0" * 2000 + "!", TOO_LONG),
        ("0" * 1990 + "!", WRONG_SHAPE),
        ("9" * 5000, TOO_LONG),
        ("1e" + "9" * 5000, TOO_LONG),
    ],
)
def test_what_is_no_amount(text: str, reason: str) -> None:
    with pytest.raises(QuantityError) as caught:
        Quantity.parse(text)
    assert str(caught.value) == reason


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("1024", "1024"),
        ("1000", "1k"),
        ("1024Ki", "1Mi"),
        ("1500m", "1500m"),
        ("1.5", "1500m"),
        ("0.5Gi", "512Mi"),
        ("1500Mi", "1500Mi"),
        ("12000000", "12M"),
        ("1e3", "1e3"),
        ("1200e3", "1200e3"),
        ("0Gi", "0"),
        ("-40Gi", "-40Gi"),
    ],
)
def test_how_amounts_are_written(text: str, written: str) -> None:
    assert str(Quantity.parse(text)) == written


@pytest.mark.parametrize(
    ("left", "right", "total"),
    [
        ("1Gi", "1", "1073741825"),
        ("1Gi", "1Gi", "2Gi"),
        ("1", "1Gi", "1073741825"),
        ("0", "1Gi", "1Gi"),
        ("500m", "500m", "1"),
        ("9223372036854775807", "1", "9223372036854775808"),
        ("1e6000", "1e6000", "2e6000"),
        ("1e6000", "1", "1" + "0" * 5999 + "1"),
    ],
)
def test_a_sum_is_written_in_the_first_notation(left: str, right: str, total: str) -> None:
    assert str(Quantity.parse(left) + Quantity.parse(right)) == total


amounts = st.builds(
    "{}{}".format,
    st.one_of(st.integers(-(10**6), 10**6), st.decimals(-1000, 1000, places=3)),
    st.sampled_from(("", "m", "k", "M", "G", "Ki", "Mi", "Gi", "e3")),
).map(Quantity.parse)


@settings(deadline=None)
@given(amounts)
def test_what_is_written_means_the_same(amount: Quantity) -> None:
    again = Quantity.parse(str(amount))
    assert again == amount
    assert str(again) == str(amount)


@settings(deadline=None)
@given(amounts, amounts, amounts)
def test_sums_are_those_of_numbers(one: Quantity, two: Quantity, three: Quantity) -> None:
    assert (one + two).nano == one.nano + two.nano
    assert one + two == two + one
    assert (one + two) + three == one + (two + three)
    assert (one + two) - two == one
    assert (one < two, one == two, one > two) == (one.nano < two.nano, one.nano == two.nano, one.nano > two.nano)
    assert one != two or hash(one) == hash(two)
