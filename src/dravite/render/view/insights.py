"""Selectors, names and constraints taken apart: what was asked, what the devices publish, and where it is written."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from dravite.explain.explanation import SelectorFailure
from dravite.explain.insights import Clause, Comparison, ConstraintInsight, NameInsight, SelectorInsight
from dravite.render import words
from dravite.render.report import Block, Row
from dravite.render.view.sight import Sight, devices
from dravite.snapshot.device_paths import DevicePath

VALUES_SHOWN = 4
_NAME = re.compile(r"\w+")

_RELATIONS = {
    ">=": "at least",
    "<=": "at most",
    ">": "more than",
    "<": "less than",
    "==": "",
    "!=": "other than",
    "contains": "a text with",
    "startsWith": "a text that begins with",
    "endsWith": "a text that ends in",
    "matches": "a text that matches",
}


def selector_block(found: SelectorInsight, sight: Sight) -> Block:
    """On how many devices a selector is true, and what its failing clauses read there."""
    whose = (
        f"class {found.selector.object.name}"
        if found.selector.object.kind == "DeviceClass"
        else f"request {found.request}"
    )
    true_for = (
        words.of(found.matched, found.devices, "device")
        if found.matched
        else f"0 of {words.count(found.devices, 'device')}"
    )
    place = sight.place(found.selector.object, found.selector.path)
    rows = [_clause(clause, found.devices) for clause in found.clauses if clause.false_on or clause.error_on]
    if found.matched_examples and found.matched < found.devices:
        rows.append(Row((f"true for {devices(found.matched_examples)}",)))
    title = f"The selector of {whose} is true for {true_for}{f' ({place})' if place else ''}"
    return Block(title + (":" if rows else "."), tuple(rows))


def _clause(clause: Clause, total: int) -> Row:
    """`memory: 40Gi on 8 devices, needs at least 80Gi`, with the clause in the user's own words below."""
    seen = [_values(read.path, [(one.value, one.devices) for one in read.values], total) for read in clause.seen]
    needs = _needs(clause.comparison, {one.value for read in clause.seen for one in read.values})
    near = f"; the closest published value is {clause.nearest!r}" if clause.nearest else ""
    if not seen:
        seen = [f"false on {clause.false_on} of {total}"]
    return Row((f"{'; '.join(seen)}{f', needs {needs}' if needs else ''}{near}",), (" ".join(clause.text.split()),))


def _values(path: DevicePath, values: Sequence[tuple[str | None, int]], total: int) -> str:
    shown = values[:VALUES_SHOWN]
    texts = [
        f"{value} on {words.of(number, total, 'device')}"
        if value is not None
        else f"not published by {words.of(number, total, 'device')}"
        for value, number in shown
    ]
    if len(values) > len(shown):
        texts.append(f"{len(values) - len(shown)} other values")
    return f"{path.name or path.root}: {', '.join(texts)}"


def _needs(comparison: Comparison | None, seen: Collection[str | None]) -> str:
    """What is demanded; as it stands there where devices have it as a value of another kind."""
    if comparison is None or comparison.kind == "presence":
        return ""
    if comparison.operator == "==" and comparison.operand in seen and not comparison.negated:
        return f"{comparison.literal}, a {comparison.kind}: values of other kinds are never equal"
    text = f"{_RELATIONS.get(comparison.operator, comparison.operator)} {comparison.operand}".strip()
    return f"anything but {text}" if comparison.negated else text


def name_block(names: Sequence[NameInsight], sight: Sight) -> Block:
    """Attributes, capacities and domains that are asked for and not (everywhere) published."""
    rows = [_name(one, sight) for one in names]
    return Block("Asked for, and not published as such:" if rows else "", tuple(rows))


