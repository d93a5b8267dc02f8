"""Rules of 1.31 about DeviceClass (2.2) and PodSchedulingContext (2.18)."""

from __future__ import annotations

from functools import partial
from typing import Final

from dravite.api.field import child
from dravite.api.names import why_not_dns_subdomain
from dravite.api.releases import Profile
from dravite.api.resource_v1 import DeviceClassConfiguration
from dravite.api.resource_v1alpha3 import (
    DeviceClass,
    DeviceClassSpec,
    PodSchedulingContext,
    ResourceClaimSchedulingStatus,
)
from dravite.validation.classic.claims import MAX_ITEMS, opaque, selector
from dravite.validation.classic.lists import each, each_once
from dravite.validation.faults import Faults, duplicate, invalid_each
from dravite.validation.metadata import Kept, metadata, prefix_of_name
from dravite.validation.metadata_updates import metadata_update
from dravite.validation.node_selectors import node_selector

MAX_NODES: Final = 128


def device_class(item: DeviceClass, profile: Profile) -> Faults:
    """A DeviceClass that is created."""
    yield from metadata(item.metadata, profile, Kept.CLUSTER)
    yield from _spec(item.spec, profile)


def device_class_update(item: DeviceClass, old: DeviceClass, profile: Profile) -> Faults:
    """A DeviceClass that is updated."""
    yield from metadata_update(item.metadata, old.metadata, profile)
    yield from prefix_of_name(item.metadata, "metadata")
    yield from _spec(item.spec, profile)


def _spec(spec: DeviceClassSpec, profile: Profile) -> Faults:
    yield from each(spec.selectors, MAX_ITEMS, partial(selector, profile=profile), "spec.selectors")
    yield from each(spec.config, MAX_ITEMS, _config, "spec.config")
    if spec.suitable_nodes is not None:
        yield from node_selector(spec.suitable_nodes, "suitableNodes", reads_values=False)  # the server forgets `spec`


def _config(item: DeviceClassConfiguration, path: str) -> Faults:
    return opaque(item.opaque, child(path, "opaque"))


def context(item: PodSchedulingContext, profile: Profile) -> Faults:
    """A PodSchedulingContext that is created. Nobody looks at the selected node."""
    yield from metadata(item.metadata, profile, Kept.NAMESPACED)
    yield from each_once(item.spec.potential_nodes, MAX_NODES, _node, "spec.potentialNodes")


def context_update(item: PodSchedulingContext, old: PodSchedulingContext, profile: Profile) -> Faults:
    """A PodSchedulingContext that is updated."""
    yield from metadata_update(item.metadata, old.metadata, profile)
    yield from prefix_of_name(item.metadata, "metadata")
    yield from each_once(item.spec.potential_nodes, MAX_NODES, _node, "spec.potentialNodes")


def context_status(item: PodSchedulingContext, old: PodSchedulingContext, profile: Profile) -> Faults:
    """A PodSchedulingContext whose status is updated. The server calls `status.resourceClaims` by another name."""
    seen: set[str] = set()
    for position, status in enumerate(item.status.resource_claims):
        place = child("status.claims", position)
        yield from _unsuitable(status, place)
        if status.name in seen:
            yield duplicate(place, status.name)
        seen.add(status.name)


def _unsuitable(item: ResourceClaimSchedulingStatus, path: str) -> Faults:
    return each_once(item.unsuitable_nodes, MAX_NODES, _node, child(path, "unsuitableNodes"))


def _node(name: str, path: str) -> Faults:
    return invalid_each(path, name, why_not_dns_subdomain(name))
