"""Whether an observed state of controllers is a recorded one, as far as the README of the recordings calls it firm."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

_DRAWN: Final = re.compile(r'("resourceClaimName": "[^"]*?)(?:[a-z0-9]{5}|\*)"')
_HASHED: Final = re.compile(r"-[4-9bcdf]{7,10}\b")
"""The drawn parts of the names of a Job's Workload and PodGroup."""

_TIME: Final = re.compile(r"\b\d{4}-\d\d-\d\dT[\d:.]+Z")
"""A time within a sentence of the scheduler."""

_OVERTAKEN: Final = re.compile(
    "in the process of being allocated|got allocated elsewhere in the meantime|the object has been modified"
    "|StorageError: invalid object"
)
_MANY: Final = 20
"""Of so many nodes it is not firm which are named."""

_BETWEEN: Final = re.compile(r"1 waiting for resource driver(?: to provide information)?\.")
"""An attempt more between two that count (1.31)."""


def differences(wanted: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[str]:
    """Where two states differ. Drawn names of claims may show as they are once the claim is gone."""
    wanted, found = (json.loads(_plain(json.dumps(state))) for state in (wanted, found))
    for state in (wanted, found):
        for pod in state.get("pods", {}).values():
            pod.get("resourceClaimStatuses", []).sort(key=lambda one: one["name"])  # chance before 1.37
        for context in state.get("podSchedulingContexts", {}).values():
            if len(context["spec"].get("potentialNodes") or ()) >= _MANY:
                context |= {"spec": "many nodes", "status": "many nodes"}
    for field in sorted(wanted.keys() | found.keys()):
        if field == "events":
            yield from _events(wanted.get(field, ()), found.get(field, ()))
            continue
        mine, its = found.get(field, {}), wanted.get(field, {})
        for name in sorted(mine.keys() | its.keys()):
            if name not in mine or name not in its:
                yield f"{field} {name}: {mine.get(name, 'missing')}, recorded {its.get(name, 'missing')}"
            elif mine[name] != its[name]:
                yield from _fields(f"{field} {name}", its[name], mine[name])


def timeless(text: str) -> str:
    """A text without the times in it."""
    return _TIME.sub("<time>", text)


def _plain(text: str) -> str:
    return timeless(_HASHED.sub("-#", _DRAWN.sub(r'\1*"', text)))


def _fields(path: str, wanted: Any, found: Any) -> Iterator[str]:
    if not isinstance(wanted, dict) or not isinstance(found, dict):
        if wanted != found:
            yield f"{path}: {found!r}, recorded {wanted!r}"
        return
    for name in sorted(wanted.keys() | found.keys()):
        yield from _fields(f"{path}.{name}", wanted.get(name), found.get(name))


def _events(wanted: Any, found: Any) -> Iterator[str]:
    its = {tuple(one) for one in wanted if not _OVERTAKEN.search(one[4])}
    mine = {tuple(one) for one in found if not _OVERTAKEN.search(one[4])}
    for one in sorted(its - mine):
        yield f"events: not told {list(one)}"
    for one in sorted(mine - its):
        if not _BETWEEN.search(one[4]):
            yield f"events: told {list(one)}"
