"""core/v1: the parts of pods, nodes and namespaces that planning reads.

These types are a view: what dravite does not read stays in the document that the object came from.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

from dravite.api.meta import Condition, LabelSelector, Model, ObjectMeta, ObjectRef, Time
from dravite.api.node_selector import NodeSelector, NodeSelectorTerm
from dravite.api.quantity import Quantity


class ResourceClaimReference(Model, frozen=True, kw_only=True):
    """`resources.claims[]` of a container: the pod's entry, and optionally one request of it."""

    name: str = ""
    request: str = ""


class ResourceRequirements(Model, frozen=True, kw_only=True):
    limits: Mapping[str, Quantity] = {}
    requests: Mapping[str, Quantity] = {}
    claims: tuple[ResourceClaimReference, ...] = ()


class ContainerPort(Model, frozen=True, kw_only=True):
    name: str = ""
    container_port: int = 0
    host_port: int = 0
    host_ip: str = ""
    protocol: str = ""


class Container(Model, frozen=True, kw_only=True):
    name: str = ""
    image: str = ""
    resources: ResourceRequirements = ResourceRequirements()
    ports: tuple[ContainerPort, ...] = ()
    restart_policy: str | None = None


class PodResourceClaim(Model, frozen=True, kw_only=True):
    """An entry of `spec.resourceClaims`. `source` is what v1.26 to v1.30 wrapped the two names in."""

    name: str = ""
    resource_claim_name: str | None = None
    resource_claim_template_name: str | None = None


class Toleration(Model, frozen=True, kw_only=True):
    key: str = ""
    operator: str = ""
    value: str = ""
    effect: str = ""
    toleration_seconds: int | None = None


class PreferredSchedulingTerm(Model, frozen=True, kw_only=True):
    weight: int = 0
    preference: NodeSelectorTerm = NodeSelectorTerm()


class NodeAffinity(Model, frozen=True, kw_only=True):
    required: NodeSelector | None = msgspec.field(default=None, name="requiredDuringSchedulingIgnoredDuringExecution")
    preferred: tuple[PreferredSchedulingTerm, ...] = msgspec.field(
        default=(), name="preferredDuringSchedulingIgnoredDuringExecution"
    )


class PodAffinityTerm(Model, frozen=True, kw_only=True):
    label_selector: LabelSelector | None = None
    namespaces: tuple[str, ...] = ()
    topology_key: str = ""
    namespace_selector: LabelSelector | None = None
    match_label_keys: tuple[str, ...] = ()
    mismatch_label_keys: tuple[str, ...] = ()


class WeightedPodAffinityTerm(Model, frozen=True, kw_only=True):
    weight: int = 0
    pod_affinity_term: PodAffinityTerm = PodAffinityTerm()


class PodAffinity(Model, frozen=True, kw_only=True):
    """Serves `podAffinity` and `podAntiAffinity`, which have the same shape."""

    required: tuple[PodAffinityTerm, ...] = msgspec.field(
        default=(), name="requiredDuringSchedulingIgnoredDuringExecution"
    )
    preferred: tuple[WeightedPodAffinityTerm, ...] = msgspec.field(
        default=(), name="preferredDuringSchedulingIgnoredDuringExecution"
    )


class Affinity(Model, frozen=True, kw_only=True):
    node_affinity: NodeAffinity | None = None
    pod_affinity: PodAffinity | None = None
    pod_anti_affinity: PodAffinity | None = None


class TopologySpreadConstraint(Model, frozen=True, kw_only=True):
    max_skew: int = 1
    topology_key: str = ""
    when_unsatisfiable: str = ""
    label_selector: LabelSelector | None = None
    min_domains: int | None = None
    node_affinity_policy: str | None = None
    node_taints_policy: str | None = None
    match_label_keys: tuple[str, ...] = ()


class PodSchedulingGate(Model, frozen=True, kw_only=True):
    name: str = ""


class PodSchedulingGroup(Model, frozen=True, kw_only=True):
    """Which PodGroup a pod belongs to (1.36 and newer)."""

    pod_group_name: str | None = None


class WorkloadReference(Model, frozen=True, kw_only=True):
    """Which group of which Workload a pod belongs to (1.35 only)."""

    name: str = ""
    pod_group: str = ""
    pod_group_replica_key: str = ""


class PodSpec(Model, frozen=True, kw_only=True):
    node_name: str = ""
    scheduler_name: str = ""
    restart_policy: str = ""
    host_network: bool = False
    containers: tuple[Container, ...] = ()
    init_containers: tuple[Container, ...] = ()
    resources: ResourceRequirements | None = None
    overhead: Mapping[str, Quantity] = {}
    runtime_class_name: str | None = None
    node_selector: Mapping[str, str] = {}
    affinity: Affinity | None = None
    tolerations: tuple[Toleration, ...] = ()
    topology_spread_constraints: tuple[TopologySpreadConstraint, ...] = ()
    scheduling_gates: tuple[PodSchedulingGate, ...] = ()
    resource_claims: tuple[PodResourceClaim, ...] = ()
    priority_class_name: str = ""
    priority: int | None = None
    preemption_policy: str | None = None
    scheduling_group: PodSchedulingGroup | None = None
    workload_ref: WorkloadReference | None = None


