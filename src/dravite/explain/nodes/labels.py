"""Which part of a pod's node selection keeps nodes out, and what those nodes have instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from dravite.api.core_v1 import Node, Pod, pod_ref
from dravite.api.names import requirement_matches
from dravite.api.near import near_names
from dravite.api.node_selector import NodeSelectorRequirement
from dravite.diagnosis.reasons import ConstraintID
from dravite.explain.insights import UnmetLabel

Labels = Mapping[str, Collection[str]]
"""The values of each label, in the order of the objects."""

MOST_KNOWN: Final = 200
"""Of more names some are near whatever is asked for, and it takes long to find them."""

_AFFINITY: Final = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"


def unmet_labels(pod: Pod, nodes: Sequence[Node]) -> tuple[UnmetLabel, ...]:
    """The requirements that `nodes`, which the pod's node selection keeps out, do not meet.

    Each requirement is judged by itself, in the order of the pod; of several affinity terms, which are
    alternatives, every one is told.
    """
    ref = pod_ref(pod)
    demands = [(f"spec.nodeSelector[{key}]", _equal(key, value)) for key, value in pod.spec.node_selector.items()]
    demands += _required(pod)
    found = (_unmet(ConstraintID(ref, path), requirement, nodes) for path, requirement in demands)
    return tuple(unmet for unmet in found if unmet is not None)


def _equal(key: str, value: str) -> NodeSelectorRequirement:
    return NodeSelectorRequirement(key=key, operator="In", values=(value,))


def _required(pod: Pod) -> list[tuple[str, NodeSelectorRequirement]]:
    affinity = pod.spec.affinity and pod.spec.affinity.node_affinity
    if not affinity or affinity.required is None:
        return []
    return [
        (f"{_AFFINITY}[{i}].matchExpressions[{j}]", requirement)
        for i, term in enumerate(affinity.required.node_selector_terms)
        for j, requirement in enumerate(term.match_expressions)
    ]


def _unmet(asked: ConstraintID, requirement: NodeSelectorRequirement, nodes: Sequence[Node]) -> UnmetLabel | None:
    values = [node.metadata.labels.get(requirement.key) for node in nodes]
    out = [value for value in values if not requirement_matches(requirement.operator, requirement.values, value)]
    if not out:
        return None
    ordered = sorted(Counter(out).items(), key=lambda item: (-item[1], item[0] or ""))
    return UnmetLabel(
        asked_by=asked,
        key=requirement.key,
        operator=requirement.operator,
        values=requirement.values,
        nodes=len(out),
        values_seen=tuple(ordered),
        near=tuple(said(key, value) for _, key, value in near_labels(requirement, labels_of(nodes))),
    )


def labels_of(objects: Iterable[Node | Pod]) -> Labels:
    """Every label of some objects with its values."""
    found: dict[str, dict[str, None]] = {}
    for one in objects:
        for key, value in one.metadata.labels.items():
            found.setdefault(key, {})[value] = None
    return found


def near_labels(requirement: NodeSelectorRequirement, labels: Labels) -> Iterator[tuple[str, str, str]]:
    """What may have been meant by a requirement that asks for labels which nobody has.

    Each is the value that was asked for, and the key and value to ask for in its place; the values are empty where
    only the label itself is asked for.
    """
    if requirement.operator not in ("In", "Exists"):
        return
    known = labels.get(requirement.key, {})
    for wanted in requirement.values or ("",):
        for key in () if wanted in known else (requirement.key,) if known else _near(requirement.key, labels):
            for value in (wanted,) if not wanted or wanted in labels[key] else _near(wanted, labels[key]):
                yield wanted, key, value


def _near(word: str, known: Collection[str]) -> tuple[str, ...]:
    return near_names(word, known) if len(known) <= MOST_KNOWN else ()


def said(key: str, value: str) -> str:
    """`zone=a`, or the key alone without a value."""
    return f"{key}={value}" if value else key
