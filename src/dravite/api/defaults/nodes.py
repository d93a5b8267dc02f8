"""Defaults of nodes: resource lists, and what is allocatable when nobody says so."""

from __future__ import annotations

from dravite.api.core_v1 import Node
from dravite.api.defaults.pods import whole_milli
from dravite.api.defaults.resources import Setting, changed


def default_node(node: Node, _: Setting) -> Node:
    capacity = whole_milli(node.status.capacity)
    allocatable = whole_milli(node.status.allocatable) or capacity
    return changed(node, status=changed(node.status, capacity=capacity, allocatable=allocatable))
