"""Whether pods can be on one node together: in any order, and with any devices rather than those that come first.

Filters that look at other nodes have no say here, so a "yes" is not the last word; a "no" is, unless the search for
devices ran out of steps.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec

from dravite.allocator.alike import alike_in
from dravite.allocator.outcomes import StepsSpent, Unallocatable
from dravite.allocator.problem import prepare
from dravite.api.resource_v1 import ResourceClaim
from dravite.diagnosis.verdicts import AttemptError, Waiting
from dravite.explain.case import STEPS_PER_QUESTION
from dravite.scheduler.devices import DeviceDemand, device_demand, why_not_available
from dravite.scheduler.filters import Cycle, cycle_of, why_not_by_itself
from dravite.scheduler.memory import claims_shape, pod_shape
from dravite.scheduler.waiting import claims_or_waiting
from dravite.snapshot.node_state import NodePod, NodeState, node_pod
from dravite.snapshot.snapshot import Key, Snapshot, pod_level

Mix: TypeAlias = tuple[int, ...]
"""How many pods of each kind."""

Answer = Literal["yes", "no", "unknown"]


class Kind(msgspec.Struct, frozen=True, eq=False):
    """Pods that ask for the same.

    Attributes:
        pods: in the order in which they are tried.
        cycles: what each of them asks of a node.
        shared: claims without devices that several pods name.
    """

    pods: tuple[Key, ...]
    cycles: tuple[Cycle, ...]
    shared: frozenset[Key] = frozenset()

    @property
    def pod(self) -> NodePod:
        """One of them."""
        return self.cycles[0].pod

    @property
    def asks_more(self) -> bool:
        """Whether neighbours have a say, or devices for extended resources, so that a "yes" is not the last word."""
        return any(_asks_more(cycle) for cycle in self.cycles)


def kinds_of(snapshot: Snapshot, pods: Iterable[Key]) -> tuple[Kind, ...] | None:
    """The pods by what they ask for; None where one of them is refused before any node is looked at."""
    found: dict[Hashable, list[tuple[Key, Cycle]]] = {}
    named: dict[Key, int] = {}
    for key in pods:
        pod = node_pod(snapshot.pods[key].pod, pod_level(snapshot.profile))
        claims = claims_or_waiting(snapshot, pod.pod)
        demand = None if isinstance(claims, Waiting) else device_demand(snapshot, pod, claims)
        if isinstance(claims, Waiting) or not isinstance(demand, DeviceDemand | None):
            return None
        cycle = cycle_of(snapshot, pod, demand, STEPS_PER_QUESTION)
        fresh = [one.claim for one in demand.fresh] if demand is not None else []
        own = frozenset(_key(one) for one in fresh)
        named |= {one: named.get(one, 0) + 1 for one in own}
        labels = tuple(sorted(pod.pod.metadata.labels.items()))
        held = tuple(one.claim.metadata.name for one in demand.allocated) if demand is not None else ()
        shape = (pod_shape(pod.pod), labels, claims_shape(fresh), held, own & _by_name(pod))
        found.setdefault(shape, []).append((key, cycle))
    shared = {one for one, times in named.items() if times > 1}
    return tuple(_kind(members, shared) for members in found.values())


def _kind(members: Sequence[tuple[Key, Cycle]], shared: set[Key]) -> Kind:
    cycles = tuple(cycle for _, cycle in members)
    own = frozenset(_key(claim) for cycle in cycles for claim in _fresh(cycle))
    return Kind(tuple(key for key, _ in members), cycles, own & shared)


def _asks_more(cycle: Cycle) -> bool:
    served = cycle.devices is not None and bool(cycle.devices.demand.served)
    return bool(cycle.nominated) or cycle.spread is not None or cycle.around is not None or served


def _by_name(pod: NodePod) -> frozenset[Key]:
    """The claims that a pod has by name."""
    return frozenset((pod.key[0], one.resource_claim_name or "") for one in pod.pod.spec.resource_claims)


def _key(claim: ResourceClaim) -> Key:
    return (claim.metadata.namespace, claim.metadata.name)


def _fresh(cycle: Cycle) -> tuple[ResourceClaim, ...]:
    return () if cycle.devices is None else tuple(one.claim for one in cycle.devices.demand.fresh)


def _allocated(cycle: Cycle) -> tuple[ResourceClaim, ...]:
    return () if cycle.devices is None else tuple(one.claim for one in cycle.devices.demand.allocated)


class Together:
    """Asks what a node takes; alive only inside one search."""

    def __init__(self, snapshot: Snapshot, kinds: Sequence[Kind]) -> None:
        self._snapshot = snapshot
        self._kinds = tuple(kinds)
        self._known: dict[tuple[str, Mix], Answer] = {}
        self.unknown = 0

    def most(self, node: str, kind: int) -> int:
        """How many pods of one kind the node takes by themselves, at most."""
        for count in range(1, len(self._kinds[kind].pods) + 1):
            mix = tuple(count if place == kind else 0 for place in range(len(self._kinds)))
            if self.fits(node, mix) == "no":
                return count - 1
        return len(self._kinds[kind].pods)

    def fits(self, node: str, mix: Mix) -> Answer:
        """Whether the node takes so many pods of each kind."""
        known = self._known.get((node, mix))
        if known is None:
            known = self._known[node, mix] = self._ask(self._snapshot.states[node], mix)
            self.unknown += known == "unknown"
        return known

    def least(self, node: str, mix: Mix) -> Mix:
        """As few pods of those that do not fit as do not fit either."""
        for place in range(len(mix)):
            while mix[place]:
                fewer = (*mix[:place], mix[place] - 1, *mix[place + 1 :])
                if self.fits(node, fewer) != "no":
                    break
                mix = fewer
        return mix

    def _ask(self, state: NodeState, mix: Mix) -> Answer:
        cycles = [cycle for kind, count in zip(self._kinds, mix, strict=True) for cycle in kind.cycles[:count]]
        crowded = state
        for cycle in cycles:
            if why_not_by_itself(cycle, crowded):
                return "no"
            crowded = crowded.with_pods((cycle.pod,))
        features = self._snapshot.profile.features
        held = (claim for cycle in cycles for claim in _allocated(cycle))
        if any(why_not_available(claim, state, binding=features) is not None for claim in held):
            return "no"
        return self._devices(state, {_key(claim): claim for cycle in cycles for claim in _fresh(cycle)})

    def _devices(self, state: NodeState, claims: Mapping[Key, ResourceClaim]) -> Answer:
        inventory = self._snapshot.inventory
        problem = prepare(tuple(claims.values()), inventory) if claims else None
        use = inventory.use(state.node)
        if problem is None:
            return "yes"
        if isinstance(problem, AttemptError) or isinstance(use, AttemptError):
            return "no"
        outcome = alike_in(inventory).outcome(problem, use, STEPS_PER_QUESTION)
        if isinstance(outcome, StepsSpent):
            return "unknown"
        return "no" if isinstance(outcome, Unallocatable | AttemptError) else "yes"
