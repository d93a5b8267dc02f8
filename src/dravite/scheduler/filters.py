"""Why a node cannot take a pod: the scheduler's filters, in its order; the first that objects gives the reasons (F9.1).

The filters fall into three kinds by what they read: the node alone, the pods of the whole cluster, the devices. A pod
that is refused before any node is looked at (PreFilter) never gets here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

import msgspec

from dravite.diagnosis.reasons import (
    AffinityNotMatched,
    NodeNameDiffers,
    NodeRejection,
    NodeTainted,
    NodeUnschedulable,
)
from dravite.scheduler.affinity_terms import Namespaces
from dravite.scheduler.devices import DeviceAnswer, DeviceDemand, DeviceQuestion, DevicesFound
from dravite.scheduler.fit import why_not_enough, why_not_free_ports
from dravite.scheduler.inter_pod import Neighbourhood, neighbourhood, why_not_here
from dravite.scheduler.memory import memory_of, pod_shape
from dravite.scheduler.node_affinity import NamedNodes, named_nodes, selects
from dravite.scheduler.spread import Spread, required_spread, why_not_even
from dravite.scheduler.tolerations import CORDONED, Comparisons, tolerates, untolerated
from dravite.snapshot.node_state import NodePod, NodeState, node_pod
from dravite.snapshot.snapshot import Snapshot, pod_level

_NodeFilter: TypeAlias = "Callable[[Cycle, NodeState], tuple[NodeRejection, ...]]"

NodeAnswer: TypeAlias = DeviceAnswer
"""What a node says to a pod: the devices it would get (perhaps none are needed), or reasons, or an error."""


class Cycle(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """What is worked out once for one pod and then asked of every node.

    Attributes:
        pod: the pod.
        snapshot: what the attempt sees.
        shape: key of all pods that ask the same of a node.
        known: what nodes said to such pods by themselves, each with the state that it holds for.
        named: the nodes that the pod names.
        spread: what its topology spread constraints count; None without any.
        around: what its neighbours mean to it; None where no pod has a rule about others.
        devices: its devices; None where it needs none.
        served: extended resources that classes provide.
        comparisons: whether tolerations may compare numbers.
        nominated: the pods that count on a node although they wait: they are nominated for it, and no less important.
    """

    pod: NodePod
    snapshot: Snapshot
    shape: bytes
    known: dict[str, tuple[object, tuple[NodeRejection, ...]]]
    named: NamedNodes
    spread: Spread | None
    around: Neighbourhood | None
    devices: DeviceQuestion | None
    served: frozenset[str]
    comparisons: Comparisons
    nominated: Mapping[str, tuple[NodePod, ...]] = {}


def cycle_of(snapshot: Snapshot, pod: NodePod, demand: DeviceDemand | None, budget: int | None = None) -> Cycle:
    """Prepare the filters for one pod."""
    states = states_beside(snapshot) if pod.pod.spec.topology_spread_constraints or pod.has_affinity else ()
    shape = pod_shape(pod.pod)
    return Cycle(
        pod=pod,
        snapshot=snapshot,
        shape=shape,
        known=memory_of(snapshot).filters.of_shape(shape),
        named=named_nodes(pod.pod),
        spread=required_spread(pod.pod, states),
        around=_neighbourhood(snapshot, pod, states),
        devices=DeviceQuestion(snapshot, pod, demand, budget) if demand is not None else None,
        served=frozenset(demand.served if demand is not None else ()),
        comparisons="on" if snapshot.profile.enabled("TaintTolerationComparisonOperators") else "off",
        nominated=_nominated(snapshot, pod) if snapshot.nominated else {},
    )


def states_beside(snapshot: Snapshot) -> Sequence[NodeState]:
    """The nodes whose pods count as neighbours: all; until 1.36 only those of the placement (observed on 1.36.5)."""
    if snapshot.placement is None or snapshot.profile.is_at_least("1.37"):
        return snapshot.states_in_order()
    return [snapshot.states[name] for name in snapshot.placement]


def ask_node(cycle: Cycle, state: NodeState) -> NodeAnswer:
    """What the node says to the pod of this cycle, with the pods that are nominated for it and without (F10.2)."""
    return _why_not_in_crowd(cycle, state) or _ask(cycle, state, why_not_by_itself)


def ask_node_in_mind(cycle: Cycle, state: NodeState) -> NodeAnswer:
    """As `ask_node`, for a node as it might be: nothing is kept."""
    return _why_not_in_crowd(cycle, state) or _ask(cycle, state, _by_itself)


def _ask(cycle: Cycle, state: NodeState, alone: _NodeFilter) -> NodeAnswer:
    reasons = alone(cycle, state) or _why_not_beside_others(cycle, state)
    if reasons:
        return reasons
    return DevicesFound() if cycle.devices is None else cycle.devices.ask(state)


def _why_not_in_crowd(cycle: Cycle, state: NodeState) -> NodeAnswer | None:
    """What the node says against the pod once those that are nominated for it are there."""
    crowd = cycle.nominated.get(state.name)
    if not crowd:
        return None
    crowded = state.with_pods(crowd)
    answer = _ask(cycle_with(cycle, {state.name: crowded}), crowded, _by_itself)
    return None if isinstance(answer, DevicesFound) else answer


def cycle_with(cycle: Cycle, changed: Mapping[str, NodeState]) -> Cycle:
    """The cycle as it were with other pods on some nodes, as far as neighbours and constraints are concerned."""
    if cycle.spread is None and cycle.around is None and not any(state.has_affinity for state in changed.values()):
        return cycle
    states = [changed.get(state.name, state) for state in states_beside(cycle.snapshot)]
    return msgspec.structs.replace(
        cycle,
        spread=required_spread(cycle.pod.pod, states) if cycle.spread is not None else None,
        around=neighbourhood(cycle.pod.pod, states, Namespaces(cycle.snapshot.namespaces)),
    )


def why_not_node(cycle: Cycle, state: NodeState) -> tuple[NodeRejection, ...]:
    """The reasons of the first filter that objects; none where the pod fits, or where the attempt ends in an error."""
    answer = ask_node(cycle, state)
    return answer if isinstance(answer, tuple) else ()


def why_not_by_itself(cycle: Cycle, state: NodeState) -> tuple[NodeRejection, ...]:
    """The reasons that the node and its own pods give; kept for equal pods until the node changes."""
    kept = cycle.known.get(state.name)
    if kept is not None and kept[0] is state:
        return kept[1]
    reasons = _by_itself(cycle, state)
    cycle.known[state.name] = (state, reasons)
    return reasons


def _by_itself(cycle: Cycle, state: NodeState) -> tuple[NodeRejection, ...]:
    return next((found for check in _NODE_FILTERS if (found := check(cycle, state))), ())


def _neighbourhood(snapshot: Snapshot, pod: NodePod, states: Sequence[NodeState]) -> Neighbourhood | None:
    """Without rules of its own only pods that have some matter to the pod."""
    if not pod.has_affinity:
        if not snapshot.affine_nodes:
            return None
        states = [state for state in states_beside(snapshot) if state.name in snapshot.affine_nodes]
    return neighbourhood(pod.pod, states, Namespaces(snapshot.namespaces))


def _nominated(snapshot: Snapshot, pod: NodePod) -> Mapping[str, tuple[NodePod, ...]]:
    """By node, the other pods that are nominated for it and have at least the priority of the pod."""
    level, least = pod_level(snapshot.profile), pod.pod.spec.priority or 0
    found: dict[str, tuple[NodePod, ...]] = {}
    for node, keys in snapshot.nominated.items():
        others = (snapshot.pods[key].pod for key in keys if key != pod.key)
        crowd = tuple(node_pod(other, level) for other in others if (other.spec.priority or 0) >= least)
        if crowd:
            found[node] = crowd
    return found


def _node_name(cycle: Cycle, state: NodeState) -> tuple[NodeRejection, ...]:
    wanted = cycle.pod.pod.spec.node_name
    return (NodeNameDiffers(wanted),) if wanted and wanted != state.name else ()


def _cordoned(cycle: Cycle, state: NodeState) -> tuple[NodeRejection, ...]:
    if not state.node.spec.unschedulable:
        return ()
    tolerated = any(tolerates(one, CORDONED, cycle.comparisons) for one in cycle.pod.pod.spec.tolerations)
    return () if tolerated else (NodeUnschedulable(),)


def _tainted(cycle: Cycle, state: NodeState) -> tuple[NodeRejection, ...]:
    if not state.node.spec.taints:
        return ()
    found = untolerated(state.node.spec.taints, cycle.pod.pod.spec.tolerations, comparisons=cycle.comparisons)
    return tuple(NodeTainted(taint.key, taint.value, taint.effect) for taint in found)


def _node_affinity(cycle: Cycle, state: NodeState) -> tuple[NodeRejection, ...]:
    return () if selects(cycle.pod.pod, state.name, state.labels) else (AffinityNotMatched(),)


def _ports(cycle: Cycle, state: NodeState) -> tuple[NodeRejection, ...]:
    return why_not_free_ports(cycle.pod, state)


def _resources(cycle: Cycle, state: NodeState) -> tuple[NodeRejection, ...]:
    return why_not_enough(cycle.pod, state, cycle.served)


_NODE_FILTERS: Final[tuple[_NodeFilter, ...]] = (
    _node_name,
    _cordoned,
    _tainted,
    _node_affinity,
    _ports,
    _resources,
)


def _why_not_beside_others(cycle: Cycle, state: NodeState) -> tuple[NodeRejection, ...]:
    uneven = why_not_even(cycle.spread, state) if cycle.spread is not None else None
    if uneven is not None:
        return (uneven,)
    unwanted = why_not_here(cycle.around, state) if cycle.around is not None else None
    return (unwanted,) if unwanted is not None else ()
