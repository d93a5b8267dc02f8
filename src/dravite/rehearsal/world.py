"""The cluster at a moment of virtual time, and a record of what a reader may want to know afterwards.

Whatever acts on the cluster sets a new snapshot here and says what has happened, so that who waits for it can be told.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

import msgspec

from dravite.api.core_v1 import Node, Pod
from dravite.api.meta import ObjectRef
from dravite.api.resource_v1 import ResourceClaim
from dravite.diagnosis.verdicts import GroupDecision
from dravite.lifecycle.instants import text_of
from dravite.rehearsal.agenda import Agenda
from dravite.rehearsal.node_taints import NodeTaints
from dravite.scheduler.cycle import Attempt
from dravite.scheduler.node_choice import Limits
from dravite.scheduler.unit_attempt import Weighed
from dravite.snapshot.snapshot import Key, Snapshot

BEGIN: Final = 1_767_398_400.0
"""2026-01-03T00:00:00Z: when time begins, if nobody says otherwise."""

BINDING_TIMEOUT: Final = 600.0

HappeningKind = Literal["node", "node-gone", "pod-placed", "pod-gone", "pod-changed", "claims", "class", "devices"]


class Terms(msgspec.Struct, frozen=True):
    """What a rehearsal goes by.

    Attributes:
        limits: how hard the scheduler tries.
        grace: seconds until a pod that is deleted has ended.
        quiet: seconds without any change after which a cluster counts as settled.
        patience: seconds after which waiting for that ends in any case.
        binding_timeout: seconds that the devices of a pod have to become ready for it.
    """

    limits: Limits = Limits()
    grace: float = 1.0
    quiet: float = 2.5
    patience: float = 45.0
    binding_timeout: float = BINDING_TIMEOUT


class Happening(msgspec.Struct, frozen=True):
    """Something that may make the scheduler look again at pods that it has refused.

    Attributes:
        node, pod: that it is about.
        before: the same as it was; None where it was not there, or is gone.
        claims: the claims that matter to those alone who use them; None where it matters to all who need devices.
        resources: the extended resources that a class has not served so far.
    """

    kind: HappeningKind
    node: Node | None = None
    pod: Pod | None = None
    before: Node | Pod | None = None
    claims: frozenset[Key] | None = None
    resources: frozenset[str] = frozenset()


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """An event that somebody writes about an object.

    Attributes:
        action: what was done; only the scheduler says it.
        related: the other object that it is about.
    """

    about: ObjectRef
    reason: str
    message: str
    component: str
    type: Literal["Normal", "Warning"] = "Normal"
    action: str = ""
    related: ObjectRef | None = None


class Binding(msgspec.Struct, frozen=True):
    """A pod that has its node and devices and waits for them to be ready, until `deadline`."""

    node: str
    deadline: float


class Record(msgspec.Struct):
    """What has happened. It grows while the rehearsal goes on.

    Attributes:
        attempts: the last attempt of each pod that came to something.
        victims: pods that were preempted, in the order of their eviction.
        nominated: every node for which a pod was nominated.
        removed: pods that are gone, as they were last.
        claims: every claim that there was, as it was first.
        looked: the last scores of nodes for each pod, and all of placements, wherever there was a choice.
        fixed: pods that were applied with a node.
        told: the events that were written.
        groups: what came of attempts for groups, in their order.
    """

    attempts: dict[ObjectRef, Attempt] = {}
    victims: list[ObjectRef] = []
    nominated: dict[Key, list[str]] = {}
    removed: dict[Key, Pod] = {}
    claims: dict[Key, ResourceClaim] = {}
    looked: Weighed = Weighed()
    fixed: set[Key] = set()
    told: list[Told] = []
    groups: list[GroupDecision] = []


class World:
    """The state of a rehearsal.

    Attributes:
        now: in seconds since 1970.
        snapshot: the cluster; pods whose binding is under way are on their nodes in it.
        version: grows with everything that may change what the scheduler finds.
        changed_at: when anything changed last.
        bindings: the pods whose binding is under way.
        held_back: when pods whose binding failed are tried again.
        gone: the uids of pods and groups that are gone.
        happenings: what the scheduler has not heard of yet.
        node_taints: which nodes send pods away.
        scheduler_runs, kubelets_run: whether they do.
        touched: the object that was applied last.
    """

    def __init__(self, snapshot: Snapshot, terms: Terms, begin: float = BEGIN) -> None:
        self.now = begin
        self.terms = terms
        self.snapshot = snapshot
        self.version = 0
        self.changed_at = begin
        self.agenda = Agenda()
        self.bindings: dict[Key, Binding] = {}
        self.held_back: dict[Key, float] = {}
        self.gone: set[str] = set()
        self.happenings: list[Happening] = []
        self.node_taints = NodeTaints()
        self.scheduler_runs = True
        self.kubelets_run = True
        self.touched: Key | None = None
        self.record = Record()
        self._meet_claims(key for key, _ in snapshot.claims.items())

    @property
    def stamp(self) -> str:
        """This moment as Kubernetes writes it."""
        return text_of(self.now)

    def change(self, snapshot: Snapshot, *happened: Happening) -> None:
        """The cluster is another now, in a way that the scheduler may care for."""
        if snapshot is self.snapshot:
            return
        before, self.snapshot = self.snapshot, snapshot
        if snapshot.claims is not before.claims:
            self._meet_claims(snapshot.claims.differing(before.claims))
        self.version += 1
        self.changed_at = self.now
        self.happenings.extend(happened)

    def note(self, snapshot: Snapshot) -> None:
        """Something was written that changes nothing for the scheduler: a condition, or when a pod has started."""
        if snapshot is not self.snapshot:
            self.snapshot = snapshot
            self.changed_at = self.now

    def _meet_claims(self, keys: Iterable[Key]) -> None:
        for key in keys:
            claim = self.snapshot.claims.get(key)
            if claim is not None:
                self.record.claims.setdefault(key, claim)

    def is_bound(self, pod: Pod) -> bool:
        """Whether the pod has its node for everybody to see."""
        key = (pod.metadata.namespace, pod.metadata.name)
        return bool(pod.spec.node_name) and key not in self.bindings
