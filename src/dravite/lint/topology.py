"""Groups whose pods have to lie together, by a label that no node has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dravite.api.core_v1 import Node
from dravite.api.document import Problem
from dravite.api.field import child
from dravite.api.scheduling_v1beta1 import CompositePodGroup, PodGroup
from dravite.lint.finding import did_you_mean, finding
from dravite.lint.world import World

NO_DOMAIN: Final = "topology-label-missing"


def of_topology(world: World) -> Iterator[Problem]:
    """Topology constraints of groups on the nodes that were given; without nodes nothing is said."""
    for item in (*world.targets(PodGroup), *world.targets(CompositePodGroup)):
        nodes = world.beside(Node, item)
        constraints = item.object.spec.scheduling_constraints
        labels = {label for node in nodes for label in node.object.metadata.labels}
        for position, constraint in enumerate(constraints.topology if constraints is not None and nodes else ()):
            if constraint.key and constraint.key not in labels:
                who = "the only node given lacks" if len(nodes) == 1 else f"all {len(nodes)} nodes given lack"
                message = f"{who} label {constraint.key}: there is no domain for the pods to lie in"
                path = child("spec", "schedulingConstraints", "topology", position, "key")
                yield finding(item.subject, NO_DOMAIN, message, path, did_you_mean(constraint.key, sorted(labels)))
