"""Pools for people: what there is, what is free, and who holds the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from dravite.api.document import Problem
from dravite.render import words
from dravite.render.report import Block, PoolsReport, Row
from dravite.render.view.rejections import pool_fault
from dravite.render.view.sight import consumers, full, taint
from dravite.snapshot.survey import CapacityLeft, DeviceState, DeviceSurvey, PoolSurvey
from dravite.snapshot.usage import Holding

ROWS_SHOWN = 16


def pools_report(
    pools: Sequence[PoolSurvey], problems: Iterable[Problem], notes: Iterable[str], *, fold: bool = True
) -> PoolsReport:
    """What `pools` prints: a block per pool, then what each driver has in all."""
    return PoolsReport(
        pools=tuple(_blocks(pools, fold=fold)),
        values=tuple(pools),
        summary=tuple(_sums(pools)) or ("There are no ResourceSlices, so there are no devices.",),
        notes=tuple(notes),
        problems=tuple(problems),
    )


def _blocks(pools: Sequence[PoolSurvey], *, fold: bool) -> Iterator[Block]:
    """Pools of a driver that say the same in one block, where the first of them stands."""
    alike: dict[tuple[str, str, str, tuple[Row, ...]], list[str]] = {}
    for pool in pools:
        rows = (*_device_rows(pool, fold=fold), *_counter_rows(pool), *_vanished_rows(pool))
        alike.setdefault((pool.driver, _where(pool), _state(pool), rows), []).append(pool.pool)
    for (driver, where, state, rows), names in alike.items():
        each = "each " if len(names) > 1 else ""
        title = f"{driver}/{words.folded(names, 6 if fold else None)}{where}: {each}{state}"
        shown = rows[:ROWS_SHOWN] if fold else rows
        yield Block(title, shown, len(rows) - len(shown))


def _where(pool: PoolSurvey) -> str:
    match pool.reach:
        case "node":
            other = [node for node in pool.nodes if node != pool.pool]
            return f" (node {words.listed(other)})" if other else ""
        case "all":
            return " (all nodes)"
        case "selected":
            return " (nodes by label)"
        case _:
            return " (nodes per device)"


def _state(pool: PoolSurvey) -> str:
    total = len(pool.devices)
    if pool.finding is not None:
        none = "its device cannot be taken" if total == 1 else f"none of its {total} devices can be taken"
        return f"{pool_fault(pool.finding)}, so {none}"
    if not total:
        return "no devices"
    shared = pool.in_state("shared")
    more = f", {shared} shared in part" if shared else ""
    blocked = pool.in_state("blocked")
    more += f", {blocked} blocked by counters" if blocked else ""
    old = f", {words.count(pool.obsolete_slices, 'obsolete slice')} ignored" if pool.obsolete_slices else ""
    return f"{pool.in_state('free')} of {words.count(total, 'device')} free{more}{old}"


def _device_rows(pool: PoolSurvey, *, fold: bool) -> Iterator[Row]:
    """Neighbours in the same state share a row."""
    for text, members in groupby(pool.devices, key=_device_state):
        names = [one.id.device for one in members]
        yield Row((words.folded(names, 6 if fold else None), *text))


def _device_state(one: DeviceSurvey) -> tuple[str, ...]:
    match one.state:
        case "blocked":
            state = f"free, but counter {one.blocked_by} has too little left"
        case "in-use" | "shared":
            state = "; ".join(_holder(held) for held in one.holdings)
        case "unusable":
            state = "cannot be taken"
        case _:
            state = "free"
    left = ", ".join(_amount(amount, one) for amount in one.capacity)
    shareable = "can be shared" if one.shareable else ""
    taints = ", ".join(f"tainted {taint(each.key, each.value, each.effect)}" for each in one.taints)
    return tuple(text for text in (one.model or "", left, state, shareable, taints) if text)


def _amount(amount: CapacityLeft, one: DeviceSurvey) -> str:
    if one.shareable and amount.left != amount.total:
        return f"{amount.left} of {amount.total} {amount.name} left"
    return f"{amount.name} {amount.total}"


def _holder(held: Holding) -> str:
    """`claim ml/train-0-gpus of pod ml/train-0 (memory 10Gi)`."""
    share = ", ".join(f"{name} {amount}" for name, amount in held.consumed.items())
    pods = f" of {consumers(held.consumers, 4)}" if held.consumers else ", which no pod has reserved"
    return f"claim {full(held.claim)}{pods}{f' ({share})' if share else ''}"


def _counter_rows(pool: PoolSurvey) -> Iterator[Row]:
    for name, counters in groupby(pool.counters, key=lambda one: one.counter_set):
        left = ", ".join(f"{one.left} of {one.total} {one.counter}" for one in counters)
        yield Row((f"counters {name}", f"{left} left"))


def _vanished_rows(pool: PoolSurvey) -> Iterator[Row]:
    for one, held in pool.vanished:
        yield Row((one.device, f"no longer published, and still held by {'; '.join(_holder(each) for each in held)}"))


_STATES: Final[tuple[tuple[DeviceState, str], ...]] = (
    ("free", "free"),
    ("shared", "shared in part"),
    ("in-use", "in use"),
    ("blocked", "blocked by counters"),
    ("unusable", "in pools that cannot be used"),
)


def _sums(pools: Sequence[PoolSurvey]) -> Iterator[str]:
    for driver, members in groupby(pools, key=lambda pool: pool.driver):
        mine = list(members)
        numbers = [(sum(pool.in_state(state) for pool in mine), text) for state, text in _STATES]
        parts = words.listed(f"{number} {text}" for number, text in numbers if number) or "nothing to take"
        total = words.count(sum(number for number, _ in numbers), "device")
        yield f"{driver}: {total} in {words.count(len(mine), 'pool')}: {parts}."
