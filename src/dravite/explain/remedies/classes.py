"""Another class for a request whose selectors are made for devices of that class, such as partitions of a device."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from dravite.allocator.demands import Demand, Selector
from dravite.allocator.problem import Problem
from dravite.api.meta import ObjectRef
from dravite.diagnosis.reasons import ConstraintID
from dravite.explain.case import Case
from dravite.explain.diagnose import Diagnosis
from dravite.explain.remedies import advice as a
from dravite.explain.remedies.proposals import Proposal, edit_at, value
from dravite.explain.selectors.failure import cluster_devices, demands_of
from dravite.explain.selectors.judging import AskedSelector, judge
from dravite.explain.selectors.published import Located
from dravite.snapshot.selector_verdicts import SelectorVerdicts

CLASSES_TRIED: Final = 3
_CLASS: Final = "DeviceClass"


def other_classes(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """Name a class of which devices pass the selectors of a request that fail, or refuse all, of its own class."""
    troubled = set(_troubled(found))
    for demand in _demands(case):
        own = [one for one in demand.selectors if one.id.object.kind != _CLASS]
        if not any(one.id in troubled for one in own):
            continue
        place = ConstraintID(demand.size_id.object, f"{demand.size_id.path.rpartition('.')[0]}.deviceClassName")
        for name in _classes_that_fit(case, demand.class_name, own):
            advice = a.UseObject(place.object, place.path, _class(demand.class_name), _class(name))
            yield Proposal(("class", place), advice, edit_at(case.snapshot, place, value(name)))


def _troubled(found: Diagnosis) -> Iterator[ConstraintID]:
    """The selectors that end the attempt or that no device passes."""
    if found.failed is not None:
        yield found.failed.failure.selector
    yield from (one.selector for one in found.evidence.selectors if not one.matched)


def _demands(case: Case) -> Sequence[Demand]:
    problems = (case.problem(state) for state in case.snapshot.states_in_order())
    problem = next((one for one in problems if isinstance(one, Problem)), None)
    return () if problem is None else tuple(demands_of(problem))


def _classes_that_fit(case: Case, now: str, own: Sequence[Selector]) -> Sequence[str]:
    """Other classes of which some device passes the request's own selectors; those of few devices say most."""
    devices = cluster_devices(case)
    memory = case.snapshot.inventory.memory.verdicts
    found: list[tuple[int, str]] = []
    for name, one in case.snapshot.classes.items():
        if name != now:
            of_class = _passing([each.cel.expression for each in one.spec.selectors if each.cel], devices, memory)
            if _passing([each.expression for each in own], of_class, memory):
                found.append((len(of_class), name))
    return [name for _, name in sorted(found)[:CLASSES_TRIED]]


def _passing(expressions: Sequence[str], devices: Sequence[Located], memory: SelectorVerdicts) -> Sequence[Located]:
    """The devices that pass all expressions, each asked of those that passed the ones before it."""
    anywhere = ConstraintID(_class(""), "")
    for expression in expressions:
        devices = judge(AskedSelector(anywhere, "", expression), devices, memory).admitted
    return devices


def _class(name: str) -> ObjectRef:
    return ObjectRef(_CLASS, "", name)
