"""The other objects that decide what becomes of a write, fetched from the store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from dravite.admission.plugins import DECLARED, InSight
from dravite.api.codec import decode_text
from dravite.api.core_v1 import Node
from dravite.api.meta import Model
from dravite.api.scheduling_v1 import PriorityClass
from dravite.api.scheduling_v1alpha2 import Workload
from dravite.apiserver import drafts, statuses
from dravite.apiserver.backend import Backend
from dravite.apiserver.requests import Target
from dravite.store import Compacted, Key

_PRIORITIZED: Final = frozenset({"PodGroup", "CompositePodGroup", "PriorityClass"})


def in_sight(backend: Backend, target: Target) -> InSight:
    """What a write to a target must know of the rest of the cluster."""
    kind = target.kind.kind
    classes = backend.catalogue.named("scheduling.k8s.io", "PriorityClass")
    found = priority_classes(backend) if kind in _PRIORITIZED and classes else ()
    workloads = _all(backend, "scheduling.k8s.io", "Workload") if kind == "PodGroup" else iter(())
    return InSight(
        namespaces=namespaces(backend, target.namespace),
        nodes=tuple(_nodes(backend)) if kind == "ResourceSlice" and backend.profile.enabled(DECLARED) else (),
        priority_classes=found,
        workloads={
            (item.metadata.namespace, item.metadata.name): item for item in workloads if isinstance(item, Workload)
        },
        drawn=backend.source.suffix(),
    )


def priority_classes(backend: Backend) -> tuple[PriorityClass, ...]:
    """All priority classes."""
    found = _all(backend, "scheduling.k8s.io", "PriorityClass")
    return tuple(item for item in found if isinstance(item, PriorityClass))


def namespaces(backend: Backend, name: str) -> Mapping[str, Mapping[str, str]]:
    """The labels of one namespace, where there is such."""
    kind = backend.catalogue.named("", "Namespace")
    record = backend.store.get(Key("namespaces", "", name))
    if kind is None or record is None:
        return {}
    return {name: drafts.kept(record, kind).plain["metadata"].get("labels") or {}}


def stamp(backend: Backend, target: Target) -> int:
    """A number that changes with the namespace of a target; 0 where there is none."""
    record = backend.store.get(Key("namespaces", "", target.namespace)) if target.kind.namespaced else None
    return 0 if record is None else record.revision


def check_namespace(backend: Backend, target: Target) -> None:
    """Refuse to create where there is no namespace, or one that is going."""
    kind = backend.catalogue.named("", "Namespace")
    if not target.kind.namespaced or kind is None:
        return
    record = backend.store.get(Key("namespaces", "", target.namespace))
    if record is None:
        raise statuses.not_found(kind, target.namespace)
    if drafts.kept(record, kind).plain["metadata"].get("deletionTimestamp"):
        why = f"unable to create new content in namespace {target.namespace} because it is being terminated"
        message = f"namespace {target.namespace} is being terminated"
        cause = {"reason": "NamespaceTerminating", "message": message, "field": "metadata.namespace"}
        raise statuses.forbidden(target.kind, target.name, why, (cause,))


def _all(backend: Backend, group: str, name: str) -> Iterator[Model]:
    kind = backend.catalogue.named(group, name)
    page = backend.store.page(kind.resource) if kind is not None else None
    if kind is None or page is None or isinstance(page, Compacted):
        return
    for record in page.records:
        typed = drafts.kept(record, kind).typed
        if typed is not None:
            yield typed


def _nodes(backend: Backend) -> Iterator[Node]:
    page = backend.store.page("nodes")
    for record in () if isinstance(page, Compacted) else page.records:
        node = decode_text(record.body, Node)
        if node is not None:
            yield node
