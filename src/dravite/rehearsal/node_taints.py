"""Which nodes send pods away, and since when each of their taints has been there."""

from __future__ import annotations

import msgspec

from dravite.api.core_v1 import Node, Taint
from dravite.lifecycle.node_evictions import evicting_taints


class NodeTaints:
    """The NoExecute taints of a cluster's nodes, as somebody sees them who looks whenever nodes have changed."""

    def __init__(self) -> None:
        self._nodes: tuple[Node, ...] = ()
        self._evicting: tuple[Node, ...] = ()
        self._since: dict[tuple[str, Taint], str] = {}

    def look(self, nodes: tuple[Node, ...], stamp: str) -> tuple[Node, ...]:
        """The nodes with such taints. A taint without a time gets that at which it was seen first."""
        if nodes is not self._nodes:
            seen = {(node.metadata.name, taint): stamp for node in nodes for taint in evicting_taints(node)}
            self._since = {one: self._since.get(one, now) for one, now in seen.items()}
            names = {name for name, _ in seen}
            self._evicting = tuple(self._timed(node) for node in nodes if node.metadata.name in names)
            self._nodes = nodes
        return self._evicting

    def _timed(self, node: Node) -> Node:
        name = node.metadata.name
        taints = tuple(
            msgspec.structs.replace(taint, time_added=taint.time_added or self._since[(name, taint)])
            for taint in evicting_taints(node)
        )
        return msgspec.structs.replace(node, spec=msgspec.structs.replace(node.spec, taints=taints))
