"""Other objects: existing ones in the place of missing ones; claims that are shared, separate or split."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

import msgspec

from dravite.api.core_v1 import Pod, PodResourceClaim
from dravite.api.meta import ObjectMeta, ObjectRef
from dravite.api.resource_v1 import (
    CELDeviceSelector,
    DeviceClass,
    DeviceClassSpec,
    DeviceSelector,
    ResourceClaim,
    ResourceClaimTemplate,
    ResourceClaimTemplateSpec,
)
from dravite.diagnosis.reasons import ConstraintID
from dravite.explain import notes as n
from dravite.explain.case import Case
from dravite.explain.diagnose import Diagnosis
from dravite.explain.insights import MissingName
from dravite.explain.objects.editing import edited
from dravite.explain.remedies import advice as a
from dravite.explain.remedies.proposals import (
    Proposal,
    edit_at,
    edit_pod,
    is_planned,
    notes_of,
    object_of,
    pod_of,
    value,
)
from dravite.snapshot.changes import Change, SetObject

NAMES_TRIED = 4

_OTHER_SOURCE: Final[Mapping[str, str]] = {
    "ResourceClaim": "ResourceClaimTemplate",
    "ResourceClaimTemplate": "ResourceClaim",
}


def use_existing(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """Name an object that exists: a near name first, then whatever there is."""
    for missing in found.told.missing:
        place = ConstraintID(missing.named_by, missing.field)
        for name in _usable_names(missing):
            use = ObjectRef(missing.missing.kind, missing.missing.namespace, name)
            advice = a.UseObject(missing.named_by, missing.field, missing.missing, use)
            of_pod = missing.named_by == case.ref
            changes = edit_pod(case, place.path, value(name)) if of_pod else edit_at(case.snapshot, place, value(name))
            yield Proposal(("use", place, name in missing.near), advice, changes)


def _usable_names(missing: MissingName) -> tuple[str, ...]:
    """Any template or claim may be as good; another class is other hardware, so only a misspelt one is mended.

    None takes the place of a template that somebody is about to make.
    """
    if missing.promised_by is not None:
        return ()
    others = () if missing.missing.kind == "DeviceClass" else missing.existing
    return tuple(dict.fromkeys((*missing.near, *others)))[:NAMES_TRIED]


def copy_from_elsewhere(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """Create the object here as it is in another namespace."""
    for missing in found.told.missing:
        for existing in missing.elsewhere[:1]:
            copied = _copy(case, existing, missing)
            if copied is not None:
                yield Proposal(("copy", missing.missing), a.CopyObject(existing, missing.missing), (SetObject(copied),))


def _copy(case: Case, existing: ObjectRef, missing: MissingName) -> ResourceClaim | ResourceClaimTemplate | None:
    found = object_of(case.snapshot, existing)
    metadata = ObjectMeta(name=existing.name, namespace=missing.missing.namespace, uid=f"<uid of {missing.missing}>")
    match found:
        case ResourceClaim():
            return ResourceClaim(metadata=metadata, spec=found.spec)
        case ResourceClaimTemplate():
            return ResourceClaimTemplate(metadata=metadata, spec=found.spec)
        case _:
            return None


def create_class(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """The class that is missing, where a driver of its name publishes devices."""
    del case
    for missing in found.told.missing:
        name = missing.missing.name
        if missing.missing.kind == "DeviceClass" and name in missing.drivers:
            selector = DeviceSelector(cel=CELDeviceSelector(expression=f'device.driver == "{name}"'))
            made = DeviceClass(metadata=ObjectMeta(name=name), spec=DeviceClassSpec(selectors=(selector,)))
            yield Proposal(("class", name), a.CreateClass(name), (SetObject(made),))


def name_other_source(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """A template of that name where the entry names a claim that is not there, or the other way round."""
    namespace = case.ref.namespace
    for missing in found.told.missing:
        kind, name = _OTHER_SOURCE.get(missing.missing.kind, ""), missing.missing.name
        source = ObjectRef(kind, namespace, name)
        if missing.named_by != case.ref or object_of(case.snapshot, source) is None:
            continue
        of_template = kind == "ResourceClaimTemplate"
        place = ConstraintID(case.ref, missing.field.rpartition(".")[0])
        changes = edit_pod(case, place.path, _from(name if of_template else None, None if of_template else name))
        yield Proposal(("source", place), a.NameOtherSource(place, source), changes)


def _from(template: str | None, claim: str | None) -> Callable[[PodResourceClaim], PodResourceClaim]:
    """An edit of an entry: what its claim comes from."""
    return lambda entry: msgspec.structs.replace(
        entry, resource_claim_template_name=template, resource_claim_name=claim
    )


def share_a_claim(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """One claim for pods that have each one of their own from the same template."""
    notes = notes_of(found, n.ClaimEach)
    for template in dict.fromkeys(note.template for note in notes):
        made = object_of(case.snapshot, template)
        others = tuple(note.pod for note in notes if note.template == template)
        pods = (*others, case.ref)
        if not isinstance(made, ResourceClaimTemplate) or not all(is_planned(case, pod) for pod in pods):
            continue
        claim = ObjectRef("ResourceClaim", template.namespace, template.name)
        metadata = ObjectMeta(name=claim.name, namespace=claim.namespace, uid=f"<uid of {claim}>")
        changes: list[Change] = [SetObject(ResourceClaim(metadata=metadata, spec=made.spec.spec))]
        changes += [SetObject(_with_claim(case, pod, template.name, claim.name)) for pod in pods]
        yield Proposal(("share", template), a.ShareClaim(template, claim, pods), tuple(changes), pods)


def _with_claim(case: Case, ref: ObjectRef, template: str, claim: str) -> Pod:
    """The pod with the claim in the place of the template."""
    pod = case.plan.start.pods[(ref.namespace, ref.name)].pod
    entries = tuple(
        msgspec.structs.replace(entry, resource_claim_template_name=None, resource_claim_name=claim)
        if entry.resource_claim_template_name == template
        else entry
        for entry in pod.spec.resource_claims
    )
    return edited(pod, "spec.resourceClaims", value(entries))


def claim_per_pod(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """A template in the place of a claim that is allocated where the pod cannot run, for all pods that still wait."""
    for note in notes_of(found, n.ClaimIsOneAllocation):
        claim = object_of(case.snapshot, note.claim)
        if not isinstance(claim, ResourceClaim):
            continue
        template = ObjectRef("ResourceClaimTemplate", note.claim.namespace, note.claim.name)
        metadata = ObjectMeta(name=template.name, namespace=template.namespace, uid=f"<uid of {template}>")
        made = ResourceClaimTemplate(metadata=metadata, spec=ResourceClaimTemplateSpec(spec=claim.spec))
        pods = tuple(one.pod for one in case.plan.decisions if _names_claim(case, one.pod, note.claim))
        changes = (SetObject(made), *(SetObject(_with_template(case, pod, template.name)) for pod in pods))
        yield Proposal(("each", note.claim), a.ClaimPerPod(note.claim, template, pods), changes, pods)


def _names_claim(case: Case, pod: ObjectRef, claim: ObjectRef) -> bool:
    planned = case.plan.start.pod(pod)
    entries = planned.pod.spec.resource_claims if planned is not None and pod.namespace == claim.namespace else ()
    return any(entry.resource_claim_name == claim.name for entry in entries)


def _with_template(case: Case, ref: ObjectRef, name: str) -> Pod:
    """The pod with the template in the place of the claim of that name."""
    pod = case.plan.start.pods[(ref.namespace, ref.name)].pod
    entries = tuple(
        msgspec.structs.replace(entry, resource_claim_name=None, resource_claim_template_name=name)
        if entry.resource_claim_name == name
        else entry
        for entry in pod.spec.resource_claims
    )
    return edited(pod, "spec.resourceClaims", value(entries))


def split_claim(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """Several claims in the place of one that asks for more devices than a claim can hold."""
    for note in notes_of(found, n.ClaimLimit):
        made = object_of(case.snapshot, note.claim)
        if not isinstance(made, ResourceClaimTemplate | ResourceClaim):
            continue
        spec = made.spec.spec if isinstance(made, ResourceClaimTemplate) else made.spec
        if len(spec.devices.requests) != 1 or spec.devices.requests[0].exactly is None:
            continue
        counts = _shares(note.asked, note.limit)
        request = spec.devices.requests[0]
        changes: list[Change] = []
        for number, count in enumerate(counts):
            part = edited(spec, "devices.requests[0].exactly.count", value(count))
            metadata = msgspec.structs.replace(made.metadata, name=f"{made.metadata.name}-{number}")
            template = ResourceClaimTemplate(metadata=metadata, spec=ResourceClaimTemplateSpec(spec=part))
            changes.append(SetObject(template))
        pod = _with_split_entry(pod_of(case), made.metadata.name, len(counts))
        advice = a.SplitClaim(note.claim, request.name, counts)
        yield Proposal(("split", note.claim), advice, (*changes, SetObject(pod)))


def _shares(asked: int, limit: int) -> tuple[int, ...]:
    """The devices spread as evenly as they go over as few claims as it takes."""
    parts = -(-asked // limit)
    return tuple(asked // parts + (number < asked % parts) for number in range(parts))


def _with_split_entry(pod: Pod, source: str, parts: int) -> Pod:
    """The pod with an entry per part, in the place of the entry that names the claim or template."""
    entries = []
    for entry in pod.spec.resource_claims:
        if source not in (entry.resource_claim_name, entry.resource_claim_template_name):
            entries.append(entry)
            continue
        for number in range(parts):
            part = msgspec.structs.replace(
                entry,
                name=f"{entry.name}-{number}",
                resource_claim_name=None,
                resource_claim_template_name=f"{source}-{number}",
            )
            entries.append(part)
    return edited(pod, "spec.resourceClaims", value(tuple(entries)))