class PodResourceClaimStatus(Model, frozen=True, kw_only=True):
    """Which claim was made for an entry; without a name no claim is needed (A1.2)."""

    name: str = ""
    resource_claim_name: str | None = None


class ContainerExtendedResourceRequest(Model, frozen=True, kw_only=True):
    container_name: str = ""
    resource_name: str = ""
    request_name: str = ""


class PodExtendedResourceClaimStatus(Model, frozen=True, kw_only=True):
    request_mappings: tuple[ContainerExtendedResourceRequest, ...] = ()
    resource_claim_name: str = ""


class MappedAmount(Model, frozen=True, kw_only=True):
    """So much of a resource of the node, such as cpu, stands behind devices of a claim."""

    name: str = ""
    quantity: Quantity = Quantity(0)


class OverheadAmount(Model, frozen=True, kw_only=True):
    """So much of a resource of the node is used beside devices of a claim."""

    name: str = ""
    per_pod: Quantity | None = None
    per_container: Quantity | None = None


class NodeAllocatableResourceClaimStatus(Model, frozen=True, kw_only=True):
    """What a claim of the pod takes of its node. `resources` is what 1.36 had instead of the two lists."""

    resource_claim_name: str = ""
    containers: tuple[str, ...] = ()
    mapping: tuple[MappedAmount, ...] = ()
    overhead: tuple[OverheadAmount, ...] = ()
    resources: Mapping[str, Quantity] = {}


class PodCondition(Condition, frozen=True, kw_only=True):
    last_probe_time: Time | None = None


class ContainerStatus(Model, frozen=True, kw_only=True):
    """What a container holds while it is resized: what the kubelet has set aside for it, and what it runs with."""

    name: str = ""
    allocated_resources: Mapping[str, Quantity] = {}
    resources: ResourceRequirements | None = None


class PodStatus(Model, frozen=True, kw_only=True):
    phase: str = ""
    conditions: tuple[PodCondition, ...] = ()
    container_statuses: tuple[ContainerStatus, ...] = ()
    init_container_statuses: tuple[ContainerStatus, ...] = ()
    allocated_resources: Mapping[str, Quantity] = {}
    resources: ResourceRequirements | None = None
    nominated_node_name: str = ""
    start_time: Time | None = None
    resource_claim_statuses: tuple[PodResourceClaimStatus, ...] = ()
    extended_resource_claim_status: PodExtendedResourceClaimStatus | None = None
    node_allocatable_resource_claim_statuses: tuple[NodeAllocatableResourceClaimStatus, ...] = ()


class Pod(Model, frozen=True, kw_only=True):
    api_version: Literal["v1"] = msgspec.field(default_factory=lambda: "v1")
    kind: Literal["Pod"] = msgspec.field(default_factory=lambda: "Pod")
    metadata: ObjectMeta = ObjectMeta()
    spec: PodSpec = PodSpec()
    status: PodStatus = PodStatus()


def pod_ref(pod: Pod) -> ObjectRef:
    """Which pod it is."""
    return ObjectRef("Pod", pod.metadata.namespace, pod.metadata.name)


class Taint(Model, frozen=True, kw_only=True):
    key: str = ""
    value: str = ""
    effect: str = ""
    time_added: Time | None = None


class NodeSpec(Model, frozen=True, kw_only=True):
    taints: tuple[Taint, ...] = ()
    unschedulable: bool = False


class ContainerImage(Model, frozen=True, kw_only=True):
    names: tuple[str, ...] = ()
    size_bytes: int = 0


class NodeCondition(Condition, frozen=True, kw_only=True):
    """A condition without its heartbeat, which changes every few minutes and decides nothing."""


class NodeStatus(Model, frozen=True, kw_only=True):
    capacity: Mapping[str, Quantity] = {}
    allocatable: Mapping[str, Quantity] = {}
    declared_features: tuple[str, ...] = ()
    conditions: tuple[NodeCondition, ...] = ()
    images: tuple[ContainerImage, ...] = ()


class Node(Model, frozen=True, kw_only=True):
    api_version: Literal["v1"] = msgspec.field(default_factory=lambda: "v1")
    kind: Literal["Node"] = msgspec.field(default_factory=lambda: "Node")
    metadata: ObjectMeta = ObjectMeta()
    spec: NodeSpec = NodeSpec()
    status: NodeStatus = NodeStatus()


class Namespace(Model, frozen=True, kw_only=True):
    api_version: Literal["v1"] = msgspec.field(default_factory=lambda: "v1")
    kind: Literal["Namespace"] = msgspec.field(default_factory=lambda: "Namespace")
    metadata: ObjectMeta = ObjectMeta()
