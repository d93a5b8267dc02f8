"""One frozen picture of a cluster: what there is, what runs where, what is allocated, and who waits.

A scheduling attempt sees one snapshot. Placing a pod makes the next one, which shares with it all that did not
change. It decides nothing: filters, scores and controllers are functions over it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

import msgspec

from dravite.api.core_v1 import Node, Pod
from dravite.api.meta import ObjectMeta, ObjectRef
from dravite.api.policy_v1 import PodDisruptionBudget
from dravite.api.releases import Profile, newest_profile
from dravite.api.resource_v1 import (
    DeviceClass,
    DeviceTaintRule,
    DeviceTaintSelector,
    ResourceClaim,
    ResourceClaimTemplate,
)
from dravite.api.scheduling_v1beta1 import CompositePodGroup, PodGroup, PodGroupSpec
from dravite.snapshot.classic import Classic
from dravite.snapshot.inferred_nodes import infer_nodes
from dravite.snapshot.inventory import Inventory, build_inventory
from dravite.snapshot.manifests import Manifests, PlannedPod
from dravite.snapshot.node_order import by_creation, zones_in_turn
from dravite.snapshot.node_state import NodePod, NodeState, empty_node, node_pod, unlimited_node
from dravite.snapshot.persistent import PersistentMap
from dravite.snapshot.requests import PodLevel
from dravite.snapshot.usage import AllocatedState, consumers_of

Key: TypeAlias = tuple[str, str]
"""Namespace and name."""


class Binding(msgspec.Struct, frozen=True):
    """A pod on its way to a node: the pod with its node, and its claims as they stand then, new ones included."""

    pod: Pod
    claims: tuple[ResourceClaim, ...] = ()


class Snapshot(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A cluster at one moment.

    Attributes:
        profile: the release and its gates.
        manifests: what it was built from; pods and claims there may be older than here.
        nodes: in the order of their creation.
        order: their names in the order in which the scheduler goes through them.
        states: each node with the pods on it.
        inventory: devices, classes and allocations.
        claims: all claims, those included that a controller would make for pods.
        templates: claim templates.
        pods: all pods; which of them wait, `pending` says.
        pod_order: their keys in the order of the input.
        namespaces: labels of the namespaces that were given.
        pod_groups: by key.
        composite_pod_groups: by key.
        budgets: what preemption should respect, in the order of the input.
        members: the pods that name a group, by the key of the group, in the order of the input.
        nominated: the waiting pods that are nominated for a node, by its name.
        made_claims: the claims that do not exist yet.
        refused_claims: why admission refuses the claim of an entry, by namespace, pod and entry.
        allocated_here: the claims that were allocated since the snapshot was built.
        affine_nodes: nodes with pods that have rules about other pods.
        nodes_inferred: whether there were no nodes, and those that slices name stand for them.
        search_start: at which node of `order` the next search begins (F10.1).
        placement: the nodes among which the pods of a group are to find theirs; None for all.
        expired: the allocated claims whose devices did not become ready in time.
        offers: which class serves an extended resource, where classes were seen to come and go; None where that
            follows from those that there are.
        classic: what 1.31 knew of drivers with a controller; None where there can be none.
        seed: what names are drawn with; empty where a stand-in will do.
    """

    profile: Profile
    manifests: Manifests
    nodes: tuple[Node, ...]
    order: tuple[str, ...]
    states: PersistentMap[str, NodeState]
    inventory: Inventory
    claims: PersistentMap[Key, ResourceClaim]
    templates: Mapping[Key, ResourceClaimTemplate]
    pods: PersistentMap[Key, PlannedPod]
    pod_order: tuple[Key, ...]
    namespaces: Mapping[str, Mapping[str, str]]
    pod_groups: Mapping[Key, PodGroup]
    composite_pod_groups: Mapping[Key, CompositePodGroup] = {}
    budgets: tuple[PodDisruptionBudget, ...] = ()
    members: PersistentMap[Key, tuple[Key, ...]] = msgspec.field(default_factory=PersistentMap)
    nominated: Mapping[str, tuple[Key, ...]] = {}
    made_claims: PersistentMap[Key, bool] = msgspec.field(default_factory=PersistentMap)
    refused_claims: Mapping[tuple[str, str, str], str] = {}
    allocated_here: PersistentMap[Key, bool] = msgspec.field(default_factory=PersistentMap)
    affine_nodes: frozenset[str] = frozenset()
    nodes_inferred: bool = False
    search_start: int = 0
    placement: tuple[str, ...] | None = None
    expired: frozenset[Key] = frozenset()
    offers: Mapping[str, str] | None = None
    classic: Classic | None = None
    seed: str = ""

    @property
    def choices(self) -> tuple[str, ...]:
        """The names of the nodes that a pod may choose among, in the scheduler's order."""
        return self.order if self.placement is None else self.placement

    @property
    def classes(self) -> Mapping[str, DeviceClass]:
        """Device classes by name."""
        return self.inventory.classes

    def claim(self, namespace: str, name: str) -> ResourceClaim | None:
        """A claim, or None."""
        return self.claims.get((namespace, name))

    def pod(self, ref: ObjectRef) -> PlannedPod | None:
        """A pod, or None."""
        return self.pods.get((ref.namespace, ref.name))

    def state(self, node: str) -> NodeState:
        """A node with its pods; the node must exist."""
        return self.states[node]

    def pending(self) -> Iterator[PlannedPod]:
        """The pods that wait for a node, in the order of the input."""
        return (pod for key in self.pod_order if is_pending((pod := self.pods[key]).pod))

    def states_in_order(self) -> tuple[NodeState, ...]:
        """All nodes with their pods, in the scheduler's order."""
        return tuple(self.states[name] for name in self.order)

    def assume(self, binding: Binding) -> Snapshot:
        """The snapshot with the pod on its node and its claims as the binding says."""
        held = self.with_allocated_claims(binding.claims).with_pod(binding.pod)
        node = binding.pod.spec.node_name
        state = self.states.get(node)
        if state is None:
            return held
        added = node_pod(binding.pod, pod_level(self.profile))
        return msgspec.structs.replace(
            held,
            states=held.states.changed({node: state.with_pods((added,))}),
            affine_nodes=held.affine_nodes | {node} if added.has_affinity else held.affine_nodes,
        )

    def with_claims(self, claims: Iterable[ResourceClaim]) -> Snapshot:
        """The snapshot with these claims added or replaced, and their devices taken or freed."""
        changed = {key_of(claim.metadata): claim for claim in claims}
        if not changed:
            return self
        usage = self.inventory.usage
        for claim in changed.values():
            usage = _held(usage, claim)
        return msgspec.structs.replace(
            self, claims=self.claims.changed(changed), inventory=self.inventory.with_usage(usage)
        )

    def with_made_claims(self, claims: Iterable[ResourceClaim]) -> Snapshot:
        """The snapshot with claims that a controller makes."""
        made = tuple(claims)
        if not made:
            return self
        keys = {key_of(claim.metadata): True for claim in made}
        return msgspec.structs.replace(self.with_claims(made), made_claims=self.made_claims.changed(keys))

    def with_allocated_claims(self, claims: tuple[ResourceClaim, ...]) -> Snapshot:
        """The snapshot with claims as the scheduler leaves them; which are new and newly allocated is noted."""
        if not claims:
            return self
        keys = [key_of(claim.metadata) for claim in claims]
        before = [self.claims.get(key) for key in keys]
        made = {key: True for key, claim in zip(keys, before, strict=True) if claim is None}
        fresh = {key: True for key, claim in zip(keys, before, strict=True) if not _is_allocated(claim)}
        return msgspec.structs.replace(
            self.with_claims(claims),
            made_claims=self.made_claims.changed(made) if made else self.made_claims,
            allocated_here=self.allocated_here.changed(fresh) if fresh else self.allocated_here,
            expired=self.expired - fresh.keys() if self.expired else self.expired,
        )

    def without_claims(self, keys: Iterable[Key]) -> Snapshot:
        """The snapshot without these claims; their devices are free."""
        gone = tuple(keys)
        if not gone:
            return self
        usage = self.inventory.usage
        for namespace, name in gone:
            usage = usage.without_claim(ObjectRef("ResourceClaim", namespace, name))
        claims = self.claims.changed(dict.fromkeys(gone))
        return msgspec.structs.replace(self, claims=claims, inventory=self.inventory.with_usage(usage))

    def with_pod(self, pod: Pod) -> Snapshot:
        """The snapshot with another version of a pod; what its node counts stays as it is."""
        key = key_of(pod.metadata)
        before = self.pods[key]
        planned = msgspec.structs.replace(before, pod=pod)
        return msgspec.structs.replace(
            self,
            pods=self.pods.changed({key: planned}),
            nominated=with_nomination(self.nominated, before.pod, pod),
        )


