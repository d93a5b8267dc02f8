"""How much of a node a pod asks for, in kube-scheduler's units: thousandths for cpu, whole units for all else.

It decides how containers, init containers, sidecars, overhead and pod-level resources add up (F9.6). It knows no
nodes and does not decide what fits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, Literal

import msgspec

from dravite.api.core_v1 import (
    Container,
    ContainerStatus,
    NodeAllocatableResourceClaimStatus,
    Pod,
    PodSpec,
    PodStatus,
    ResourceRequirements,
)
from dravite.api.quantity import NANO, Quantity

CPU: Final = "cpu"
MEMORY: Final = "memory"
EPHEMERAL_STORAGE: Final = "ephemeral-storage"
PODS: Final = "pods"
IMPLICIT_PREFIX: Final = "deviceclass.resource.kubernetes.io/"

PodLevel = Literal["honour", "ignore"]
Amounts = Mapping[str, int]

_NO_AMOUNTS: Final[Amounts] = MappingProxyType({})
_SCORED_AT_LEAST: Final[Amounts] = MappingProxyType({CPU: 100 * (NANO // 1000), MEMORY: 200 * 1024 * 1024 * NANO})
"""What a container counts for in scoring where it asks for nothing (F10.6)."""


class PodRequest(msgspec.Struct, frozen=True):
    """What a pod asks for.

    Attributes:
        amounts: every resource with an amount above zero.
        scored_cpu, scored_memory: what scoring counts of a pod on a node: containers without a request count as 100m
            and 200Mi (F10.6).
        sought_cpu, sought_memory: the same for a pod that looks for a node: what it asks for as a whole does not count
            then (observed on 1.37).
    """

    amounts: Amounts
    scored_cpu: int
    scored_memory: int
    sought_cpu: int
    sought_memory: int


def in_units(resource: str, quantity: Quantity) -> int:
    """A quantity in the scheduler's unit for the resource, rounded up."""
    return quantity.milli if resource == CPU else quantity.value


def pod_request(pod: Pod, pod_level: PodLevel = "honour") -> PodRequest:
    """The request of a pod; `pod_level` says whether `spec.resources` counts in the release."""
    plain = _total(pod, pod_level, _NO_AMOUNTS)
    scored = _total(pod, pod_level, _scoring_defaults(pod, pod_level, plain))
    sought = scored if pod.spec.resources is None else _total(pod, "ignore", _SCORED_AT_LEAST)
    return PodRequest(
        amounts={name: rounded(name, nano) for name, nano in plain.items() if nano > 0},
        scored_cpu=rounded(CPU, scored.get(CPU, 0)),
        scored_memory=rounded(MEMORY, scored.get(MEMORY, 0)),
        sought_cpu=rounded(CPU, sought.get(CPU, 0)),
        sought_memory=rounded(MEMORY, sought.get(MEMORY, 0)),
    )


def is_extended(resource: str) -> bool:
    """Whether a class may provide the resource (F7.1): a name with a domain that is not Kubernetes' own."""
    if resource.startswith(IMPLICIT_PREFIX):
        return True
    return "/" in resource and "kubernetes.io/" not in resource and not resource.startswith("requests.")


