"""One decision with everything that it was made from: the pod, the snapshot of its attempt, and what it asked for.

A case is put together again from the plan; nothing was recorded while the plan was made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from dravite.allocator.problem import Problem
from dravite.api.core_v1 import Pod
from dravite.api.meta import ObjectRef
from dravite.api.resource_v1 import ResourceClaim
from dravite.diagnosis.verdicts import AttemptError, PodDecision, Scheduled, Waiting
from dravite.planning.plan import Plan
from dravite.scheduler.devices import DeviceDemand, DeviceQuestion, device_demand
from dravite.scheduler.extended_resources import IN_MEMORY_NAME, resources_behind
from dravite.scheduler.waiting import claims_or_waiting
from dravite.snapshot.node_state import NodePod, NodeState, node_pod
from dravite.snapshot.pod_claims import PodClaim
from dravite.snapshot.snapshot import Snapshot, pod_level

STEPS_PER_QUESTION = 50_000
"""Steps that one question to the allocator may take while a "no" is explained."""


class Case(msgspec.Struct, frozen=True):
    """A decision to be explained.

    Attributes:
        plan: the plan that it is part of.
        decision: the decision.
        snapshot: the cluster as its attempt saw it.
        pod: the pod as the attempt saw it.
        claims: its claims; none where it never got that far.
        question: what it asks of the allocator; None where it asks nothing.
    """

    plan: Plan
    decision: PodDecision
    snapshot: Snapshot
    pod: NodePod
    claims: tuple[PodClaim, ...]
    question: DeviceQuestion | None

    @property
    def ref(self) -> ObjectRef:
        """The pod's identity."""
        return self.decision.pod

    @property
    def spec(self) -> Pod:
        """The pod itself."""
        return self.pod.pod

    def problem(self, state: NodeState) -> Problem | AttemptError | None:
        """What the allocator is asked on a node; None where nothing is."""
        return None if self.question is None else self.question.problem(state)

    def entries(self) -> tuple[str, ...]:
        """The pod's entry behind each claim that is to be allocated, in the order of the problem's claims."""
        fresh = () if self.question is None else self.question.demand.fresh
        return (*(one.entry for one in fresh), IN_MEMORY_NAME)

    def resources(self) -> Mapping[str, str]:
        """The extended resource behind each request that the claim for extended resources can have."""
        return resources_behind(self.spec)


def case_of(plan: Plan, decision: PodDecision) -> Case:
    """Put a decision of the plan together again with what it was made from."""
    snapshot = plan.seen(decision.pod)
    if isinstance(decision.decision, Scheduled):
        snapshot = snapshot.with_claims(_taken_before(plan, decision))
    return case_in(plan, decision, snapshot)


def glimpse(plan: Plan, decision: PodDecision) -> Case:
    """The case as the start of the plan has it: enough for what does not depend on the pods before, and cheap."""
    return case_in(plan, decision, plan.start)


def case_in(plan: Plan, decision: PodDecision, snapshot: Snapshot) -> Case:
    """The case as it would be in a snapshot."""
    planned = snapshot.pods[(decision.pod.namespace, decision.pod.name)]
    pod = node_pod(planned.pod, pod_level(snapshot.profile))
    claims = claims_or_waiting(snapshot, planned.pod)
    if isinstance(claims, Waiting):
        return Case(plan, decision, snapshot, pod, (), None)
    demand = device_demand(snapshot, pod, claims)
    question = DeviceQuestion(snapshot, pod, demand, STEPS_PER_QUESTION) if isinstance(demand, DeviceDemand) else None
    return Case(plan, decision, snapshot, pod, claims, question)


def _taken_before(plan: Plan, decision: PodDecision) -> Iterator[ResourceClaim]:
    """The claims that pods before this one were given by the plan."""
    for earlier in plan.decisions:
        if earlier.pod == decision.pod:
            return
        for allocation in earlier.claims:
            if allocation.fresh and allocation.claim is not None:
                claim = plan.final.claim(earlier.pod.namespace, allocation.claim)
                if claim is not None:
                    yield claim
