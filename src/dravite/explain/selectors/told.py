"""Which selectors and names of a problem are worth telling, over all devices of the nodes that lack devices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set

from dravite.allocator.demands import Demand
from dravite.allocator.problem import Problem
from dravite.diagnosis.reasons import ConstraintID
from dravite.explain.explanation import RequestFinding
from dravite.explain.insights import NameInsight, SelectorInsight
from dravite.explain.selectors.judging import AskedSelector, Judged, insight, judge
from dravite.explain.selectors.published import Located
from dravite.explain.selectors.unpublished import of_findings, of_selector

Told = tuple[tuple[SelectorInsight, ...], tuple[NameInsight, ...]]


def selectors_and_names(
    problem: Problem | None,
    entries: Sequence[str],
    told: Set[tuple[str, str]],
    findings: Iterable[RequestFinding],
    devices: Sequence[Located],
) -> Told:
    """The selectors that refuse devices, clause by clause, and the names that are asked for in vain.

    `told` names the requests that are short, by entry and request.
    """
    if problem is None or not devices:
        return (), ()
    memory = problem.inventory.memory.verdicts
    judged = [
        one
        for demand in _demands(problem, entries, told)
        for one in _chain(problem, demand, devices)
        if _is_telling(one, 1 if demand.takes_all else demand.count)
    ]
    telling = list({_identity(one): one for one in judged}.values())
    names = [name for one in telling for name in of_selector(one, memory)]
    return (
        tuple(insight(one, memory) for one in telling),
        tuple(dict.fromkeys((*names, *of_findings(findings, devices)))),
    )


def _demands(problem: Problem, entries: Sequence[str], told: Set[tuple[str, str]]) -> Iterator[Demand]:
    for claim, entry in zip(problem.claims, entries, strict=False):
        for request in claim.requests:
            yield from (demand for demand in request.demands if (entry, demand.name) in told)


def _chain(problem: Problem, demand: Demand, devices: Sequence[Located]) -> Iterator[Judged]:
    """The demand's selectors, each over the devices that the ones before it admit."""
    for selector in demand.selectors:
        asked = AskedSelector(selector.id, demand.name, selector.expression)
        judged = judge(asked, devices, problem.inventory.memory.verdicts)
        yield judged
        devices = judged.admitted


def _is_telling(judged: Judged, needed: int) -> bool:
    """Whether too few devices match. A class refuses other kinds of devices; it is told if it refuses all there are."""
    if all(verdict is True for verdict in judged.verdicts):
        return False
    if judged.asked.id.object.kind == "DeviceClass":
        return not judged.admitted
    return max(Counter(seen.node for seen in judged.admitted).values(), default=0) < needed


def _identity(judged: Judged) -> tuple[ConstraintID, str]:
    """A class that several requests name is told once."""
    of_class = judged.asked.id.object.kind == "DeviceClass"
    return (judged.asked.id, "" if of_class else judged.asked.request)
