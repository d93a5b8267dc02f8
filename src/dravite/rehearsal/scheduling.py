"""What a scheduling attempt brings about: pods get nodes, are told why not, are nominated, and victims have to go."""

from __future__ import annotations

import msgspec

from dravite.api.core_v1 import Pod, pod_ref
from dravite.api.meta import ObjectRef
from dravite.diagnosis import upstream
from dravite.diagnosis.verdicts import Aborted, Decision, Scheduled, Unschedulable, Waiting
from dravite.lifecycle.conditions import preempted, with_decision, with_group_decision
from dravite.rehearsal.agenda import Rank
from dravite.rehearsal.arrivals import is_ours
from dravite.rehearsal.deadlines import deadline, note_expired
from dravite.rehearsal.pods import delete_pod
from dravite.rehearsal.queue import Queue
from dravite.rehearsal.world import Binding, Happening, Told, World
from dravite.scheduler.binding_conditions import awaited_devices_of, has_conditions
from dravite.scheduler.cycle import Attempt
from dravite.scheduler.ordering import SCHEDULER_NAME, Unit
from dravite.scheduler.unit_attempt import UnitAttempt
from dravite.scheduler.units import schedule_unit
from dravite.scheduler.victims import own_priority
from dravite.snapshot.cluster_edits import with_pod_group
from dravite.snapshot.groups import Group, members
from dravite.snapshot.pod_claims import present_claims
from dravite.snapshot.snapshot import Key

CHECKED_EVERY = 5.0
"""Seconds between two looks at devices that have to become ready."""


def schedule_next(world: World, queue: Queue) -> bool:
    """Try what comes next in the queue; False where there is nothing to try at this moment."""
    queue.hear(world)
    unit = queue.next(world)
    if unit is None:
        return False
    _tell_skipped(world, unit)
    note_expired(world, unit.pods)
    before = world.snapshot
    attempt = schedule_unit(before, unit, world.terms.limits)
    world.change(attempt.after, *([Happening("claims")] if attempt.after.classic is not before.classic else ()))
    for key, one in attempt.pods.items():
        _tell_pod(world, key, one, attempt)
    world.record.groups += attempt.groups
    for decision in attempt.groups:
        group = world.snapshot.pod_groups.get((decision.group.namespace, decision.group.name))
        if group is not None:
            told = with_group_decision(group, decision, world.snapshot.profile)
            world.note(with_pod_group(world.snapshot, told) if told is not group else world.snapshot)
    world.record.looked = world.record.looked.with_more(attempt.looked)
    _evict(world, unit, attempt)
    queue.conclude(world, unit, attempt)
    return True


def _tell_skipped(world: World, unit: Unit) -> None:
    """Pods of a group that are being deleted come up with the others, and are passed over (E3.7)."""
    for leaf in unit.root.leaves() if unit.root is not None else ():
        for pod in members(world.snapshot, leaf.key):
            if pod.metadata.deletion_timestamp is not None and not pod.spec.node_name and is_ours(pod):
                _tell_failure(world, pod_ref(pod), upstream.skipped(pod.metadata.namespace, pod.metadata.name))


def _tell_pod(world: World, key: Key, one: Attempt, attempt: UnitAttempt) -> None:
    if isinstance(one.decision, Waiting):
        return
    pod = world.snapshot.pods[key].pod
    before = pod
    for earlier in one.earlier:
        tell_refusal(world, key, earlier)
        pod = with_decision(pod, earlier)
    decision = _at(world.stamp, one.decision)
    tell_refusal(world, key, decision)
    if isinstance(decision, Scheduled):
        pod = _placed(world, key, pod, decision)
    else:
        pod = _nominated(with_decision(pod, decision), _nomination(pod, one, attempt, key))
    if pod != before:
        world.note(world.snapshot.with_pod(pod))
    if pod.status.nominated_node_name != before.status.nominated_node_name:
        world.version += 1
        world.record.nominated.setdefault(key, []).append(pod.status.nominated_node_name)
    ref = ObjectRef("Pod", *key)
    previous = world.record.attempts.get(ref)
    if previous is None or isinstance(one.decision, Scheduled) or previous.decision != one.decision:
        world.record.attempts[ref] = one


def _at(stamp: str, decision: Decision) -> Decision:
    """The answer of an attempt that was made at a time."""
    if not isinstance(decision, Aborted) or upstream.TIME_OF_ATTEMPT not in decision.message:
        return decision
    return msgspec.structs.replace(decision, message=decision.message.replace(upstream.TIME_OF_ATTEMPT, stamp))


