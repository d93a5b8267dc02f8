"""Pod groups as subjects: which groups a pod belongs to, and which of them an answer tells."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Final, TypeAlias

from dravite.api.meta import ObjectRef
from dravite.diagnosis.verdicts import GroupDecision, PodDecision
from dravite.planning.plan import Plan
from dravite.snapshot.groups import ancestors
from dravite.snapshot.snapshot import group_key

GroupsOf: TypeAlias = Callable[[ObjectRef], Collection[ObjectRef]]
"""The groups that a pod belongs to, and the Workload that describes them."""

KINDS: Final = {"podgroup": "PodGroup", "compositepodgroup": "CompositePodGroup", "workload": "Workload"}
"""Kinds of groups as people type them, and as Kubernetes writes them."""


def groups_in(plan: Plan) -> GroupsOf:
    """How to find the groups of a pod of the plan."""

    def groups_of(pod: ObjectRef) -> Collection[ObjectRef]:
        planned = plan.start.pod(pod)
        if planned is None:
            return ()
        key = group_key(planned.pod)
        found = {ObjectRef("PodGroup", *key)} if key is not None else set()
        old = planned.pod.spec.workload_ref
        if old is not None:
            found.add(ObjectRef("Workload", pod.namespace, old.name))
        for group in ancestors(plan.start, planned.pod):
            found.add(ObjectRef(group.kind, group.metadata.namespace, group.metadata.name))
            if group.spec.workload_ref is not None:
                found.add(ObjectRef("Workload", pod.namespace, group.spec.workload_ref.workload_name))
        return found

    return groups_of


def groups_told(plan: Plan, pods: Iterable[PodDecision], named: Collection[str]) -> Iterator[GroupDecision]:
    """The groups of these pods that do not start, and those that start where more than single pods were named."""
    groups_of = groups_in(plan)
    wanted = {group for one in pods for group in groups_of(one.pod)}
    for decision in plan.groups:
        if decision.group in wanted and (decision.outcome != "scheduled" or named):
            yield decision


def without_pods(plan: Plan, kind: str, namespace: str, name: str) -> bool:
    """Whether a group is there that no pod names."""
    known = {"podgroup": plan.start.pod_groups, "compositepodgroup": plan.start.composite_pod_groups}
    return (namespace, name) in known.get(kind, {})
