"""The controllers of Kubernetes' own workloads: CronJob, Job, Deployment, ReplicaSet, StatefulSet and DaemonSet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, tzinfo
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from dravite.api.codec import Decoded, decode_plain
from dravite.api.core_v1 import Pod
from dravite.api.meta import Model, ObjectRef, controller_of
from dravite.api.plain import PlainView
from dravite.api.releases import Profile
from dravite.api.scheduling_v1beta1 import PodGroup, Workload
from dravite.controllers.commands import Command, Create, Delete, Patch, create, merge_patch
from dravite.controllers.happenings import Tell
from dravite.controllers.runner import NOTHING, Key, News, Outcome
from dravite.controllers.view import Item, View
from dravite.lifecycle.cron_jobs import CronScene, cron_turn
from dravite.lifecycle.daemon_sets import daemon_revision, daemon_set_turn
from dravite.lifecycle.deployments import deployment_turn
from dravite.lifecycle.groups_of_jobs import grouping
from dravite.lifecycle.histories import KIND as HISTORY
from dravite.lifecycle.histories import History, with_history
from dravite.lifecycle.job_counts import TRACKING
from dravite.lifecycle.job_scene import Scene
from dravite.lifecycle.jobs import is_managed_elsewhere, job_turn
from dravite.lifecycle.replica_sets import replica_set_turn
from dravite.lifecycle.stateful_sets import ordered_revision, stateful_set_turn
from dravite.lifecycle.turns import Turn, revision_of
from dravite.snapshot.snapshot import is_finished, key_of
from dravite.workloads.raw_paths import look_up

_COMPONENTS: Final[Mapping[str, str]] = {
    "Job": "job-controller",
    "CronJob": "cronjob-controller",
    "Deployment": "deployment-controller",
    "ReplicaSet": "replicaset-controller",
    "ReplicationController": "replication-controller",
    "StatefulSet": "statefulset-controller",
    "DaemonSet": "daemonset-controller",
}
"""The kinds, and who speaks for them in events."""

_POLICY: Final = "Background"
"""What a workload makes goes with all that belongs to it."""

_TYPED: Final[Mapping[str, type[Model]]] = {"PodGroup": PodGroup, "Workload": Workload}


class Workloads:
    """All of them as one controller, which knows what each workload has made."""

    name = "kube-controller-manager"

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._children: dict[str, dict[ObjectRef, None]] = {}

    def keys(self, news: News, view: View) -> Iterable[Key]:
        if news.resource.kind == "Node":
            return tuple(_key(one) for one in view.of("DaemonSet"))
        found: dict[Key, None] = {_key(news.item): None} if news.resource.kind in _COMPONENTS else {}
        if news.now is None and news.resource.kind == "Job":
            found.update({_key(one): None for one in self._of(news.item, view)})
        if news.now is not None and _is_left(news.now, view):
            found[_key(news.now)] = None
        for item in (news.before, news.now):
            owner = _controller(item) if item is not None else None
            if item is None or owner is None:
                continue
            self._note(owner[0], item.ref, is_there=item is news.now)
            found[owner[1]] = None
            above = _controller_of(owner[1], view)
            if above is not None:
                found[above] = None
        return tuple(found)

    def _note(self, owner: str, child: ObjectRef, *, is_there: bool) -> None:
        children = self._children.setdefault(owner, {})
        if is_there:
            children[child] = None
        else:
            children.pop(child, None)
        if not children:
            del self._children[owner]

    def reconcile(self, key: Key, view: View, now: float) -> Outcome:
        kind, namespace, name = key
        item = view.get(kind, namespace, name)
        if item is None:
            return NOTHING
        if kind not in _COMPONENTS:
            return Outcome((_released(item),)) if _is_left(item, view) else NOTHING
        turn = self._turn(item, view, now)
        return Outcome(tuple(_commands(turn, item, view)), turn.again)

    def _turn(self, item: Item, view: View, now: float) -> Turn:
        children = tuple(self._of(item, view))
        pods = tuple(_read(one for one in children if one.resource.kind == "Pod"))
        workload = {**item.plain, "apiVersion": item.resource.api_version, "kind": item.resource.kind}

        def taken(name: str, kind: str = "Pod") -> bool:
            return view.get(kind, item.namespace, name) is not None

        match item.resource.kind:
            case "Job" if is_managed_elsewhere(workload):
                return Turn()
            case "Job":
                group = grouping(
                    workload,
                    [one.plain for one in children if one.resource.kind == "Workload"],
                    [one.plain for one in children if one.resource.kind == "PodGroup"],
                    self._profile,
                    has_pods=bool(pods),
                )
                return group.first or job_turn(workload, Scene(pods, taken, now, group.name, _written(view)))
            case "CronJob":
                jobs = [{**one.plain, "kind": "Job"} for one in children if one.resource.kind == "Job"]
                return cron_turn(workload, CronScene(jobs, lambda name: taken(name, "Job"), now, _zone(workload)))
            case "Deployment":
                sets = [one for one in children if one.resource.kind == "ReplicaSet"]
                running = sum(1 for one in sets for pod in _read(self._of(one, view)) if not is_finished(pod))
                return deployment_turn(workload, [{**one.plain, "kind": "ReplicaSet"} for one in sets], running, now)
            case "StatefulSet":
                turn = stateful_set_turn(workload, pods, now)
                return with_history(turn, workload, _history(item, view, children, pods))
            case "DaemonSet":
                turn = daemon_set_turn(workload, pods, tuple(_read(view.of("Node"))), taken, now)
                return with_history(turn, workload, _history(item, view, children, pods))
            case _:
                return replica_set_turn(workload, pods, taken, now)

    def _of(self, item: Item, view: View) -> Iterator[Item]:
        for ref in self._children.get(item.uid, ()):
            child = view.get(ref.kind, ref.namespace, ref.name)
            if child is not None:
                yield child


def _history(item: Item, view: View, children: Iterable[Item], pods: Sequence[Pod]) -> History:
    """The templates that a StatefulSet or a DaemonSet has had; pods of the latter bear nothing but a hash of theirs."""

    def taken(name: str) -> bool:
        return view.get(HISTORY, item.namespace, name) is not None

    revisions = [one.plain for one in children if one.resource.kind == HISTORY]
    marks = {mark for pod in pods if (mark := revision_of(pod))}
    if item.resource.kind == "StatefulSet":
        return History(revisions, ordered_revision(item.plain), marks, taken)
    current = daemon_revision(item.plain, [pod for pod in pods if not is_finished(pod)])
    return History(revisions, f"{item.name}-{current}", {f"{item.name}-{mark}" for mark in marks}, taken)


def _zone(cron: PlainView) -> tzinfo | None:
    """Where the clock of a CronJob hangs; None for a zone that this machine does not know."""
    name = look_up(cron, ("spec", "timeZone"))
    if not name:
        return UTC
    try:
        return ZoneInfo(str(name))
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return None


def _written(view: View) -> Callable[[Pod], PlainView]:
    def written(pod: Pod) -> PlainView:
        item = view.get("Pod", *key_of(pod.metadata))
        return item.plain if item is not None else {}

    return written


def _read(items: Iterable[Item]) -> Iterator[Any]:
    """Those objects that can be read: a server keeps some that cannot."""
    return (item.typed for item in items if item.typed is not None)


def _key(item: Item) -> Key:
    return (item.resource.kind, item.namespace, item.name)


def _controller(item: Item) -> tuple[str, Key] | None:
    """The uid and the key of the workload that controls an object."""
    if b'"controller":' not in item.body:
        return None
    owner = controller_of(item.meta)
    if owner is None or owner.kind not in _COMPONENTS:
        return None
    return owner.uid, (owner.kind, item.namespace, owner.name)


def _controller_of(key: Key, view: View) -> Key | None:
    """The key of the workload above a workload: a Deployment may wait for the pods of its ReplicaSets."""
    kind, namespace, name = key
    item = view.get(kind, namespace, name)
    owner = _controller(item) if item is not None else None
    return owner[1] if owner is not None else None


def _is_left(item: Item, view: View) -> bool:
    """Whether a pod still holds on for a Job that is not there."""
    if TRACKING.encode() not in item.body or item.resource.kind != "Pod" or TRACKING not in item.meta.finalizers:
        return False
    owner = _controller(item)
    job = view.get(*owner[1]) if owner is not None else None
    return job is None or owner is None or job.uid != owner[0]


def _released(pod: Item) -> Patch:
    kept = [one for one in pod.meta.finalizers if one != TRACKING]
    patch = {"metadata": {"finalizers": kept or None}}
    return Patch(pod.resource, pod.namespace, pod.name, patch, "", pod.revision)


def _commands(turn: Turn, item: Item, view: View) -> Iterator[Command | Tell]:
    for document in turn.make:
        made = _made(document, view)
        if made is not None:
            yield made
    component = _COMPONENTS[item.resource.kind]
    for told in turn.told:
        yield Tell(about=item, reason=told.reason, message=told.message, component=component, type=told.type)
    for edit in turn.edit:
        found = view.get(edit.ref.kind, edit.ref.namespace, edit.ref.name)
        if found is not None:
            yield Patch(found.resource, found.namespace, found.name, edit.patch, "", found.revision)
    for ref in turn.remove:
        found = view.get(ref.kind, ref.namespace, ref.name)
        if found is not None:
            yield Delete(resource=found.resource, namespace=ref.namespace, name=ref.name, uid=found.uid, policy=_POLICY)
    status = item.plain.get("status") or {}
    patch = merge_patch(status, turn.status) if turn.status is not None else {}
    if patch:
        yield Patch(item.resource, item.namespace, item.name, {"status": patch}, "status", item.revision)


def _made(document: PlainView, view: View) -> Create | None:
    """The command that makes an object; None for a kind that is not served."""
    resource = view.resource(document["kind"])
    if resource is None:
        return None
    model = _TYPED.get(resource.kind)
    if model is not None:
        decoded = decode_plain(msgspec.to_builtins(document), model)
        return create(resource, decoded.object) if isinstance(decoded, Decoded) else None
    return Create(resource, document["metadata"]["namespace"], document)
