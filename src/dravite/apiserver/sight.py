"""The other objects that decide what becomes of a write, fetched from the store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from dravite.admission.plugins import DECLARED, InSight
from dravite.admission.quotas import Counting
from dravite.api.codec import decode_text
from dravite.api.convert import to_hub
from dravite.api.core_v1 import Node, Pod
from dravite.api.meta import Model
from dravite.api.node_v1 import RuntimeClass
from dravite.api.plain import Plain
from dravite.api.resource_v1 import DeviceClass, ResourceClaim
from dravite.api.scheduling_v1 import PriorityClass
from dravite.api.scheduling_v1alpha2 import Workload
from dravite.apiserver import drafts, statuses
from dravite.apiserver.backend import Backend
from dravite.apiserver.requests import Target
from dravite.lifecycle.claim_quotas import open_books
from dravite.store import Compacted, Key

_RESOURCE: Final = "resource.k8s.io"
_COUNTED: Final = ("ResourceClaim", "")
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
        counting=counting(backend, target.namespace) if (kind, target.subresource) == _COUNTED else Counting(),
    )


def counting(backend: Backend, namespace: str) -> Counting:
    """The quotas of a namespace, and what its claims have used of them."""
    quotas = tuple(_plain(backend, "resourcequotas", namespace))
    if not quotas:
        return Counting()
    bare = [{"metadata": quota["metadata"], "spec": quota.get("spec")} for quota in quotas]  # a status may be late
    claims = (to_hub(claim).object for claim in _all(backend, _RESOURCE, "ResourceClaim", namespace))
    classes = (to_hub(found).object for found in _all(backend, _RESOURCE, "DeviceClass"))
    books = open_books(
        bare,
        (claim for claim in claims if isinstance(claim, ResourceClaim)),
        (found for found in classes if isinstance(found, DeviceClass)),
        backend.profile,
    )
    pods = (decode_text(msgspec.json.encode(pod), Pod) for pod in _plain(backend, "pods", namespace))
    return msgspec.structs.replace(books.counting, pods=tuple(pod for pod in pods if pod is not None))


def priority_classes(backend: Backend) -> tuple[PriorityClass, ...]:
    """All priority classes."""
    found = _all(backend, "scheduling.k8s.io", "PriorityClass")
    return tuple(item for item in found if isinstance(item, PriorityClass))


def runtime_class(backend: Backend, name: str) -> RuntimeClass | None:
    """A runtime class, where there is one."""
    record = backend.store.get(Key("runtimeclasses.node.k8s.io", "", name))
    return decode_text(record.body, RuntimeClass) if record is not None else None


def namespaces(backend: Backend, name: str) -> Mapping[str, Mapping[str, str]]:
    """The labels of one namespace, where there is such."""
    kind = backend.catalogue.named("", "Namespace")
    record = backend.store.get(Key("namespaces", "", name))
    if kind is None or record is None:
        return {}
    return {name: drafts.kept(record, kind).plain["metadata"].get("labels") or {}}


def stamp(backend: Backend, target: Target) -> int | None:
    """A number that changes with the namespace of a target; None where more than that decides."""
    if not target.kind.namespaced:
        return 0
    if not backend.store.is_empty("resourcequotas") and any(_plain(backend, "resourcequotas", target.namespace)):
        return None
    record = backend.store.get(Key("namespaces", "", target.namespace))
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


def _plain(backend: Backend, collection: str, namespace: str) -> Iterator[Plain]:
    """The objects of a kind without types in a namespace."""
    page = backend.store.page(collection, namespace)
    for record in () if isinstance(page, Compacted) else page.records:
        yield msgspec.json.decode(record.body)


def _all(backend: Backend, group: str, name: str, namespace: str = "") -> Iterator[Model]:
    kind = backend.catalogue.named(group, name)
    page = backend.store.page(kind.resource, namespace) if kind is not None else None
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
