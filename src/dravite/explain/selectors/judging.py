"""Selectors over many devices, clause by clause: which part is false where, and with which values.

Every verdict comes from the evaluation that the allocator uses; nothing is judged twice in different ways.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import msgspec

from dravite.api.near import nearest_value
from dravite.cel import CelError, Program
from dravite.diagnosis.reasons import ConstraintID
from dravite.explain.insights import Clause, Comparison, ReadCount, SelectorInsight
from dravite.explain.selectors.clauses import Part, demand, split
from dravite.explain.selectors.published import EXAMPLES, Located, has, values_at
from dravite.snapshot.device_paths import DevicePath, find
from dravite.snapshot.selector_verdicts import SelectorVerdicts, Verdict, compiled_selector


class AskedSelector(msgspec.Struct, frozen=True):
    """A selector, where it stands, and the request (or alternative) that it selects for."""

    id: ConstraintID
    request: str
    expression: str


Kind: TypeAlias = tuple[Located, ...]
"""Devices on which a selector, and each of its clauses, comes to the same: they agree in all that it reads."""


class Judged(msgspec.Struct, frozen=True):
    """A selector's verdict on each device, in their order."""

    asked: AskedSelector
    devices: tuple[Located, ...]
    verdicts: tuple[Verdict, ...]

    def kinds(self) -> tuple[Kind, ...]:
        """The devices by all that the selector reads on them, in the order of the first of each kind."""
        program = compiled_selector(self.asked.expression)
        paths = () if isinstance(program, CelError) else reads_of(program)
        whole = not isinstance(program, CelError) and (program.reads is None or not all(map(_is_one_value, paths)))
        found: dict[object, list[Located]] = {}
        for number, (seen, verdict) in enumerate(zip(self.devices, self.verdicts, strict=True)):
            key = (verdict, number if whole else tuple(find(seen.id.driver, seen.device, path) for path in paths))
            found.setdefault(key, []).append(seen)
        return tuple(tuple(alike) for alike in found.values())

    @property
    def admitted(self) -> tuple[Located, ...]:
        """The devices that match."""
        return tuple(seen for seen, verdict in zip(self.devices, self.verdicts, strict=True) if verdict is True)


def judge(asked: AskedSelector, devices: Sequence[Located], memory: SelectorVerdicts) -> Judged:
    """Evaluate a selector on all devices, in use or not."""
    return Judged(asked, tuple(devices), verdicts_of(asked.expression, devices, memory))


def insight(judged: Judged, memory: SelectorVerdicts) -> SelectorInsight:
    """The counts of a selector and of its clauses."""
    verdicts, devices = judged.verdicts, judged.devices
    return SelectorInsight(
        selector=judged.asked.id,
        request=judged.asked.request,
        expression=judged.asked.expression,
        devices=len(devices),
        matched=verdicts.count(True),
        refused=verdicts.count(False),
        failed=sum(isinstance(verdict, CelError) for verdict in verdicts),
        matched_examples=tuple(seen.id for seen in judged.admitted[:EXAMPLES]),
        clauses=_clauses(judged, memory),
    )


def reads_of(program: Program) -> tuple[DevicePath, ...]:
    """The places that a program reads, in order; none where they cannot be told."""
    return tuple(sorted(DevicePath(*path) for path in program.reads or ()))


def verdicts_of(expression: str, devices: Sequence[Located], memory: SelectorVerdicts) -> tuple[Verdict, ...]:
    """The verdict of an expression on each device; an expression that does not compile fails on all of them."""
    program = compiled_selector(expression)
    if isinstance(program, CelError):
        return (program,) * len(devices)
    return tuple(memory.verdict(program, seen.pooled) for seen in devices)


def _clauses(judged: Judged, memory: SelectorVerdicts) -> tuple[Clause, ...]:
    parts = split(judged.asked.expression)
    if isinstance(compiled_selector(judged.asked.expression), CelError):
        return ()
    if any(isinstance(compiled_selector(part.text), CelError) for part in parts):
        parts = (Part(judged.asked.expression, 0),)
    kinds = judged.kinds()
    columns = [verdicts_of(part.text, [kind[0] for kind in kinds], memory) for part in parts]
    faults = [sum(verdict is not True for verdict in row) for row in zip(*columns, strict=True)]
    rows = zip(parts, columns, strict=True)
    return tuple(_clause(part, tuple(zip(kinds, column, faults, strict=True))) for part, column in rows)


def _clause(part: Part, found: tuple[tuple[Kind, Verdict, int], ...]) -> Clause:
    """One clause, given its verdict on each kind of device, and how many clauses are not true there."""

    def devices(*, of: Callable[[Verdict, int], bool]) -> int:
        return sum(len(kind) for kind, verdict, faults in found if of(verdict, faults))

    failing = [seen for kind, verdict, _ in found if verdict is not True for seen in kind]
    comparison = demand(part.text)
    paths = [path for path in paths_of(part, comparison) if not any(_is_there_whole(path, one) for one in failing)]
    seen = tuple(ReadCount(path, values_at(failing, path)) for path in paths) if failing else ()
    true_on = devices(of=lambda verdict, _: verdict is True)
    return Clause(
        text=part.text,
        offset=part.offset,
        comparison=comparison,
        true_on=true_on,
        false_on=devices(of=lambda verdict, _: verdict is False),
        error_on=devices(of=lambda verdict, _: isinstance(verdict, CelError)),
        decides_on=devices(of=lambda verdict, faults: verdict is not True and faults == 1),
        seen=seen,
        nearest=None if true_on else _nearest(comparison, seen),
    )


def _is_one_value(path: DevicePath) -> bool:
    """Whether devices with equal values at the path are equal in all that is read there."""
    return path.root not in ("attributes", "capacity") or bool(path.domain and path.name)


def _is_there_whole(path: DevicePath, seen: Located) -> bool:
    """Whether a device has a domain that is read as a whole: there is no single value to tell then."""
    return not _is_one_value(path) and has(seen, path)


def paths_of(part: Part, comparison: Comparison | None) -> tuple[DevicePath, ...]:
    """The places that a clause reads: the one that it compares, or all that its program reads and that have a name."""
    if comparison is not None and (comparison.path.name or comparison.path.root not in ("attributes", "capacity")):
        return (comparison.path,)
    program = compiled_selector(part.text)
    read = () if isinstance(program, CelError) else reads_of(program)
    return tuple(path for path in read if _is_one_value(path) or path.domain)


def _nearest(comparison: Comparison | None, seen: tuple[ReadCount, ...]) -> str | None:
    if comparison is None or comparison.kind != "text" or comparison.operator != "==" or comparison.negated:
        return None
    values = [count.value for read in seen for count in read.values if count.value is not None]
    return nearest_value(comparison.operand, values)
