"""Comparing a played scenario with its recording, by what the recording calls firm."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from conformance.observed_likeness import timeless
from conformance.scenario import Scenario

CLAIM_FACTS: Final = ("devices", "nodeSelector", "reservedFor", "details", "config")
EXTENDED_FACTS: Final = ("spec", "annotations")
POD_FACTS: Final = ("resourceClaimStatuses", "extendedResourceClaimStatus", "disruption")
GROUP_FACTS: Final = ("conditions", "resourceClaimStatuses", "finalizers", "priority", "priorityClassName", "deleting")

Facts = Mapping[str, Any]


def differences(scenario: Scenario, played: Facts) -> list[str]:
    """What differs, one line per fact; nothing where the two agree."""
    expected = scenario.expected
    nodes = {name: pod.get("node") for name, pod in played["pods"].items()}
    alike = _alike(scenario) if scenario.profile.release == "1.36" else ()
    taken = {name for names in alike for name in names} | set(expected.get("victims_varying", ()))
    found = [line for name, pod in expected["pods"].items() if name not in taken for line in _pod(name, pod, played)]
    found += [line for names in alike for line in _pods_alike(names, expected, played)]
    found += [line for name, claim in expected["claims"].items() for line in _claim(name, claim, played, nodes)]
    found += [line for name, group in expected.get("groups", {}).items() for line in _group(name, group, played)]
    found += _victims(expected, played, nodes)
    found += _refused(expected, played)
    found += _counts(expected, played, nodes)
    if expected.get("scores_firm", True) and _holds(expected.get("counts", {}).get("if"), nodes):
        found += [line for name, scores in expected.get("scores", {}).items() for line in _scores(name, scores, played)]
    if expected.get("placements_firm", True):
        found += _placements(expected, played)
    return found


def _pod(name: str, expected: Facts, played: Facts) -> Iterator[str]:
    mine = played["pods"].get(name)
    nodes = {other: pod.get("node") for other, pod in played["pods"].items()}
    if expected.get("deleted"):
        if mine is not None and not mine.get("deleted"):
            yield f"pod {name}: still there"
        return
    if mine is None or (mine.get("deleted") and not expected.get("varies", {}).get("deleted")):
        yield f"pod {name}: {'not played' if mine is None else 'deleted'}"
        return
    if not expected.get("firm", True):
        allowed = expected.get("nodes", [nodes[name]])
        if _holds(expected.get("if"), nodes) and "then" in expected:
            allowed = [expected["then"]]
        if nodes[name] not in allowed and not (nodes[name] is None and expected.get("node", "") is None):
            yield f"pod {name}: node {nodes[name]}, one of {allowed} was seen ({mine.get('message', '')})"
        return
    if nodes[name] != expected.get("node"):
        yield f"pod {name}: node {nodes[name]}, seen {expected.get('node')} ({mine.get('message', '')})"
    elif expected.get("node") is None:
        yield from _condition(name, expected, mine)
    for fact in POD_FACTS:
        if fact in expected and mine.get(fact) != expected[fact]:
            yield f"pod {name}: {fact} {mine.get(fact)}, seen {expected[fact]}"


def _condition(name: str, expected: Facts, mine: Facts) -> Iterator[str]:
    for field in ("reason", "message"):
        allowed = [expected.get(field) or "", *expected.get("varies", {}).get(field, ())]
        if timeless(mine.get(field) or "") not in map(timeless, allowed):
            yield f"pod {name}: {field} {mine.get(field)!r}, seen {allowed}"


def _alike(scenario: Scenario) -> tuple[tuple[str, ...], ...]:
    """Equal pods of one group: which of them fares how is left to chance in 1.36."""
    found: dict[str, list[str]] = {}
    for document in scenario.workload:
        if document.kind != "Pod":
            continue
        raw = json.loads(bytes(document.body))
        spec = raw.get("spec", {})
        if spec.get("schedulingGroup"):
            name = f"{raw['metadata'].get('namespace', 'default')}/{raw['metadata']['name']}"
            found.setdefault(json.dumps(spec, sort_keys=True), []).append(name)
    return tuple(tuple(names) for names in found.values() if len(names) > 1)


def _pods_alike(names: Sequence[str], expected: Facts, played: Facts) -> Iterator[str]:
    """Equal pods, compared as a whole: how many have a node, and what the others are told."""
    seen = [expected["pods"][name] for name in names if name in expected["pods"]]
    mine = [played["pods"].get(name, {}) for name in names]
    if any(one.get("deleted") or "varies" in one for one in seen):
        for name in names:
            if name in expected["pods"]:
                yield from _pod(name, expected["pods"][name], played)
        return
    wanted, found = _fates(seen), _fates(mine)
    if wanted != found:
        yield f"pods {', '.join(names)}: {dict(found)}, seen {dict(wanted)}"


def _fates(pods: Iterable[Facts]) -> Counter[str]:
    return Counter(
        "placed"
        if pod.get("node") or (not pod.get("firm", True) and None not in pod.get("nodes", [None]))
        else f"{pod.get('reason') or ''}: {pod.get('message') or ''}"
        for pod in pods
    )


def _claim(name: str, expected: Facts, played: Facts, nodes: Facts) -> Iterator[str]:
    mine = played["claims"].get(name)
    if expected.get("deleted"):
        if mine is not None:
            yield f"claim {name}: still there"
        return
    if not expected.get("firm", True):
        alternatives = expected.get("alternatives", ())
        if alternatives and not any(_is(mine, one) for one in alternatives):
            yield f"claim {name}: {mine}, none of what was seen"
        return
    if not _holds(expected.get("if"), nodes):
        return
    if mine is None:
        yield f"claim {name}: not there"
        return
    for fact in _facts(mine, expected):
        yield f"claim {name}: {fact} {mine.get(fact)}, seen {expected.get(fact)}"


def _is(mine: Facts | None, one: Facts | None) -> bool:
    """Whether a claim is as it was seen; None is one that is not there."""
    if mine is None or one is None or one.get("deleted"):
        return mine is None and (one is None or bool(one.get("deleted")))
    return not _facts(mine, one)


def _facts(mine: Facts, expected: Facts) -> list[str]:
    """The facts that differ; those of the special claim only where they were recorded."""
    facts = [fact for fact in CLAIM_FACTS if (mine.get(fact) or None) != (expected.get(fact) or None)]
    return facts + [fact for fact in EXTENDED_FACTS if fact in expected and mine.get(fact) != expected[fact]]


def _group(name: str, expected: Facts, played: Facts) -> Iterator[str]:
    mine = played["groups"].get(name)
    if expected.get("deleted"):
        if mine is not None:
            yield f"group {name}: still there"
        return
    if mine is None:
        yield f"group {name}: not there"
        return
    seen = [expected] if expected.get("firm", True) else expected.get("alternatives", ())
    if seen and not any(all(_same(mine, one, fact) for fact in GROUP_FACTS) for one in seen):
        for fact in GROUP_FACTS:
            if not any(_same(mine, one, fact) for one in seen):
                yield f"group {name}: {fact} {mine.get(fact)}, seen {[one.get(fact) for one in seen]}"


def _same(mine: Facts, seen: Facts, fact: str) -> bool:
    allowed = [seen.get(fact) or None, *seen.get("varies", {}).get(fact, ())]
    return (mine.get(fact) or None) in allowed


def _victims(expected: Facts, played: Facts, nodes: Facts) -> Iterator[str]:
    if not _holds(expected.get("victims_if"), nodes):
        return
    seen, varying = set(expected.get("victims", ())), set(expected.get("victims_varying", ()))
    mine = set(played["victims"])
    if not seen <= mine or not mine <= seen | varying:
        yield f"victims {sorted(mine)}, seen {sorted(seen)} and sometimes {sorted(varying)}"


def _refused(expected: Facts, played: Facts) -> Iterator[str]:
    seen, mine = expected.get("refused", []), played["refused"]
    yield from (f"refused {one}, which was not seen" for one in mine if one not in seen)
    yield from (f"not refused: {one}" for one in seen if one not in mine)


def _counts(expected: Facts, played: Facts, nodes: Facts) -> Iterator[str]:
    seen = expected.get("counts", {})
    if not seen.get("firm") or not _holds(seen.get("if"), nodes):
        return
    mine = played["counts"]["pods_on_node"]
    if mine != seen.get("pods_on_node", {}):
        yield f"pods on nodes {mine}, seen {seen.get('pods_on_node')}"


def _scores(name: str, expected: Facts, played: Facts) -> Iterator[str]:
    mine = played["scores"].get(name)
    if mine is None:
        yield f"scores of {name}: none"
        return
    for node, scores in expected.items():
        for plugin, score in scores.items():
            if mine.get(node, {}).get(plugin, 0) != score:
                yield f"scores of {name}: {plugin} on {node} {mine.get(node, {}).get(plugin, 0)}, seen {score}"


def _placements(expected: Facts, played: Facts) -> Iterator[str]:
    for group, seen in expected.get("placements", {}).items():
        mine = played["placements"].get(group)
        if mine != seen:
            yield f"placements of {group}: {mine}, seen {seen}"


def _holds(condition: Facts | None, nodes: Facts) -> bool:
    """Whether the free choices that the recording names were made as there."""
    return all(nodes.get(name) == node for name, node in (condition or {}).items())