def build(manifests: Manifests, profile: Profile | None = None) -> Snapshot:
    """The picture of what was read. Without nodes, those that slices, allocations and pods name stand for them.

    The order of slices, claims, classes and rules in the input plays no part; that of pods and nodes does. Without a
    profile it is a stock control plane of the newest release.
    """
    profile = profile or newest_profile()
    nodes, inferred = _nodes(manifests)
    pods = {key_of(planned.pod.metadata): planned for planned in manifests.pods}
    on_nodes = pods_by_node(pods.values(), profile)
    states = {}
    for node in nodes:
        bare = unlimited_node(node) if inferred else empty_node(node)
        running = on_nodes.get(node.metadata.name, ())
        states[node.metadata.name] = bare.with_pods(running) if running else bare
    return Snapshot(
        profile=profile,
        manifests=manifests,
        nodes=nodes,
        order=zones_in_turn(nodes),
        states=PersistentMap(states),
        inventory=inventory_of(manifests, profile),
        claims=PersistentMap({key_of(claim.metadata): claim for claim in manifests.claims}),
        templates={key_of(template.metadata): template for template in manifests.templates},
        pods=PersistentMap(pods),
        pod_order=tuple(pods),
        namespaces={namespace.metadata.name: namespace.metadata.labels for namespace in manifests.namespaces},
        pod_groups={key_of(group.metadata): group for group in (*manifests.pod_groups, *_embedded(manifests, profile))},
        composite_pod_groups={key_of(group.metadata): group for group in manifests.composite_pod_groups},
        budgets=manifests.budgets,
        members=PersistentMap(_by_group(pods)),
        nominated=_by_nomination(pods.values()),
        affine_nodes=frozenset(name for name, state in states.items() if any(pod.has_affinity for pod in state.pods)),
        nodes_inferred=inferred,
    )


