"""StatefulSets: pods with names that last, made one after the other and replaced from the last one on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dravite.api.core_v1 import Pod, pod_ref
from dravite.api.meta import ObjectRef
from dravite.api.plain import PlainView
from dravite.diagnosis import upstream_controllers as words
from dravite.lifecycle.availability import Patience, is_available, next_available, patience_of
from dravite.lifecycle.turns import (
    REVISION_LABEL,
    Told,
    Turn,
    is_active,
    is_going,
    observed,
    revision_of,
    template_of,
)
from dravite.snapshot.generated_names import safe_hash
from dravite.snapshot.snapshot import is_finished
from dravite.workloads import ExpandedPod, expand, is_ready
from dravite.workloads.raw_paths import look_up, mapping


def stateful_set_turn(workload: PlainView, pods: Sequence[Pod], now: float) -> Turn:
    """What the controller does, given the pods of the StatefulSet. Claims of volumes are not made."""
    patience = patience_of(workload, now)
    wanted = tuple(one for one in expand(workload) if isinstance(one, ExpandedPod))
    known = {pod.metadata.name: pod for pod in pods}
    revision = ordered_revision(workload)
    status = _status(workload, known, wanted, revision)
    status = {**status, "availableReplicas": sum(1 for pod in pods if is_active(pod) and is_available(pod, patience))}
    if is_going(workload):
        return Turn(status=status)
    name = str(workload["metadata"]["name"])
    made = tuple(_pod(one, workload, revision) for one in _missing(workload, wanted, known, patience))
    removed = _removed(workload, wanted, known, (revision, patience))
    told = (
        *(Told(words.CREATED, words.ordered_pod("Create", one["metadata"]["name"], name)) for one in made),
        *(Told(words.DELETED, words.ordered_pod("Delete", one.name, name)) for one in removed),
    )
    return Turn(make=made, remove=removed, status=status, told=told, again=next_available(pods, patience))


def _is_ordered(workload: PlainView) -> bool:
    return bool(look_up(workload, ("spec", "podManagementPolicy")) != "Parallel")


def _missing(
    workload: PlainView, wanted: Sequence[ExpandedPod], known: Mapping[str, Pod], patience: Patience
) -> Sequence[ExpandedPod]:
    """The pods to make now: where they go in order only the first, once those before it are available."""
    missing = [one for one in wanted if one.name not in known]
    if not _is_ordered(workload) or not missing:
        return missing
    before = wanted[: wanted.index(missing[0])]
    return missing[:1] if all(_is_settled(known[one.name], patience) for one in before) else ()


def _is_settled(pod: Pod, patience: Patience) -> bool:
    return is_active(pod) and is_available(pod, patience)


def _removed(
    workload: PlainView, wanted: Sequence[ExpandedPod], known: Mapping[str, Pod], sought: tuple[str, Patience]
) -> tuple[ObjectRef, ...]:
    """Pods that have ended are made anew; then those too many go, the last ones first; then those of old templates."""
    revision, patience = sought
    ended = tuple(known[one.name] for one in wanted if one.name in known and is_finished(known[one.name]))
    if ended:
        return tuple(pod_ref(pod) for pod in ended if pod.metadata.deletion_timestamp is None)
    names = [one.name for one in wanted]
    surplus = sorted((pod for pod in known.values() if pod.metadata.name not in names), key=_ordinal, reverse=True)
    whole = all(name in known and _is_settled(known[name], patience) for name in names)
    if surplus and (whole or not _is_ordered(workload)):
        goes = surplus if not _is_ordered(workload) else surplus[:1]
        return tuple(pod_ref(pod) for pod in goes if pod.metadata.deletion_timestamp is None)
    if not whole or surplus or look_up(workload, ("spec", "updateStrategy", "type")) == "OnDelete":
        return ()
    partition = look_up(workload, ("spec", "updateStrategy", "rollingUpdate", "partition"))
    first = partition if isinstance(partition, int) else 0
    old = [known[name] for name in names if _ordinal(known[name]) >= first and revision_of(known[name]) != revision]
    return (pod_ref(old[-1]),) if old else ()


def _pod(expanded: ExpandedPod, workload: PlainView, revision: str) -> PlainView:
    """The pod with its version, and with the name under which others find it."""
    meta = expanded.pod["metadata"]
    service = look_up(workload, ("spec", "serviceName"))
    labels = {**meta.get("labels", {}), REVISION_LABEL: revision}
    spec = {**expanded.pod["spec"], "hostname": expanded.name, **({"subdomain": service} if service else {})}
    return {**expanded.pod, "metadata": {**meta, "labels": labels}, "spec": spec}


def ordered_revision(workload: PlainView) -> str:
    """What the pods of the current template are marked with. It stays what it was while the spec does."""
    status = mapping(workload.get("status"))
    generation, seen = workload["metadata"].get("generation") or 0, status.get("observedGeneration")
    if status.get("updateRevision") and isinstance(seen, int) and seen >= generation:
        return str(status["updateRevision"])
    return f"{workload['metadata']['name']}-{safe_hash(template_of(workload))}"


def _status(workload: PlainView, known: Mapping[str, Pod], wanted: Sequence[ExpandedPod], revision: str) -> PlainView:
    active = [pod for pod in known.values() if is_active(pod)]
    updated = sum(1 for pod in active if revision_of(pod) == revision)
    ready = sum(1 for pod in active if is_ready(pod))
    before = look_up(workload, ("status", "currentRevision"))
    current = revision if not before or updated == len(wanted) == len(active) else str(before)
    counts: dict[str, Any] = {
        "readyReplicas": ready,
        "currentReplicas": sum(1 for pod in active if revision_of(pod) == current),
        "updatedReplicas": updated,
    }
    return {
        "replicas": len(active),
        **{name: count for name, count in counts.items() if count},
        "currentRevision": current,
        "updateRevision": revision,
        "collisionCount": 0,
        **observed(workload),
    }


def _ordinal(pod: Pod) -> int:
    end = pod.metadata.name.rpartition("-")[2]
    return int(end) if end.isdecimal() else -1
