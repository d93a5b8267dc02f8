"""The pods that workloads stand for, less those that exist: typed and defaulted like pods that were read.

What the kinds mean is `workloads`' to know; here their raw pods become objects, and their faults problems that point
into the workload's text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from dravite.admission.identities import stand_in_uid
from dravite.admission.notices import dropped_notice
from dravite.admission.pods import Candidate
from dravite.admission.problems import Subject, spoils
from dravite.admission.reading import about
from dravite.api.codec import Decoded, decode_plain, decode_raw
from dravite.api.core_v1 import Node, Pod
from dravite.api.defaults import default
from dravite.api.document import Document, Problem
from dravite.api.field import FieldError
from dravite.api.gated_fields import drop_gated
from dravite.api.meta import ObjectMeta, ObjectRef, OwnerReference, controller_of
from dravite.api.releases import Profile
from dravite.api.scheduling_v1beta1 import PodGroup
from dravite.snapshot.manifests import PlannedPod
from dravite.workloads import (
    ExpandedPod,
    JobGroup,
    Outstanding,
    Owned,
    Owners,
    PodTemplates,
    daemon_nodes,
    expand,
    in_group,
    job_group,
    makes_pods,
    outstanding,
    pin_to_node,
    rollout,
    surplus,
    unknown_fields,
    why_not_accepted,
)
from dravite.workloads.raw_paths import listed

ROLLOUT: Final = "rollout-in-steps"
SCALED_DOWN: Final = "more-pods-than-wanted"
_RUNTIMES: Final = ("TrainingRuntime", "ClusterTrainingRuntime")


class Workload(msgspec.Struct, frozen=True):
    """A document that stands for pods, or that such a document refers to."""

    raw: Mapping[str, Any]
    ref: ObjectRef
    document: Document
    makes_pods: bool

    @property
    def subject(self) -> Subject:
        return Subject(self.ref, self.document)

    @property
    def uid(self) -> str:
        return str(self.raw["metadata"]["uid"])

    @property
    def stand_in(self) -> str:
        """The uid that it has if it was given none."""
        return stand_in_uid(self.ref.kind, ObjectMeta(name=self.ref.name, namespace=self.ref.namespace))


class Surroundings(msgspec.Struct, frozen=True):
    """What decides which pods a workload still needs, and in which groups."""

    pods: tuple[Pod, ...]
    nodes: tuple[Node, ...]
    groups: tuple[PodGroup, ...]
    profile: Profile
    table: PodTemplates


class Made(msgspec.Struct, frozen=True):
    """The pods to plan for workloads, their groups, what is wrong with them, and pods that end before they begin."""

    candidates: tuple[Candidate, ...] = ()
    groups: tuple[PodGroup, ...] = ()
    problems: tuple[Problem, ...] = ()
    removed: frozenset[ObjectRef] = frozenset()


def as_workload(document: Document, namespace: str, table: PodTemplates) -> Workload | None:
    """The workload of a document, or None for one of a kind that has nothing to do with pods."""
    raw = decode_raw(document)
    if not isinstance(raw, dict):
        return None
    raw = {**raw, "apiVersion": document.api_version, "kind": document.kind}
    pods = makes_pods(raw, table)
    if not pods and document.kind not in _RUNTIMES:
        return None
    given = raw.get("metadata")
    meta = given if isinstance(given, dict) else {}
    space = meta.get("namespace") or ("" if document.kind.startswith("Cluster") else namespace)
    name = meta.get("name") or f"{meta.get('generateName') or ''}1"
    ref = ObjectRef(document.kind, str(space), str(name))
    uid = meta.get("uid") or stand_in_uid(ref.kind, ObjectMeta(name=ref.name, namespace=ref.namespace))
    raw["metadata"] = {**meta, "name": ref.name, "namespace": ref.namespace, "uid": uid}
    return Workload(raw, ref, document, pods)


def pods_of_workloads(workloads: Sequence[Workload], around: Surroundings) -> Made:
    """The pods that all workloads still need, in the order in which the workloads were read."""
    latest = _latest(workloads)
    owners = Owners((*map(_owned_workload, latest.values()), *map(_owned_pod, around.pods)))
    existing: dict[ObjectRef, list[Pod]] = {}
    for pod in around.pods:
        existing.setdefault(owners.root_of(_owned_pod(pod)).ref, []).append(pod)
    made = [
        _pods_of(item, latest, existing.get(item.ref, ()), around)
        for item in latest.values()
        if item.makes_pods and owners.root_of(_owned_workload(item)).ref == item.ref
    ]
    texts = (problem for item in latest.values() for problem in _problems_of_text(item))
    return Made(
        candidates=tuple(candidate for one in made for candidate in one.candidates),
        groups=tuple(group for one in made for group in one.groups),
        problems=(*texts, *(problem for one in made for problem in one.problems)),
        removed=frozenset(ref for one in made for ref in one.removed),
    )


def _problems_of_text(item: Workload) -> Iterator[Problem]:
    yield from about(item.subject, item.document.problems)
    if item.document.handwritten and not item.document.stored:
        yield from item.subject.unknown(unknown_fields(item.raw))


def _latest(workloads: Sequence[Workload]) -> Mapping[ObjectRef, Workload]:
    """Each workload as it was read last; its uid stays, so that what it owns stays its own."""
    latest: dict[ObjectRef, Workload] = {}
    for item in workloads:
        before = latest.get(item.ref)
        if before is not None and item.uid == item.stand_in:
            meta = {**item.raw["metadata"], "uid": before.uid}
            item = msgspec.structs.replace(item, raw={**item.raw, "metadata": meta})
        latest[item.ref] = item
    return latest


def _pods_of(
    item: Workload, latest: Mapping[ObjectRef, Workload], existing: Sequence[Pod], around: Surroundings
) -> Made:
    others = [other.raw for other in latest.values() if other.ref != item.ref]
    expanded = expand(item.raw, around.table, others)
    wanted = tuple(pod for pod in expanded if isinstance(pod, ExpandedPod))
    refused = tuple(why_not_accepted(item.raw))
    if refused or len(wanted) < len(expanded):
        errors = [error for error in expanded if not isinstance(error, ExpandedPod)]
        return Made(problems=item.subject.errors((*refused, *errors)))
    group = _group_of(item, existing, around)
    if isinstance(group, FieldError):
        return Made(problems=item.subject.errors((group,)))
    if group is not None:
        wanted = tuple(in_group(pod, group.metadata.name) for pod in wanted)
    if item.ref.kind == "Deployment":
        sets = [other for other in others if other.get("kind") == "ReplicaSet"]
        needed = rollout(item.raw, wanted, existing, sets)
    else:
        needed = outstanding(wanted, existing)
        needed = msgspec.structs.replace(needed, removed=surplus(item.ref.kind, wanted, existing))
    candidates = tuple(
        candidate for pod in needed.planned for candidate in _candidates(pod, latest, needed.covered, around)
    )
    removed = frozenset(ObjectRef("Pod", item.ref.namespace, name) for name in needed.removed)
    made = (group,) if group is not None and group not in around.groups else ()
    return Made(candidates, made, tuple(_steps(item, needed)), removed)


def _group_of(item: Workload, existing: Sequence[Pod], around: Surroundings) -> PodGroup | FieldError | None:
    """The group of a Job's pods: the one that is there, or the one that its controller makes before the first pod."""
    profile = around.profile
    if item.ref.kind != "Job" or not profile.enabled("WorkloadWithJob"):
        return None
    found = job_group(item.raw, "every-job" if profile.is_at_least("1.37") else "indexed-gangs")
    if not isinstance(found, JobGroup):
        return found
    there = (one for one in around.groups if one.metadata.namespace == item.ref.namespace and _owns(item, one))
    group = next(there, None)
    if group is not None or existing:
        return group
    decoded = decode_plain(found.pod_group, PodGroup)
    made = default(decoded.object, profile) if isinstance(decoded, Decoded) else None
    return made if isinstance(made, PodGroup) else None


