"""Other nodes, slices, classes, rules and templates in a snapshot. What they do not touch is shared with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

import msgspec

from dravite.api.core_v1 import Namespace, Node
from dravite.api.meta import ObjectRef
from dravite.api.policy_v1 import PodDisruptionBudget
from dravite.api.resource_v1 import DeviceClass, DeviceTaintRule, ResourceClaimTemplate, ResourceSlice
from dravite.api.scheduling_v1beta1 import CompositePodGroup, PodGroup
from dravite.snapshot.inventory import Inventory, InventoryMemory
from dravite.snapshot.node_order import by_creation, zones_in_turn
from dravite.snapshot.node_state import NodeState, empty_node, unlimited_node
from dravite.snapshot.snapshot import Snapshot, inventory_of, key_of, pods_by_node

N = TypeVar("N", Node, DeviceClass, DeviceTaintRule, ResourceSlice)


def with_nodes(snapshot: Snapshot, nodes: Sequence[Node]) -> Snapshot:
    """The snapshot with these nodes added or replaced; pods stay on those that are replaced."""
    kept = () if snapshot.nodes_inferred else snapshot.nodes
    return _with_all_nodes(snapshot, by_creation(_merged(kept, nodes)))


def without_inferred_nodes(snapshot: Snapshot) -> Snapshot:
    """The snapshot without nodes that were made up."""
    return _with_all_nodes(snapshot, ()) if snapshot.nodes_inferred else snapshot


def with_more_nodes(snapshot: Snapshot, nodes: Sequence[Node]) -> Snapshot:
    """The snapshot with these nodes besides those that there are; where nodes are made up, they are made up too."""
    if not snapshot.nodes_inferred:
        return with_nodes(snapshot, nodes)
    every = (*snapshot.nodes, *nodes)
    states = snapshot.states.changed({node.metadata.name: unlimited_node(node) for node in nodes})
    return msgspec.structs.replace(snapshot, nodes=every, order=zones_in_turn(every), states=states)


def with_cordon(snapshot: Snapshot, name: str, *, unschedulable: bool) -> Snapshot:
    """The snapshot with a node that takes no more pods, or takes them again; one without such a node as it was."""
    before = snapshot.states.get(name)
    if before is None or before.node not in snapshot.nodes:
        return snapshot
    spec = msgspec.structs.replace(before.node.spec, unschedulable=unschedulable)
    node = msgspec.structs.replace(before.node, spec=spec)
    nodes = tuple(node if one is before.node else one for one in snapshot.nodes)
    state = msgspec.structs.replace(before, node=node)
    return msgspec.structs.replace(snapshot, nodes=nodes, states=snapshot.states.changed({name: state}))


def with_slices(snapshot: Snapshot, slices: Sequence[ResourceSlice]) -> Snapshot:
    """The snapshot with these slices added or replaced."""
    manifests = msgspec.structs.replace(snapshot.manifests, slices=_merged(snapshot.manifests.slices, slices))
    return _with_inventory(msgspec.structs.replace(snapshot, manifests=manifests))


def with_rules(snapshot: Snapshot, rules: Sequence[DeviceTaintRule]) -> Snapshot:
    """The snapshot with these taint rules added or replaced."""
    manifests = msgspec.structs.replace(snapshot.manifests, taint_rules=_merged(snapshot.manifests.taint_rules, rules))
    return _with_inventory(msgspec.structs.replace(snapshot, manifests=manifests))


def with_classes(snapshot: Snapshot, classes: Sequence[DeviceClass]) -> Snapshot:
    """The snapshot with these classes added or replaced."""
    return _with_all_classes(snapshot, _merged(snapshot.manifests.classes, classes))


def with_template(snapshot: Snapshot, template: ResourceClaimTemplate) -> Snapshot:
    """The snapshot with the template added or replaced."""
    return msgspec.structs.replace(snapshot, templates={**snapshot.templates, key_of(template.metadata): template})


def with_namespace(snapshot: Snapshot, namespace: Namespace) -> Snapshot:
    """The snapshot with the namespace added or replaced."""
    labels = {**snapshot.namespaces, namespace.metadata.name: namespace.metadata.labels}
    return msgspec.structs.replace(snapshot, namespaces=labels)


def with_pod_group(snapshot: Snapshot, group: PodGroup) -> Snapshot:
    """The snapshot with the group added or replaced."""
    return msgspec.structs.replace(snapshot, pod_groups={**snapshot.pod_groups, key_of(group.metadata): group})


def with_composite_pod_group(snapshot: Snapshot, group: CompositePodGroup) -> Snapshot:
    """The snapshot with the composite group added or replaced."""
    groups = {**snapshot.composite_pod_groups, key_of(group.metadata): group}
    return msgspec.structs.replace(snapshot, composite_pod_groups=groups)


def with_budget(snapshot: Snapshot, budget: PodDisruptionBudget) -> Snapshot:
    """The snapshot with the budget added or replaced."""
    budgets = {key_of(one.metadata): one for one in snapshot.budgets} | {key_of(budget.metadata): budget}
    return msgspec.structs.replace(snapshot, budgets=tuple(budgets.values()))


def without_objects(snapshot: Snapshot, ref: ObjectRef) -> Snapshot:
    """The snapshot without an object that is no pod."""
    key, manifests = (ref.namespace, ref.name), snapshot.manifests
    match ref.kind:
        case "Node":
            return _with_all_nodes(snapshot, _without(snapshot.nodes, ref.name))
        case "ResourceSlice":
            manifests = msgspec.structs.replace(manifests, slices=_without(manifests.slices, ref.name))
            return _with_inventory(msgspec.structs.replace(snapshot, manifests=manifests))
        case "DeviceTaintRule":
            manifests = msgspec.structs.replace(manifests, taint_rules=_without(manifests.taint_rules, ref.name))
            return _with_inventory(msgspec.structs.replace(snapshot, manifests=manifests))
        case "DeviceClass":
            return _with_all_classes(snapshot, _without(manifests.classes, ref.name))
        case "ResourceClaim":
            return snapshot.without_claims((key,)) if key in snapshot.claims else snapshot
        case "ResourceClaimTemplate":
            kept = {k: template for k, template in snapshot.templates.items() if k != key}
            return msgspec.structs.replace(snapshot, templates=kept)
        case "CompositePodGroup":
            composites = {k: group for k, group in snapshot.composite_pod_groups.items() if k != key}
            return msgspec.structs.replace(snapshot, composite_pod_groups=composites)
        case "PodDisruptionBudget":
            budgets = tuple(one for one in snapshot.budgets if key_of(one.metadata) != key)
            return msgspec.structs.replace(snapshot, budgets=budgets)
        case _:
            return snapshot


def _with_all_nodes(snapshot: Snapshot, nodes: tuple[Node, ...]) -> Snapshot:
    names = {node.metadata.name for node in nodes}
    changed: dict[str, NodeState | None] = {name: None for name, _ in snapshot.states.items() if name not in names}
    all_known = all(name in snapshot.states for name in names)
    early = {} if all_known else pods_by_node((planned for _, planned in snapshot.pods.items()), snapshot.profile)
    for node in nodes:
        before = snapshot.states.get(node.metadata.name)
        if before is None or before.node is not node:
            running = before.pods if before is not None else early.get(node.metadata.name, ())
            changed[node.metadata.name] = empty_node(node).with_pods(running)
    affine = {name for name, state in changed.items() if state and any(pod.has_affinity for pod in state.pods)}
    return msgspec.structs.replace(
        snapshot,
        nodes=nodes,
        order=zones_in_turn(nodes),
        states=snapshot.states.changed(changed),
        affine_nodes=(snapshot.affine_nodes | affine) & names,
        nodes_inferred=False,
        manifests=msgspec.structs.replace(snapshot.manifests, nodes=nodes),
    )


def _with_all_classes(snapshot: Snapshot, classes: tuple[DeviceClass, ...]) -> Snapshot:
    """Slices are as they were; what was worked out about claims may not hold any more."""
    before = snapshot.inventory
    memory = InventoryMemory()
    memory.verdicts = before.memory.verdicts
    by_name = {one.metadata.name: one for one in classes}
    inventory = Inventory(before.index, by_name, before.features, before.usage, memory)
    manifests = msgspec.structs.replace(snapshot.manifests, classes=classes)
    return msgspec.structs.replace(snapshot, inventory=inventory, manifests=manifests, offers=None)


def _with_inventory(snapshot: Snapshot) -> Snapshot:
    """The snapshot with what its manifests publish; who has what stays as it is, and is not worked out anew."""
    unclaimed = msgspec.structs.replace(snapshot.manifests, claims=())
    fresh = inventory_of(unclaimed, snapshot.profile)
    return msgspec.structs.replace(snapshot, inventory=fresh.with_usage(snapshot.inventory.usage))


def _merged(before: Sequence[N], added: Sequence[N]) -> tuple[N, ...]:
    """`added` in the place of their namesakes, or after all others."""
    named = {one.metadata.name: one for one in before}
    named.update({one.metadata.name: one for one in added})
    return tuple(named.values())


def _without(before: Iterable[N], name: str) -> tuple[N, ...]:
    return tuple(one for one in before if one.metadata.name != name)
