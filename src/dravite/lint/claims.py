"""What pods and claims say of each other, and what a claim alone gives away."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from dravite.admission.skipping import skips_scheduler
from dravite.api.core_v1 import Container
from dravite.api.document import Problem
from dravite.api.field import child
from dravite.api.meta import ObjectRef
from dravite.api.resource_v1 import DeviceRequest, ResourceClaim, ResourceClaimSpec, ResourceClaimTemplate
from dravite.api.scheduling_v1beta1 import (
    CompositePodGroup,
    CompositePodGroupTemplate,
    PodGroup,
    Workload,
    WorkloadSpec,
)
from dravite.lint.finding import did_you_mean, finding
from dravite.lint.world import Item, PodItem, World

MAX_DEVICES: Final = 32
"""What one claim can hold (R-4)."""

NO_REQUEST: Final = "request-not-found"
UNUSED: Final = "claim-entry-unused"
NAMED_TWICE: Final = "claim-named-twice"
TOO_LARGE: Final = "claim-too-large"
NO_TIMESTAMP: Final = "allocation-without-timestamp"
NO_TEMPLATE: Final = "pod-group-template-not-found"

_BOTH_GATES: Final = ("DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus")


def of_pods(world: World) -> Iterator[Problem]:
    """Entries of `spec.resourceClaims` against the containers that use them and the claims that they mean."""
    for item in world.pods:
        if not item.around and item.pod.spec.resource_claims:
            yield from skips_scheduler(item.pod, item.subject, partial(_claim_of, world, item))
            yield from _unused_entries(item)
            yield from _named_twice(item)
            yield from _requests(world, item)


def _claim_of(world: World, item: PodItem, name: str) -> ResourceClaim | None:
    found = world.meant(ObjectRef("ResourceClaim", item.namespace, name), item)
    return None if found is None else found.object


def _containers(item: PodItem) -> Iterator[tuple[str, Container]]:
    for field, containers in (
        ("initContainers", item.pod.spec.init_containers),
        ("containers", item.pod.spec.containers),
    ):
        for position, container in enumerate(containers):
            yield child("spec", field, position), container


def _unused_entries(item: PodItem) -> Iterator[Problem]:
    used = {claim.name for _, container in _containers(item) for claim in container.resources.claims}
    for position, entry in enumerate(item.pod.spec.resource_claims):
        if entry.name and entry.name not in used:
            message = f"no container uses entry {entry.name}: its devices are reserved and reach nobody"
            hint = f"add `- name: {entry.name}` under resources.claims of the container that is to have them"
            yield finding(item.subject, UNUSED, message, child("spec", "resourceClaims", position), hint)


def _named_twice(item: PodItem) -> Iterator[Problem]:
    """Entries that name a claim which an earlier one names: a claim is reserved for a pod once (A3.1)."""
    first: dict[str, str] = {}
    for position, entry in enumerate(item.pod.spec.resource_claims):
        name = entry.resource_claim_name
        if name and first.setdefault(name, entry.name) != entry.name:
            message = (
                f"entries {first[name]} and {entry.name} name the same claim {name}, which the scheduler then tries to"
                " reserve twice: the pod is never bound"
            )
            path = child("spec", "resourceClaims", position, "resourceClaimName")
            hint = f"let all containers use entry {first[name]}, and leave this one out"
            yield finding(item.subject, NAMED_TWICE, message, path, hint)


def _requests(world: World, item: PodItem) -> Iterator[Problem]:
    """Containers that name a request which the claim of the entry does not have."""
    claims = {entry.name: entry for entry in item.pod.spec.resource_claims}
    for place, container in _containers(item):
        for position, use in enumerate(container.resources.claims):
            entry = claims.get(use.name)
            if entry is None or not use.request:
                continue
            kind, name = (
                ("ResourceClaim", entry.resource_claim_name)
                if entry.resource_claim_name
                else ("ResourceClaimTemplate", entry.resource_claim_template_name)
            )
            ref = ObjectRef(kind, item.namespace, name or "")
            meant = world.meant(ref, item)
            names = () if meant is None else request_names(spec_of(meant)[0])
            if meant is not None and meant.good and use.request not in names:
                yield _no_request(item, f"{place}.resources.claims[{position}].request", (use.request, ref), names)


def _no_request(item: PodItem | Item, path: str, asked: tuple[str, ObjectRef], names: tuple[str, ...]) -> Problem:
    name, ref = asked
    message = f"{ref} has no request {name}; it has {', '.join(names) or 'none at all'}"
    return finding(item.subject, NO_REQUEST, message, path, did_you_mean(name, names))


def spec_of(item: Item) -> tuple[ResourceClaimSpec, str]:
    """The spec of a claim, or of those that a template makes, and where it stands."""
    if isinstance(item.object, ResourceClaimTemplate):
        return item.object.spec.spec, "spec.spec"
    claim: ResourceClaim = item.object
    return claim.spec, "spec"


def request_names(spec: ResourceClaimSpec) -> tuple[str, ...]:
    """What results and containers may call the requests of a claim: `req`, and `req/sub` for alternatives."""
    return tuple(
        name
        for request in spec.devices.requests
        for name in (request.name, *(f"{request.name}/{sub.name}" for sub in request.first_available))
    )


def of_claims(world: World) -> Iterator[Problem]:
    """Claims and templates by themselves."""
    for item in (*world.targets(ResourceClaim), *world.targets(ResourceClaimTemplate)):
        yield from _too_large(item)
    for item in world.targets(ResourceClaim):
        yield from _allocation(world, item)


def _too_large(item: Item) -> Iterator[Problem]:
    spec, path = spec_of(item)
    wanted = sum(map(_least, spec.devices.requests))
    if wanted > MAX_DEVICES:
        message = f"asks for {wanted} devices, and a claim holds at most {MAX_DEVICES}: no node can ever serve it"
        hint = f"split it into claims of at most {MAX_DEVICES} devices"
        yield finding(item.subject, TOO_LARGE, message, child(path, "devices", "requests"), hint)


def _least(request: DeviceRequest) -> int:
    """How many devices a request takes at least; `All` takes what there is."""
    if request.exactly is not None:
        return request.exactly.count if request.exactly.allocation_mode == "ExactCount" else 0
    counts = [sub.count if sub.allocation_mode == "ExactCount" else 0 for sub in request.first_available]
    return min(counts, default=0)


def _allocation(world: World, item: Item) -> Iterator[Problem]:
    claim: ResourceClaim = item.object
    allocation = claim.status.allocation
    if allocation is None:
        return
    if allocation.allocation_timestamp is None and all(map(world.profile.enabled, _BOTH_GATES)):
        message = (
            "is allocated without allocationTimestamp: the scheduler cannot reserve it for another pod, "
            "which stays pending with a SchedulerError"
        )
        hint = "set status.allocation.allocationTimestamp when the allocation is written, it cannot be added later"
        yield finding(item.subject, NO_TIMESTAMP, message, "status.allocation", hint)
    names = request_names(claim.spec)
    for position, result in enumerate(allocation.devices.results):
        if result.request and result.request not in names:
            path = child("status", "allocation", "devices", "results", position, "request")
            yield _no_request(item, path, (result.request, item.ref), names)


def of_groups(world: World) -> Iterator[Problem]:
    """Groups that name a template which their Workload does not have."""
    for item in (*world.targets(PodGroup), *world.targets(CompositePodGroup)):
        reference = item.object.spec.workload_ref
        if reference is None or not reference.template_name:
            continue
        workload = world.meant(ObjectRef("Workload", item.ref.namespace, reference.workload_name), item)
        if workload is None or not workload.good or workload.taken.dropped:
            continue
        names = tuple(_template_names(workload.object))
        if reference.template_name not in names:
            message = f"{workload.ref} has no template {reference.template_name}; it has {', '.join(names) or 'none'}"
            hint = did_you_mean(reference.template_name, names)
            yield finding(item.subject, NO_TEMPLATE, message, "spec.workloadRef.templateName", hint)


def _template_names(workload: Workload) -> Iterator[str]:
    pending: list[WorkloadSpec | CompositePodGroupTemplate] = [workload.spec]
    while pending:
        one = pending.pop(0)
        yield from (template.name for template in one.pod_group_templates)
        yield from (template.name for template in one.composite_pod_group_templates)
        pending += one.composite_pod_group_templates
