"""All slices of a cluster, found by node and by pool.

A node asks only for slices that can concern it: its own, and those whose selector its name or labels can satisfy.
Which of the candidates really do, `node_devices` says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from typing import Final

import msgspec

from dravite.api.core_v1 import Node
from dravite.api.names import why_not_node_selector
from dravite.api.node_selector import NodeSelector
from dravite.api.resource_v1 import ResourceSlice, ResourceSliceSpec
from dravite.snapshot.tainted import TaintedSlices
from dravite.snapshot.variants import variant

_Label = tuple[str, str]


class SliceIndex:
    """Slices by node and pool. Nothing of it changes once it is built.

    Attributes:
        slices: all slices in input order; a position in it names a slice.
        has_partitions: whether PartitionableDevices is on.
        offers_incomplete: whether devices of pools without some of their slices are offered.
        sorts_slices: whether slices of a pool are tried by name, rather than in input order (P-19, V-5).
    """

    __slots__ = (
        "_always",
        "_by_label",
        "_by_pool",
        "_hidden",
        "_own",
        "_rules",
        "_stable",
        "has_partitions",
        "offers_incomplete",
        "slices",
        "sorts_slices",
    )

    def __init__(self, tainted: TaintedSlices, features: frozenset[str]) -> None:
        self.has_partitions = "PartitionableDevices" in features
        self.offers_incomplete = False
        self._stable = variant(features) == "stable"
        self.slices: tuple[ResourceSlice, ...] = tainted.slices
        if self._stable:
            self.slices = tuple(_without_sharing(resource_slice) for resource_slice in tainted.slices)
        self.sorts_slices = not self._stable
        self._rules: dict[int, dict[int, tuple[str, ...]]] = {}
        for (position, device), names in tainted.rules.items():
            self._rules.setdefault(position, {})[device] = names
        self._own: dict[str, list[int]] = {}
        self._always: list[int] = []
        self._by_label: dict[str, dict[str, list[int]]] = {}
        self._by_pool: dict[tuple[str, str], list[int]] = {}
        self._hidden = frozenset(self._without_compatibility_groups() if "CompatibilityGroups" not in features else ())
        for position, resource_slice in enumerate(self.slices):
            self._by_pool.setdefault(self.pool_key(position), []).append(position)
            if position not in self._hidden and self._is_used(resource_slice.spec):
                self._place(position, resource_slice.spec)

    def with_incomplete_pools(self) -> SliceIndex:
        """The same slices, of which incomplete pools are offered too."""
        other = copy(self)
        other.offers_incomplete = True
        return other

    def pool_key(self, position: int) -> tuple[str, str]:
        """Driver and pool name of a slice."""
        spec = self.slices[position].spec
        return (spec.driver, spec.pool.name)

    def taint_rules(self, position: int) -> Mapping[int, tuple[str, ...]]:
        """Per device of a slice, the rules that tainted it."""
        return self._rules.get(position, {})

    def always_relevant(self, spec: ResourceSliceSpec) -> bool:
        """Whether a slice concerns every node, whatever it says: counter sets in the stable variant (V-5)."""
        return self._stable and bool(spec.shared_counters)

    def candidates(self, node: Node) -> Iterable[int]:
        """The slices that can concern a node, in the order in which Kubernetes looks at them (P-4)."""
        own = self._own.get(node.metadata.name, [])
        others = list(self._always)
        for key, by_value in self._by_label.items():
            value = node.metadata.name if key == _NAME else node.metadata.labels.get(key)
            if value is not None:
                others.extend(by_value.get(value, ()))
        others = sorted(set(others))
        return sorted((*own, *others)) if self._stable else (*own, *others)

    def generations(self, position: int) -> tuple[int, tuple[int, ...]]:
        """Of all slices of a slice's pool: the highest generation, and those of the slice's own generation (P-10).

        A slice that is hidden counts for the generation only (compatibility groups).
        """
        generation = self.slices[position].spec.pool.generation
        pool = self._by_pool[self.pool_key(position)]
        newest = max(self.slices[other].spec.pool.generation for other in pool)
        same = tuple(
            other
            for other in pool
            if other not in self._hidden and self.slices[other].spec.pool.generation == generation
        )
        return newest, same

    def _without_compatibility_groups(self) -> Iterable[int]:
        """Slices that vanish while CompatibilityGroups is off: those with a device that declares a group."""
        for position, resource_slice in enumerate(self.slices):
            devices = resource_slice.spec.devices or ()
            if any(entry.compatibility_groups for device in devices for entry in device.consumes_counters):
                yield position

    def _is_used(self, spec: ResourceSliceSpec) -> bool:
        """Whether the features that are on admit the slice (P-5)."""
        return self.has_partitions or (spec.per_device_node_selection is None and not spec.shared_counters)

    def _place(self, position: int, spec: ResourceSliceSpec) -> None:
        if self.always_relevant(spec):
            self._always.append(position)
        elif spec.node_name:
            self._own.setdefault(spec.node_name, []).append(position)
        else:
            labels = _labels_that_must_hold(spec)
            if labels is None:
                self._always.append(position)
            for key, value in labels or ():
                self._by_label.setdefault(key, {}).setdefault(value, []).append(position)


def _without_sharing(resource_slice: ResourceSlice) -> ResourceSlice:
    """The slice as the stable variant sees it: it knows no shared devices, not even in selectors."""
    devices = resource_slice.spec.devices or ()
    if not any(device.allow_multiple_allocations for device in devices):
        return resource_slice
    alone = tuple(msgspec.structs.replace(device, allow_multiple_allocations=None) for device in devices)
    return msgspec.structs.replace(resource_slice, spec=msgspec.structs.replace(resource_slice.spec, devices=alone))


_NAME: Final = ""
"""Stands for the name of the node among label keys, of which none is empty."""


def _labels_that_must_hold(spec: ResourceSliceSpec) -> frozenset[_Label] | None:
    """Labels of which a node needs at least one to be concerned by a slice; None where that cannot be told."""
    if spec.all_nodes:
        return None
    if spec.node_selector is not None:
        return _labels_of(spec.node_selector)
    if not spec.per_device_node_selection:
        return frozenset()
    labels: set[_Label] = set()
    for device in spec.devices or ():
        if device.node_name:
            labels.add((_NAME, device.node_name))
            continue
        wanted = None if device.all_nodes else _labels_of(device.node_selector)
        if wanted is None:
            return None
        labels |= wanted
    return frozenset(labels)


def _labels_of(selector: NodeSelector | None) -> frozenset[_Label] | None:
    """Labels of which a node needs at least one to be selected."""
    if selector is None:
        return frozenset()
    if why_not_node_selector(selector) is not None:
        return None
    labels: set[_Label] = set()
    for term in selector.node_selector_terms:
        rules = [rule for rule in term.match_expressions if rule.operator == "In"]
        names = [rule for rule in term.match_fields if rule.operator == "In" and rule.key == "metadata.name"]
        if rules:
            labels.update((rules[0].key, value) for value in rules[0].values)
        elif names:
            labels.update((_NAME, value) for value in names[0].values)
        elif term.match_expressions or term.match_fields:
            return None
    return frozenset(labels)
