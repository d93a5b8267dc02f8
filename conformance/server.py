"""The API server of a scenario: what is applied and patched becomes steps, or is refused and noted.

Everything that was applied before is in sight when an object is admitted. The recordings' form of a refusal is
`[what, code, reason, message]`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from dravite.admission.admit import admit
from dravite.admission.internal import to_internal
from dravite.admission.plugins import InSight
from dravite.admission.reading import with_metadata
from dravite.admission.refusals import Refused, not_found
from dravite.admission.requests import Verb, Write, judge
from dravite.api.codec import encode, from_plain
from dravite.api.convert import from_hub, to_hub
from dravite.api.core_v1 import Node, NodeStatus
from dravite.api.document import Document, Problem
from dravite.api.documents import split
from dravite.api.field import FieldError
from dravite.api.meta import Model, ObjectRef
from dravite.api.registry import known_kind
from dravite.api.releases import Profile
from dravite.rehearsal.steps import Apply, Step
from dravite.snapshot.changes import Editable
from dravite.snapshot.manifests import Manifests, PlannedPod
from dravite.snapshot.snapshot import Snapshot

_JUDGED: Final = (
    "PodGroup",
    "CompositePodGroup",
    "Workload",
    "ResourceClaim",
    "ResourceClaimTemplate",
    "ResourceSlice",
)
"""Kinds whose requests are judged as a server does; of others the faults that admission finds are told."""

_UPDATES: Final[Mapping[str | None, Verb]] = {None: "update", "status": "update status"}
"""What a patch of a subresource is."""


class Server:
    """What was applied so far, and what was refused."""

    def __init__(self, documents: Sequence[Document], profile: Profile) -> None:
        self._documents = list(documents)
        self._profile = profile
        self._versions = {_ref_of(one, json.loads(bytes(one.body))): one.api_version for one in documents}
        self.refused: list[list[Any]] = []

    def create(self, document: Document, snapshot: Snapshot) -> Iterator[Step]:
        """Apply a document: the object itself, or the pods that it stands for."""
        raw = json.loads(bytes(document.body))
        ref = _ref_of(document, raw)
        refusal = self._why_not(document, ref, snapshot)
        if refusal is not None:
            self.refused.append([_what(ref), *refusal])
            return
        self._documents.append(document)
        self._versions[ref] = document.api_version
        yield from _objects(admit(self._documents, self._profile), ref)

    def patch(self, ref: ObjectRef, step: Mapping[str, Any], snapshot: Snapshot) -> Iterator[Step]:
        """Apply a merge patch to an object that is there."""
        if ref.kind == "Job":
            yield from self._patched_job(ref, step["with"], snapshot)
            return
        current = _current(snapshot, ref)
        if current is None:
            group = self._versions.get(ref, "v1").rpartition("/")[0]
            missing = not_found(f'{_resource(ref.kind, group)} "{ref.name}" not found')
            self.refused.append([f"patch of {ref.kind} {ref.name}", missing.code, missing.reason, missing.message])
            return
        verb = _UPDATES.get(step["patch"].get("subresource"))
        patched: Model | Refused | tuple[FieldError, ...]
        if ref.kind in _JUDGED and verb is not None:
            patched = self._judged(current, ref, verb, step["with"], snapshot)
        else:
            patched = from_plain(_merged(json.loads(encode(current)), step["with"]), type(current))
        if isinstance(patched, Refused):
            self.refused.append([f"patch of {ref.kind} {ref.name}", patched.code, patched.reason, patched.message])
        elif not isinstance(patched, tuple):
            yield Apply(patched)  # type: ignore[arg-type]

    def _patched_job(self, ref: ObjectRef, patch: Any, snapshot: Snapshot) -> Iterator[Step]:
        """A Job as it is after the patch: what it needs besides what is there already."""
        for place, document in enumerate(self._documents):
            raw = json.loads(bytes(document.body))
            if _ref_of(document, raw) == ref:
                body = json.dumps(_merged(raw, patch)).encode()
                self._documents[place] = next(iter(split(document.origin.file, body)))
        for step in _objects(admit(self._documents, self._profile), ref):
            if isinstance(step, Apply) and _current(snapshot, _ref_to(step.object)) is None:
                yield step

    def forget(self, ref: ObjectRef) -> None:
        """An object is deleted: it is not in sight any more."""
        kept = [one for one in self._documents if _ref_of(one, json.loads(bytes(one.body))) != ref]
        self._documents = kept

    def _why_not(self, document: Document, ref: ObjectRef, snapshot: Snapshot) -> tuple[int, str, str] | None:
        if ref.kind in _JUDGED:
            write = Write(
                verb="create",
                api_version=document.api_version,
                kind=ref.kind,
                namespace=ref.namespace,
                body=bytes(document.body),
            )
            answer = judge(write, self._in_sight(snapshot), self._profile)
            return (answer.code, answer.reason, answer.message) if isinstance(answer, Refused) else None
        found = admit((*self._documents, document), self._profile)
        errors = [one for one in found.problems if one.severity == "error" and one.object == str(ref)]
        return _told(errors, document, ref) if errors else None

    def _judged(self, current: Model, ref: ObjectRef, verb: Verb, patch: Any, snapshot: Snapshot) -> Model | Refused:
        """The object after an update as a server stores it."""
        version = self._versions[ref]
        meta = current.metadata  # type: ignore[attr-defined]
        current = with_metadata(current, msgspec.structs.replace(meta, resource_version="1"))
        written = from_hub(current, version).object
        body = json.dumps(_merged(json.loads(encode(written)), patch)).encode()
        old = to_internal(current, self._profile)
        write = Write(
            verb=verb,
            api_version=version,
            kind=ref.kind,
            namespace=ref.namespace,
            name=ref.name,
            body=body,
            old=old,
        )
        answer = judge(write, self._in_sight(snapshot), self._profile)
        return answer if isinstance(answer, Refused) else to_hub(answer.object).object

    def _in_sight(self, snapshot: Snapshot) -> InSight:
        manifests = admit(self._documents, self._profile)
        namespaces = {one.metadata.name: one.metadata.labels for one in manifests.namespaces}
        workloads = {
            (one.metadata.namespace, one.metadata.name): from_hub(one, "scheduling.k8s.io/v1alpha2").object
            for one in manifests.workloads
        }
        return InSight(
            namespaces={"default": {}, **namespaces},
            nodes=snapshot.nodes,
            priority_classes=manifests.priority_classes,
            workloads=workloads,  # type: ignore[arg-type]
        )


def _objects(manifests: Manifests, ref: ObjectRef) -> Iterator[Step]:
    groups: tuple[tuple[Model, ...], ...] = (
        manifests.nodes,
        manifests.slices,
        manifests.classes,
        manifests.claims,
        manifests.templates,
        manifests.taint_rules,
        manifests.namespaces,
        manifests.pod_groups,
        manifests.composite_pod_groups,
        manifests.budgets,
    )
    for one in (one for group in groups for one in group):
        meta = one.metadata  # type: ignore[attr-defined]
        if ObjectRef(one.kind, meta.namespace, meta.name) == ref:  # type: ignore[attr-defined]
            if isinstance(one, Node):  # its status comes in a second request
                yield Apply(msgspec.structs.replace(one, status=NodeStatus()))
            yield Apply(one)  # type: ignore[arg-type]
    for group in manifests.pod_groups:
        if any((owner.kind, owner.name) == (ref.kind, ref.name) for owner in group.metadata.owner_references):
            yield Apply(group)
    own = [one for one in manifests.pods if (one.owner or _ref_to(one.pod)) == ref]
    for planned in _as_made(own) if ref.kind == "Job" else own:
        yield Apply(planned.pod, planned.owner)


def _as_made(pods: Sequence[PlannedPod]) -> Iterator[PlannedPod]:
    """The pods in the order in which the Job controller makes them: one, two, four and so on, each lot backwards."""
    begin, lot = 0, 1
    while begin < len(pods):
        yield from reversed(pods[begin : begin + lot])
        begin, lot = begin + lot, lot * 2


def _ref_to(obj: Editable) -> ObjectRef:
    return ObjectRef(obj.kind, obj.metadata.namespace, obj.metadata.name)


def _told(errors: Sequence[Problem], document: Document, ref: ObjectRef) -> tuple[int, str, str]:
    """A refusal in the server's words, from what admission found."""
    group = document.api_version.rpartition("/")[0]
    dotted = f".{group}" if group else ""
    if errors[0].type == "Forbidden":
        return 403, "Forbidden", f'{_resource(ref.kind, group)} "{ref.name}" is forbidden: {errors[0].message}'
    causes = [f"{one.field}: {one.message}" for one in errors]
    told = causes[0] if len(causes) == 1 else f"[{', '.join(causes)}]"
    return 422, "Invalid", f'{ref.kind}{dotted} "{ref.name}" is invalid: {told}'


