"""Trying a group again with something changed: what it asks less of, or the cluster as it would be.

Trials are made on the snapshot that the attempt of the group saw. They tell whether the whole tree fits, and nothing
of what else would follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

import msgspec

from dravite.api.core_v1 import Container, Pod, PodSpec, Toleration
from dravite.api.meta import ObjectRef
from dravite.api.scheduling_v1beta1 import CompositePodGroup, PodGroup
from dravite.diagnosis.verdicts import GroupDecision
from dravite.explain.case import STEPS_PER_QUESTION
from dravite.explain.groups.explanation import Demand
from dravite.planning.plan import Plan
from dravite.scheduler.gang import Ask, Trial, try_tree
from dravite.scheduler.node_choice import Limits
from dravite.scheduler.ordering import order_groups
from dravite.snapshot.cluster_edits import with_composite_pod_group, with_pod_group
from dravite.snapshot.groups import Group, root_of_group, tree, waiting_members
from dravite.snapshot.snapshot import Key, Snapshot, group_key

_ANYWHERE: Final = Toleration(operator="Exists")


def try_again(snapshot: Snapshot, root: Group) -> Trial:
    """The whole tree once more, as it is in the snapshot."""
    kind, key = root.ref.kind, root.key
    source: PodGroup | CompositePodGroup = (
        snapshot.composite_pod_groups[key] if kind == "CompositePodGroup" else snapshot.pod_groups[key]
    )
    again = tree(snapshot, source)
    return try_tree(snapshot, again, Ask(queue_of(snapshot, again), Limits(budget=STEPS_PER_QUESTION)))


def queue_of(snapshot: Snapshot, root: Group) -> Mapping[Key, tuple[Key, ...]]:
    """The waiting pods of a tree in the order in which they are tried."""
    found = next((unit for unit in order_groups(snapshot) if unit.root is not None and unit.root.ref == root.ref), None)
    return found.queue if found is not None else {}


def without(snapshot: Snapshot, root: Group, demands: Iterable[Demand]) -> Snapshot:
    """The snapshot in which the tree does not ask for these things."""
    for demand in demands:
        if demand in ("min-count", "topology"):
            snapshot = _with_groups(snapshot, root, _GROUP_EDITS[demand])
        else:
            snapshot = _with_pods(snapshot, root, _POD_EDITS[demand])
    return snapshot


def _with_groups(snapshot: Snapshot, root: Group, edit: Callable[[PodGroup], PodGroup]) -> Snapshot:
    for group in root.groups():
        if group.is_composite:
            composite = snapshot.composite_pod_groups[group.key]
            snapshot = with_composite_pod_group(snapshot, edit(composite))  # type: ignore[arg-type]
        else:
            snapshot = with_pod_group(snapshot, edit(snapshot.pod_groups[group.key]))
    return snapshot


def _with_pods(snapshot: Snapshot, root: Group, edit: Callable[[PodSpec], PodSpec]) -> Snapshot:
    for leaf in root.leaves():
        for pod in waiting_members(snapshot, leaf.key):
            snapshot = snapshot.with_pod(msgspec.structs.replace(pod, spec=edit(pod.spec)))
    return snapshot


def _any_number(group: PodGroup) -> PodGroup:
    policy = msgspec.structs.replace(group.spec.scheduling_policy, gang=None)
    return msgspec.structs.replace(group, spec=msgspec.structs.replace(group.spec, scheduling_policy=policy))


def _any_domain(group: PodGroup) -> PodGroup:
    return msgspec.structs.replace(group, spec=msgspec.structs.replace(group.spec, scheduling_constraints=None))


def _no_devices(spec: PodSpec) -> PodSpec:
    return msgspec.structs.replace(spec, resource_claims=())


def _no_resources(spec: PodSpec) -> PodSpec:
    return msgspec.structs.replace(
        spec,
        containers=tuple(map(_bare, spec.containers)),
        init_containers=tuple(map(_bare, spec.init_containers)),
        overhead={},
        resources=None,
    )


def _bare(container: Container) -> Container:
    resources = msgspec.structs.replace(container.resources, requests={}, limits={})
    return msgspec.structs.replace(container, resources=resources, ports=())


def _any_node(spec: PodSpec) -> PodSpec:
    affinity = spec.affinity
    if affinity is not None:
        affinity = msgspec.structs.replace(affinity, node_affinity=None)
    return msgspec.structs.replace(spec, node_selector={}, affinity=affinity, tolerations=(_ANYWHERE,))


def _any_neighbours(spec: PodSpec) -> PodSpec:
    affinity = spec.affinity
    if affinity is not None:
        affinity = msgspec.structs.replace(affinity, pod_affinity=None, pod_anti_affinity=None)
    return msgspec.structs.replace(spec, affinity=affinity, topology_spread_constraints=())


_GROUP_EDITS: Final[Mapping[Demand, Callable[[PodGroup], PodGroup]]] = {
    "min-count": _any_number,
    "topology": _any_domain,
}
_POD_EDITS: Final[Mapping[Demand, Callable[[PodSpec], PodSpec]]] = {
    "devices": _no_devices,
    "resources": _no_resources,
    "node-rules": _any_node,
    "pod-rules": _any_neighbours,
}


def asked_by(snapshot: Snapshot, root: Group) -> tuple[Demand, ...]:
    """What a tree asks at all, the most telling first."""
    specs = [pod.spec for leaf in root.leaves() for pod in waiting_members(snapshot, leaf.key)]
    found: list[Demand] = []
    if any(group.minimum is not None and group.minimum > 1 for group in root.groups()):
        found.append("min-count")
    if any(group.topology_key is not None for group in root.groups()):
        found.append("topology")
    if any(spec.resource_claims for spec in specs):
        found.append("devices")
    if any(spec != _no_resources(spec) for spec in specs):
        found.append("resources")
    if any(_has_node_rules(spec) for spec in specs):
        found.append("node-rules")
    if any(spec != _any_neighbours(spec) for spec in specs):
        found.append("pod-rules")
    return tuple(found)


def _has_node_rules(spec: PodSpec) -> bool:
    """Taints keep every pod out that does not tolerate them, so each pod has such a rule; the others are told."""
    return bool(spec.node_selector) or (spec.affinity is not None and spec.affinity.node_affinity is not None)


def members_of(snapshot: Snapshot, root: Group) -> tuple[Pod, ...]:
    """The waiting pods of a tree."""
    return tuple(pod for leaf in root.leaves() for pod in waiting_members(snapshot, leaf.key))


def minimal_clash(snapshot: Snapshot, root: Group) -> tuple[Demand, ...]:
    """Demands that cannot hold together: without any one of them the rest can. Nothing where the tree fits."""
    kept = list(asked_by(snapshot, root))
    if try_again(snapshot, root).succeeded:
        return ()
    dropped: list[Demand] = []
    for demand in reversed(tuple(kept)):
        if not try_again(without(snapshot, root, [*dropped, demand]), root).succeeded:
            dropped.append(demand)
            kept.remove(demand)
    return tuple(kept)


def alone(snapshot: Snapshot, root: Group) -> Snapshot:
    """The snapshot in which only the pods of the tree wait."""
    leaves = {leaf.key for leaf in root.leaves()}
    wanted = {key for leaf in leaves for key in snapshot.members.get(leaf) or ()}
    return msgspec.structs.replace(snapshot, pod_order=tuple(key for key in snapshot.pod_order if key in wanted))


def tree_of(plan: Plan, pod: ObjectRef) -> tuple[Snapshot, Group] | None:
    """The tree with which a pod was tried, and the cluster as it was before; None for a pod without a group."""
    planned = plan.start.pod(pod)
    key = group_key(planned.pod) if planned is not None else None
    if key is None:
        return None
    decision = plan.group(ObjectRef("PodGroup", *key))
    root = root_in(plan, decision) if decision is not None else None
    return (plan.before[decision.group], root) if decision is not None and root is not None else None


def root_in(plan: Plan, decision: GroupDecision) -> Group | None:
    """The tree of a decision."""
    snapshot = plan.before[decision.group]
    group = snapshot.pod_groups.get((decision.group.namespace, decision.group.name))
    root = root_of_group(snapshot, group) if group is not None else None
    return root if isinstance(root, Group) else None
