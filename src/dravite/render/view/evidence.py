"""The evidence for an answer: blocks whose counts add up, each pointing at the user's own text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from dravite.api.meta import DeviceID, ObjectRef
from dravite.diagnosis.findings import Clash, PoolFinding
from dravite.diagnosis.verdicts import Aborted, AttemptError, Scheduled
from dravite.explain.devices.amounts import is_policed
from dravite.explain.explanation import DeviceStory, Explanation, NodeGroup, RequestFinding, is_of_other_class
from dravite.explain.insights import AmountInsight, Holding, MissingName, RefusalGroup, UnmetLabel
from dravite.explain.notes import OneDevicePerAmount
from dravite.render import words
from dravite.render.report import Block, Row
from dravite.render.view.demands import demand
from dravite.render.view.headlines import nodes_of, why_refused
from dravite.render.view.insights import constraint_block, failure_block, name_block, selector_block
from dravite.render.view.rejections import asked_by, device_refusal, pool_fault, refusal_place
from dravite.render.view.sight import DEVICES_NAMED, Sight, consumers, devices, full, location, said

ROWS_SHOWN = 12
OTHERS_NAMED = 4
VALUES_NAMED = 6


def evidence(found: Explanation, sight: Sight) -> tuple[Block, ...]:
    """All blocks of an explanation, the most telling first."""
    return tuple(block for block in _blocks(found, sight) if block.title or block.rows)


def _blocks(found: Explanation, sight: Sight) -> Iterator[Block]:
    for name in found.missing:
        yield missing_block(name, sight)
    if found.failure is not None:
        yield failure_block(found.failure, sight)
    elif isinstance(found.decision.decision, Aborted):
        yield error_block(found.decision.decision.error, sight)
    if isinstance(found.decision.decision, Scheduled):
        yield from _scheduled(found, sight)
    for group in found.groups:
        if group.devices is not None and group.devices.clash is not None:
            yield clash_block(group.devices.clash, sight)
    for group in found.groups:
        if group.devices is not None:
            yield from story_blocks(group.devices, group, sight)
    yield other_nodes([group for group in found.groups if group.devices is None], found.nodes_total, sight)
    for selector in found.selectors:
        yield selector_block(selector, sight)
    yield name_block(found.names, sight)
    for constraint in found.constraints:
        yield constraint_block(constraint, sight)
    if not any(isinstance(one, OneDevicePerAmount) for one in found.notes):
        yield amounts_block([one for one in found.amounts if not is_policed(one, found.groups)])
    yield unmet_block(found.unmet, sight)
    yield pools_block(_untold(found), sight)
    yield holdings_block(found.holdings, max(found.holdings_total, len(found.holdings)), sight)


def _untold(found: Explanation) -> tuple[PoolFinding, ...]:
    """Pools with a fault that no node's story names."""
    told = {pool for group in found.groups if group.devices for pool in group.devices.pools}
    return tuple(pool for pool in found.pools if pool not in told)


def missing_block(name: MissingName, sight: Sight) -> Block:
    """Where something is named that is not there, and what is there instead."""
    by = f"request {name.request} of {said(name.named_by)}" if name.request else said(name.named_by)
    place = sight.place(name.named_by, name.field)
    rows = [Row(tuple(cell for cell in (by, name.field, place) if cell))]
    if told := refused_elsewhere(name, sight):
        rows.append(Row((told,)))
    if name.promised_by is not None:
        rows.append(Row((f"{said(name.promised_by)} has it made by the controller of its driver",)))
    if name.near:
        rows.append(Row((f"did you mean {words.listed(name.near, 'or')}?",)))
    if name.elsewhere:
        rows.append(Row((f"there is {words.listed(said(one) for one in name.elsewhere)}",)))
    if name.existing:
        more = name.existing_total - len(name.existing)
        there = words.listed([*name.existing, f"{more} more"] if more else name.existing)
        rows.append(Row((f"{name.missing.kind} objects there: {there}",)))
    elif not name.elsewhere and not told:
        rows.append(Row((f"there is no {name.missing.kind} at all{_where(name.missing)}",)))
    return Block(f"{name.missing.kind} {name.missing.name} is named here and does not exist:", tuple(rows))


def refused_elsewhere(name: MissingName, sight: Sight) -> str:
    """Where the missing object was written with an error that keeps it from being there; empty if it was not."""
    found = sight.refused.get(str(name.missing))
    if found is None:
        return ""
    why = "see the error" if "\n" in found.message else found.message
    return f"it stands in {location(found.file, found.line)} and would be refused: {why}"


