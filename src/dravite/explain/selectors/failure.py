"""A selector that ended an attempt, taken apart: the clause at fault, what it tried to read, and what is there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from dravite.allocator.demands import Demand, Selector
from dravite.allocator.problem import Problem
from dravite.api.meta import DeviceID
from dravite.cel import CelError
from dravite.diagnosis.reasons import ConstraintID, SeenValue
from dravite.diagnosis.verdicts import AttemptError
from dravite.explain.case import Case
from dravite.explain.explanation import SelectorFailure
from dravite.explain.insights import Comparison, NameInsight
from dravite.explain.selectors.clauses import Part, demand, split
from dravite.explain.selectors.judging import AskedSelector, Judged, judge, paths_of, reads_of, verdicts_of
from dravite.explain.selectors.published import Located
from dravite.explain.selectors.unpublished import of_selector
from dravite.snapshot.device_paths import DevicePath, find
from dravite.snapshot.selector_verdicts import SelectorVerdicts, compiled_selector


class Failed(msgspec.Struct, frozen=True):
    """A selector's failure, the names behind it, and the verdicts on all devices of the cluster that reach it."""

    failure: SelectorFailure
    names: tuple[NameInsight, ...]
    judged: Judged
    at_fault: Part
    comparison: Comparison | None


def selector_failure(case: Case, error: AttemptError) -> Failed | None:
    """What is behind an error of a selector; None for every other error."""
    found = _selector(case, error)
    if found is None:
        return None
    problem, asked_by, selector = found
    memory = problem.inventory.memory.verdicts
    devices = _reaching(case, asked_by, selector, memory)
    judged = judge(AskedSelector(selector.id, asked_by.name, selector.expression), devices, memory)
    struck = next((seen for seen in devices if str(seen.id) == error.device and seen.node == error.node), None)
    struck = struck or next((seen for seen in devices if str(seen.id) == error.device), None)
    part = _part_at_fault(selector.expression, struck, memory)
    comparison = demand(part.text)
    failure = _failure(selector, error, (struck, part, comparison), judged)
    return Failed(failure, of_selector(judged, memory) if struck else (), judged, part, comparison)


def _selector(case: Case, error: AttemptError) -> tuple[Problem, Demand, Selector] | None:
    """The selector that an error names, with the demand that it belongs to."""
    if not error.kind.startswith("selector-") or error.claim is None or error.path is None:
        return None
    wanted = ConstraintID(error.claim, error.path)
    for state in case.snapshot.states_in_order():
        problem = case.problem(state)
        if not isinstance(problem, Problem):
            return None
        for one in demands_of(problem):
            for selector in one.selectors:
                if selector.id == wanted and error.request in (None, one.name):
                    return problem, one, selector
    return None


def demands_of(problem: Problem) -> Iterable[Demand]:
    """All demands of a problem, alternatives one by one."""
    return (d for claim in problem.claims for request in claim.requests for d in request.demands)


def cluster_devices(case: Case) -> tuple[Located, ...]:
    """Every device of the cluster that some node can use, once, with the first node that sees it."""
    found: dict[DeviceID, Located] = {}
    for state in case.snapshot.states_in_order():
        offered = case.snapshot.inventory.devices(state.node)
        if not isinstance(offered, AttemptError):
            for device in offered.devices:
                found.setdefault(device.id, Located(state.name, device))
    return tuple(found.values())


def _reaching(case: Case, asked_by: Demand, selector: Selector, memory: SelectorVerdicts) -> tuple[Located, ...]:
    """The devices that the selectors before this one admit."""
    devices = cluster_devices(case)
    for earlier in asked_by.selectors:
        if earlier.id == selector.id:
            break
        devices = judge(AskedSelector(earlier.id, asked_by.name, earlier.expression), devices, memory).admitted
    return devices


def _part_at_fault(expression: str, struck: Located | None, memory: SelectorVerdicts) -> Part:
    """The first clause that fails on the device by itself; the whole expression where none does."""
    whole = Part(expression, 0)
    parts = split(expression)
    if struck is None:
        return next((part for part in parts if isinstance(compiled_selector(part.text), CelError)), whole)
    failing = (p for p in parts if isinstance(verdicts_of(p.text, (struck,), memory)[0], CelError))
    return next(failing, whole)


def _failure(
    selector: Selector,
    error: AttemptError,
    fault: tuple[Located | None, Part, Comparison | None],
    judged: Judged,
) -> SelectorFailure:
    struck, part, comparison = fault
    path = _path(part, comparison, struck)
    found = find(struck.id.driver, struck.device, path) if struck and path else None
    return SelectorFailure(
        selector=selector.id,
        expression=selector.expression,
        headline=_headline(error, judged, struck),
        offset=error.offset,
        clause=part.text,
        clause_offset=part.offset,
        device=struck.id if struck else None,
        node=error.node,
        path=path,
        seen=_seen(selector, struck),
        found_kind=found.kind if found else None,
        compared_with=comparison.literal if comparison and found else None,
        fails_on=sum(isinstance(verdict, CelError) for verdict in judged.verdicts),
        devices=len(judged.devices),
    )


def _path(part: Part, comparison: Comparison | None, struck: Located | None) -> DevicePath | None:
    """What the clause stumbles over: a place where the device has nothing, else the place that it compares."""
    paths = paths_of(part, comparison)
    if struck is not None:
        for path in paths:
            if path.name and find(struck.id.driver, struck.device, path) is None:
                return path
    return comparison.path if comparison else next(iter(paths), None)


def _seen(selector: Selector, struck: Located | None) -> tuple[SeenValue, ...]:
    if struck is None or isinstance(selector.program, CelError):
        return ()
    found = ((path, find(struck.id.driver, struck.device, path)) for path in reads_of(selector.program) if path.name)
    return tuple(
        SeenValue(str(path).removeprefix("device."), None if value is None else value.text) for path, value in found
    )


def _headline(error: AttemptError, judged: Judged, struck: Located | None) -> str:
    program = compiled_selector(judged.asked.expression)
    if isinstance(program, CelError):
        return program.headline
    verdicts: Sequence[object] = judged.verdicts
    for seen, verdict in zip(judged.devices, verdicts, strict=True):
        if struck is not None and seen.id == struck.id and isinstance(verdict, CelError):
            return verdict.headline
    return error.message
