"""Names that lead nowhere: classes, templates, claims, requests, groups, workloads, priority classes.

A server takes all of them on trust, but for the PriorityClass of a pod. A name counts as wrong only where the object
would have to be here: surroundings were given, or the files hold other objects of its kind in its namespace.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from dravite.admission.priorities import SYSTEM
from dravite.admission.problems import Subject
from dravite.api.document import Problem
from dravite.api.field import child, keyed
from dravite.api.meta import ObjectRef
from dravite.api.resource_v1 import ResourceClaim, ResourceClaimSpec, ResourceClaimTemplate
from dravite.api.scheduling_v1beta1 import (
    CompositePodGroup,
    CompositePodGroupTemplate,
    PodGroup,
    PodGroupResourceClaim,
    PodGroupTemplate,
    Workload,
)
from dravite.lint.finding import did_you_mean, finding
from dravite.lint.world import Item, PodItem, World
from dravite.snapshot.requests import IMPLICIT_PREFIX

CODES: Final = {
    "DeviceClass": "class-not-found",
    "ResourceClaimTemplate": "template-not-found",
    "ResourceClaim": "claim-not-found",
    "PodGroup": "pod-group-not-found",
    "CompositePodGroup": "composite-pod-group-not-found",
    "Workload": "workload-not-found",
    "PriorityClass": "priority-class-not-found",
}
_BUILT_IN: Final = frozenset(name for name, _ in SYSTEM)


class Reference(msgspec.Struct, frozen=True):
    """A name of an object in a field of another one; `near` is what stands in the file."""

    near: Item | PodItem
    path: str
    target: ObjectRef

    @property
    def subject(self) -> Subject:
        return self.near.subject


def dangling(world: World) -> Iterator[Problem]:
    """Every name that leads nowhere, in the order of the input."""
    for reference in references(world):
        problem = _why_dangling(world, reference)
        if problem is not None:
            yield problem


def unchecked(world: World) -> tuple[tuple[str, int], ...]:
    """How many names of each kind could not be followed, because there is nothing of that kind to find."""
    counts: dict[str, int] = {}
    for reference in references(world):
        kind, name = reference.target.kind, reference.target.name
        known = world.has(reference.target) or _must_be_here(world, reference.target)
        if not known and not (kind == "PriorityClass" and name in _BUILT_IN):
            counts[kind] = counts.get(kind, 0) + 1
    return tuple(counts.items())


def references(world: World) -> Iterator[Reference]:
    """All names of other objects in what is asked about."""
    for item in world.items:
        if not item.around:
            yield from _of_object(item)
    for pod in world.pods:
        if not pod.around:
            yield from _of_pod(pod)


def _why_dangling(world: World, reference: Reference) -> Problem | None:
    target = reference.target
    if world.has(target) or (target.kind == "PriorityClass" and target.name in _BUILT_IN):
        return None
    if not _must_be_here(world, target):
        return None
    code = CODES[target.kind]
    place = f" in namespace {target.namespace}" if target.namespace else ""
    message = f"there is no {target.kind} {target.name} among the objects given{place}"
    found = finding(reference.subject, code, message, reference.path, _meant(world, target))
    if target.kind == "PriorityClass" and not isinstance(reference.near, PodItem):
        return msgspec.structs.replace(found, severity="warning")  # only pods are refused for it (5.4)
    return found


def _must_be_here(world: World, target: ObjectRef) -> bool:
    """Whether an object of this kind would be among the files if it existed."""
    return (world.complete and target.kind != "PriorityClass") or bool(world.names(target.kind, target.namespace))


def _meant(world: World, target: ObjectRef) -> str | None:
    spaces = world.namespaces_of(target.kind, target.name)
    if spaces:
        return f"it is in namespace {spaces[0]}: names do not reach into other namespaces"
    return did_you_mean(target.name, world.names(target.kind, target.namespace))


def _of_pod(item: PodItem) -> Iterator[Reference]:
    spec = item.pod.spec
    made = {status.name for status in item.pod.status.resource_claim_statuses}
    for position, entry in enumerate(spec.resource_claims):
        if entry.name in made:
            continue  # its claim was made already, and a template is read once (A2.10)
        path = child("spec", "resourceClaims", position)
        yield from _claim(item, path, entry.resource_claim_name, entry.resource_claim_template_name)
    if spec.scheduling_group is not None and spec.scheduling_group.pod_group_name:
        target = ObjectRef("PodGroup", item.namespace, spec.scheduling_group.pod_group_name)
        yield Reference(item, "spec.schedulingGroup.podGroupName", target)
    if spec.workload_ref is not None and spec.workload_ref.name:
        yield Reference(item, "spec.workloadRef.name", ObjectRef("Workload", item.namespace, spec.workload_ref.name))
    if spec.priority_class_name:
        yield Reference(item, "spec.priorityClassName", ObjectRef("PriorityClass", "", spec.priority_class_name))
    for field, containers in (("initContainers", spec.init_containers), ("containers", spec.containers)):
        for position, container in enumerate(containers):
            for resource in sorted({*container.resources.limits, *container.resources.requests}):
                if resource.startswith(IMPLICIT_PREFIX):
                    kept = "limits" if resource in container.resources.limits else "requests"
                    path = keyed(child("spec", field, position, "resources", kept), resource)
                    yield Reference(item, path, ObjectRef("DeviceClass", "", resource.removeprefix(IMPLICIT_PREFIX)))


def _claim(item: Item | PodItem, path: str, claim: str | None, template: str | None) -> Iterator[Reference]:
    namespace = item.subject.ref.namespace
    if claim:
        yield Reference(item, f"{path}.resourceClaimName", ObjectRef("ResourceClaim", namespace, claim))
    if template:
        target = ObjectRef("ResourceClaimTemplate", namespace, template)
        yield Reference(item, f"{path}.resourceClaimTemplateName", target)


def _of_object(item: Item) -> Iterator[Reference]:
    match item.object:
        case ResourceClaim() as claim:
            yield from _classes(item, claim.spec, "spec")
        case ResourceClaimTemplate() as template:
            yield from _classes(item, template.spec.spec, "spec.spec")
        case PodGroup() as group:
            yield from _group(item, group)
        case CompositePodGroup() as composite:
            yield from _parents(item, composite)
            yield from _priority(item, "spec", composite.spec.priority_class_name)
        case Workload() as workload:
            yield from _templates(item, workload.spec.pod_group_templates, "spec")
            yield from _composites(item, workload.spec.composite_pod_group_templates, "spec")


def _classes(item: Item, spec: ResourceClaimSpec, path: str) -> Iterator[Reference]:
    for position, request in enumerate(spec.devices.requests):
        place = child(path, "devices", "requests", position)
        wanted = ((child(place, "exactly"), request.exactly.device_class_name),) if request.exactly else ()
        alternatives = (
            (child(place, "firstAvailable", number), sub.device_class_name)
            for number, sub in enumerate(request.first_available)
        )
        for where, name in (*wanted, *alternatives):
            if name:
                yield Reference(item, f"{where}.deviceClassName", ObjectRef("DeviceClass", "", name))


def _group(item: Item, group: PodGroup) -> Iterator[Reference]:
    yield from _parents(item, group)
    yield from _group_claims(item, group.spec.resource_claims, "spec")
    yield from _priority(item, "spec", group.spec.priority_class_name)


def _parents(item: Item, group: PodGroup | CompositePodGroup) -> Iterator[Reference]:
    namespace = item.ref.namespace
    if group.spec.workload_ref is not None and group.spec.workload_ref.workload_name:
        target = ObjectRef("Workload", namespace, group.spec.workload_ref.workload_name)
        yield Reference(item, "spec.workloadRef.workloadName", target)
    if group.spec.parent_composite_pod_group_name:
        target = ObjectRef("CompositePodGroup", namespace, group.spec.parent_composite_pod_group_name)
        yield Reference(item, "spec.parentCompositePodGroupName", target)


def _group_claims(item: Item, claims: Sequence[PodGroupResourceClaim], path: str) -> Iterator[Reference]:
    for position, entry in enumerate(claims):
        place = child(path, "resourceClaims", position)
        yield from _claim(item, place, entry.resource_claim_name, entry.resource_claim_template_name)


def _priority(item: Item, path: str, name: str) -> Iterator[Reference]:
    if name:
        yield Reference(item, child(path, "priorityClassName"), ObjectRef("PriorityClass", "", name))


def _templates(item: Item, templates: Sequence[PodGroupTemplate], path: str) -> Iterator[Reference]:
    for position, template in enumerate(templates):
        place = child(path, "podGroupTemplates", position)
        yield from _group_claims(item, template.resource_claims, place)
        yield from _priority(item, place, template.priority_class_name)


def _composites(item: Item, templates: Sequence[CompositePodGroupTemplate], path: str) -> Iterator[Reference]:
    for position, template in enumerate(templates):
        place = child(path, "compositePodGroupTemplates", position)
        yield from _priority(item, place, template.priority_class_name)
        yield from _templates(item, template.pod_group_templates, place)
        yield from _composites(item, template.composite_pod_group_templates, place)
