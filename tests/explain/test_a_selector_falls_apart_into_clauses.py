"""The parts of a selector that can be told apart, and what each demands."""

import pytest

from dravite.explain.insights import Comparison
from dravite.explain.selectors.clauses import demand, quoted, split
from dravite.snapshot.device_paths import DevicePath

A = 'device.attributes["gpu.example.com"]'
MEMORY = DevicePath("capacity", "gpu.example.com", "memory")


def model(name="model"):
    return DevicePath("attributes", "gpu.example.com", name)


def test_a_conjunction_is_split_where_the_user_wrote_it():
    expression = f'{A}.model == "a && b" &&\n  ({A}.x || {A}.y) && device.driver == "d"'
    parts = split(expression)
    assert [p.text for p in parts] == [f'{A}.model == "a && b"', f"({A}.x || {A}.y)", 'device.driver == "d"']
    assert all(expression[p.offset :].startswith(p.text) for p in parts)


def test_parentheses_around_everything_are_looked_through():
    assert [p.text for p in split("((a && b) && c)")] == ["(a && b)", "c"]
    assert [p.text for p in split("(a) && (b)")] == ["(a)", "(b)"]


@pytest.mark.parametrize("expression", ["a || b && c", "a && b ? c : d", "xs.all(x, x > 1 && x < 3)", "a &", ""])
def test_what_is_no_conjunction_is_one_clause(expression):
    assert [p.text for p in split(expression)] == [expression]


def test_an_optional_field_is_no_ternary():
    assert len(split(f"{A}.?x.orValue(1) == 1 && {A}.y")) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f'{A}.model == "A100"', Comparison(model(), "==", "A100", "text", '"A100"')),
        (f'"A100" == {A}.model', Comparison(model(), "==", "A100", "text", '"A100"')),
        (f"8 <= {A}.cores", Comparison(model("cores"), ">=", "8", "number", "8")),
        (f'{A}["model"] != "T4"', Comparison(model(), "!=", "T4", "text", '"T4"')),
        (f'{A}.?model.orValue("") == "T4"', Comparison(model(), "==", "T4", "text", '"T4"')),
        (f'{A}.model in ["a", "b"]', Comparison(model(), "in", "a, b", "list", '["a", "b"]')),
        (f'{A}.model.startsWith("A1")', Comparison(model(), "startsWith", "A1", "text", '"A1"')),
        (f"!{A}.sriov", Comparison(model("sriov"), "is", "true", "bool", "", negated=True)),
        (f"{A}.sriov", Comparison(model("sriov"), "is", "true", "bool")),
        (f"has({A}.model)", Comparison(model(), "has", "", "presence")),
        (f'"model" in {A}', Comparison(model(), "has", "", "presence")),
        ('"x.io" in device.attributes', Comparison(DevicePath("attributes", "x.io"), "has", "", "presence")),
        ('device.driver == "d"', Comparison(DevicePath("driver"), "==", "d", "text", '"d"')),
        (
            'device.capacity["gpu.example.com"].memory.compareTo(quantity("80Gi")) >= 0',
            Comparison(MEMORY, ">=", "80Gi", "quantity", 'quantity("80Gi")'),
        ),
        (
            'device.capacity["gpu.example.com"].memory.isLessThan(quantity("80Gi"))',
            Comparison(MEMORY, "<", "80Gi", "quantity", 'quantity("80Gi")'),
        ),
        (
            f'{A}.v.compareTo(semver("8.0.0")) > 0',
            Comparison(model("v"), ">", "8.0.0", "version", 'semver("8.0.0")'),
        ),
    ],
)
def test_what_a_clause_demands(text, expected):
    assert demand(text) == expected


@pytest.mark.parametrize("text", ["true", f"{A}.a == {A}.b", "a.b == 1", f"{A}.x.exists(y, y > 1)", "1 +"])
def test_what_compares_no_value_with_a_constant_demands_nothing(text):
    assert demand(text) is None


def test_a_text_is_quoted_as_the_language_reads_it():
    text = 'a"b\\'
    assert demand(A + ".model == " + quoted(text)).operand == text
