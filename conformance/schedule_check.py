"""Comparing a played scenario with its recording, by what the recording calls firm."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

CLAIM_FACTS: Final = ("devices", "nodeSelector", "reservedFor", "details", "config")
EXTENDED_FACTS: Final = ("spec", "annotations")
POD_FACTS: Final = ("resourceClaimStatuses", "extendedResourceClaimStatus")


def differences(expected: Mapping[str, Any], played: Mapping[str, Any]) -> list[str]:
    """What differs, one line per fact; nothing where the two agree."""
    nodes = {name: pod.get("node") for name, pod in played["pods"].items()}
    found = [line for name, pod in expected["pods"].items() for line in _pod(name, pod, played, nodes)]
    found += [line for name, claim in expected["claims"].items() for line in _claim(name, claim, played, nodes)]
    if expected.get("scores_firm", True) and _holds(expected.get("counts", {}).get("if"), nodes):
        found += [line for name, scores in expected.get("scores", {}).items() for line in _scores(name, scores, played)]
    return found


def _pod(name: str, expected: Mapping[str, Any], played: Mapping[str, Any], nodes: Mapping[str, Any]) -> Iterator[str]:
    mine = played["pods"].get(name)
    if mine is None:
        if not expected.get("deleted"):
            yield f"pod {name}: not played"
        return
    if expected.get("deleted"):
        return
    if not expected.get("firm", True):
        allowed = expected.get("nodes", [nodes[name]])
        if _holds(expected.get("if"), nodes) and "then" in expected:
            allowed = [expected["then"]]
        if nodes[name] not in allowed:
            yield f"pod {name}: node {nodes[name]}, one of {allowed} was seen"
        return
    if nodes[name] != expected.get("node"):
        yield f"pod {name}: node {nodes[name]}, seen {expected.get('node')} ({mine.get('message', '')})"
    elif expected.get("node") is None:
        yield from _condition(name, expected, mine)
    for fact in POD_FACTS:
        if fact in expected and mine.get(fact) != expected[fact]:
            yield f"pod {name}: {fact} {mine.get(fact)}, seen {expected[fact]}"


def _condition(name: str, expected: Mapping[str, Any], mine: Mapping[str, Any]) -> Iterator[str]:
    for field in ("reason", "message"):
        allowed = [expected.get(field) or "", *expected.get("varies", {}).get(field, ())]
        if (mine.get(field) or "") not in allowed:
            yield f"pod {name}: {field} {mine.get(field)!r}, seen {allowed}"


def _claim(
    name: str, expected: Mapping[str, Any], played: Mapping[str, Any], nodes: Mapping[str, Any]
) -> Iterator[str]:
    mine = played["claims"].get(name)
    if expected.get("deleted"):
        if mine is not None:
            yield f"claim {name}: still there"
        return
    if not expected.get("firm", True):
        alternatives = expected.get("alternatives", ())
        if alternatives and not any(mine is not None and not _facts(mine, one) for one in alternatives):
            yield f"claim {name}: {mine}, none of what was seen"
        return
    if not _holds(expected.get("if"), nodes):
        return
    if mine is None:
        yield f"claim {name}: not there"
        return
    for fact in _facts(mine, expected):
        yield f"claim {name}: {fact} {mine.get(fact)}, seen {expected.get(fact)}"


def _facts(mine: Mapping[str, Any], expected: Mapping[str, Any]) -> list[str]:
    """The facts that differ; those of the special claim only where they were recorded."""
    facts = [fact for fact in CLAIM_FACTS if (mine.get(fact) or None) != (expected.get(fact) or None)]
    return facts + [fact for fact in EXTENDED_FACTS if fact in expected and mine.get(fact) != expected[fact]]


def _scores(name: str, expected: Mapping[str, Any], played: Mapping[str, Any]) -> Iterator[str]:
    mine = played["scores"].get(name)
    if mine is None:
        yield f"scores of {name}: none"
        return
    for node, scores in expected.items():
        for plugin, score in scores.items():
            if mine.get(node, {}).get(plugin, 0) != score:
                yield f"scores of {name}: {plugin} on {node} {mine.get(node, {}).get(plugin, 0)}, seen {score}"


def _holds(condition: Mapping[str, Any] | None, nodes: Mapping[str, Any]) -> bool:
    """Whether the free choices that the recording names were made as there."""
    return all(nodes.get(name) == node for name, node in (condition or {}).items())
