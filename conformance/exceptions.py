"""Recordings that dravite answers otherwise on purpose, or cannot answer alike, and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_BLAME: Final = "a fault of the client's is answered with 400; Kubernetes answers 500 here"

EXCEPTIONS: Final[Mapping[str, str]] = {
    "create with a resourceVersion": _BLAME,
    "list, resourceVersion not a number": _BLAME,
    "watch, resourceVersion not a number": _BLAME,
    "strategic merge patch, unknown directive": _BLAME,
    "apply, unknown field": _BLAME,
    "apply, unknown field, default mode": _BLAME,
    "watch from resourceVersion 1": "the recorded server remembered what was done to it before",
    "pods know resource claims": "nothing runs in pods here, so their logs, exec and proxies are not served",
}
"""By what a step is called."""

_BY_ITSELF: Final = "Kubernetes keeps the counters that the first node saw; here each node sees its own"

OF_ALLOCATIONS: Final[Mapping[str, str]] = {
    "CNT-10: two generations with other totals, n1 asked first": _BY_ITSELF,
    "CNT-10: two generations with other totals, n2 asked first": _BY_ITSELF,
}
"""By the name of a line."""

_TIMES: Final = "which attempt came first, or how often it was tried, was left to chance"
_SKIPPED: Final = "a pod that is deleted is said to be skipped if its backoff happens to be over"
_EQUALS: Final = "which of several equal nodes or racks it is was left to chance"
_ORDER: Final = "in which order slices were looked at was left to chance"
_COMPACT: Final = "an attempt is told of that the recording left out"

OF_CONTROLLERS: Final[Mapping[tuple[str, str], str]] = {
    ("1.37", "condition of a pod preempted by a group"): _TIMES,
    ("1.37", "gang: a terminating pod counts for minCount?"): _TIMES,
    ("1.37", "gang of five with minCount three, room for four"): _TIMES,
    ("1.36", "gang too large for the cluster"): _TIMES,
    ("1.36", "gang whose pods have own claims, devices short"): _TIMES,
    ("1.36", "group preempts single pods"): _EQUALS,
    ("1.36", "group claim from a template, three pods"): _TIMES,
    ("1.36", "group of four with minCount two, room for two in every rack"): _EQUALS,
    ("1.31", "two claims, two drivers, played by hand: the second refuses after the first allocated"): _COMPACT,
    ("1.31", "pod deleted while waiting for the driver"): _SKIPPED,
    ("1.31", "structured: unbound pod deleted"): _SKIPPED,
    ("1.31", "structured: two slices of one pool, older generation ignored"): _ORDER,
}
"""By release and name of a scenario."""