def _owns(item: Workload, group: PodGroup) -> bool:
    return any(owner.controller and owner.uid == item.uid for owner in group.metadata.owner_references)


def _steps(item: Workload, needed: Outstanding) -> Iterator[Problem]:
    """What a controller does besides making pods."""
    names = ", ".join(needed.removed)
    if needed.removed and not needed.planned:
        number = len(needed.removed)
        message = f"it wants {number} {'pod' if number == 1 else 'pods'} fewer than there are: {names}"
        yield item.subject.problem("info", SCALED_DOWN, message, "spec")
    elif needed.removed:
        yield item.subject.problem(
            "info", ROLLOUT, f"the rollout ends {names} before it makes new pods", "spec.strategy"
        )
    if needed.later:
        message = f"the rollout goes in steps: {needed.later} more pods follow when those of this step are ready"
        yield item.subject.problem("info", ROLLOUT, message, "spec.strategy")


def _candidates(
    pod: ExpandedPod, latest: Mapping[ObjectRef, Workload], covered: frozenset[str], around: Surroundings
) -> Iterator[Candidate]:
    template = latest.get(pod.template_owner) or latest[pod.owner]
    subject = Subject(pod.owner, template.document, pod.template_path)
    if not pod.per_node:
        yield _candidate(pod, subject, around.profile)
        return
    first = _candidate(pod, subject, around.profile)
    if any(spoils(problem) for problem in first.problems):
        yield first
        return
    for name in daemon_nodes(first.planned.pod, around.nodes):
        if name not in covered:
            yield _candidate(pin_to_node(pod, name), subject, around.profile)


def _candidate(expanded: ExpandedPod, subject: Subject, profile: Profile) -> Candidate:
    decoded = decode_plain(expanded.pod, Pod)
    if not isinstance(decoded, Decoded):
        from dravite.admission.legible import faults  # most templates fit

        problems = tuple(faults(expanded.pod, Pod, subject, decoded, profile))
        return Candidate(PlannedPod(Pod(), expanded.owner), subject, problems)
    found = default(decoded.object, profile)
    assert isinstance(found, Pod)  # noqa: S101 (it was decoded as one)
    pod, dropped = drop_gated(found, profile)
    planned = PlannedPod(pod, expanded.owner, expanded.inferred, expanded.template_path)
    notices = (dropped_notice(field, subject, profile) for field in dropped)
    return Candidate(planned, subject, (*subject.unknown(decoded.unknown), *notices))


def _owned_pod(pod: Pod) -> Owned:
    meta = pod.metadata
    controller = controller_of(meta)
    return Owned(ObjectRef("Pod", meta.namespace, meta.name), meta.uid, controller, meta.labels)


def _owned_workload(item: Workload) -> Owned:
    meta = item.raw["metadata"]
    owners = listed(meta.get("ownerReferences"))
    controllers = (_owner(owner) for owner in owners if isinstance(owner, dict) and owner.get("controller"))
    labels = meta.get("labels")
    return Owned(item.ref, item.uid, next(controllers, None), labels if isinstance(labels, dict) else {})


def _owner(raw: Mapping[str, Any]) -> OwnerReference:
    return OwnerReference(
        api_version=str(raw.get("apiVersion") or ""),
        kind=str(raw.get("kind") or ""),
        name=str(raw.get("name") or ""),
        uid=str(raw.get("uid") or ""),
        controller=True,
    )
