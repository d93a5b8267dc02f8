"""Who goes for whom, as a note: what made these pods the victims, and what spoke against others."""

from __future__ import annotations

from collections.abc import Iterator

from dravite.api.meta import ObjectRef
from dravite.planning.plan import Preempted, SparedNode, Victim
from dravite.scheduler.ordering import Unit
from dravite.scheduler.preempt import why_worse
from dravite.scheduler.unit_attempt import GroupPreemption
from dravite.scheduler.victims import goes_with, priority_among_victims
from dravite.snapshot.node_state import NodePod
from dravite.snapshot.snapshot import Snapshot


def preempted(snapshot: Snapshot, unit: Unit, found: GroupPreemption, message: str) -> Preempted:
    """The note on a preemption. The snapshot still has the victims; `message` is what kube-scheduler says."""
    lower = sum(1 for pod in _running(snapshot) if priority_among_victims(snapshot, pod.pod) < unit.priority)
    return Preempted(
        preemptor=unit.root.ref if unit.root is not None else ObjectRef("Pod", *unit.pods[0]),
        victims=tuple(ObjectRef("Pod", *victim.key) for victim in found.victims),
        nodes=tuple(sorted(set(found.nominated.values()))),
        message=message,
        facts=tuple(_victim(snapshot, victim) for victim in found.victims),
        spared=lower - len(found.victims),
        instead_of=tuple(_spared(found)),
    )


def _running(snapshot: Snapshot) -> Iterator[NodePod]:
    return (pod for state in snapshot.states_in_order() for pod in state.pods)


def _victim(snapshot: Snapshot, pod: NodePod) -> Victim:
    return Victim(
        pod=ObjectRef("Pod", *pod.key),
        node=pod.pod.spec.node_name,
        priority=priority_among_victims(snapshot, pod.pod),
        goes_with=goes_with(snapshot, pod),
    )


def _spared(found: GroupPreemption) -> Iterator[SparedNode]:
    """The nodes that were passed over, where one was chosen."""
    if found.chosen is not None:
        for other in found.chosen.instead_of:
            yield SparedNode(node=other.node, because=why_worse(other, found.chosen))
