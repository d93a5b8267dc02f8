"""ReplicaSets: so many pods, whichever."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dravite.api.core_v1 import Pod, pod_ref
from dravite.api.plain import PlainView
from dravite.diagnosis import upstream_controllers as words
from dravite.lifecycle.availability import Patience, is_available, next_available, patience_of
from dravite.lifecycle.turns import (
    Taken,
    Told,
    Turn,
    is_active,
    is_going,
    named,
    observed,
    seed_of,
    template_of,
)
from dravite.workloads import ExpandedPod, expand, is_ready, least_wanted, outstanding
from dravite.workloads.raw_paths import look_up, mapping


def replica_set_turn(workload: PlainView, pods: Sequence[Pod], taken: Taken, now: float) -> Turn:
    """What the controller does, given the pods of the ReplicaSet."""
    patience = patience_of(workload, now)
    wanted = tuple(one for one in expand(workload) if isinstance(one, ExpandedPod))
    active = [pod for pod in pods if is_active(pod)]
    status = _status(workload, active, patience)
    if is_going(workload):
        return Turn(status=status)
    planned = outstanding(wanted, pods).planned
    base = f"{workload['metadata']['name']}-"
    made = named(planned, lambda _: base, seed_of(workload, pods), taken)
    removed = least_wanted(active)[: max(0, len(active) - len(wanted))]
    told = (
        *(Told(words.CREATED, words.pod_created(one["metadata"]["name"])) for one in made),
        *(Told(words.DELETED, words.pod_deleted(pod.metadata.name)) for pod in removed),
    )
    again = next_available(active, patience)
    return Turn(make=tuple(made), remove=tuple(map(pod_ref, removed)), status=status, told=told, again=again)


def _status(workload: PlainView, active: Sequence[Pod], patience: Patience) -> PlainView:
    labels = mapping(look_up(template_of(workload), ("metadata", "labels")))
    labelled = sum(1 for pod in active if labels.items() <= pod.metadata.labels.items())
    ready = sum(1 for pod in active if is_ready(pod))
    available = sum(1 for pod in active if is_available(pod, patience))
    counts: dict[str, Any] = {"fullyLabeledReplicas": labelled, "readyReplicas": ready, "availableReplicas": available}
    return {"replicas": len(active), **{name: count for name, count in counts.items() if count}, **observed(workload)}