def rounded(resource: str, nano: int) -> int:
    """An amount in billionths in the scheduler's unit for the resource, rounded up."""
    unit = NANO // 1000 if resource == CPU else NANO
    return -(-nano // unit)


def _scoring_defaults(pod: Pod, pod_level: PodLevel, plain: Amounts) -> Amounts:
    if pod_level == "honour" and pod.spec.resources is not None and pod.spec.resources.requests:
        return {name: nano for name, nano in _SCORED_AT_LEAST.items() if name not in plain}
    return _SCORED_AT_LEAST


def claimed_amounts(statuses: Iterable[NodeAllocatableResourceClaimStatus]) -> dict[str, int]:
    """What claims take of the resources of the pod's node, in billionths (F8.1)."""
    total: dict[str, int] = {}
    for status in statuses:
        _add(total, ((one.name, one.quantity.nano) for one in status.mapping))
        _add(total, ((name, quantity.nano) for name, quantity in status.resources.items()))
        for one in status.overhead:
            per_pod = one.per_pod.nano if one.per_pod is not None else 0
            per_container = one.per_container.nano if one.per_container is not None else 0
            _add(total, ((one.name, per_pod + per_container * len(status.containers)),))
    return total


def asked_by_containers(spec: PodSpec) -> Mapping[str, Quantity]:
    """What all containers together ask for, in the notation of the first that asks for it."""
    total = _containers_total(Pod(spec=spec), _NO_AMOUNTS)
    asked = {
        name: quantity.notation
        for container in reversed((*spec.containers, *spec.init_containers))
        for name, quantity in container.resources.requests.items()
    }
    return {name: Quantity(nano, asked[name]) for name, nano in total.items()}


def beyond_pod_level(pod: Pod, taken: Iterable[NodeAllocatableResourceClaimStatus]) -> tuple[str, ...]:
    """The resources of which containers and claims take more than the pod as a whole asks for, by name (F8.2)."""
    claimed = claimed_amounts(taken)
    if pod.spec.resources is None or not claimed:
        return ()
    used = _containers_total(pod, _NO_AMOUNTS)
    _add(used, claimed.items())
    return tuple(name for name, most in sorted(pod.spec.resources.requests.items()) if used.get(name, 0) > most.nano)


def _total(pod: Pod, pod_level: PodLevel, defaults: Amounts) -> dict[str, int]:
    total = _containers_total(pod, defaults)
    if pod.status.node_allocatable_resource_claim_statuses:
        _add(total, claimed_amounts(pod.status.node_allocatable_resource_claim_statuses).items())
    if pod_level == "honour" and pod.spec.resources is not None:
        is_resized = pod.status.allocated_resources or pod.status.resources
        for name, nano in _at_most(pod, pod.spec.resources, pod.status if is_resized else None).items():
            if name in (CPU, MEMORY) or name.startswith("hugepages-"):
                total[name] = nano
    _add(total, ((name, quantity.nano) for name, quantity in pod.spec.overhead.items()))
    return total


def _containers_total(pod: Pod, defaults: Amounts) -> dict[str, int]:
    """Application containers and sidecars together, or the hungriest moment of initialisation if that is more."""
    running: dict[str, int] = {}
    statuses = {one.name: one for one in pod.status.container_statuses}
    for container in pod.spec.containers:
        _add(running, _requests(pod, container, statuses.get(container.name), defaults))
    sidecars: dict[str, int] = {}
    peak: dict[str, int] = {}
    statuses = {one.name: one for one in pod.status.init_container_statuses}
    for container in pod.spec.init_containers:
        if container.restart_policy == "Always":
            requests = dict(_requests(pod, container, statuses.get(container.name), defaults))
            _add(running, requests.items())
            _add(sidecars, requests.items())
            moment = sidecars
        else:
            moment = dict(sidecars)
            _add(moment, _requests(pod, container, None, defaults))
        _raise(peak, moment)
    _raise(running, peak)
    return running


def _requests(
    pod: Pod, container: Container, status: ContainerStatus | None, defaults: Amounts
) -> Iterable[tuple[str, int]]:
    amounts = _at_most(pod, container.resources, status)
    yield from amounts.items()
    for name, nano in defaults.items():
        if name not in amounts:
            yield name, nano


def _at_most(pod: Pod, asked: ResourceRequirements, status: ContainerStatus | PodStatus | None) -> Amounts:
    """What is asked for, in billionths; while it is resized the most of that, of what is set aside and of what runs.

    What a resize asks for in vain does not count, but what was there before it does. Observed on 1.37.
    """
    amounts = {name: quantity.nano for name, quantity in asked.requests.items()}
    if status is None:
        return amounts
    most: dict[str, int] = {} if _is_resized_in_vain(pod) else amounts
    running = status.resources.requests if status.resources is not None else {}
    for other in (status.allocated_resources, running):
        _raise(most, {name: quantity.nano for name, quantity in other.items()})
    return most


def _is_resized_in_vain(pod: Pod) -> bool:
    return any(one.type == "PodResizePending" and one.reason == "Infeasible" for one in pod.status.conditions)


def _add(total: dict[str, int], amounts: Iterable[tuple[str, int]]) -> None:
    for name, nano in amounts:
        total[name] = total.get(name, 0) + nano


def _raise(total: dict[str, int], amounts: Amounts) -> None:
    for name, nano in amounts.items():
        total[name] = max(total.get(name, 0), nano)
