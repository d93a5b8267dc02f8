"""Deployments: a ReplicaSet for each version of the pod template, and the way from one to the next.

What rolls out when follows the rules of Kubernetes' documentation: never more pods than wanted and the surge, never
fewer that are available than wanted less those that may be unavailable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from dravite.api.meta import ObjectRef
from dravite.api.plain import PlainView
from dravite.diagnosis import upstream_controllers as words
from dravite.lifecycle.deployment_status import deployment_status, stuck_at
from dravite.lifecycle.turns import Edit, Told, Turn, is_going, replicas_of, template_of
from dravite.snapshot.generated_names import safe_hash
from dravite.workloads import margins
from dravite.workloads.filled_in import filled_template
from dravite.workloads.raw_paths import look_up, mapping

REVISION: Final = "deployment.kubernetes.io/revision"
_DESIRED: Final = "deployment.kubernetes.io/desired-replicas"
_MOST: Final = "deployment.kubernetes.io/max-replicas"
_HASH: Final = "pod-template-hash"
_HISTORY: Final = 10
_PATIENCE: Final = ("spec", "minReadySeconds")


class Plan(msgspec.Struct, frozen=True):
    """How many pods a Deployment wants, how many more there may be, and how many of them may be missing."""

    wanted: int
    surge: int
    missing: int


def deployment_turn(workload: PlainView, sets: Sequence[PlainView], pods: int, now: float) -> Turn:
    """What the controller does, given the ReplicaSets of the Deployment, oldest first, and how many pods they have."""
    plan = _plan(workload)
    template = _compared(workload)
    current = next((one for one in sets if _compared(one) == template), None)
    old = tuple(one for one in sets if one is not current)
    status = deployment_status(workload, sets, current, plan.wanted - plan.missing, now)
    again = stuck_at(workload, status)
    if is_going(workload) or not template_of(workload):
        return Turn(status=status)
    is_paused = look_up(workload, ("spec", "paused")) is True
    if current is not None:
        sizes = {} if is_paused and any(map(replicas_of, old)) else _sizes(workload, plan, current, old)
        edits = (*_resized(sets, sizes, plan), *_marked(workload, current, old))
        told = tuple(_told(sets, sizes))
        return Turn(edit=edits, status=status, remove=_forgotten(workload, old), told=told, again=again)
    has_to_wait = is_paused or (_recreates(workload) and pods > 0)
    made = None if has_to_wait else _made(workload, plan, old)
    if made is not None:
        name, size = made["metadata"]["name"], made["spec"]["replicas"]
        told = (Told(words.SCALING, words.scaled(name, 0, size)),) if size else ()
        return Turn(make=(made,), status=status, told=told)
    sizes = {} if is_paused else _recreated(old)
    return Turn(edit=tuple(_resized(sets, sizes, plan)), status=status, told=tuple(_told(sets, sizes)))


def _compared(one: PlainView) -> PlainView:
    """The pod template as it counts for what is current: with all that a server fills in, without the mark of a set."""
    template = mapping(filled_template(template_of(one)))
    meta = mapping(template.get("metadata"))
    labels = {name: value for name, value in mapping(meta.get("labels")).items() if name != _HASH}
    kept = {name: value for name, value in {**meta, "labels": labels}.items() if value}
    return {**template, "metadata": kept}


def _plan(workload: PlainView) -> Plan:
    wanted = replicas_of(workload)
    if _recreates(workload):
        return Plan(wanted, 0, wanted)
    return Plan(wanted, *margins(mapping(look_up(workload, ("spec", "strategy", "rollingUpdate"))), wanted))


def _recreates(workload: PlainView) -> bool:
    return bool(look_up(workload, ("spec", "strategy", "type")) == "Recreate")


def _made(workload: PlainView, plan: Plan, old: Sequence[PlainView]) -> PlainView:
    """The ReplicaSet of the current template."""
    template, meta = template_of(workload), workload["metadata"]
    drawn = safe_hash(template)
    labels = {**mapping(look_up(template, ("metadata", "labels"))), _HASH: drawn}
    selector = mapping(look_up(workload, ("spec", "selector")))
    room = plan.wanted + plan.surge - sum(map(replicas_of, old))
    revision = 1 + max((_revision(one) for one in old), default=0)
    owner = {"apiVersion": workload["apiVersion"], "kind": workload["kind"], "name": meta["name"], "uid": meta["uid"]}
    patience = look_up(workload, _PATIENCE)
    matched = {**mapping(selector.get("matchLabels")), _HASH: drawn}
    return {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": {
            "name": f"{meta['name']}-{drawn}",
            "namespace": meta["namespace"],
            "labels": labels,
            "annotations": {**_noted(plan), REVISION: str(revision)},
            "ownerReferences": [{**owner, "controller": True, "blockOwnerDeletion": True}],
        },
        "spec": {
            "replicas": max(0, min(plan.wanted, room)),
            **({"minReadySeconds": patience} if patience else {}),
            "selector": {**selector, "matchLabels": matched},
            "template": {**template, "metadata": {**mapping(template.get("metadata")), "labels": labels}},
        },
    }


def _sizes(workload: PlainView, plan: Plan, current: PlainView, old: Sequence[PlainView]) -> Mapping[str, int]:
    """How large each ReplicaSet that changes is to be, by name."""
    if _recreates(workload):
        return {**_recreated(old), **_changed(current, plan.wanted)}
    total = replicas_of(current) + sum(map(replicas_of, old))
    size = min(plan.wanted, replicas_of(current) + max(0, plan.wanted + plan.surge - total))
    if size != replicas_of(current):
        return _changed(current, size)
    return _shrunk(plan, current, old)


def _shrunk(plan: Plan, current: PlainView, old: Sequence[PlainView]) -> Mapping[str, int]:
    """Old ReplicaSets give up pods: first those that are not available, then as many as are not needed any more."""
    least = plan.wanted - plan.missing
    every = (current, *old)
    unready = replicas_of(current) - _count(current, "availableReplicas")
    spare = sum(map(replicas_of, every)) - least - unready
    sizes: dict[str, int] = {}
    for one in old:
        broken = min(spare, max(0, replicas_of(one) - _count(one, "availableReplicas")))
        if broken > 0:
            sizes[one["metadata"]["name"]] = replicas_of(one) - broken
            spare -= broken
    room = sum(_count(one, "availableReplicas") for one in every) - least
    for one in old:
        name = one["metadata"]["name"]
        size = sizes.get(name, replicas_of(one))
        gone = min(size, room)
        if gone > 0:
            sizes[name] = size - gone
            room -= gone
    return sizes


def _recreated(old: Sequence[PlainView]) -> Mapping[str, int]:
    return {one["metadata"]["name"]: 0 for one in old if replicas_of(one)}


def _changed(one: PlainView, size: int) -> Mapping[str, int]:
    return {one["metadata"]["name"]: size} if size != replicas_of(one) else {}


def _resized(sets: Sequence[PlainView], sizes: Mapping[str, int], plan: Plan) -> Iterator[Edit]:
    for one in sets:
        size = sizes.get(one["metadata"]["name"])
        if size is not None:
            yield Edit(_ref(one), {"metadata": {"annotations": _noted(plan)}, "spec": {"replicas": size}})


def _told(sets: Sequence[PlainView], sizes: Mapping[str, int]) -> Iterator[Told]:
    for one in sets:
        name = one["metadata"]["name"]
        if name in sizes:
            yield Told(words.SCALING, words.scaled(name, replicas_of(one), sizes[name]))


def _marked(workload: PlainView, current: PlainView, old: Sequence[PlainView]) -> Iterator[Edit]:
    """What is current is the newest revision, also after going back, and the Deployment says which one that is.

    It also takes over how long pods have to be ready.
    """
    patience = look_up(workload, _PATIENCE)
    if (patience or 0) != (look_up(current, _PATIENCE) or 0):
        yield Edit(_ref(current), {"spec": {"minReadySeconds": patience}})
    newest = max(map(_revision, old), default=-1)
    if _revision(current) <= newest:
        yield Edit(_ref(current), {"metadata": {"annotations": {REVISION: str(newest + 1)}}})
        return
    path = ("metadata", "annotations", REVISION)
    revision = look_up(current, path)
    if revision and look_up(workload, path) != revision:
        yield Edit(_ref(workload), {"metadata": {"annotations": {REVISION: revision}}})


def _forgotten(workload: PlainView, old: Sequence[PlainView]) -> tuple[ObjectRef, ...]:
    """Old ReplicaSets without pods, beyond those that are kept for going back."""
    kept = look_up(workload, ("spec", "revisionHistoryLimit"))
    idle = sorted((one for one in old if not replicas_of(one) and not _count(one, "replicas")), key=_revision)
    return tuple(_ref(one) for one in idle[: max(0, len(idle) - (kept if isinstance(kept, int) else _HISTORY))])


def _noted(plan: Plan) -> PlainView:
    return {_DESIRED: str(plan.wanted), _MOST: str(plan.wanted + plan.surge)}


def _revision(one: PlainView) -> int:
    text = str(look_up(one, ("metadata", "annotations", REVISION)))
    return int(text) if text.isdecimal() else 0


def _count(one: PlainView, name: str) -> int:
    count = look_up(one, ("status", name))
    return count if isinstance(count, int) else 0


def _ref(one: PlainView) -> ObjectRef:
    return ObjectRef(one["kind"], one["metadata"]["namespace"], one["metadata"]["name"])