def key_of(metadata: ObjectMeta) -> Key:
    """What an object is found by."""
    return (metadata.namespace, metadata.name)


def is_finished(pod: Pod) -> bool:
    """Whether a pod has run to its end, and holds nothing any more."""
    return pod.status.phase in ("Succeeded", "Failed")


def is_pending(pod: Pod) -> bool:
    """Whether a pod waits for a node. One that is being deleted does not (E3.7)."""
    return not pod.spec.node_name and not is_finished(pod) and pod.metadata.deletion_timestamp is None


def group_key(pod: Pod) -> Key | None:
    """The key of the group that a pod names. A group of 1.35 stands in a Workload, and is called after its place."""
    if pod.spec.scheduling_group is not None:
        group = pod.spec.scheduling_group.pod_group_name
        return (pod.metadata.namespace, group) if group else None
    entry = pod.spec.workload_ref
    if entry is None:
        return None
    place = filter(None, (entry.name, entry.pod_group, entry.pod_group_replica_key))
    return (pod.metadata.namespace, "/".join(place))


def with_nomination(
    nominated: Mapping[str, tuple[Key, ...]], before: Pod | None, after: Pod | None
) -> Mapping[str, tuple[Key, ...]]:
    """The nominations once a pod is another version of itself, or comes, or goes (None)."""
    old, new = _nomination(before), _nomination(after)
    if old == new:
        return nominated
    changed = dict(nominated)
    if before is not None and old:
        left = tuple(key for key in changed.get(old, ()) if key != key_of(before.metadata))
        changed[old] = left
        if not left:
            del changed[old]
    if after is not None and new:
        changed[new] = (*changed.get(new, ()), key_of(after.metadata))
    return changed


def pod_level(profile: Profile) -> PodLevel:
    """Whether resources of a pod as a whole count."""
    return "honour" if profile.enabled("PodLevelResources") else "ignore"


