"""In which order kube-scheduler goes through the nodes: as they were created, zones taking turns (F10.1, F10.4).

The order decides between equal scores and, in large clusters, which nodes are looked at. It knows nothing else of
scheduling.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from dravite.api.core_v1 import Node

_ZONE_LABELS: Final = ("failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone")
_REGION_LABELS: Final = ("failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region")


def by_creation(nodes: Iterable[Node]) -> tuple[Node, ...]:
    """Nodes by creationTimestamp; those without one come last, and equals keep the order of the input."""
    return tuple(sorted(nodes, key=_created))


def zones_in_turn(nodes: Sequence[Node]) -> tuple[str, ...]:
    """The names of nodes, one zone after the other contributing its next node.

    Zones take their turn in the order in which their first node comes; nodes without region and zone are a zone.
    """
    zones: dict[tuple[str, str], list[str]] = {}
    for node in nodes:
        zones.setdefault(zone_of(node), []).append(node.metadata.name)
    rounds = max(map(len, zones.values()), default=0)
    return tuple(names[turn] for turn in range(rounds) for names in zones.values() if turn < len(names))


def zone_of(node: Node) -> tuple[str, str]:
    """Region and zone of a node; the old beta labels win over the new ones."""
    return (_first_label(node, _REGION_LABELS), _first_label(node, _ZONE_LABELS))


def _created(node: Node) -> tuple[bool, str]:
    # RFC 3339 times in UTC, as the API server writes them, sort as text.
    created = node.metadata.creation_timestamp
    return (created is None, created or "")


def _first_label(node: Node, keys: tuple[str, ...]) -> str:
    labels = node.metadata.labels
    return next((labels[key] for key in keys if key in labels), "")