def _where(ref: ObjectRef) -> str:
    return f" in namespace {ref.namespace}" if ref.namespace else ""


def clash_block(clash: Clash, sight: Sight) -> Block:
    """Demands that cannot hold together: drop any one and the others can."""
    rows = [
        Row((demand(asked, sight), sight.place(asked.object, asked.path), str(asked.object))) for asked in clash.core
    ]
    return Block("These cannot hold together:", tuple(rows), numbered=True)


def story_blocks(story: DeviceStory, group: NodeGroup, sight: Sight) -> Iterator[Block]:
    """What each request finds on a node, and the pools from which nothing can be taken."""
    nodes = nodes_of(group, sight.most(8))
    for finding in story.requests:
        yield request_block(finding, nodes, group, sight)
    if story.pools:
        yield pools_block(story.pools, sight)
    elif not story.requests:
        yield Block(f"{nodes}: no devices.", ())


def request_block(finding: RequestFinding, nodes: str, group: NodeGroup, sight: Sight) -> Block:
    """`n-1: request vfs needs 2 devices, 1 of 3 will do` and what is wrong with the others."""
    needs = "all matching devices" if finding.needed is None else words.count(finding.needed, "device")
    each = " each" if group.size > 1 else ""
    seen = finding.of_class
    pools = group.devices.pools if group.devices else ()
    none = "there are no devices that can be taken" if pools else "there are no such devices"
    will_do = f"{finding.eligible} of {seen}{each} will do" if seen else none
    home = group.devices.node if group.devices else None
    rows = []
    if finding.eligible_devices:
        rows.append(Row((devices(finding.eligible_devices, home, sight.most(DEVICES_NAMED)), "will do")))
    rows += [_refused_row(one, home, sight) for one in refused(finding.refusals, sight)]
    told = f" ({home})" if group.size > 1 and rows else ""
    shown = rows[:ROWS_SHOWN] if sight.fold else rows
    title = f"{nodes}: {asking(finding)} {needs}, {will_do}{told}"
    return Block(title + (":" if rows else "."), tuple(shown), len(rows) - len(shown))


def asking(finding: RequestFinding) -> str:
    """`request vfs needs`, or `requests a and b each need` for requests that find the same."""
    return f"{asked_by(finding)} {'each need' if finding.also else 'needs'}"


class Refused(msgspec.Struct, frozen=True):
    """Devices with which the same thing is wrong."""

    text: str
    place: str
    devices: tuple[DeviceID, ...]
    other_class: bool = False


def _refused_row(one: Refused, home: str | None, sight: Sight) -> Row:
    """Devices and what is wrong with them; many devices of other classes are only counted."""
    many = one.other_class and sight.fold and len(one.devices) > OTHERS_NAMED
    names = words.count(len(one.devices), "device") if many else devices(one.devices, home, sight.most(DEVICES_NAMED))
    return Row(tuple(cell for cell in (names, one.text, one.place) if cell))


def refused(groups: Sequence[RefusalGroup], sight: Sight) -> list[Refused]:
    """What is wrong, and the devices that it is wrong with; equal things once, devices of other classes last."""
    told: dict[tuple[bool, str, str], list[DeviceID]] = {}
    for group in groups:
        for one in group.rejections:
            key = (is_of_other_class(one), device_refusal(one), refusal_place(one, sight))
            told.setdefault(key, []).append(one.device)
    ordered = sorted(told.items(), key=lambda item: item[0][0])
    return [Refused(text, "" if other else place, tuple(many), other) for (other, text, place), many in ordered]


def other_nodes(groups: Sequence[NodeGroup], total: int, sight: Sight) -> Block:
    """Nodes that are ruled out before any device is looked at."""
    rows = [
        Row(
            (
                nodes_of(group, sight.most(8)),
                why_refused(group, "; "),
            )
        )
        for group in groups
    ]
    refusing = sum(group.size for group in groups)
    if rows and refusing == total:
        return Block("No node takes the pod:", tuple(rows))
    title = f"{words.of(refusing, total, 'node')} {words.bent(refusing, 'refuses')} the pod for other reasons:"
    return Block(title if rows else "", tuple(rows))


