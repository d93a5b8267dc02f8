"""Long lists cut short: what a person reads first stays, the numbers say how much more there is."""

from __future__ import annotations

from typing import Final

import msgspec

from dravite.explain.explanation import Explanation
from dravite.explain.insights import NameInsight
from dravite.explain.simplify import NODES_LISTED, Detail, simplify

HOLDINGS_LISTED: Final = 64


def folded(found: Explanation, detail: Detail) -> Explanation:
    """The explanation with equal things told once and its lists cut; nothing is cut for `Detail.ALL`."""
    if detail is Detail.ALL:
        return msgspec.structs.replace(found, groups=simplify(found.groups, detail))
    return msgspec.structs.replace(
        found,
        groups=simplify(found.groups, detail),
        names=tuple(_fewer_nodes(name) for name in found.names),
        holdings=found.holdings[:HOLDINGS_LISTED],
        holdings_total=len(found.holdings),
    )


def _fewer_nodes(name: NameInsight) -> NameInsight:
    """Some nodes on which all devices have the name, and some on which they lack it."""
    lacking = [node for node in name.nodes if node.having < node.devices][:NODES_LISTED]
    having = [node for node in name.nodes if node.having == node.devices][:NODES_LISTED]
    kept = {*lacking, *having}
    return msgspec.structs.replace(
        name,
        nodes=tuple(node for node in name.nodes if node in kept),
        lacking=name.lacking[:NODES_LISTED],
    )
