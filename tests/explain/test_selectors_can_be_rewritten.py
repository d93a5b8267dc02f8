"""Other ways to write a selector: only the clause at fault changes."""

import pytest

from dravite.explain.selectors import rewriting
from dravite.explain.selectors.clauses import demand, split
from dravite.snapshot.device_paths import DevicePath, Found

A = 'device.attributes["gpu.example.com"]'
C = 'device.capacity["gpu.example.com"]'
MEMORY = DevicePath("capacity", "gpu.example.com", "memory")


def the_clause(expression, number=0):
    part = split(expression)[number]
    return expression, part


def test_guard_tests_for_presence_first():
    source, part = the_clause(f'device.driver == "d" && {A}.mode == "ATS"', 1)
    mode = DevicePath("attributes", "gpu.example.com", "mode")
    made = rewriting.guard(source, part, mode)
    assert made.expression == f'device.driver == "d" && has({A}.mode) && {A}.mode == "ATS"'
    assert made.removed == f'{A}.mode == "ATS"'


def test_guard_puts_alternatives_in_parentheses():
    source, part = the_clause(f"{A}.a || {A}.b")
    assert rewriting.guard(source, part, MEMORY).expression == f"has({C}.memory) && ({A}.a || {A}.b)"


@pytest.mark.parametrize("operand", ['"16Gi"', 'quantity("16Gi")'])
def test_an_amount_is_compared_as_a_quantity(operand):
    source, part = the_clause(f"{A}.memory >= {operand}")
    made = rewriting.as_quantity(source, part, demand(part.text), MEMORY)
    assert made.how == "capacity"
    assert made.expression == f'{C}.memory.compareTo(quantity("16Gi")) >= 0'


def test_a_capacity_compared_with_a_number_stays_a_capacity():
    source, part = the_clause(f"{C}.memory > 16")
    made = rewriting.as_quantity(source, part, demand(part.text), MEMORY)
    assert (made.how, made.expression) == ("quantity", f'{C}.memory.compareTo(quantity("16")) > 0')


@pytest.mark.parametrize(("written", "meant"), [('"8.0"', "8.0.0"), ('"v8.0.1"', "8.0.1"), ("8", "8.0.0")])
def test_a_version_is_compared_as_a_version(written, meant):
    source, part = the_clause(f"{A}.level >= {written}")
    made = rewriting.as_version(source, part, demand(part.text))
    assert made.expression == f'{A}.level.compareTo(semver("{meant}")) >= 0'


def test_what_is_no_version_cannot_be_one():
    source, part = the_clause(f'{A}.level >= "new"')
    assert rewriting.as_version(source, part, demand(part.text)) is None


def test_a_capacity_that_is_an_attribute():
    source, part = the_clause(f'{C}.model.compareTo(quantity("3")) == 0')
    model = DevicePath("attributes", "gpu.example.com", "model")
    made = rewriting.as_attribute(source, part, demand(part.text), model, Found("int", "3"))
    assert made.expression == f"{A}.model == 3"


def test_a_value_is_replaced_where_it_stands():
    source, part = the_clause(f"{A}.model == 'A100 80GB' && true")
    made = rewriting.other_value(source, part, demand(part.text), "A100-80GB")
    assert made.expression == f'{A}.model == "A100-80GB" && true'


def test_a_name_is_replaced_however_it_is_written():
    wrong, right = (DevicePath("attributes", "gpu.example.com", n) for n in ("modle", "model"))
    for written, expected in [
        (f"{A}.modle == 'x'", f"{A}.model == 'x'"),
        (f'{A}["modle"] == "x"', f'{A}["model"] == "x"'),
    ]:
        source, part = the_clause(written)
        assert rewriting.other_name(source, part, wrong, right).expression == expected


def test_a_domain_is_replaced():
    wrong = DevicePath("attributes", "gpu.example.com", "model")
    right = DevicePath("attributes", "gpu.example.org", "model")
    source, part = the_clause(f"{A}.model == 'x'")
    assert (
        rewriting.other_name(source, part, wrong, right).expression
        == "device.attributes[\"gpu.example.org\"].model == 'x'"
    )


def test_a_clause_is_left_out():
    source = f"{A}.a && {A}.b && {A}.c"
    parts = split(source)
    assert rewriting.without(source, parts, parts[1]).expression == f"{A}.a && {A}.c"
    only = split(f"{A}.a")
    assert rewriting.without(f"{A}.a", only, only[0]).expression == ""
