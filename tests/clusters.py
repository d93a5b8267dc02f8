"""Small clusters for tests, said in few words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from dravite.api.core_v1 import (
    Container,
    Node,
    NodeSpec,
    NodeStatus,
    Pod,
    PodResourceClaim,
    PodSchedulingGroup,
    PodSpec,
    PodStatus,
    ResourceRequirements,
    Taint,
)
from dravite.api.meta import LabelSelector, ObjectMeta
from dravite.api.policy_v1 import PodDisruptionBudget
from dravite.api.quantity import Quantity
from dravite.api.releases import Profile, profile
from dravite.api.resource_v1 import (
    AllocationResult,
    CELDeviceSelector,
    Device,
    DeviceAllocationResult,
    DeviceClaim,
    DeviceClass,
    DeviceClassSpec,
    DeviceRequest,
    DeviceRequestAllocationResult,
    DeviceSelector,
    DeviceTaint,
    DeviceTaintRule,
    DeviceTaintRuleSpec,
    DeviceTaintSelector,
    ExactDeviceRequest,
    ResourceClaim,
    ResourceClaimConsumerReference,
    ResourceClaimSpec,
    ResourceClaimStatus,
    ResourceClaimTemplate,
    ResourceClaimTemplateSpec,
    ResourcePool,
    ResourceSlice,
    ResourceSliceSpec,
)
from dravite.api.scheduling_v1beta1 import (
    BasicSchedulingPolicy,
    CompositePodGroup,
    GangSchedulingPolicy,
    PodGroup,
    PodGroupSchedulingConstraints,
    PodGroupSchedulingPolicy,
    PodGroupSpec,
    TopologyConstraint,
    Workload,
)
from dravite.snapshot.manifests import Manifests, PlannedPod
from dravite.snapshot.snapshot import Snapshot, build

DRIVER = "gpu.example.com"


def release(number: str = "1.37", gates: str = "") -> Profile:
    made = profile(number, gates)
    assert isinstance(made, Profile), made
    return made


def amounts(**given: str) -> Mapping[str, Quantity]:
    return {name.replace("_", "-"): Quantity.parse(text) for name, text in given.items()}


def node(name: str, labels: Mapping[str, str] | None = None, taints: Iterable[Taint] = (), **allocatable: str) -> Node:
    size = {"cpu": "4", "memory": "8Gi", "pods": "20", **allocatable}
    return Node(
        metadata=ObjectMeta(name=name, labels={"kubernetes.io/hostname": name, **(labels or {})}),
        spec=NodeSpec(taints=tuple(taints)),
        status=NodeStatus(allocatable=amounts(**size)),
    )


def pod(name: str, cpu: str = "1", **spec: object) -> Pod:
    requests = amounts(cpu=cpu) if cpu else {}
    labels = spec.pop("labels", {})
    phase = spec.pop("phase", "")
    containers = (Container(name="main", image="app:1", resources=ResourceRequirements(requests=requests)),)
    spec.setdefault("containers", containers)
    return Pod(
        metadata=ObjectMeta(name=name, namespace="default", uid=f"uid-{name}", labels=labels),  # type: ignore[arg-type]
        spec=PodSpec(**spec),  # type: ignore[arg-type]
        status=PodStatus(phase=str(phase)),
    )


def with_claims(one: Pod, **entries: str) -> Pod:
    """The pod with entries: `a="claim"` by name, `a="@template"` from a template."""
    claims = tuple(
        PodResourceClaim(name=entry, resource_claim_template_name=given[1:])
        if given.startswith("@")
        else PodResourceClaim(name=entry, resource_claim_name=given)
        for entry, given in entries.items()
    )
    return msgspec.structs.replace(one, spec=msgspec.structs.replace(one.spec, resource_claims=claims))


def claim_spec(count: int = 1, device_class: str = "gpu") -> ResourceClaimSpec:
    exactly = ExactDeviceRequest(device_class_name=device_class, allocation_mode="ExactCount", count=count)
    return ResourceClaimSpec(devices=DeviceClaim(requests=(DeviceRequest(name="gpu", exactly=exactly),)))


def claim(name: str, count: int = 1, device_class: str = "gpu") -> ResourceClaim:
    metadata = ObjectMeta(name=name, namespace="default", uid=f"uid-{name}")
    return ResourceClaim(metadata=metadata, spec=claim_spec(count, device_class))


def template(name: str, count: int = 1, device_class: str = "gpu") -> ResourceClaimTemplate:
    return ResourceClaimTemplate(
        metadata=ObjectMeta(name=name, namespace="default"),
        spec=ResourceClaimTemplateSpec(spec=claim_spec(count, device_class)),
    )


def device_class(name: str = "gpu") -> DeviceClass:
    selector = DeviceSelector(cel=CELDeviceSelector(expression=f'device.driver == "{DRIVER}"'))
    return DeviceClass(metadata=ObjectMeta(name=name), spec=DeviceClassSpec(selectors=(selector,)))


def devices_of(on: str, count: int) -> ResourceSlice:
    spec = ResourceSliceSpec(
        driver=DRIVER,
        pool=ResourcePool(name=on, generation=1, resource_slice_count=1),
        node_name=on,
        devices=tuple(Device(name=f"gpu-{number}") for number in range(count)),
    )
    return ResourceSlice(metadata=ObjectMeta(name=f"gpu-{on}"), spec=spec)


def running(name: str, device: str, on: str = "n1") -> tuple[Pod, ResourceClaim]:
    """A pod on its node, and the claim of the same name with its device."""
    result = DeviceRequestAllocationResult(request="gpu", driver=DRIVER, pool=on, device=device)
    user = ResourceClaimConsumerReference(resource="pods", name=name, uid=f"uid-{name}")
    allocation = AllocationResult(devices=DeviceAllocationResult(results=(result,)))
    status = ResourceClaimStatus(allocation=allocation, reserved_for=(user,))
    one = with_claims(pod(name, node_name=on, phase="Running"), gpu=name)
    return one, msgspec.structs.replace(claim(name), status=status)


def taint_rule(name: str, effect: str = "NoExecute", **selector: str) -> DeviceTaintRule:
    """A rule that taints the devices that it selects; all of them without a selector."""
    taint = DeviceTaint(key="broken", effect=effect)
    spec = DeviceTaintRuleSpec(device_selector=DeviceTaintSelector(**selector), taint=taint)
    return DeviceTaintRule(metadata=ObjectMeta(name=name), spec=spec)


def selects(**labels: str) -> LabelSelector:
    return LabelSelector(match_labels=labels)


def group(name: str = "g", minimum: int | None = None, **spec: object) -> PodGroup:
    """A PodGroup: a gang with a minimum, else one whose pods go one by one."""
    policy = (
        PodGroupSchedulingPolicy(gang=GangSchedulingPolicy(min_count=minimum))
        if minimum is not None
        else PodGroupSchedulingPolicy(basic=BasicSchedulingPolicy())
    )
    metadata = ObjectMeta(name=name, namespace="default", uid=f"<uid of PodGroup {name}>")
    return PodGroup(metadata=metadata, spec=PodGroupSpec(scheduling_policy=policy, **spec))  # type: ignore[arg-type]


def in_domain(key: str) -> PodGroupSchedulingConstraints:
    """All pods of a group on nodes with one value of a label."""
    return PodGroupSchedulingConstraints(topology=(TopologyConstraint(key=key),))


def members(count: int, cpu: str = "1", of: str = "g", **spec: object) -> tuple[Pod, ...]:
    """Waiting pods of a group: g-0, g-1, …"""
    named = PodSchedulingGroup(pod_group_name=of)
    return tuple(pod(f"{of}-{number}", cpu, scheduling_group=named, **spec) for number in range(count))


def manifests(*objects: object) -> Manifests:
    kinds = {
        Node: "nodes",
        ResourceSlice: "slices",
        DeviceClass: "classes",
        DeviceTaintRule: "taint_rules",
        ResourceClaim: "claims",
        ResourceClaimTemplate: "templates",
        PodGroup: "pod_groups",
        CompositePodGroup: "composite_pod_groups",
        Workload: "workloads",
        PodDisruptionBudget: "budgets",
    }
    fields: dict[str, list[object]] = {}
    for one in objects:
        if isinstance(one, Pod | PlannedPod):
            fields.setdefault("pods", []).append(one if isinstance(one, PlannedPod) else PlannedPod(one))
        else:
            fields.setdefault(kinds[type(one)], []).append(one)
    return Manifests(**{name: tuple(found) for name, found in fields.items()})  # type: ignore[arg-type]


def cluster(*objects: object, on: Profile | None = None) -> Snapshot:
    return build(manifests(*objects), on or release())
