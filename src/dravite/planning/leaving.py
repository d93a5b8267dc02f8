"""Who has to leave a cluster that is changed, why and when, and what comes in the place of those who leave.

A pod goes because somebody deletes it or what it belongs to, because its node is drained or gone, or because a taint
sends it away. Whoever has a controller is made again, and waits for a place like all others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

import msgspec

from dravite.api.core_v1 import Pod, PodStatus, Taint, pod_ref
from dravite.api.meta import DeviceID, ObjectRef, controller_of
from dravite.lifecycle.device_evictions import evictions
from dravite.lifecycle.eviction_progress import dry_run
from dravite.lifecycle.node_evictions import evicting_taints, eviction_from_node
from dravite.scheduler.budgets import allowed_disruptions, is_meant
from dravite.snapshot.manifests import PlannedPod
from dravite.snapshot.pod_edits import with_more_pods, without_pods
from dravite.snapshot.snapshot import Snapshot, is_finished

MIRROR: Final = "kubernetes.io/config.mirror"
"""On pods that a kubelet runs from its own files; nobody can evict them."""


class DeviceTainted(msgspec.Struct, frozen=True, tag=True):
    """A device of the pod has a NoExecute taint; `rule` is the DeviceTaintRule that it is from, if it is from one."""

    device: DeviceID
    key: str
    value: str
    rule: str = ""


class NodeTainted(msgspec.Struct, frozen=True, tag=True):
    """The pod's node has a NoExecute taint."""

    key: str
    value: str


class NodeDrained(msgspec.Struct, frozen=True, tag=True):
    """The pod's node is drained."""


class NodeGone(msgspec.Struct, frozen=True, tag=True):
    """The pod's node is not there any more."""


class PodDeleted(msgspec.Struct, frozen=True, tag=True):
    """The pod is deleted."""


class OwnerDeleted(msgspec.Struct, frozen=True, tag=True):
    """What the pod belongs to is deleted: its workload or its namespace."""

    owner: ObjectRef


Cause: TypeAlias = DeviceTainted | NodeTainted | NodeDrained | NodeGone | PodDeleted | OwnerDeleted


class Leaving(msgspec.Struct, frozen=True, kw_only=True):
    """A pod that has to go.

    Attributes:
        pod: which pod.
        node: where it runs.
        cause: why it goes.
        after: seconds from now until it goes.
        made_again: whether its controller makes another one.
    """

    pod: ObjectRef
    node: str
    cause: Cause
    after: float = 0.0
    made_again: bool = False


def leaving_by_taints(before: Snapshot, after: Snapshot, now: float) -> Iterator[Leaving]:
    """The pods that taints of the changed cluster send away, unless they go as soon in the one before.

    Both are as their controllers leave them; a taint without a time counts as added now.
    """
    known = evictions(before, now)
    for key, one in evictions(after, now).items():
        if key not in known or one.at < known[key].at:
            cause = DeviceTainted(one.device, one.taint.key, one.taint.value, one.rule)
            yield _leaving(after.pods[key].pod, cause, one.at - now)
    for pod in running_pods(after):
        taint = _taint_of_node(before, after, pod, now)
        if taint is not None:
            yield _leaving(pod, NodeTainted(taint[0].key, taint[0].value), taint[1] - now)


def leaving_nodes(after: Snapshot, nodes: Iterable[str], cause: NodeDrained | NodeGone) -> Iterator[Leaving]:
    """The pods that go with their nodes. A drain leaves alone what runs on every node, and what a kubelet runs."""
    names = frozenset(nodes)
    for pod in running_pods(after):
        of_node = is_of_its_node(pod)
        if pod.spec.node_name in names and not (of_node and isinstance(cause, NodeDrained)):
            one = _leaving(pod, cause)
            yield msgspec.structs.replace(one, made_again=one.made_again and not of_node)


def is_of_its_node(pod: Pod) -> bool:
    """Whether the pod runs because its node is there: a kubelet's own, or one of a DaemonSet."""
    owner = controller_of(pod.metadata)
    return MIRROR in pod.metadata.annotations or (owner is not None and owner.kind in ("DaemonSet", "Node"))


def deleted(after: Snapshot, pod: ObjectRef, cause: PodDeleted | OwnerDeleted) -> Leaving | None:
    """A pod that somebody deletes; None for one that is not there. Only a pod deleted by itself is made again."""
    planned = after.pod(pod)
    if planned is None:
        return None
    one = _leaving(planned.pod, cause)
    return one if isinstance(cause, PodDeleted) else msgspec.structs.replace(one, made_again=False)


