"""Room on a node: a pod that asks for less of it, and other pods that could make room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from dravite.api.core_v1 import Pod, pod_ref
from dravite.api.meta import ObjectRef, controller_of
from dravite.diagnosis.reasons import ConstraintID, NodeRejection, PortTaken, ResourceShort
from dravite.explain.case import Case
from dravite.explain.diagnose import Diagnosis
from dravite.explain.explanation import NodeGroup
from dravite.explain.fewest import fewest
from dravite.explain.nodes.neighbours import pods_in_the_way
from dravite.explain.objects.owners import is_of_same_workload
from dravite.explain.objects.requests import asking_less
from dravite.explain.remedies import advice as a
from dravite.explain.remedies.asking import questions
from dravite.explain.remedies.proposals import Proposal, edit_pod, edited_pods, is_planned, pod_of, value
from dravite.scheduler.devices import DevicesFound
from dravite.scheduler.filters import Cycle, ask_node_in_mind, cycle_with
from dravite.scheduler.refusing_nodes import is_resolvable
from dravite.scheduler.victims import own_priority, start_of, states_without
from dravite.snapshot.changes import Change, RemoveObject
from dravite.snapshot.node_state import NodePod, NodeState, amount
from dravite.snapshot.requests import MEMORY, PODS
from dravite.snapshot.snapshot import pod_level

MIRROR: Final = "kubernetes.io/config.mirror"
SYSTEM_PRIORITY: Final = 2_000_000_000
"""From here on priorities are those of what keeps a cluster alive."""

NODES_CLEARED: Final = 8
"""On how many nodes it is looked for the pods that would have to end."""

MOST_PODS: Final = 32
"""Among how many pods of a node, the least important ones, those are looked for."""

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


def end_pods(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """As few and as unimportant pods as possible, on the node where that costs least."""
    cycle = questions(case)
    groups = (group for group in found.evidence.groups if all(map(is_resolvable, group.reasons)) and group.reasons)
    nodes = ((name, group.reasons) for group in groups for name in group.nodes)
    cleared = (
        (name, gone)
        for name, reasons in islice(nodes, NODES_CLEARED)
        if (gone := _to_end(case, cycle, case.snapshot.state(name), reasons))
    )
    best = min(cleared, key=lambda one: _harm(one[1]), default=None)
    if best is not None:
        pods = tuple(pod_ref(pod.pod) for pod in best[1])
        changes: tuple[Change, ...] = tuple(RemoveObject(pod) for pod in pods)
        yield Proposal(("room",), a.EndPods(pods, best[0]), changes, nodes=best[:1])


def _to_end(case: Case, cycle: Cycle, state: NodeState, reasons: Sequence[NodeRejection]) -> Sequence[NodePod]:
    """Pods without which the node would take the pod."""
    pods = [pod for pod in pods_in_the_way(case.snapshot, case.pod, state, reasons) if _may_end(case, pod)]
    pods.sort(key=_importance)
    return fewest(pods[-MOST_PODS:], lambda gone: _takes(cycle, state, gone))


def _takes(cycle: Cycle, state: NodeState, gone: Sequence[NodePod]) -> bool:
    changed = states_without(cycle.snapshot, gone)
    answer = ask_node_in_mind(cycle_with(cycle, changed), changed.get(state.name, state))
    return isinstance(answer, DevicesFound)


def _may_end(case: Case, pod: NodePod) -> bool:
    """Whether ending it makes room: neither what comes back at once, nor what was placed in this very plan."""
    owner = controller_of(pod.pod.metadata)
    of_node = MIRROR in pod.pod.metadata.annotations or (owner is not None and owner.kind in ("DaemonSet", "Node"))
    system = own_priority(pod.pod) >= SYSTEM_PRIORITY
    comes_back = of_node or system or is_of_same_workload(case, pod.pod)
    return not (comes_back or is_planned(case, ObjectRef("Pod", *pod.key)))


def _importance(pod: NodePod) -> tuple[int, str]:
    """The most important first: priority, then who has run longest."""
    return (-own_priority(pod.pod), start_of(pod.pod))


def _harm(gone: Sequence[NodePod]) -> tuple[int, int]:
    return (max(own_priority(pod.pod) for pod in gone), len(gone))