def amounts_block(amounts: Sequence[AmountInsight]) -> Block:
    """Capacities that no device has enough of: needed, the most that one has left, and all together."""
    rows = [
        Row(
            (
                f"capacity {one.name}",
                f"{one.needed} needed by request {one.request}",
                f"at most {one.largest} of {one.largest_total} left in one device",
                f"{one.total} left in all",
            )
        )
        for one in amounts
        if one.what == "capacity"
    ]
    return Block("An amount comes from one device:" if rows else "", tuple(rows))


def error_block(error: AttemptError, sight: Sight) -> Block:
    """Where the demand stands that ended an attempt, for errors that are not a selector's."""
    if error.claim is None:
        return Block("")
    place = sight.place(error.claim, error.path or "")
    cells = tuple(cell for cell in (place, str(error.claim), error.path or "") if cell)
    return Block("The attempt ends here:", (Row(cells, (error.message,)),))


def unmet_block(labels: Sequence[UnmetLabel], sight: Sight) -> Block:
    """Labels that the pod asks for and the nodes kept out do not have."""
    rows = []
    for one in labels:
        wants = f"{one.key} {one.operator} {', '.join(one.values)}".strip()
        keeps = f"keeps {words.count(one.nodes, 'node')} out ({_values_seen(one, sight)})"
        meant = f"did you mean {words.listed(one.near, 'or')}?" if one.near else ""
        place = sight.place(one.asked_by.object, one.asked_by.path)
        rows.append(Row(tuple(cell for cell in (wants, keeps, meant, place) if cell)))
    return Block("The pod's node selection:" if rows else "", tuple(rows))


def _values_seen(one: UnmetLabel, sight: Sight) -> str:
    """What the nodes have in the place of what is asked for; the most frequent values first, the rest counted."""
    shown = one.values_seen[: sight.most(VALUES_NAMED)]
    told = [f"{value!r} on {number}" if value is not None else f"no such label on {number}" for value, number in shown]
    rest = one.nodes - sum(number for _, number in shown)
    return words.listed([*told, f"other values on {rest}"] if rest else told)


def pools_block(pools: Sequence[PoolFinding], sight: Sight) -> Block:
    """Pools from which no device may be taken."""
    rows = [Row((f"pool {one.pool}", f"driver {one.driver}", pool_fault(one))) for one in pools]
    shown = rows[:ROWS_SHOWN] if sight.fold else rows
    return Block("Nothing can be taken from:" if rows else "", tuple(shown), len(rows) - len(shown))


def holdings_block(holdings: Sequence[Holding], total: int, sight: Sight) -> Block:
    """Who holds the devices in the way: devices, claim, pods; `total` devices, of which the first are given."""
    held: dict[tuple[str, ...], list[DeviceID]] = {}
    for one in holdings:
        held.setdefault(_holder_cells(one, sight), []).append(one.device)
    rows = [Row((devices(many, most=sight.most(DEVICES_NAMED)), *cells)) for cells, many in held.items()]
    shown = rows[:ROWS_SHOWN] if sight.fold else rows
    title = "Who holds them:" if total == len(holdings) else f"Who holds the first {len(holdings)} of {total} devices:"
    return Block(title if rows else "", tuple(shown), len(rows) - len(shown))


def _holder_cells(one: Holding, sight: Sight) -> tuple[str, ...]:
    claim = f"claim {full(one.claim)}" if one.claim else "a claim that is not here"
    pods = consumers(one.pods) if one.pods else "no pod"
    remarks = (
        ("takes the counter", one.counters),
        ("in this plan", one.planned),
        ("goes once nobody has it reserved", one.claim is not None and sight.is_going(one.claim)),
    )
    return (claim, pods, *(text for text, so in remarks if so))


def _scheduled(found: Explanation, sight: Sight) -> Iterator[Block]:
    decision = found.decision.decision
    if not isinstance(decision, Scheduled):
        return
    rows = [
        Row((claim.entry, one.request, f"{one.pool}/{one.device}", f"driver {one.driver}"))
        for claim in found.decision.claims
        if claim.allocation is not None
        for one in claim.allocation.devices.results
    ]
    shown = rows[:ROWS_SHOWN] if sight.fold else rows
    yield Block("It gets:" if rows else "", tuple(shown), len(rows) - len(shown))
    for story in found.fallbacks:
        group = NodeGroup(nodes=(story.node,), reasons=(), devices=story)
        yield from story_blocks(story, group, sight)
