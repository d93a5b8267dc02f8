"""Groups of pods as trees: what a PodGroup or CompositePodGroup asks of scheduling, and which pods belong to it.

Composite groups are trees of groups; a plain PodGroup is a tree of one. Nothing is decided here. Whether groups count
at all is for the release to say, and a group of 1.35 is a part of a Workload.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

import msgspec

from dravite.api.core_v1 import Pod, pod_ref
from dravite.api.meta import ObjectRef
from dravite.api.releases import Profile
from dravite.api.scheduling_v1beta1 import CompositePodGroup, PodGroup
from dravite.diagnosis.findings import MissingObject
from dravite.snapshot.snapshot import Key, Snapshot, group_key, is_finished, is_pending, key_of

Scheme: TypeAlias = Literal["none", "one-by-one", "with-permits", "as-a-whole"]
"""How groups are scheduled: not at all, with a barrier before binding (1.35), as a gang that permits itself (1.36),
or as a whole, tree and placement by placement (1.37)."""

_DEEPEST: Final = 16
"""No tree is climbed higher; validation allows four levels."""


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """One group with all below it.

    Attributes:
        ref: the PodGroup or CompositePodGroup.
        minimum: how many pods (or child groups) must find a place together; None where members go one by one.
        topology_key: the node label of which all members need the same value.
        constrained: whether it has scheduling constraints at all.
        together: whether its running pods are preempted together or not at all.
        priority: its priority; 0 where it has none.
        preemption_policy: whether it may preempt; None where it does not say.
        children: of a composite group, in the order in which they are tried.
    """

    ref: ObjectRef
    minimum: int | None = None
    topology_key: str | None = None
    constrained: bool = False
    together: bool = False
    priority: int = 0
    preemption_policy: str | None = None
    children: tuple[Group, ...] = ()

    @property
    def key(self) -> Key:
        """Namespace and name."""
        return (self.ref.namespace, self.ref.name)

    @property
    def is_composite(self) -> bool:
        """Whether its members are groups."""
        return self.ref.kind == "CompositePodGroup"

    def leaves(self) -> Iterator[Group]:
        """The PodGroups of the tree, in the order in which they are tried."""
        if not self.is_composite:
            yield self
        for child in self.children:
            yield from child.leaves()

    def groups(self) -> Iterator[Group]:
        """All groups of the tree, this one first."""
        yield self
        for child in self.children:
            yield from child.groups()


def scheme_of(profile: Profile) -> Scheme:
    """How the release schedules groups, with the gates that are on."""
    if not profile.enabled("GenericWorkload"):
        return "none"
    if profile.is_at_least("1.37"):
        return "as-a-whole"
    if profile.is_at_least("1.36"):
        return "with-permits"
    return "one-by-one" if profile.enabled("GangScheduling") else "none"


def root_of(snapshot: Snapshot, pod: Pod) -> Group | MissingObject | None:
    """The whole tree to which a pod belongs, or the group that is named and not there; None for a pod without one."""
    key = group_key(pod)
    if key is None:
        return None
    named_by = pod_ref(pod)
    group = snapshot.pod_groups.get(key)
    if group is None and pod.spec.workload_ref is not None:
        return MissingObject(named_by, "spec.workloadRef", ObjectRef("Workload", key[0], pod.spec.workload_ref.name))
    if group is None:
        return MissingObject(named_by, "spec.schedulingGroup.podGroupName", ObjectRef("PodGroup", *key))
    return root_of_group(snapshot, group)


def root_of_group(snapshot: Snapshot, group: PodGroup | CompositePodGroup) -> Group | MissingObject:
    """The whole tree to which a group belongs, or the parent that is named and not there."""
    top = group
    for _ in range(_DEEPEST):
        parent = parent_key(snapshot, top)
        if parent is None:
            break
        found = snapshot.composite_pod_groups.get(parent)
        if found is None:
            named_by = ObjectRef(top.kind, *key_of(top.metadata))
            missing = ObjectRef("CompositePodGroup", *parent)
            return MissingObject(named_by, "spec.parentCompositePodGroupName", missing)
        top = found
    return tree(snapshot, top)


def parent_key(snapshot: Snapshot, group: PodGroup | CompositePodGroup) -> Key | None:
    """The composite group above a group, where composite groups count."""
    name = group.spec.parent_composite_pod_group_name
    return (group.metadata.namespace, name) if name and snapshot.profile.enabled("CompositePodGroup") else None


def ancestors(snapshot: Snapshot, pod: Pod) -> tuple[PodGroup | CompositePodGroup, ...]:
    """The groups of a pod from its own upwards, as far as they are there."""
    key = group_key(pod)
    group: PodGroup | CompositePodGroup | None = snapshot.pod_groups.get(key) if key is not None else None
    found: list[PodGroup | CompositePodGroup] = []
    while group is not None and len(found) < _DEEPEST:
        found.append(group)
        parent = parent_key(snapshot, group)
        group = snapshot.composite_pod_groups.get(parent) if parent is not None else None
    return tuple(found)


def tree(snapshot: Snapshot, group: PodGroup | CompositePodGroup, depth: int = 0) -> Group:
    """A group with all below it. Children are tried as they were created, those of one second by name."""
    spec = group.spec
    constraints = spec.scheduling_constraints
    composite = isinstance(group, CompositePodGroup)
    return Group(
        ref=ObjectRef(group.kind, *key_of(group.metadata)),
        minimum=_minimum(group) if snapshot.profile.enabled("GangScheduling") else None,
        topology_key=constraints.topology[0].key if constraints and constraints.topology else None,
        constrained=constraints is not None,
        together=is_together(group),
        priority=spec.priority or 0,
        preemption_policy=spec.preemption_policy,
        children=_children(snapshot, key_of(group.metadata), depth + 1) if composite and depth < _DEEPEST else (),
    )


def is_together(group: PodGroup | CompositePodGroup) -> bool:
    """Whether the running pods of a group are preempted together or not at all."""
    mode = group.spec.disruption_mode
    return mode is not None and mode.all is not None


def members(snapshot: Snapshot, group: Key) -> tuple[Pod, ...]:
    """The pods of a PodGroup that are not finished, in the order of the input."""
    pods = (snapshot.pods[key].pod for key in snapshot.members.get(group) or ())
    return tuple(pod for pod in pods if not is_finished(pod))


def waiting_members(snapshot: Snapshot, group: Key) -> tuple[Pod, ...]:
    """The pods of a PodGroup that wait for a node."""
    return tuple(pod for pod in members(snapshot, group) if is_pending(pod))


def placed_members(snapshot: Snapshot, group: Key) -> tuple[Pod, ...]:
    """The pods of a PodGroup that have a node; one that is being deleted counts until it is gone."""
    return tuple(pod for pod in members(snapshot, group) if pod.spec.node_name)


def _minimum(group: PodGroup | CompositePodGroup) -> int | None:
    if isinstance(group, CompositePodGroup):
        composite = group.spec.scheduling_policy.gang
        return composite.min_group_count if composite is not None else None
    gang = group.spec.scheduling_policy.gang
    return gang.min_count if gang is not None else None


def _children(snapshot: Snapshot, key: Key, depth: int) -> tuple[Group, ...]:
    below: list[PodGroup | CompositePodGroup] = [
        *(one for one in snapshot.pod_groups.values() if parent_key(snapshot, one) == key),
        *(one for one in snapshot.composite_pod_groups.values() if parent_key(snapshot, one) == key),
    ]
    return tuple(tree(snapshot, one, depth) for one in sorted(below, key=_turn))


def _turn(group: PodGroup | CompositePodGroup) -> tuple[bool, str, str]:
    created = group.metadata.creation_timestamp
    return (created is None, created or "", group.metadata.name)
