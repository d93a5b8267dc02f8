"""What-if edits of a cluster, as values, and the snapshot that each of them leads to.

An edited snapshot is as if the cluster had been given that way: claims that a controller would make, and that hold
nothing yet, are unmade first, since a changed template or pod may lead to others. It decides nothing about pods.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from typing import Final, TypeAlias

import msgspec

from dravite.api.core_v1 import Namespace, Node, Pod
from dravite.api.meta import ObjectRef
from dravite.api.policy_v1 import PodDisruptionBudget
from dravite.api.resource_v1 import DeviceClass, DeviceTaintRule, ResourceClaim, ResourceClaimTemplate, ResourceSlice
from dravite.api.scheduling_v1beta1 import CompositePodGroup, PodGroup
from dravite.snapshot.cluster_edits import (
    with_budget,
    with_classes,
    with_composite_pod_group,
    with_cordon,
    with_more_nodes,
    with_namespace,
    with_nodes,
    with_pod_group,
    with_rules,
    with_slices,
    with_template,
    without_objects,
)
from dravite.snapshot.manifests import PlannedPod
from dravite.snapshot.pod_edits import unmake_claims, with_other_pod, with_scale, without_group, without_pod
from dravite.snapshot.snapshot import Snapshot

Editable: TypeAlias = (
    Pod
    | Node
    | Namespace
    | ResourceClaim
    | ResourceClaimTemplate
    | DeviceClass
    | ResourceSlice
    | DeviceTaintRule
    | PodGroup
    | CompositePodGroup
    | PodDisruptionBudget
)


OF_CONDITIONS: Final = "node.kubernetes.io/"
"""What the keys of taints begin with that Kubernetes puts onto nodes: cordoned, not ready, short of memory."""


class SetObject(msgspec.Struct, frozen=True, tag=True):
    """Add an object, or replace the one of the same kind and name. A pod that names no node waits anew."""

    object: Editable
    owner: ObjectRef | None = None


class RemoveObject(msgspec.Struct, frozen=True, tag=True):
    """Take an object out. A pod goes with its reservations and with the claims that were made for it."""

    object: ObjectRef


class AddNodes(msgspec.Struct, frozen=True, tag=True):
    """Add copies of a node, each with copies of the slices that are the node's own."""

    like: str
    count: int = 1


class Cordon(msgspec.Struct, frozen=True, tag=True):
    """Let a node take no more pods, or, with `lifted`, take them again."""

    node: str
    lifted: bool = False


class Scale(msgspec.Struct, frozen=True, tag=True):
    """Let a workload have so many pods: the last ones go, or the last one is copied."""

    owner: ObjectRef
    pods: int


Change: TypeAlias = SetObject | RemoveObject | AddNodes | Cordon | Scale


def with_changes(snapshot: Snapshot, changes: Iterable[Change]) -> Snapshot:
    """The snapshot after all changes, in their order. A change of something that is not there changes nothing."""
    snapshot = unmake_claims(snapshot)
    for change in changes:
        match change:
            case SetObject():
                snapshot = _with_object(snapshot, change)
            case RemoveObject(object=ref):
                snapshot = _without_object(snapshot, ref)
            case AddNodes(like=like, count=count):
                snapshot = _with_copies(snapshot, like, count)
            case Cordon(node=name, lifted=lifted):
                snapshot = with_cordon(snapshot, name, unschedulable=not lifted)
            case Scale(owner=owner, pods=pods):
                snapshot = with_scale(snapshot, owner, pods)
    return snapshot


def _with_object(snapshot: Snapshot, change: SetObject) -> Snapshot:
    match change.object:
        case Pod() as pod:
            return with_other_pod(snapshot, PlannedPod(pod, owner=change.owner))
        case Node() as node:
            return with_nodes(snapshot, (node,))
        case Namespace() as namespace:
            return with_namespace(snapshot, namespace)
        case ResourceClaim() as claim:
            return snapshot.with_claims((claim,))
        case ResourceClaimTemplate() as template:
            return with_template(snapshot, template)
        case DeviceClass() as device_class:
            return with_classes(snapshot, (device_class,))
        case ResourceSlice() as resource_slice:
            return with_slices(snapshot, (resource_slice,))
        case DeviceTaintRule() as rule:
            return with_rules(snapshot, (rule,))
        case PodGroup() as group:
            return with_pod_group(snapshot, group)
        case CompositePodGroup() as composite:
            return with_composite_pod_group(snapshot, composite)
        case PodDisruptionBudget() as budget:
            return with_budget(snapshot, budget)


def _without_object(snapshot: Snapshot, ref: ObjectRef) -> Snapshot:
    match ref.kind:
        case "Pod":
            return without_pod(snapshot, ref)
        case "PodGroup":
            return without_group(snapshot, ref)
        case _:
            return without_objects(snapshot, ref)


def _with_copies(snapshot: Snapshot, like: str, count: int) -> Snapshot:
    model = next((node for node in snapshot.nodes if node.metadata.name == like), None)
    if model is None:
        return snapshot
    taken = {node.metadata.name for node in snapshot.nodes}
    names = copied_names(like, count, taken)
    own = [item for item in snapshot.manifests.slices if item.spec.node_name == like]
    snapshot = with_more_nodes(snapshot, tuple(_copied_node(model, name) for name in names))
    return with_slices(snapshot, tuple(_copied_slice(item, like, name) for name in names for item in own))


def copied_names(like: str, count: int, taken: Collection[str]) -> tuple[str, ...]:
    """The names of so many copies of a node: `like-2`, `like-3`, …, without those that are taken."""
    free = (name for number in range(2, count + len(taken) + 2) if (name := f"{like}-{number}") not in taken)
    return tuple(islice(free, count))


def _copied_node(node: Node, name: str) -> Node:
    """A node as it joins: neither cordoned nor tainted for what is wrong with the one that it is like."""
    hostname = "kubernetes.io/hostname"
    labels: Mapping[str, str] = {key: name if key == hostname else value for key, value in node.metadata.labels.items()}
    metadata = msgspec.structs.replace(
        node.metadata, name=name, labels=labels, uid=f"<uid of Node {name}>", creation_timestamp=None
    )
    taints = tuple(taint for taint in node.spec.taints if not taint.key.startswith(OF_CONDITIONS))
    spec = msgspec.structs.replace(node.spec, taints=taints, unschedulable=False)
    return msgspec.structs.replace(node, metadata=metadata, spec=spec)


def _copied_slice(item: ResourceSlice, like: str, name: str) -> ResourceSlice:
    """A slice of a pool of its own: pools are known by name, and no two nodes share one."""
    pool = item.spec.pool.name.replace(like, name) if like in item.spec.pool.name else f"{item.spec.pool.name}-{name}"
    spec = msgspec.structs.replace(item.spec, node_name=name, pool=msgspec.structs.replace(item.spec.pool, name=pool))
    metadata = msgspec.structs.replace(item.metadata, name=f"{item.metadata.name}-of-{name}", uid="")
    return msgspec.structs.replace(item, metadata=metadata, spec=spec)
