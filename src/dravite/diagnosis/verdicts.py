"""The answers for one pod. A "no" carries its reasons; how sure it is stands beside it."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from dravite.api.meta import ObjectRef
from dravite.api.resource_v1 import AllocationResult
from dravite.diagnosis.findings import MissingObject, NodeFinding, PlacementFinding

Certainty: TypeAlias = Literal["proven", "not-found", "budget-spent"]
GroupOutcome: TypeAlias = Literal["scheduled", "unschedulable", "error", "waiting"]


class ClaimAllocation(msgspec.Struct, frozen=True, kw_only=True):
    """What one entry of a pod gets.

    Attributes:
        entry: the name in `spec.resourceClaims`, or `<extended-resources>`.
        claim: the name of the claim object, where one exists.
        generate_name: `pod-entry-`, where the claim is yet to be made from a template.
        allocation: None where nothing is allocated.
        fresh: whether this plan allocated it (else it was allocated before).
    """

    entry: str
    claim: str | None = None
    generate_name: str | None = None
    allocation: AllocationResult | None = None
    fresh: bool = True


class Scheduled(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """`tied` lists the nodes with the same best score, the chosen one included, where there was a choice."""

    node: str
    score: int = 0
    tied: tuple[str, ...] = ()


class HeldBack(msgspec.Struct, frozen=True, kw_only=True):
    """The pod has no node because its group does not fit as a whole.

    Attributes:
        group: the group that does not fit: the pod's own, or one above it.
        node: the node that the pod would have had; None for a pod that was not tried any more.
    """

    group: ObjectRef
    node: str | None = None


class Unschedulable(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """No node will do. `message` is the text of kube-scheduler's condition, word for word.

    Attributes:
        nodes: why each node refused the pod.
        claim_problem: what ruled the pod out before any node was looked at (PreFilter), in typed form.
        held_back: for a pod that is held back by its group; no node refused it then.
    """

    message: str
    nodes: tuple[NodeFinding, ...] = ()
    claim_problem: MissingObject | None = None
    held_back: HeldBack | None = None
    certainty: Certainty = "proven"


class AttemptError(msgspec.Struct, frozen=True, kw_only=True):
    """What ends an attempt on every node.

    Attributes:
        kind: `selector-compile`, `selector-runtime`, `limit`, `all-pool`, `constraint`, `capacity`, `class`,
            `node-selector`, `feature`, `request`, `reservation` (the claim cannot be reserved for the pod),
            `extended-resource` (its node serves them itself, and beside claims that is an error) or `group` (what its
            group asks is contradictory, or another pod of it ended in an error).
        message: the allocator's text, word for word.
        claim: the claim, or the class for a selector of a class.
        request: the request's name, where one is to blame.
        device: `driver/pool/device`, where one is to blame.
        node: the node on which it struck.
        path: field of the claim or class.
        offset: code point in the expression, for a selector.
    """

    kind: str
    message: str
    claim: ObjectRef | None = None
    request: str | None = None
    device: str | None = None
    node: str | None = None
    path: str | None = None
    expression: str | None = None
    offset: int | None = None


class Aborted(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """The attempt ends in an error. `message` is the text of kube-scheduler's condition, word for word."""

    message: str
    error: AttemptError
    certainty: Certainty = "proven"


class Waiting(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """The pod never reaches the scheduler: no condition, no event (A5.1).

    `reason` is `claim-missing`, `claim-refused` (`detail` is what admission says), `template-missing`,
    `claim-deleting`, `claim-not-owned`, `scheduling-gate`, `group-missing`, `group-incomplete` (`detail` says how many
    there are), `group-gated` (`detail` names the pods of the group that wait for something else),
    `unknown-claim-source` or `other-scheduler`; `event` is what a controller says on the pod.
    """

    reason: str
    missing: tuple[MissingObject, ...] = ()
    detail: str = ""
    event: str | None = None
    certainty: Certainty = "proven"


class BudgetSpent(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """The search was given up after `steps`; what it did not look at may hold an answer."""

    steps: int
    node: str
    certainty: Certainty = "budget-spent"


Decision: TypeAlias = Scheduled | Unschedulable | Aborted | Waiting | BudgetSpent


class PodDecision(msgspec.Struct, frozen=True, kw_only=True):
    """The answer for one pod.

    Attributes:
        pod: which pod.
        owner: the workload that it stands for, or None for a pod of its own.
        inferred: whether the pod's name is ours because its controller's naming is random.
        decision: the answer.
        claims: one entry per claim of the pod, in the pod's order.
    """

    pod: ObjectRef
    owner: ObjectRef | None = None
    inferred: bool = False
    decision: Decision
    claims: tuple[ClaimAllocation, ...] = ()


class GroupDecision(msgspec.Struct, frozen=True, kw_only=True):
    """The answer for one PodGroup.

    Attributes:
        group: the PodGroup.
        root: the group above all others of its tree, or itself.
        outcome: `scheduled`, `unschedulable`, `error`, or `waiting` for a group that the scheduler never looks at.
        message: the text of its condition, word for word; empty for a group that is scheduled or waits.
        minimum: how many of its pods must find a place together; None where they go one by one.
        topology_key: the label of which all its pods need the same value, its own or that of a group above.
        domain: that value, for a group that is scheduled.
        tied: the domains that were equally good, where there was a choice between such.
        placements: what came of each domain that was tried, for a group that is not.
        certainty: `not-found` where pods were tried one after the other, without going back.
    """

    group: ObjectRef
    root: ObjectRef
    outcome: GroupOutcome
    message: str = ""
    minimum: int | None = None
    topology_key: str | None = None
    domain: str | None = None
    tied: tuple[str, ...] = ()
    placements: tuple[PlacementFinding, ...] = ()
    certainty: Certainty = "proven"
