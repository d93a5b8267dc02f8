"""The devices of a pod: what is refused before any node, and what each node answers (DynamicResources, F1, F2).

Claims that are allocated already bind the pod to where their devices are; the others are put to the allocator
together, all or nothing, with the claim for extended resources last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

import msgspec

from dravite.allocator.alike import alike_in
from dravite.allocator.allocate import DEFAULT_BUDGET
from dravite.allocator.demands import ClaimSource
from dravite.allocator.outcomes import Allocation, Outcome, StepsSpent
from dravite.allocator.problem import Problem, prepare
from dravite.api.meta import ObjectRef
from dravite.api.names import node_matches
from dravite.api.resource_v1 import AllocationResult, ResourceClaim
from dravite.diagnosis.reasons import (
    ClaimElsewhere,
    ClaimNotReady,
    DevicesShort,
    ExtendedClaimStale,
    NodeRejection,
    PoolsInvalid,
)
from dravite.diagnosis.verdicts import AttemptError
from dravite.scheduler.binding_conditions import awaited_devices, failed_condition
from dravite.scheduler.claim_checks import Refusal, why_not_asked
from dravite.scheduler.classic import is_drivers, why_not_suitable, why_not_tried
from dravite.scheduler.extended_resources import (
    ExtendedRequests,
    extended_claim,
    extended_requests,
    is_claim_of,
    offers_of,
)
from dravite.scheduler.memory import claims_shape, memory_of
from dravite.scheduler.node_allocatable import (
    claims_held,
    counts_node_resources,
    taken_of_node,
    why_not_enough_beside,
    why_not_measured,
    why_not_shared,
)
from dravite.snapshot.node_state import NodePod, NodeState
from dravite.snapshot.pod_claims import PodClaim
from dravite.snapshot.requests import is_extended
from dravite.snapshot.snapshot import Snapshot, key_of

MOST_ALTERNATIVES: Final = 8
SKIPS_NODE: Final = "DRAOptionalNodeOperations"
"""What a node must declare to take devices for which the kubelet has nothing to do."""


class DeviceDemand(msgspec.Struct, frozen=True, kw_only=True):
    """What a pod needs of the allocator.

    Attributes:
        claims: the pod's claims, entry by entry.
        served: the extended resources of the pod that classes provide, with the class of each.
        leftover: a claim for extended resources from an earlier attempt, which has to go first (F7.7).
        of_drivers: the names of the claims that drivers allocate themselves (1.31).
    """

    claims: tuple[PodClaim, ...] = ()
    served: Mapping[str, str] = {}
    leftover: ResourceClaim | None = None
    of_drivers: frozenset[str] = frozenset()

    @property
    def allocated(self) -> tuple[PodClaim, ...]:
        """The claims that have their devices."""
        return tuple(one for one in self.claims if one.claim.status.allocation is not None)

    @property
    def has_alternatives(self) -> bool:
        """Whether any request has alternatives, so that their choice counts in scoring."""
        return any(request.first_available for one in self.claims for request in one.claim.spec.devices.requests)

    @property
    def fresh(self) -> tuple[PodClaim, ...]:
        """The claims that still need devices, of the scheduler."""
        bare = (one for one in self.claims if one.claim.status.allocation is None)
        return tuple(one for one in bare if one.claim.metadata.name not in self.of_drivers)

    @property
    def waiting(self) -> tuple[PodClaim, ...]:
        """The claims that still need devices, of their drivers."""
        bare = (one for one in self.claims if one.claim.status.allocation is None)
        return tuple(one for one in bare if one.claim.metadata.name in self.of_drivers)


class DevicesFound(msgspec.Struct, frozen=True):
    """What the pod would get on a node.

    Attributes:
        results: one allocation per fresh claim, then the one for extended resources, if any.
        extended: the requests behind that one.
    """

    results: tuple[AllocationResult, ...] = ()
    extended: ExtendedRequests | None = None


DeviceAnswer: TypeAlias = DevicesFound | tuple[NodeRejection, ...] | AttemptError | StepsSpent


def device_demand(
    snapshot: Snapshot, pod: NodePod, claims: tuple[PodClaim, ...]
) -> DeviceDemand | Refusal | AttemptError | None:
    """What the pod needs, or why it is refused everywhere; None where it needs no devices."""
    served = _served(snapshot, pod)
    leftover = _leftover(snapshot, pod) if served else None
    if not claims and not served:
        return None
    untried = why_not_tried(snapshot, pod.pod, claims)
    if untried is not None:
        return untried
    for one in claims:
        if one.claim.status.allocation is None:
            wrong = why_not_asked(snapshot, one.claim)
            if wrong is not None:
                return wrong
    of_drivers = frozenset(one.claim.metadata.name for one in claims if is_drivers(snapshot, one.claim))
    return DeviceDemand(claims=claims, served=served, leftover=leftover, of_drivers=of_drivers)


class _Asked(msgspec.Struct, frozen=True):
    """What the allocator is asked, and what it said of equal claims, each with the use of devices that it holds for."""

    problem: Problem | AttemptError
    extended: ExtendedRequests | None
    known: dict[str, tuple[object, Outcome]]


class DeviceQuestion:
    """The demand of one pod, put to one node after the other, with at most `budget` steps on each."""

    def __init__(self, snapshot: Snapshot, pod: NodePod, demand: DeviceDemand, budget: int | None) -> None:
        self._snapshot, self._pod, self.demand = snapshot, pod, demand
        self.budget = DEFAULT_BUDGET if budget is None else budget
        self._fresh = demand.fresh
        self._waiting = demand.waiting
        self._allocated = demand.allocated
        self._known = memory_of(snapshot).devices
        self._asked: dict[tuple[str, ...], _Asked] = {}

    def ask(self, state: NodeState) -> DeviceAnswer:
        """What the pod would get on the node, or why not."""
        if self.demand.leftover is not None:
            leftover = self.demand.leftover.metadata
            return (ExtendedClaimStale(ObjectRef("ResourceClaim", leftover.namespace, leftover.name)),)
        unsuitable = why_not_suitable(self._snapshot, self._pod.pod, self._waiting, state) if self._waiting else None
        if unsuitable is not None:
            return (unsuitable,)
        here = self._served_by_classes(state)
        unavailable = tuple(self._unavailable(state))
        if not self._fresh and not here:
            return unavailable or self._on_node(state, DevicesFound())
        outcome, extended = self._allocate(state, here)
        if not isinstance(outcome, Allocation):
            return _refused(outcome, self._snapshot, state)
        return unavailable or self._on_node(state, DevicesFound(outcome.results, extended))

    def _on_node(self, state: NodeState, found: DevicesFound) -> DeviceAnswer:
        """What was found, unless it takes more of the node's own resources than there is (F8.2)."""
        if not counts_node_resources(self._snapshot):
            return found
        held = claims_held(self._allocated, self._fresh, found.results)
        taken = why_not_shared(self._snapshot, state, self._pod.pod, held)
        return (
            taken
            or why_not_measured(self._snapshot, state, held)
            or why_not_enough_beside(self._pod, state, taken_of_node(self._snapshot, state, self._pod.pod, held))
            or found
        )

    def problem(self, state: NodeState) -> Problem | AttemptError:
        """What the allocator is asked on the node."""
        return self._for(self._served_by_classes(state)).problem

    def _served_by_classes(self, state: NodeState) -> tuple[str, ...]:
        """The extended resources that the node does not advertise itself (F7.3)."""
        return tuple(sorted(name for name in self.demand.served if state.allocatable.get(name, 0) <= 0))

    def _unavailable(self, state: NodeState) -> Iterator[NodeRejection]:
        for one in self._allocated:
            reason = why_not_available(one.claim, state, binding=self._snapshot.profile.features)
            if reason is None and key_of(one.claim.metadata) in self._snapshot.expired:
                reason = _why_too_late(one.claim, self._snapshot.profile.features)
            if reason is not None:
                yield reason

    def _allocate(self, state: NodeState, here: tuple[str, ...]) -> tuple[Outcome, ExtendedRequests | None]:
        asked = self._for(here)
        use = self._snapshot.inventory.use(state.node)
        kept = asked.known.get(state.name)
        if kept is not None and kept[0] is use:
            return kept[1], asked.extended
        if isinstance(asked.problem, AttemptError):
            return asked.problem, asked.extended
        if isinstance(use, AttemptError):
            return use, asked.extended
        outcome = alike_in(self._snapshot.inventory).outcome(asked.problem, use, self.budget)
        if not isinstance(outcome, AttemptError | StepsSpent):
            asked.known[state.name] = (use, outcome)
        return outcome, asked.extended

    def _for(self, here: tuple[str, ...]) -> _Asked:
        """What is asked of nodes where classes provide these extended resources; made once for each such set."""
        asked = self._asked.get(here)
        if asked is None:
            claims = [one.claim for one in self._fresh]
            sources = [claim_source(self._snapshot, self._pod, one) for one in self._fresh]
            extended = None
            if here:
                extended = extended_requests(self._pod.pod, {name: self.demand.served[name] for name in here})
                claims.append(extended_claim(self._pod.pod, extended.requests))
                sources.append(ClaimSource(ObjectRef("Pod", *self._pod.key), "spec.containers"))
            problem = prepare(claims, self._snapshot.inventory, sources)
            asked = self._asked[here] = _Asked(problem, extended, self._known.of_shape(claims_shape(claims)))
        return asked


