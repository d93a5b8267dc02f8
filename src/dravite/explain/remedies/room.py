"""Room on a node: a pod that asks for less of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dravite.api.core_v1 import Pod
from dravite.diagnosis.reasons import ConstraintID, PortTaken, ResourceShort
from dravite.explain.case import Case
from dravite.explain.diagnose import Diagnosis
from dravite.explain.explanation import NodeGroup
from dravite.explain.objects.requests import asking_less
from dravite.explain.remedies import advice as a
from dravite.explain.remedies.proposals import Proposal, edit_pod, edited_pods, pod_of, value
from dravite.snapshot.node_state import NodeState, amount
from dravite.snapshot.requests import MEMORY, PODS
from dravite.snapshot.snapshot import pod_level

_MI: Final = 1024 * 1024


def lower_resources(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """As much of the resources that are short as the roomiest node has left."""
    wanted = case.pod.request.amounts
    nodes = [(name, short) for group in found.evidence.groups if (short := _short(group)) for name in group.nodes]
    if not nodes:
        return
    lefts = [(name, {one: _left(case.snapshot.state(name), one) for one in short}) for name, short in nodes]
    best, left = max(lefts, key=lambda one: min(units / wanted[resource] for resource, units in one[1].items()))
    most = {resource: _rounded(resource, units) for resource, units in left.items()}
    level = pod_level(case.snapshot.profile)
    less = asking_less(pod_of(case), most, level) if min(most.values()) > 0 else None
    if less is None:
        return
    amounts = tuple(
        a.LoweredAmount(resource, amount(resource, wanted[resource]).text, amount(resource, units).text)
        for resource, units in most.items()
    )
    changes = edited_pods(case, lambda pod: _asking(pod, asking_less(pod, most, level)))
    advice = a.LowerResources(ConstraintID(case.ref, less[1]), amounts)
    yield Proposal(("resources",), advice, changes, nodes=(best,))


def _asking(pod: Pod, less: tuple[Pod, str] | None) -> Pod:
    return pod if less is None else less[0]


def _short(group: NodeGroup) -> tuple[str, ...]:
    """The resources that are short on nodes where nothing else is wrong; none where too many pods are there."""
    short = tuple(reason.resource for reason in group.reasons if isinstance(reason, ResourceShort))
    return short if len(short) == len(group.reasons) and PODS not in short else ()


def _left(state: NodeState, resource: str) -> int:
    return state.allocatable.get(resource, 0) - state.requested.get(resource, 0)


def _rounded(resource: str, units: int) -> int:
    """Memory is said in whole mebibytes where there are some."""
    return units // _MI * _MI if resource == MEMORY and units > _MI else units


def drop_host_ports(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """Leave out a host port that is taken; with `hostNetwork` it is the port of the container itself."""
    if case.spec.spec.host_network:
        return
    for group in found.evidence.groups:
        taken = {reason.port for reason in group.reasons if isinstance(reason, PortTaken)}
        for path, port in _host_ports(case.spec) if taken else ():
            if port in taken:
                advice = a.DropHostPort(ConstraintID(case.ref, path), port)
                yield Proposal(("port", path), advice, edit_pod(case, path, value(0)), nodes=group.nodes)


def _host_ports(pod: Pod) -> Iterator[tuple[str, int]]:
    for i, container in enumerate(pod.spec.containers):
        for j, port in enumerate(container.ports):
            if port.host_port:
                yield f"spec.containers[{i}].ports[{j}].hostPort", port.host_port
