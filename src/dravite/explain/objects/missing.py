"""Objects that a pod or its claims name and that are not there: what is there instead, here and elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from dravite.api.core_v1 import Pod
from dravite.api.meta import ObjectRef
from dravite.api.near import near_names
from dravite.diagnosis.findings import MissingObject
from dravite.explain.insights import MissingName
from dravite.explain.objects.editing import value_at
from dravite.snapshot.snapshot import Snapshot

NAMES_LISTED: Final = 8


def missing_name(snapshot: Snapshot, pod: Pod, found: MissingObject) -> MissingName:
    """The missing object with what exists of its kind.

    A claim that was made from a template names what the template names, so the template is said to name it: that is
    where somebody wrote it.
    """
    missing = found.missing
    names = sorted(ref.name for ref in _of_kind(snapshot, missing.kind) if ref.namespace == missing.namespace)
    elsewhere = sorted(
        ref
        for ref in _of_kind(snapshot, missing.kind)
        if ref.name == missing.name and ref.namespace != missing.namespace
    )
    named_by, field = written_in(snapshot, pod, found.named_by, found.field)
    return MissingName(
        named_by=named_by,
        field=field,
        missing=missing,
        near=near_names(missing.name, names),
        existing=tuple(names[:NAMES_LISTED]),
        existing_total=len(names),
        elsewhere=tuple(elsewhere),
        request=_request(snapshot, found) if missing.kind == "DeviceClass" else None,
        drivers=drivers(snapshot) if missing.kind == "DeviceClass" else (),
        promised_by=snapshot.manifests.promised.get(missing),
    )


def drivers(snapshot: Snapshot) -> tuple[str, ...]:
    """The drivers that publish devices, by name."""
    return tuple(sorted({one.spec.driver for one in snapshot.inventory.index.slices if one.spec.devices}))


def written_in(snapshot: Snapshot, pod: Pod, ref: ObjectRef, field: str) -> tuple[ObjectRef, str]:
    """Where a field of a claim was written: in its template, for a claim of the pod that does not exist yet."""
    if ref.kind != "ResourceClaim" or (ref.namespace, ref.name) not in snapshot.made_claims:
        return ref, field
    entry = next((s.name for s in pod.status.resource_claim_statuses if s.resource_claim_name == ref.name), None)
    template = next((e.resource_claim_template_name for e in pod.spec.resource_claims if e.name == entry), None)
    if template is None:
        return ref, field
    return ObjectRef("ResourceClaimTemplate", ref.namespace, template), f"spec.{field}"


def _of_kind(snapshot: Snapshot, kind: str) -> Iterable[ObjectRef]:
    if kind == "DeviceClass":
        return (ObjectRef(kind, "", name) for name in snapshot.classes)
    if kind == "ResourceClaimTemplate":
        return (ObjectRef(kind, *key) for key in snapshot.templates)
    if kind == "ResourceClaim":
        return (ObjectRef(kind, *key) for key, _ in snapshot.claims.items() if key not in snapshot.made_claims)
    if kind == "PodGroup":
        return (ObjectRef(kind, *key) for key in snapshot.pod_groups)
    return ()


def _request(snapshot: Snapshot, found: MissingObject) -> str | None:
    """The request whose class is missing, `request/alternative` for an alternative."""
    claim = snapshot.claim(found.named_by.namespace, found.named_by.name)
    if claim is None:
        return None
    steps = found.field.split(".")
    try:
        parent = value_at(claim, ".".join(steps[:3])).name
        inner = value_at(claim, ".".join(steps[:4]))
    except LookupError:
        return None
    alternative = getattr(inner, "name", "")
    return f"{parent}/{alternative}" if alternative else str(parent)
