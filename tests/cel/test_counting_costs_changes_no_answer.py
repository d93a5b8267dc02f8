"""What an evaluation costs (CEL-20, CEL-29), and that it is answered alike with and without counting."""

from __future__ import annotations

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from dravite.cel import COST_LIMIT, CelError, Program, compile_selector, evaluate_selector, run
from dravite.cel.evaluate import run_uncounted
from dravite.cel.values import Failure
from tests.cel.gpus import DRIVER, A, C, activation, program, ran, verdict

TOO_DEAR = "operation cancelled: actual cost limit exceeded"
ONE = activation()


@pytest.mark.parametrize(
    ("text", "cost"),
    [
        ("true", 0),
        (f"device.driver == '{DRIVER}'", 4),
        ("device.allowMultipleAllocations", 2),
        (f"{A}.yes", 4),
        (f"{A}.text == 'abc'", 5),
        (f"{A}.empty == ''", 4),
        (f"{A}.five + 1 == 6", 6),
        (f"has({A}.text)", 3),
        (f"'text' in {A}", 4),
        (f"{A}.?typo.orValue(3) == 3", 4),
        (f"{A}.version == semver('1.2.3')", 6),
        (f"{A}.version.isGreaterThan(semver('1.0.0'))", 6),
        (f"2 in {A}.ints", 5),
        (f"{A}.ints.includes(2)", 7),
        (f"{A}.texts.includes('a')", 4),
        (f"dyn([{A}.five, {A}.five])", 19),
        (f"{A}.ints.exists(x, x > 2)", 23),
        (f"{A}.ints.all(x, x > 0)", 20),
        ("[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].all(a, a >= 0)", 51),
        ("lists.range(1000).all(x, x >= 0)", 6012),
    ],
)
def test_cel_29_what_kubernetes_counts(text: str, cost: int) -> None:
    assert ran(text).cost == cost


@pytest.mark.parametrize(
    "text", [f"{A}.ints.exists(x, x > 2)", f"{A}.text.matches('^a.c$')", f"{A}.typo", f"{A}.five == 5"]
)
def test_cel_20_exactly_the_limit_is_allowed(text: str) -> None:
    free = ran(text)
    assert run(program(text), ONE, free.cost) == free
    stopped = run(program(text), ONE, free.cost - 1)
    assert stopped.error is not None
    assert stopped.error.message == TOO_DEAR
    assert evaluate_selector(program(text), ONE, free.cost - 1) == stopped.error


def test_cel_20_the_limit_is_a_million() -> None:
    assert COST_LIMIT == 1_000_000
    assert verdict("lists.range(400).all(x, lists.range(400).all(y, x + y >= 0))") == TOO_DEAR


def test_cel_20_logic_does_not_absorb_the_limit() -> None:
    text = f"lists.range(100).all(x, x >= 0) || {A}.five == 5"
    assert verdict(text) is True
    stopped = run(program(text), ONE, 300)
    assert stopped.error is not None
    assert stopped.error.message == TOO_DEAR


atoms = st.sampled_from(
    (
        *(f"{A}.{name}" for name in ("text", "five", "yes", "version", "ints", "texts", "typo")),
        *(f"{C}.memory", f"{A}.?five", "dyn(1)", "dyn('abc')", "dyn(2.5)", "dyn([1, 2])", "dyn({'a': 1})"),
        *("dyn(optional.none())", "dyn(null)", "device.driver", "dyn(duration('1s'))"),
    )
)
conditions = st.recursive(
    st.one_of(
        st.builds("({} {} {})".format, atoms, st.sampled_from(("==", "!=", "<", ">=", "in")), atoms),
        st.builds("({} {} {} == {})".format, atoms, st.sampled_from("+-*/%"), atoms, atoms),
        st.builds("{}.includes({})".format, atoms, atoms),
        st.builds("has({}.a)".format, atoms),
        st.builds("(size({}) > 1)".format, atoms),
        atoms,
    ),
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(("&&", "||")), inner),
        st.builds("(!{})".format, inner),
        st.builds("({} ? {} : {})".format, inner, inner, inner),
        st.builds("{}.{}(v, {} || v == 2)".format, atoms, st.sampled_from(("exists", "all", "exists_one")), inner),
        st.builds("cel.bind(b, {}, {} && b == b)".format, atoms, inner),
        st.builds("[{}].filter(v, {}).size() == 1".format, atoms, inner),
        st.builds("optional.of({}).orValue({})".format, inner, inner),
    ),
    max_leaves=6,
)


def compiled(text: str) -> Program | None:
    found = compile_selector(text)
    return found if isinstance(found, Program) else None


@settings(deadline=None)
@given(conditions)
def test_counting_changes_no_answer(text: str) -> None:
    selector = compiled(text)
    if selector is None:
        return
    counted, plain = run(selector, ONE), run_uncounted(selector, ONE)
    event("error" if counted.error else "value")
    if counted.error:
        assert isinstance(plain, Failure)
        assert plain.message == counted.error.message
    else:
        assert (type(plain), repr(plain)) == (type(counted.value), repr(counted.value))


@settings(deadline=None)
@given(conditions)
def test_the_same_question_gets_the_same_answer_at_the_same_cost(text: str) -> None:
    selector = compiled(text)
    if selector is not None:
        assert repr(run(selector, ONE)) == repr(run(selector, activation()))


@settings(deadline=None)
@given(conditions, conditions, st.sampled_from(("&&", "||")))
def test_logic_commutes_where_nothing_fails(left: str, right: str, sign: str) -> None:
    one, other = compiled(f"({left}) {sign} ({right})"), compiled(f"({right}) {sign} ({left})")
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        answer, mirrored = evaluate_selector(one, ONE), evaluate_selector(other, ONE)
        assert isinstance(answer, CelError) == isinstance(mirrored, CelError)
        if isinstance(answer, bool):
            assert answer is mirrored


@settings(deadline=None)
@given(conditions, st.integers(0, 60))
def test_a_limit_stops_or_changes_nothing(text: str, limit: int) -> None:
    selector = compiled(text)
    if selector is None:
        return
    free, limited = run(selector, ONE), run(selector, ONE, limit)
    if limited.error and limited.error.message == TOO_DEAR:
        assert free.cost > limit
    else:
        assert repr(limited) == repr(free)


@pytest.mark.parametrize(
    "nested",
    [
        "(" * 240 + f"{A}.yes" + ")" * 240,
        f"{A}.yes" + f" && {A}.yes" * 1000,
        f"{A}.five" + f" + {A}.five" * 200 + " == 1005",
        "[1].exists(a, " * 60 + f"{A}.yes" + ")" * 60,
        f"!{A}.yes ? false : " * 200 + "true",
        "!" * 200 + f"{A}.yes",
        "cel.bind(b, true, " * 60 + f"b && {A}.yes" + ")" * 60,
    ],
    ids=["parentheses", "ands", "sums", "loops", "ternaries", "nots", "bindings"],
)
def test_deep_expressions_are_evaluated(nested: str) -> None:
    selector = program(nested)
    assert evaluate_selector(selector, ONE) is True
    assert run(selector, ONE).value is True