def tell_refusal(world: World, key: Key, decision: Decision) -> None:
    """The pod has no node, and why."""
    if isinstance(decision, Unschedulable | Aborted):
        _tell_failure(world, ObjectRef("Pod", *key), decision.message)


def _tell_failure(world: World, about: ObjectRef, message: str) -> None:
    told = Told(about=about, reason="FailedScheduling", message=message, component=SCHEDULER_NAME, type="Warning")
    world.record.told.append(msgspec.structs.replace(told, action="Scheduling"))


def tell_bound(world: World, key: Key, node: str) -> None:
    """The pod has its node, for everybody to see."""
    ref, message = ObjectRef("Pod", *key), f"Successfully assigned {key[0]}/{key[1]} to {node}"
    told = Told(about=ref, reason="Scheduled", message=message, component=SCHEDULER_NAME, action="Binding")
    world.record.told.append(told)


def _placed(world: World, key: Key, pod: Pod, decision: Scheduled) -> Pod:
    """The pod on its node; where devices have to become ready it is bound only then."""
    world.happenings.append(Happening("pod-placed", pod=pod))
    ref, features = ObjectRef("Pod", *key), world.snapshot.profile.features
    if any(has_conditions(claim, features) for claim in present_claims(world.snapshot, pod)):
        message = f"waiting for binding conditions for device on node {decision.node}"
        told = Told(about=ref, reason="BindingConditionsPending", message=message, component=SCHEDULER_NAME)
        world.record.told.append(msgspec.structs.replace(told, action="Scheduling"))
    if not awaited_devices_of(world.snapshot, ref):
        tell_bound(world, key, decision.node)
        return _nominated(with_decision(pod, decision), "")
    until = deadline(world, pod)
    world.bindings[key] = Binding(decision.node, until)
    world.agenda.note(min(world.now + CHECKED_EVERY, until), Rank.BINDING, "binding-check", ref)
    return pod


def _nomination(pod: Pod, one: Attempt, attempt: UnitAttempt, key: Key) -> str:
    """The node for which a pod without a node is nominated from now on."""
    if attempt.preempting is not None and key in attempt.preempting.nominated:
        return attempt.preempting.nominated[key]
    return pod.status.nominated_node_name if one.keeps_nomination else ""


def _nominated(pod: Pod, node: str) -> Pod:
    if pod.status.nominated_node_name == node:
        return pod
    return msgspec.structs.replace(pod, status=msgspec.structs.replace(pod.status, nominated_node_name=node))


def _evict(world: World, unit: Unit, attempt: UnitAttempt) -> None:
    """Those who have to go are told so and deleted; who is less important loses its nomination for the node."""
    found = attempt.preempting
    if found is None or found.outcome != "possible":
        return
    node = next(iter(found.nominated.values()), "")
    for victim in found.victims:
        planned = world.snapshot.pods.get(victim.key)
        if planned is None or planned.pod.metadata.deletion_timestamp is not None:
            continue
        kind = unit.root.ref.kind.lower() if unit.root is not None else "pod"
        _tell_preempted(world, unit, planned.pod, node)
        world.note(world.snapshot.with_pod(preempted(planned.pod, SCHEDULER_NAME, kind)))
        world.record.victims.append(ObjectRef("Pod", *victim.key))
        delete_pod(world, victim.key)
    if unit.root is None:
        _clear_nominations(world, unit, node)


def _tell_preempted(world: World, unit: Unit, victim: Pod, node: str) -> None:
    """For whom the victim goes, wherever it runs: a pod that is to have a node, or a group anywhere in the cluster."""
    if unit.root is None:
        preemptor = f"pod {world.snapshot.pods[unit.pods[0]].pod.metadata.uid} on node {node}"
    else:
        preemptor = f"{unit.root.ref.kind.lower()} {_uid_of(world, unit.root)} on node cluster"
    told = Told(
        about=pod_ref(victim),
        reason="Preempted",
        message=f"Preempted by {preemptor}",
        component=SCHEDULER_NAME,
        action="Preempting",
        related=unit.root.ref if unit.root is not None else None,
    )
    world.record.told.append(told)


def _uid_of(world: World, root: Group) -> str:
    groups = world.snapshot.composite_pod_groups if root.is_composite else world.snapshot.pod_groups
    return groups[root.key].metadata.uid


def _clear_nominations(world: World, unit: Unit, node: str) -> None:
    for key in world.snapshot.nominated.get(node, ()):
        pod = world.snapshot.pods[key].pod
        if key not in unit.pods and own_priority(pod) < unit.priority:
            world.note(world.snapshot.with_pod(_nominated(pod, "")))
            world.version += 1
