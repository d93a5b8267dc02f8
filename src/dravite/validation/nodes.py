"""Rules about nodes, as far as planning relies on them: taints and amounts."""

from __future__ import annotations

from dravite.api.core_v1 import Node
from dravite.api.field import FieldError, child
from dravite.api.names import why_not_label_key, why_not_label_value
from dravite.api.releases import Profile
from dravite.validation.faults import Faults, duplicate, invalid_each, not_supported
from dravite.validation.metadata import Kept, metadata
from dravite.validation.pod_placement import EFFECTS
from dravite.validation.pod_resources import amounts


def node(item: Node, profile: Profile) -> Faults:
    """A node that is created. Kubernetes names its taints `metadata.taints`; here they stand where they are."""
    yield from metadata(item.metadata, profile, Kept.CLUSTER)
    seen: set[tuple[str, str]] = set()
    for position, taint in enumerate(item.spec.taints):
        place = child("spec.taints", position)
        yield from invalid_each(child(place, "key"), taint.key, why_not_label_key(taint.key))
        yield from invalid_each(child(place, "value"), taint.value, why_not_label_value(taint.value))
        if taint.effect not in EFFECTS:
            yield not_supported(child(place, "effect"), taint.effect, EFFECTS)
        if (taint.key, taint.effect) in seen:
            yield _twice(place, taint.key)
        seen.add((taint.key, taint.effect))
    yield from amounts(item.status.capacity, "status.capacity")
    yield from amounts(item.status.allocatable, "status.allocatable")


def _twice(path: str, key: str) -> FieldError:
    return duplicate(path, key, "taints must be unique by key and effect pair")