def _resource(kind: str, group: str) -> str:
    """A kind as errors name it."""
    info = known_kind(group, kind)
    plural = info.plural if info is not None else f"{kind.lower()}s"
    return f"{plural}.{group}" if group else plural


def _ref_of(document: Document, raw: Mapping[str, Any]) -> ObjectRef:
    info = known_kind(document.api_version.rpartition("/")[0], document.kind)
    namespaced = info is None or info.scope == "Namespaced"
    meta = raw.get("metadata", {})
    return ObjectRef(document.kind, meta.get("namespace", "default") if namespaced else "", meta.get("name", ""))


def _what(ref: ObjectRef) -> str:
    return f"{ref.kind} {ref.namespace}/{ref.name}" if ref.namespace else f"{ref.kind} {ref.name}"


def _current(snapshot: Snapshot, ref: ObjectRef) -> Model | None:
    key = (ref.namespace, ref.name)
    match ref.kind:
        case "Pod":
            planned = snapshot.pod(ref)
            return planned.pod if planned is not None else None
        case "ResourceClaim":
            return snapshot.claims.get(key)
        case "PodGroup":
            return snapshot.pod_groups.get(key)
        case "CompositePodGroup":
            return snapshot.composite_pod_groups.get(key)
        case "DeviceClass":
            return snapshot.classes.get(ref.name)
        case "Node" | "ResourceSlice" | "DeviceTaintRule":
            kept: Mapping[str, Sequence[Model]] = {
                "Node": snapshot.nodes,
                "ResourceSlice": snapshot.manifests.slices,
                "DeviceTaintRule": snapshot.manifests.taint_rules,
            }
            return next((one for one in kept[ref.kind] if one.metadata.name == ref.name), None)  # type: ignore[attr-defined]
        case _:
            return None


def _merged(value: Any, patch: Any) -> Any:
    """JSON merge patch (RFC 7386)."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(value) if isinstance(value, dict) else {}
    for key, part in patch.items():
        if part is None:
            merged.pop(key, None)
        else:
            merged[key] = _merged(merged.get(key), part)
    return merged