def why_not_available(claim: ResourceClaim, state: NodeState, binding: frozenset[str]) -> NodeRejection | None:
    """Why an allocated claim is of no use on the node (F2.1, F2.2); `binding` are the features that are on."""
    allocation = claim.status.allocation
    if allocation is None:
        return None
    ref = ObjectRef("ResourceClaim", claim.metadata.namespace, claim.metadata.name)
    selector = allocation.node_selector
    if selector is not None and node_matches(selector, state.name, state.labels) is not True:
        return ClaimElsewhere(ref, _only_node(allocation))
    results = allocation.devices.results
    if any(one.skip_node_operations for one in results) and SKIPS_NODE not in state.node.status.declared_features:
        return ClaimElsewhere(ref)
    failed = failed_condition(claim) if "DeviceBindingAndStatus" in binding else None
    return ClaimNotReady(ref, *failed) if failed is not None else None


def _why_too_late(claim: ResourceClaim, features: frozenset[str]) -> ClaimNotReady | None:
    """Why a claim is of no use whose devices had their time: one of them is still not ready (D3.7)."""
    awaited = awaited_devices(claim, features)
    ref = ObjectRef("ResourceClaim", claim.metadata.namespace, claim.metadata.name)
    return ClaimNotReady(ref, awaited[0], "timeout") if awaited else None


