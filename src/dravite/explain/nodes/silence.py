"""Nodes on which no driver publishes devices, and what they lack that publishing nodes have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dravite.api.names import node_matches
from dravite.api.resource_v1 import ResourceSlice
from dravite.diagnosis.verdicts import AttemptError
from dravite.explain.case import Case
from dravite.explain.evidence import Evidence
from dravite.explain.notes import NodesPublishNothing
from dravite.explain.selectors.failure import cluster_devices

MOST_LABELS = 4


def publish_nothing(case: Case, found: Evidence) -> Iterator[NodesPublishNothing]:
    """A note on the nodes that lack devices because no slice offers any there, where other nodes have some."""
    silent = tuple(
        node
        for group in found.groups
        if group.devices is not None and not group.devices.devices_seen and not group.devices.pools
        for node in group.nodes
    )
    if not silent:
        return
    publishing = _publishing(case)
    drivers = tuple(sorted({seen.id.driver for seen in cluster_devices(case)}))
    slices = case.snapshot.inventory.index.slices
    bare = {one.spec.node_name for one in slices if not one.spec.devices and not one.spec.shared_counters}
    yield NodesPublishNothing(
        nodes=silent,
        drivers=drivers,
        publishing=tuple(publishing.items()),
        labels=_lacking_labels(case, silent, publishing),
        unknown=_unknown_nodes(case),
        empty=tuple(node for node in silent if node in bare),
        selecting=tuple(sorted(one.metadata.name for one in slices if one.spec.devices and _selects_none(case, one))),
    )


def _selects_none(case: Case, one: ResourceSlice) -> bool:
    """Whether a slice has a node selector, and no node fits it."""
    selector = one.spec.node_selector
    states = case.snapshot.states_in_order()
    return selector is not None and not any(node_matches(selector, state.name, state.labels) for state in states)


def _unknown_nodes(case: Case) -> tuple[str, ...]:
    """Nodes that slices with devices are for and that do not exist, sorted; where nodes were given at all."""
    if case.snapshot.nodes_inferred:
        return ()
    named = {one.spec.node_name for one in case.snapshot.inventory.index.slices if one.spec.devices}
    return tuple(sorted(name for name in named if name and name not in case.snapshot.states))


def _publishing(case: Case) -> Mapping[str, int]:
    """Nodes with devices, and how many."""
    counts: dict[str, int] = {}
    for state in case.snapshot.states_in_order():
        offered = case.snapshot.inventory.devices(state.node)
        if not isinstance(offered, AttemptError) and offered.devices:
            counts[state.name] = len(offered.devices)
    return counts


def _lacking_labels(case: Case, silent: Sequence[str], publishing: Mapping[str, int]) -> tuple[str, ...]:
    """Labels that all publishing nodes have and no silent one: a hint at why the driver does not run there."""
    shared = [set(case.snapshot.state(node).labels) for node in publishing]
    if not shared:
        return ()
    present = set().union(*(case.snapshot.state(node).labels for node in silent))
    return tuple(sorted(set.intersection(*shared) - present)[:MOST_LABELS])
