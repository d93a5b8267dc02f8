"""Advice with the changes that it comes to, before anybody knows whether it helps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias, TypeVar

import msgspec

from dravite.api.core_v1 import Pod, pod_ref
from dravite.api.meta import ObjectRef
from dravite.diagnosis.reasons import ConstraintID
from dravite.explain.case import Case
from dravite.explain.diagnose import Diagnosis
from dravite.explain.groups.trials import tree_of
from dravite.explain.objects.editing import edited
from dravite.explain.remedies.advice import Step
from dravite.snapshot.changes import Change, Editable, SetObject
from dravite.snapshot.snapshot import Snapshot


class Proposal(NamedTuple):
    """An advice and the edits that follow it.

    Attributes:
        family: proposals of one family mend the same thing; once one works the others are not tried.
        advice, changes: what to do.
        replanned: pods that have to be planned again with it, because the changes concern them too.
        nodes: where it is meant to help: they are asked before anything is planned. Empty where that is open.
    """

    family: tuple[object, ...]
    advice: Step
    changes: tuple[Change, ...]
    replanned: tuple[ObjectRef, ...] = ()
    nodes: tuple[str, ...] = ()


N = TypeVar("N")
Proposer: TypeAlias = Callable[[Case, Diagnosis], Iterator[Proposal]]


def notes_of(found: Diagnosis, kind: type[N]) -> tuple[N, ...]:
    """The notes of one kind."""
    return tuple(note for note in found.told.notes if isinstance(note, kind))


def object_of(snapshot: Snapshot, ref: ObjectRef) -> Editable | None:
    """The object as the snapshot has it; None for kinds that are not edited, and for what is not there."""
    key = (ref.namespace, ref.name)
    match ref.kind:
        case "ResourceClaim":
            return snapshot.claims.get(key)
        case "ResourceClaimTemplate":
            return snapshot.templates.get(key)
        case "DeviceClass":
            return snapshot.classes.get(ref.name)
        case "Pod":
            planned = snapshot.pods.get(key)
            return None if planned is None else _without_made_claims(snapshot, planned.pod)
        case "ResourceSlice":
            return next((one for one in snapshot.manifests.slices if one.metadata.name == ref.name), None)
        case _:
            return None


def pod_of(case: Case) -> Pod:
    """The pod as somebody wrote it: it knows nothing of claims that a controller would make for it."""
    return _without_made_claims(case.snapshot, case.spec)


def _without_made_claims(snapshot: Snapshot, pod: Pod) -> Pod:
    namespace = pod.metadata.namespace
    kept = tuple(
        status
        for status in pod.status.resource_claim_statuses
        if (namespace, status.resource_claim_name or "") not in snapshot.made_claims
    )
    return edited(pod, "status.resourceClaimStatuses", value(kept))


def edit_pod(case: Case, path: str, edit: Callable[[Any], Any]) -> tuple[Change, ...]:
    """The change of one field of the pod, and of those of its group that are like it; none where no field is there."""
    try:
        return tuple(SetObject(edited(pod, path, edit)) for pod in _to_edit(case))
    except LookupError:
        return ()


def edited_pods(case: Case, edit: Callable[[Pod], Pod]) -> tuple[Change, ...]:
    """The change of the pod, and of those of its group that are like it."""
    return tuple(SetObject(edit(pod)) for pod in _to_edit(case))


def edit_workload(
    case: Case, path: str, edit: Callable[[Any], Any]
) -> tuple[tuple[Change, ...], tuple[ObjectRef, ...]]:
    """As `edit_pod`, for what pods of one workload mean to each other: all that wait are changed, and planned again."""
    tree, owner = tree_of(case.plan, case.ref), case.decision.owner
    if tree is not None or owner is None:
        return edit_pod(case, path, edit), ()
    others = tuple(_alike(case, (one.pod for one in case.plan.decisions if one.owner == owner)))
    if not others:
        return edit_pod(case, path, edit), ()
    changes = tuple(SetObject(edited(pod, path, edit)) for pod in (pod_of(case), *others))
    return changes, tuple(map(pod_ref, others))


def _to_edit(case: Case) -> Iterator[Pod]:
    """The pod, and the waiting pods of its groups that ask the same: one template made them all."""
    yield pod_of(case)
    tree = tree_of(case.plan, case.ref)
    keys = (key for leaf in (tree[1].leaves() if tree else ()) for key in case.snapshot.members.get(leaf.key) or ())
    yield from _alike(case, (ObjectRef("Pod", *key) for key in keys))


def _alike(case: Case, pods: Iterable[ObjectRef]) -> Iterator[Pod]:
    """The others of some pods that wait for this plan and ask the same, as they were before they had a node."""
    for ref in pods:
        planned = case.snapshot.pod(ref)
        if planned is not None and ref != case.ref and is_planned(case, ref):
            spec = msgspec.structs.replace(planned.pod.spec, node_name="")
            if spec == case.spec.spec:
                yield _without_made_claims(case.snapshot, msgspec.structs.replace(planned.pod, spec=spec))


def edit_at(snapshot: Snapshot, place: ConstraintID, edit: Callable[[Any], Any]) -> tuple[Change, ...]:
    """The change of one field of an object; none where object or field is not there."""
    found = object_of(snapshot, place.object)
    if found is None:
        return ()
    try:
        return (SetObject(edited(found, place.path, edit)),)
    except LookupError:
        return ()


def value(new: object) -> Callable[[Any], Any]:
    """An edit that puts a value in the place of whatever is there."""
    return lambda _: new


def appended(element: object) -> Callable[[Any], Any]:
    """An edit that adds an element to a list."""
    return lambda elements: (*elements, element)


def is_planned(case: Case, pod: ObjectRef) -> bool:
    """Whether a pod waits for this plan; one that runs cannot be changed any more."""
    return case.plan.decision(pod) is not None
