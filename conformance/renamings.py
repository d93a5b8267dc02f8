"""Names that mean the same in a scenario: nodes that are alike, and pods that are.

Which of several equal nodes, racks or victims it was is not firm in the recordings of controllers. A renaming that
maps a scenario onto itself leads from one such outcome to another.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, permutations, product
from typing import Any, Final

Plain = Mapping[str, Any]
Renaming = Mapping[str, str]

MOST: Final = 3_000
_MOST_ALIKE: Final = 5
_HOSTNAME: Final = "kubernetes.io/hostname"


def renamings(scenario: Plain) -> Iterator[Renaming]:
    """The renamings that leave a scenario as it is; the one that renames nothing comes first."""
    nodes = [one for one in scenario["given"] if one["kind"] == "Node"]
    names = [one["metadata"]["name"] for one in nodes]
    maps = (dict(zip(names, other, strict=True)) for other in islice(permutations(names), MOST))
    of_nodes = [one for one in maps if _is_alike(scenario["given"], nodes, one)]
    classes = _pod_classes(scenario)
    for by_node, *pods in islice(product(of_nodes, *map(permutations, classes)), MOST):
        mapping = dict(by_node)
        for alike, others in zip(classes, pods, strict=True):
            mapping |= dict(zip(alike, others, strict=True))
        yield {old: new for old, new in mapping.items() if old != new}


def renamed(value: Any, names: Renaming) -> Any:
    """A value in which all names are replaced at once."""
    if not names:
        return value
    pattern = re.compile(r"\b(?<![.-])(" + "|".join(map(re.escape, sorted(names, key=len, reverse=True))) + r")\b")
    return json.loads(pattern.sub(lambda match: names[match.group()], json.dumps(value)))


def _is_alike(given: Sequence[Plain], nodes: Sequence[Plain], names: Renaming) -> bool:
    """Whether nodes and slices are the same under other names; values of labels may change places too."""
    values: dict[tuple[str, str], str] = {}
    by_name = {one["metadata"]["name"]: one for one in nodes}
    for name, other in names.items():
        mine, its = by_name[name], by_name[other]
        if {**mine, "metadata": None} != {**its, "metadata": None}:
            return False
        labels, others = (one["metadata"].get("labels", {}) for one in (mine, its))
        if labels.keys() != others.keys():
            return False
        for key in labels.keys() - {_HOSTNAME}:
            if values.setdefault((key, labels[key]), others[key]) != others[key]:
                return False
    moved = {old: new for old, new in names.items() if old != new}
    slices = [{**one, "metadata": None} for one in given if one["kind"] == "ResourceSlice"]
    return _texts(slices) == _texts([renamed(one, moved) for one in slices])


def _texts(values: Sequence[Any]) -> list[str]:
    return sorted(json.dumps(one, sort_keys=True) for one in values)


def _pod_classes(scenario: Plain) -> list[list[str]]:
    """Pods that are applied together, say the same, and that no later step names; not where they are too many."""
    found: list[list[str]] = []
    named = {
        how["name"]
        for step in scenario["steps"]
        for action in step["do"]
        for what, how in action.items()
        if what in ("delete", "patch", "until")
    }
    for step in scenario["steps"]:
        alike: dict[str, list[str]] = {}
        for pod in (one for action in step["do"] for one in action.get("apply", ()) if one["kind"] == "Pod"):
            name = pod["metadata"]["name"]
            if name not in named:
                meta = {key: value for key, value in pod["metadata"].items() if key != "name"}
                alike.setdefault(json.dumps({**pod, "metadata": meta}, sort_keys=True), []).append(name)
        found += [names for names in alike.values() if 1 < len(names) <= _MOST_ALIKE]
    return found
