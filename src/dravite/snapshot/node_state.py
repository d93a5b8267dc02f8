"""A node and the pods on it, summed up the way the filters ask: requests, ports, images, pods with affinities.

One value per node and version: putting a pod on a node makes a new value for that node only. It does not decide
whether anything fits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from dravite.api.core_v1 import Container, Node, Pod, PodAffinity
from dravite.api.quantity import Quantity
from dravite.snapshot.requests import CPU, MEMORY, PODS, Amounts, PodLevel, PodRequest, in_units, pod_request

ANY_ADDRESS: Final = "0.0.0.0"  # noqa: S104 - the scheduler's word for "every address", nothing is bound here


class HostPort(msgspec.Struct, frozen=True, order=True):
    """A port that a pod takes on its node; the address is `0.0.0.0` where none was given."""

    address: str
    protocol: str
    port: int


class NodePod(msgspec.Struct, frozen=True):
    """A pod on a node, with what is derived from its spec once.

    Attributes:
        has_affinity: whether it has pod affinity or anti-affinity of any kind.
        has_required_anti_affinity: whether it keeps other pods away (InterPodAffinity).
    """

    pod: Pod
    request: PodRequest
    ports: frozenset[HostPort]
    has_affinity: bool
    has_required_anti_affinity: bool

    @property
    def key(self) -> tuple[str, str]:
        """Namespace and name."""
        return (self.pod.metadata.namespace, self.pod.metadata.name)


class NodeState(msgspec.Struct, frozen=True, eq=False):
    """One node at one moment.

    Attributes:
        node: the node.
        name: its name.
        allocatable: its allocatable resources in the scheduler's units, `pods` included.
        unlimited: whether resources are not counted, because the node was inferred and publishes none.
        pods: the pods that are bound to it and not finished, in order of arrival.
        requested: what they ask for together.
        scored_cpu, scored_memory: the same for scoring (F10.6).
        ports: the host ports that they take.
    """

    node: Node
    name: str
    allocatable: Amounts
    unlimited: bool = False
    pods: tuple[NodePod, ...] = ()
    requested: Mapping[str, int] = {}
    scored_cpu: int = 0
    scored_memory: int = 0
    ports: frozenset[HostPort] = frozenset()

    @property
    def labels(self) -> Mapping[str, str]:
        """The node's labels."""
        return self.node.metadata.labels

    @property
    def has_affinity(self) -> bool:
        """Whether any of its pods has rules about other pods."""
        return any(pod.has_affinity for pod in self.pods)

    def with_pods(self, added: tuple[NodePod, ...]) -> NodeState:
        """This node with more pods on it."""
        return _summed(self, (*self.pods, *added))

    def without_pods(self, gone: frozenset[tuple[str, str]]) -> NodeState:
        """This node without the pods of these keys (namespace, name)."""
        return _summed(self, tuple(pod for pod in self.pods if pod.key not in gone))


def empty_node(node: Node) -> NodeState:
    """A node that nothing runs on."""
    amounts = {name: in_units(name, quantity) for name, quantity in node.status.allocatable.items()}
    return NodeState(node, node.metadata.name, amounts)


def unlimited_node(node: Node) -> NodeState:
    """A node that was inferred: it publishes no resources, so none are counted."""
    return NodeState(node, node.metadata.name, {}, unlimited=True)


def node_pod(pod: Pod, pod_level: PodLevel = "honour") -> NodePod:
    """A pod as a node sees it."""
    affinity = pod.spec.affinity
    near = affinity.pod_affinity if affinity else None
    apart = affinity.pod_anti_affinity if affinity else None
    return NodePod(
        pod=pod,
        request=pod_request(pod, pod_level),
        ports=host_ports(pod),
        has_affinity=_has_terms(near) or _has_terms(apart),
        has_required_anti_affinity=apart is not None and bool(apart.required),
    )


def host_ports(pod: Pod) -> frozenset[HostPort]:
    """The host ports that a pod takes while it runs (F9.7); init containers count only as sidecars."""
    running = [container for container in pod.spec.init_containers if container.restart_policy == "Always"]
    return frozenset(port for container in (*running, *pod.spec.containers) for port in _container_ports(container))


def used_amount(state: NodeState, resource: str) -> int:
    """What the node's pods use of a resource; `pods` counts the pods."""
    return len(state.pods) if resource == PODS else state.requested.get(resource, 0)


def amount(resource: str, units: int) -> Quantity:
    """An amount in the scheduler's unit as a quantity in the notation that people write for the resource."""
    if resource == CPU:
        return Quantity(units * 1_000_000)
    binary = resource in (MEMORY, "ephemeral-storage") or resource.startswith("hugepages-")
    return Quantity.of(units, "BinarySI" if binary else "DecimalSI")


def _container_ports(container: Container) -> tuple[HostPort, ...]:
    return tuple(
        HostPort(port.host_ip or ANY_ADDRESS, port.protocol or "TCP", port.host_port)
        for port in container.ports
        if port.host_port > 0
    )


def _has_terms(affinity: PodAffinity | None) -> bool:
    return affinity is not None and bool(affinity.required or affinity.preferred)


def _summed(state: NodeState, pods: tuple[NodePod, ...]) -> NodeState:
    requested: dict[str, int] = {}
    for pod in pods:
        for name, units in pod.request.amounts.items():
            requested[name] = requested.get(name, 0) + units
    return NodeState(
        node=state.node,
        name=state.name,
        allocatable=state.allocatable,
        unlimited=state.unlimited,
        pods=pods,
        requested=requested,
        scored_cpu=sum(pod.request.scored_cpu for pod in pods),
        scored_memory=sum(pod.request.scored_memory for pod in pods),
        ports=frozenset(port for pod in pods for port in pod.ports),
    )