class RuleReach(msgspec.Struct, frozen=True, kw_only=True):
    """What a DeviceTaintRule does, or with the effect NoExecute would do.

    Attributes:
        selects_all: whether its selector is empty, so that it selects every device.
        published: how many devices that are published it selects.
        allocated: how many devices of claims, each share of one for itself.
        pods: the pods that it evicts, or would evict.
    """

    rule: ObjectRef
    effect: str
    selects_all: bool
    published: int
    allocated: int
    pods: tuple[ObjectRef, ...]


def reach_of_rules(after: Snapshot, rules: Iterable[ObjectRef], now: float) -> Iterator[RuleReach]:
    """How far some rules of the changed cluster reach, in their order."""
    known = {rule.metadata.name: rule for rule in after.manifests.taint_rules}
    for ref in rules:
        if ref.name not in known:
            continue
        rule = known[ref.name]
        found, selector = dry_run(rule, after, now), rule.spec.device_selector
        yield RuleReach(
            rule=ref,
            effect=rule.spec.taint.effect,
            selects_all=selector is not None and not (selector.driver or selector.pool or selector.device),
            published=found.published,
            allocated=found.allocated,
            pods=tuple(ObjectRef("Pod", *key) for key in found.pods),
        )


class BudgetInTheWay(msgspec.Struct, frozen=True):
    """A PodDisruptionBudget that lets fewer of its pods go than a drain evicts: the drain waits."""

    budget: ObjectRef
    allowed: int
    pods: tuple[ObjectRef, ...]


def budgets_in_the_way(snapshot: Snapshot, leaving: Iterable[Leaving]) -> Iterator[BudgetInTheWay]:
    """The budgets that a drain has to wait for. Nobody else asks them."""
    drained = [one.pod for one in leaving if isinstance(one.cause, NodeDrained)]
    left = allowed_disruptions(snapshot) if drained else {}
    for budget in snapshot.budgets if drained else ():
        meta = budget.metadata
        meant = tuple(ref for ref in drained if (one := snapshot.pod(ref)) is not None and is_meant(budget, one.pod))
        allowed = left[(meta.namespace, meta.name)]
        if len(meant) > allowed:
            yield BudgetInTheWay(ObjectRef("PodDisruptionBudget", meta.namespace, meta.name), allowed, meant)


def without_leaving(snapshot: Snapshot, leaving: Iterable[Leaving]) -> Snapshot:
    """The snapshot after these pods have gone, with the pods that controllers make in their place."""
    gone = tuple(leaving)
    made = [_made_again(one, planned) for one in gone if one.made_again and (planned := snapshot.pod(one.pod))]
    return with_more_pods(without_pods(snapshot, [one.pod for one in gone]), made)


def running_pods(snapshot: Snapshot) -> Iterator[Pod]:
    """The pods that are on a node, and neither finished nor on their way out."""
    for key in snapshot.pod_order:
        pod = snapshot.pods[key].pod
        if pod.spec.node_name and not is_finished(pod) and pod.metadata.deletion_timestamp is None:
            yield pod


def _leaving(pod: Pod, cause: Cause, after: float = 0.0) -> Leaving:
    owner = controller_of(pod.metadata)
    made_again = owner is not None and owner.kind != "Node" and MIRROR not in pod.metadata.annotations
    ref = pod_ref(pod)
    return Leaving(pod=ref, node=pod.spec.node_name, cause=cause, after=max(0.0, after), made_again=made_again)


def _taint_of_node(before: Snapshot, after: Snapshot, pod: Pod, now: float) -> tuple[Taint, float] | None:
    """The taint of the changed node that sends the pod away first, and when."""
    state, old = after.states.get(pod.spec.node_name), before.states.get(pod.spec.node_name)
    known = old.node.spec.taints if old is not None else ()
    fresh = [taint for taint in (evicting_taints(state.node) if state is not None else ()) if taint not in known]
    return eviction_from_node(pod, fresh, now)


def _made_again(leaving: Leaving, planned: PlannedPod) -> PlannedPod:
    """What the controller makes in the place of a pod: the same but for its identity, its node and its history."""
    pod = planned.pod
    owner = controller_of(pod.metadata)
    metadata = msgspec.structs.replace(
        pod.metadata, uid=f"<uid of the next {leaving.pod}>", creation_timestamp=None, resource_version=""
    )
    made = msgspec.structs.replace(
        pod, metadata=metadata, spec=msgspec.structs.replace(pod.spec, node_name=""), status=PodStatus()
    )
    workload = ObjectRef(owner.kind, pod.metadata.namespace, owner.name) if owner is not None else None
    drawn = owner is not None and owner.kind != "StatefulSet"
    return PlannedPod(made, planned.owner or workload, planned.inferred or drawn, planned.template_path)