def _nodes(manifests: Manifests) -> tuple[tuple[Node, ...], bool]:
    if manifests.nodes:
        return by_creation(manifests.nodes), False
    inferred = infer_nodes(manifests.slices, manifests.claims, (planned.pod for planned in manifests.pods))
    return inferred, bool(inferred)


def pods_by_node(pods: Iterable[PlannedPod], profile: Profile) -> Mapping[str, tuple[NodePod, ...]]:
    """What holds something on each node, whether the node is there or not."""
    found: dict[str, list[NodePod]] = {}
    level = pod_level(profile)
    for planned in pods:
        node = planned.pod.spec.node_name
        if node and not is_finished(planned.pod):
            found.setdefault(node, []).append(node_pod(planned.pod, level))
    return {node: tuple(running) for node, running in found.items()}


def _nomination(pod: Pod | None) -> str:
    """The node that a waiting pod is nominated for, or nothing."""
    return "" if pod is None or pod.spec.node_name or is_finished(pod) else pod.status.nominated_node_name


def _by_nomination(pods: Iterable[PlannedPod]) -> Mapping[str, tuple[Key, ...]]:
    nominated: Mapping[str, tuple[Key, ...]] = {}
    for planned in pods:
        if planned.pod.status.nominated_node_name:
            nominated = with_nomination(nominated, None, planned.pod)
    return nominated


def _by_group(pods: Mapping[Key, PlannedPod]) -> Mapping[Key, tuple[Key, ...]]:
    found: dict[Key, list[Key]] = {}
    for key, planned in pods.items():
        group = group_key(planned.pod)
        if group is not None:
            found.setdefault(group, []).append(key)
    return {group: tuple(members) for group, members in found.items()}


def _embedded(manifests: Manifests, profile: Profile) -> Iterable[PodGroup]:
    """The groups of 1.35, one for each entry of a Workload and replica that pods name (E4.8)."""
    if profile.release != "1.35":
        return ()
    entries = {
        (workload.metadata.namespace, workload.metadata.name, template.name): template.scheduling_policy
        for workload in manifests.workloads
        for template in workload.spec.pod_group_templates
    }
    found: dict[Key, PodGroup] = {}
    for planned in manifests.pods:
        named, key = planned.pod.spec.workload_ref, group_key(planned.pod)
        policy = entries.get((planned.pod.metadata.namespace, named.name, named.pod_group)) if named else None
        if key is not None and policy is not None:
            metadata = ObjectMeta(namespace=key[0], name=key[1])
            found[key] = PodGroup(metadata=metadata, spec=PodGroupSpec(scheduling_policy=policy))
    return found.values()


def inventory_of(manifests: Manifests, profile: Profile) -> Inventory:
    """The devices, classes and allocations of what was read."""
    rules = manifests.taint_rules if profile.enabled("DRADeviceTaintRules") else ()
    inventory = build_inventory(
        sorted(manifests.slices, key=lambda item: item.metadata.name),
        manifests.classes,
        _allocated(manifests.claims),
        sorted((_as_read(rule, profile) for rule in rules), key=lambda rule: rule.metadata.name),
        profile.features,
    )
    return inventory.for_release(profile.release)


def _as_read(rule: DeviceTaintRule, profile: Profile) -> DeviceTaintRule:
    """The rule as a scheduler of the release reads it: before 1.37 one without a selector selected all (B2.4)."""
    if rule.spec.device_selector is not None or profile.is_at_least("1.37"):
        return rule
    spec = msgspec.structs.replace(rule.spec, device_selector=DeviceTaintSelector())
    return msgspec.structs.replace(rule, spec=spec)


def _allocated(claims: Iterable[ResourceClaim]) -> list[ResourceClaim]:
    held = (claim for claim in claims if claim.status.allocation is not None)
    return sorted(held, key=lambda claim: key_of(claim.metadata))


def _is_allocated(claim: ResourceClaim | None) -> bool:
    return claim is not None and claim.status.allocation is not None


def _held(usage: AllocatedState, claim: ResourceClaim) -> AllocatedState:
    ref = ObjectRef("ResourceClaim", claim.metadata.namespace, claim.metadata.name)
    allocation = claim.status.allocation
    return usage.without_claim(ref) if allocation is None else usage.with_claim(ref, allocation, consumers_of(claim))
