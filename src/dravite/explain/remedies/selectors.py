"""Selectors that could be written differently: after an error, or where too few devices match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dravite.api.quantity import Quantity, QuantityError
from dravite.api.semver import Semver, SemverError
from dravite.cel import slips
from dravite.diagnosis.reasons import ConstraintID
from dravite.explain.case import Case
from dravite.explain.diagnose import Diagnosis
from dravite.explain.insights import Clause, Comparison, NameInsight, SelectorInsight
from dravite.explain.objects.editing import GONE
from dravite.explain.remedies.advice import ReplaceSelector
from dravite.explain.remedies.proposals import Proposal, edit_at, value
from dravite.explain.selectors import rewriting
from dravite.explain.selectors.clauses import Part, split
from dravite.explain.selectors.failure import Failed
from dravite.explain.selectors.published import Located
from dravite.explain.selectors.rewriting import Rewriting
from dravite.snapshot.device_paths import Found, find
from dravite.snapshot.snapshot import Snapshot

VALUES_TRIED = 3


def after_errors(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """Ways to write the selector that ended the attempt."""
    failed = found.failed
    if failed is None:
        return
    selector, expression = failed.failure.selector, failed.failure.expression
    for rewritten in (*_respelled(expression), *_mended(failed, expression)):
        yield from _proposal(case.snapshot, selector, rewritten, ("selector", selector))


def _respelled(expression: str) -> Iterator[Rewriting]:
    """The whole selector with its domains and constants spelled as they can be read."""
    domain, constants = slips.with_domain(expression), slips.with_constants(expression)
    if domain is not None:
        yield Rewriting("name", domain, expression, domain)
    if constants is not None:
        yield Rewriting("version" if "semver(" in constants else "quantity", constants, expression, constants)


def _mended(failed: Failed, expression: str) -> Iterator[Rewriting]:
    part, comparison = failed.at_fault, failed.comparison
    for name in failed.names:
        yield from _renamed(expression, part, comparison, name, failed.judged.devices)
    if comparison is not None:
        yield from _retyped(expression, part, comparison, failed.failure.found_kind)
    path = failed.failure.path
    if path is not None and path.name and failed.failure.found_kind is None and failed.failure.device is not None:
        yield rewriting.guard(expression, part, path)


def _retyped(expression: str, part: Part, comparison: Comparison, kind: str | None) -> Iterator[Rewriting]:
    """The same comparison, as values of that kind are compared."""
    if kind == "version" or comparison.kind == "version":
        yield from _some(rewriting.as_version(expression, part, comparison))
    if kind == "quantity" or comparison.path.root == "capacity":
        yield from _some(rewriting.as_quantity(expression, part, comparison, comparison.path))


def _renamed(
    expression: str, part: Part, comparison: Comparison | None, name: NameInsight, devices: Sequence[Located]
) -> Iterator[Rewriting]:
    """A name that is published in the place of one that is not."""
    for near in name.near:
        if near.root == name.path.root:
            yield from _some(rewriting.other_name(expression, part, name.path, near))
        elif comparison is not None and near.root == "capacity":
            yield from _some(rewriting.as_quantity(expression, part, comparison, near))
        elif comparison is not None:
            found = _first_found(devices, name)
            if found is not None:
                yield from _some(rewriting.as_attribute(expression, part, comparison, near, found))


def _first_found(devices: Sequence[Located], name: NameInsight) -> Found | None:
    found = (find(seen.id.driver, seen.device, name.near[0]) for seen in devices)
    return next((one for one in found if one is not None), None)


def where_too_few_match(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """Values and names that the devices publish, in the place of those that are asked for.

    A clause that is never the only false one cannot be mended by itself.
    """
    for selector in found.evidence.selectors:
        names = [name for name in found.evidence.names if name.asked_by == selector.selector]
        for clause in selector.clauses:
            if clause.decides_on:
                for rewritten in _fitting(selector, clause, names, found.evidence.lacking):
                    yield from _proposal(case.snapshot, selector.selector, rewritten, ("selector", selector.selector))


def without_a_clause(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """Leave a clause out that too few devices meet."""
    for selector in found.evidence.selectors:
        if selector.selector.object.kind == "DeviceClass":
            continue
        parts = split(selector.expression)
        for clause in selector.clauses:
            part = Part(clause.text, clause.offset)
            if clause.decides_on and part in parts:
                dropped = rewriting.without(selector.expression, parts, part)
                yield from _proposal(case.snapshot, selector.selector, dropped, ("drop", selector.selector))


def _fitting(
    selector: SelectorInsight, clause: Clause, names: Sequence[NameInsight], devices: Sequence[Located]
) -> Iterator[Rewriting]:
    part = Part(clause.text, clause.offset)
    for name in names:
        yield from _renamed(selector.expression, part, clause.comparison, name, devices)
    if clause.comparison is None or clause.comparison.negated:
        return
    if clause.comparison.operator == "==" and clause.comparison.operand in _values(clause):
        yield from _some(rewriting.other_kind(selector.expression, part, clause.comparison))
        return
    for one in _published_values(clause, clause.comparison):
        yield from _some(rewriting.other_value(selector.expression, part, clause.comparison, one))


def _published_values(clause: Clause, comparison: Comparison) -> Iterator[str]:
    """The published values worth asking for: the nearest text, or the most (or least) of an amount."""
    seen = _values(clause)
    if not seen:
        return
    if comparison.operator in ("contains", "startsWith", "endsWith"):
        yield from dict.fromkeys(part for one in seen if (part := _in_other_case(comparison.operand, one)))
    if comparison.operator in ("==", "startsWith", "contains", "endsWith"):
        ordered = sorted(seen, key=lambda one: one != clause.nearest)
        yield from ordered[:VALUES_TRIED]
    elif comparison.operator in (">", ">="):
        yield _extreme(comparison, seen, largest=True)
    elif comparison.operator in ("<", "<="):
        yield _extreme(comparison, seen, largest=False)


def _values(clause: Clause) -> Sequence[str]:
    """The values that the clause read where it is false, the most frequent first."""
    return [count.value for read in clause.seen for count in read.values if count.value is not None]


def _in_other_case(wanted: str, value: str) -> str:
    """The part of a value that differs from what is wanted in nothing but case; empty where there is none."""
    start = value.lower().find(wanted.lower())
    return value[start : start + len(wanted)] if start >= 0 else ""


def _extreme(comparison: Comparison, seen: Sequence[str], *, largest: bool) -> str:
    choose = max if largest else min
    try:
        if comparison.kind == "quantity":
            return choose(seen, key=Quantity.parse)
        if comparison.kind == "version":
            return choose(seen, key=Semver.parse)
        return choose(seen, key=int)
    except (QuantityError, SemverError, ValueError):
        return choose(seen)


def _some(rewritten: Rewriting | None) -> Iterator[Rewriting]:
    if rewritten is not None:
        yield rewritten


def _proposal(
    snapshot: Snapshot, selector: ConstraintID, rewritten: Rewriting, family: tuple[object, ...]
) -> Iterator[Proposal]:
    """Put the new expression where the old one stands; an empty one takes the selector out."""
    place, edit = selector, value(rewritten.expression)
    if not rewritten.expression:
        place, edit = ConstraintID(selector.object, selector.path.removesuffix(".cel.expression")), value(GONE)
    changes = edit_at(snapshot, place, edit)
    if changes:
        advice = ReplaceSelector(selector, rewritten.how, rewritten.expression, rewritten.removed, rewritten.added)
        yield Proposal(family, advice, changes)
