"""A minimal core by deletion, whatever it is that fails."""

from hypothesis import given
from hypothesis import strategies as st

from dravite.api.meta import ObjectRef
from dravite.diagnosis.findings import Clash
from dravite.diagnosis.reasons import ConstraintID
from dravite.explain.devices.core import minimal_core

CLAIM = ObjectRef("ResourceClaim", "ml", "gpus")
DEMANDS = tuple(ConstraintID(CLAIM, path) for path in "abcdefg")
CONFLICTS = st.lists(st.frozensets(st.sampled_from(DEMANDS), min_size=1, max_size=4), max_size=4)


def judge_of(conflicts):
    """A set of demands fails when it holds a whole conflict."""
    return lambda demands: "fails" if any(conflict <= demands for conflict in conflicts) else "holds"


def test_what_holds_has_no_core():
    assert minimal_core(DEMANDS, judge_of([])) is None


def test_earlier_demands_are_left_out_first():
    a, b, c = DEMANDS[:3]
    core = minimal_core((a, b, c), judge_of([frozenset({a, c}), frozenset({b, c})]))
    assert core.clash == Clash((b, c))
    assert core.minimal


def test_a_search_that_was_given_up_leaves_the_core_in_doubt():
    a, b = DEMANDS[:2]
    core = minimal_core((a, b), lambda demands: "fails" if a in demands and b in demands else "unknown")
    assert core.clash == Clash((a, b))
    assert not core.minimal


@given(CONFLICTS)
def test_every_failure_has_a_core_that_is_sufficient_and_minimal(conflicts):
    judge = judge_of(conflicts)
    core = minimal_core(DEMANDS, judge)
    assert (core is None) == (judge(frozenset(DEMANDS)) == "holds")
    if core is not None:
        kept = frozenset(core.clash.core)
        assert judge(kept) == "fails"
        assert all(judge(kept - {demand}) == "holds" for demand in kept)