def claim_source(snapshot: Snapshot, pod: NodePod, one: PodClaim) -> ClaimSource:
    """Where the claim's demands were written: in the template, for a claim that dravite made from one."""
    namespace, name = one.claim.metadata.namespace, one.claim.metadata.name
    if (namespace, name) not in snapshot.made_claims:
        return ClaimSource(ObjectRef("ResourceClaim", namespace, name))
    entry = next(entry for entry in pod.pod.spec.resource_claims if entry.name == one.entry)
    template = ObjectRef("ResourceClaimTemplate", namespace, entry.resource_claim_template_name or "")
    return ClaimSource(template, "spec.spec")


def alternatives_worth(claim: ResourceClaim, allocation: AllocationResult) -> int:
    """What the chosen alternatives of a claim count in scoring: 8 for a first one, 7 for a second (SC-2)."""
    chosen = {result.request for result in allocation.devices.results}
    return sum(
        MOST_ALTERNATIVES - index
        for request in claim.spec.devices.requests
        for index, alternative in enumerate(request.first_available)
        if f"{request.name}/{alternative.name}" in chosen
    )


def _served(snapshot: Snapshot, pod: NodePod) -> Mapping[str, str]:
    profile = snapshot.profile
    if not (profile.enabled("DRAExtendedResource") and profile.enabled("DynamicResourceAllocation")):
        return {}
    named = [name for name in pod.request.amounts if is_extended(name)]
    if not named:
        return {}
    offers = snapshot.offers if snapshot.offers is not None else offers_of(snapshot.classes.values())
    return {name: offers[name] for name in sorted(named) if name in offers}


def _leftover(snapshot: Snapshot, pod: NodePod) -> ResourceClaim | None:
    status = pod.pod.status.extended_resource_claim_status
    claim = snapshot.claim(pod.key[0], status.resource_claim_name) if status else None
    return claim if claim is not None and is_claim_of(claim, pod.pod) else None


def _refused(outcome: Outcome, snapshot: Snapshot, state: NodeState) -> DeviceAnswer:
    if isinstance(outcome, AttemptError | StepsSpent):
        return outcome
    if isinstance(outcome, Allocation) or outcome.cause == "none":
        return (DevicesShort(),)
    return (PoolsInvalid(_invalid_pools(snapshot, state)),)


def _invalid_pools(snapshot: Snapshot, state: NodeState) -> tuple[tuple[str, str], ...]:
    devices = snapshot.inventory.devices(state.node)
    if isinstance(devices, AttemptError):
        return ()
    findings = [pool.finding for pool in devices.pools if pool.finding is not None]
    return tuple((finding.driver, finding.pool) for finding in findings if finding.state == "invalid")


def _only_node(allocation: AllocationResult) -> str | None:
    """The node that the allocation is tied to, if it is one and named as such."""
    terms = allocation.node_selector.node_selector_terms if allocation.node_selector else ()
    if len(terms) != 1 or terms[0].match_expressions or len(terms[0].match_fields) != 1:
        return None
    rule = terms[0].match_fields[0]
    named = rule.key == "metadata.name" and rule.operator == "In" and len(rule.values) == 1
    return rule.values[0] if named else None
