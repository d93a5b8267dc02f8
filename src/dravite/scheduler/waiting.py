"""Which pods never reach the scheduler, and why (A5.1, F1.1, F9.8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dravite.api.core_v1 import Pod
from dravite.diagnosis.findings import MissingObject
from dravite.diagnosis.verdicts import Waiting
from dravite.scheduler.ordering import SCHEDULER_NAME
from dravite.snapshot.groups import Group, members, root_of, scheme_of
from dravite.snapshot.pod_claims import PodClaim, pod_claims
from dravite.snapshot.snapshot import Key, Snapshot, group_key


def claims_or_waiting(snapshot: Snapshot, pod: Pod) -> tuple[PodClaim, ...] | Waiting:
    """The claims of a pod that may be scheduled, or what it waits for."""
    spec = pod.spec
    if spec.scheduling_gates:
        return Waiting(reason="scheduling-gate", detail=", ".join(gate.name for gate in spec.scheduling_gates))
    if spec.scheduler_name not in ("", SCHEDULER_NAME):
        return Waiting(reason="other-scheduler", detail=spec.scheduler_name)
    return _why_no_group(snapshot, pod) or pod_claims(snapshot, pod)


def why_group_waits(snapshot: Snapshot, root: Group, pods: Iterable[Key]) -> Mapping[Key, Waiting]:
    """Why the waiting pods of a tree are not scheduled; nothing for those that are.

    Where trees are scheduled as a whole one pod that waits for something else keeps back all others (E3.2, E3.3).
    """
    waits: dict[Key, Waiting] = {}
    ready: list[Key] = []
    for key in pods:
        found = claims_or_waiting(snapshot, snapshot.pods[key].pod)
        if isinstance(found, Waiting):
            waits[key] = found
        else:
            ready.append(key)
    if waits and scheme_of(snapshot.profile) == "as-a-whole":
        others = Waiting(reason="group-gated", detail=", ".join(name for _, name in waits))
        return {**waits, **dict.fromkeys(ready, others)}
    if is_complete(snapshot, root):
        return waits
    return {**waits, **dict.fromkeys(ready, Waiting(reason="group-incomplete", detail=_what_is_there(snapshot, root)))}


def is_complete(snapshot: Snapshot, group: Group) -> bool:
    """Whether a tree has the members that it needs, those that run included."""
    return _present(snapshot, group) >= (group.minimum or 1)


def _present(snapshot: Snapshot, group: Group) -> int:
    if group.is_composite:
        return sum(is_complete(snapshot, child) for child in group.children)
    return len(members(snapshot, group.key))


def _what_is_there(snapshot: Snapshot, root: Group) -> str:
    what = "groups with enough pods" if root.is_composite else "pods"
    return f"{_present(snapshot, root)} of {root.minimum or 1} {what}"


def _why_no_group(snapshot: Snapshot, pod: Pod) -> Waiting | None:
    """A pod that names a group waits for it and for the groups above, where groups are scheduled at all (E3.2)."""
    if group_key(pod) is None or scheme_of(snapshot.profile) == "none":
        return None
    root = root_of(snapshot, pod)
    return Waiting(reason="group-missing", missing=(root,)) if isinstance(root, MissingObject) else None