def _name(one: NameInsight, sight: Sight) -> Row:
    word = "capacity" if one.path.root == "capacity" else "attribute"
    qualified = _qualified(one.path)
    has = f"{one.having} of {words.count(one.devices, 'device')}"
    what = f"domain {qualified}" if one.problem == "domain-unknown" else f"{word} {qualified}"
    place = sight.place(one.asked_by.object, one.asked_by.path)
    tail = f"on {has} of request {one.request}{_near(one)}"
    lack = words.bent(len(one.lacking), "lacks")
    lacking = f"; {devices(one.lacking, most=4)} {lack} it" if one.lacking and one.problem == "on-some" else ""
    rows = tuple(cell for cell in (what, tail + lacking, place) if cell)
    return Row(rows, tuple(f"{node.node}: {node.having} of {node.devices}" for node in one.nodes))


def _near(one: NameInsight) -> str:
    near = words.listed((_qualified(path) for path in one.near[:3]), "or")
    match one.problem:
        case "is-capacity":
            return f"; {one.path.name} is a capacity here, not an attribute"
        case "is-attribute":
            return f"; {one.path.name} is an attribute here, not a capacity"
        case "other-domain":
            return f"; they publish {near}, which is another name"
        case _:
            return f"; did you mean {near}?" if near else ""


def _qualified(path: DevicePath) -> str:
    if not path.domain:
        return path.name or path.root
    return f"{path.domain}/{path.name}" if path.name else path.domain


def constraint_block(found: ConstraintInsight, sight: Sight) -> Block:
    """The sets of devices that a constraint leaves: by value, what each request could take."""
    place = sight.place(found.constraint.object, found.constraint.path)
    needed = words.listed(f"{number} of {request}" for request, number in found.needed)
    rows = []
    for group in found.groups:
        value = group.value if group.value is not None else "not published"
        taken = [f"{request}: {devices(many, found.node)}" for request, many in group.devices if many]
        rows.append(Row((value, "; ".join(taken) or "no device")))
    relation = "one value" if found.kind == "matchAttribute" else "different values"
    total = sum(number for _, number in found.needed)
    title = (
        f"{found.kind} {found.attribute} wants {relation} for {needed}; on {found.node} at most {found.largest} of"
        f" {total} hold together{f' ({place})' if place else ''}:"
    )
    return Block(title, tuple(rows))


def failure_block(found: SelectorFailure, sight: Sight) -> Block:
    """The selector that ended the attempt, with a caret under the place and what the device has there."""
    place = sight.place(found.selector.object, found.selector.path)
    cells = tuple(cell for cell in (place, str(found.selector.object), found.selector.path) if cell)
    rows = [Row(cells, caret(found.expression, found.offset, first_sentence(found.headline)))]
    if found.path is not None and found.device is not None:
        rows += [
            Row(
                (
                    f"{found.device.device} has {one.path} = {one.value}"
                    if one.value is not None
                    else f"{found.device.device} has no {one.path}",
                )
            )
            for one in found.seen
        ]
    if found.found_kind and found.compared_with:
        rows.append(
            Row((f"the published value is a {found.found_kind}, and it is compared with {found.compared_with}",))
        )
    if found.devices:
        struck, reach = words.of(found.fails_on, found.devices, "device"), "reaches" if found.devices == 1 else "reach"
        rows.append(Row((f"the error strikes on {struck} that {reach} the selector",)))
    on = f" on {found.device}" if found.device else ""
    at_node = f" (node {found.node})" if found.node and found.device and found.node != found.device.pool else ""
    verb = "cannot be evaluated" if found.device else "does not compile"
    return Block(f"The selector {verb}{on}{at_node}:", tuple(rows))


def caret(expression: str, offset: int | None, says: str) -> tuple[str, ...]:
    """The line of the expression that holds the fault, and below it `^^^^^^ no such key: memory`."""
    if offset is None or offset > len(expression):
        return (*expression.strip().splitlines()[:1], says)
    start = expression.rfind("\n", 0, offset) + 1
    line = expression[start:].split("\n", 1)[0]
    if expression[offset : offset + 1] == ".":
        offset += 1  # a selection is placed at its dot; the name behind it is what is meant
    name = _NAME.match(expression, offset)
    return (line, f"{' ' * (offset - start)}{'^' * max(len(name[0]) if name else 1, 1)} {says}")


def first_sentence(message: str) -> str:
    """What an error says, without the general advice that Kubernetes adds to it."""
    return message.split(". ", 1)[0]
