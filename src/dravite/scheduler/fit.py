"""Whether a node has enough left for a pod: pods, cpu, memory, storage, extended resources, ports (F9.6, F9.7).

Extended resources that a class provides are left to the allocator on nodes that do not advertise them (F7.4).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from dravite.diagnosis.reasons import PortTaken, ResourceShort
from dravite.snapshot.node_state import ANY_ADDRESS, HostPort, NodePod, NodeState, amount, used_amount
from dravite.snapshot.requests import CPU, EPHEMERAL_STORAGE, MEMORY, PODS

_ALWAYS_COUNTED: Final = (CPU, MEMORY, EPHEMERAL_STORAGE)


def why_not_enough(pod: NodePod, state: NodeState, provided: Collection[str]) -> tuple[ResourceShort, ...]:
    """Every resource that the node is short of; `provided` are extended resources that classes provide."""
    if state.unlimited:
        return ()
    short = []
    if len(state.pods) + 1 > state.allocatable.get(PODS, 0):
        short.append(_short(state, PODS, 1, resolvable=True))
    wanted = pod.request.amounts
    for resource in (*_ALWAYS_COUNTED, *sorted(_counted_by_name(wanted))):
        units = wanted.get(resource, 0)
        allocatable = state.allocatable.get(resource, 0)
        if resource in provided and allocatable <= 0:
            continue
        if units > 0 and units > allocatable - state.requested.get(resource, 0):
            short.append(_short(state, resource, units, resolvable=units <= allocatable))
    return tuple(short)


def short_of(state: NodeState, wanted: Mapping[str, int]) -> tuple[ResourceShort, ...]:
    """Of these resources, those of which the node has less left than is wanted."""
    return tuple(
        _short(state, name, units, resolvable=units <= state.allocatable.get(name, 0))
        for name, units in sorted(wanted.items())
        if units > state.allocatable.get(name, 0) - state.requested.get(name, 0)
    )


def why_not_free_ports(pod: NodePod, state: NodeState) -> tuple[PortTaken, ...]:
    """The host ports of the pod that are taken on the node."""
    if not pod.ports or not state.ports:
        return ()
    return tuple(
        PortTaken(port.port, port.protocol)
        for port in sorted(pod.ports)
        if any(_conflict(port, t) for t in state.ports)
    )


def want_same_port(one: NodePod, other: NodePod) -> bool:
    """Whether two pods cannot have their host ports on the same node."""
    return any(_conflict(port, taken) for port in one.ports for taken in other.ports)


def _counted_by_name(wanted: Mapping[str, int]) -> tuple[str, ...]:
    """Extended resources, huge pages and the like; other native names are not counted at all."""
    return tuple(name for name in wanted if "/" in name or name.startswith(("hugepages-", "attachable-volumes-")))


def _conflict(wanted: HostPort, taken: HostPort) -> bool:
    if (wanted.protocol, wanted.port) != (taken.protocol, taken.port):
        return False
    return ANY_ADDRESS in (wanted.address, taken.address) or wanted.address == taken.address


def _short(state: NodeState, resource: str, units: int, *, resolvable: bool) -> ResourceShort:
    return ResourceShort(
        resource=resource,
        requested=amount(resource, units).text,
        used=amount(resource, used_amount(state, resource)).text,
        allocatable=amount(resource, state.allocatable.get(resource, 0)).text,
        resolvable=resolvable,
    )
