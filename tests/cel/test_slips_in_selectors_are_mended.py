"""A selector that does not compile is mended where it is clear what was meant, and what comes out does compile."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dravite.cel import CelError, compile_selector
from dravite.cel.slips import mended, with_constants, with_domain

NAME = 'device.attributes["gpu.example.com"].model'
SIZE = 'device.capacity["gpu.example.com"].memory'


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        # quantities and versions are compared by a method
        (f'{SIZE} >= quantity("40Gi")', f'{SIZE}.compareTo(quantity("40Gi")) >= 0'),
        (f'{SIZE} >= "40Gi"', f'{SIZE}.compareTo(quantity("40Gi")) >= 0'),
        (f"{SIZE} > 40Gi", f'{SIZE}.compareTo(quantity("40Gi")) > 0'),
        (f'quantity("40Gi") <= {SIZE}', f'quantity("40Gi").compareTo({SIZE}) <= 0'),
        (f'{SIZE}.isGreaterThan("40Gi")', f'{SIZE}.isGreaterThan(quantity("40Gi"))'),
        (f'{SIZE}.value.compareTo(quantity("40Gi")) >= 0', f'{SIZE}.compareTo(quantity("40Gi")) >= 0'),
        (f'{NAME} >= semver("8.0")', f'{NAME}.compareTo(semver("8.0.0")) >= 0'),
        # keys: first the domain, then the name
        ('device.attributes["gpu.example.com/model"] == "A"', f'{NAME} == "A"'),
        ('device.attributes[gpu.example.com].model == "A"', f'{NAME} == "A"'),
        ('device.capacity.gpu.example.com.memory.compareTo(quantity("1")) > 0', f'{SIZE}.compareTo(quantity("1")) > 0'),
        ('has(device.attributes["gpu.example.com"]["model"])', f"has({NAME})"),
        # operators and words of other languages
        ('device.driver = "gpu.example.com"', 'device.driver == "gpu.example.com"'),
        (f'{NAME} == "A" and not has({SIZE})', f'{NAME} == "A" && !has({SIZE})'),
        (f'{NAME} == "A" || "B"', f'{NAME} in ["A", "B"]'),
        (f'{NAME} in ("A", "B")', f'{NAME} in ["A", "B"]'),
        (f'{NAME}.matches("*A*")', f'{NAME}.matches(".*A.*")'),
        (f'{NAME} contains "A"', f'{NAME}.contains("A")'),
        (f'{NAME}.toLower().startswith("a")', f'{NAME}.lowerAscii().startsWith("a")'),
        # names and quotes
        ('device.attribute["gpu.example.com"].model == "A"', f'{NAME} == "A"'),
        ('attributes["gpu.example.com"].model == "A"', f'{NAME} == "A"'),
        ("device.driver == gpu.example.com", 'device.driver == "gpu.example.com"'),
        (f"{NAME} == \u201cA\u201d", f'{NAME} == "A"'),
        # nobody can tell
        (f"{SIZE}.compareTo(quantity('40Gi'))", None),
        ('device.attributes["model"] == "A"', None),
        ("device.name == 'gpu-0'", None),
    ],
)
def test_a_slip_is_mended(written: str, meant: str | None) -> None:
    assert isinstance(compile_selector(written), CelError)
    assert mended(written) == meant


def test_what_stands_in_quotes_is_nobodys_slip() -> None:
    text = f"""{NAME} == "a = b and c" and device.driver == 'x or y'"""
    assert mended(text) == f"""{NAME} == "a = b and c" && device.driver == 'x or y'"""


@pytest.mark.parametrize(
    ("mend", "written", "meant"),
    [
        (with_domain, 'device.attributes.gpu.example.com.model == "A"', f'{NAME} == "A"'),
        (with_domain, f'{NAME} == "A"', None),
        (with_constants, f'{SIZE}.compareTo(quantity("40 GB")) >= 0', f'{SIZE}.compareTo(quantity("40G")) >= 0'),
        (with_constants, f'{NAME}.compareTo(semver("v8.0")) >= 0', f'{NAME}.compareTo(semver("8.0.0")) >= 0'),
    ],
)
def test_what_compiles_and_means_nothing_is_mended(
    mend: Callable[[str], str | None], written: str, meant: str | None
) -> None:
    assert not isinstance(compile_selector(written), CelError)
    assert mend(written) == meant


WORDS = st.sampled_from(
    [
        *(
            "device",
            ".attributes",
            ".capacity",
            '["a.b"]',
            '["a.b/c"]',
            ".c",
            " = ",
            " == ",
            " >= ",
            '"x"',
            "40Gi",
            " and ",
        ),
        *(
            " or ",
            "not ",
            "(",
            ")",
            "quantity(",
            'semver("8")',
            " in ",
            ",",
            ".startswith",
            " || ",
            "\u201cy\u201d",
            "!",
        ),
    ]
)


@given(st.lists(WORDS, max_size=14).map("".join))
def test_what_comes_out_compiles(text: str) -> None:
    for better in (mended(text), with_domain(text), with_constants(text)):
        assert better is None or not isinstance(compile_selector(better), CelError)
