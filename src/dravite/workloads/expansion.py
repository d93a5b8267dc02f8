"""A workload document becomes the pods that its controller would make.

The documents stay raw: these kinds have no types here, and what is not understood is carried over untouched. Names
that a controller draws at random are replaced by deterministic ones and marked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from dravite.api.field import ErrorType, FieldError
from dravite.api.meta import ObjectRef
from dravite.api.plain import Plain, PlainView
from dravite.workloads.counting import Place, places
from dravite.workloads.raw_paths import EACH, Entry, entries, look_up, resolve
from dravite.workloads.rows import PodTemplateRow, PodTemplates

COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index"


class ExpandedPod(msgspec.Struct, frozen=True, kw_only=True):
    """One pod that a workload asks for.

    Attributes:
        pod: the raw pod, with name, namespace, labels and owner; not defaulted.
        owner: the workload. Its ownerReference in the pod has a uid only if the workload has one.
        template_owner: the object that the template stands in; the workload itself but for kinds that refer to one.
        template_path: the field path of the template in it, `spec.template`.
        inferred: whether the name is dravite's.
        per_node: whether this stands for one pod on every node that it can run on; see `daemons`.
        marks: labels that tell this pod from its siblings, for finding it among pods that exist.
    """

    pod: PlainView
    owner: ObjectRef
    template_owner: ObjectRef
    template_path: str
    inferred: bool = False
    per_node: bool = False
    marks: Mapping[str, str] = {}

    @property
    def name(self) -> str:
        return str(self.pod["metadata"]["name"])


def group_of(document: PlainView) -> str:
    """The API group of a raw document; empty for the core group and for documents without apiVersion."""
    return str(document.get("apiVersion") or "").rpartition("/")[0]


def rows_of(document: PlainView, table: PodTemplates) -> tuple[PodTemplateRow, ...]:
    """The pod templates that a document of this kind has; none for a kind that makes no pods."""
    return table.get((group_of(document), str(document.get("kind") or "")), ())


def reference(document: PlainView) -> ObjectRef:
    """Which object a raw document is."""
    metadata = document.get("metadata")
    metadata = metadata if isinstance(metadata, Mapping) else {}
    kind = str(document.get("kind") or "")
    return ObjectRef(kind, str(metadata.get("namespace") or ""), str(metadata.get("name") or ""))


def expand_rows(
    document: PlainView, rows: Sequence[PodTemplateRow]
) -> tuple[ExpandedPod, ...] | tuple[FieldError, ...]:
    """The pods of one workload in the order of its templates, or every reason why they cannot be told."""
    pods: list[ExpandedPod] = []
    errors: list[FieldError] = []
    for row in rows:
        for entry in entries(document, row.template):
            made = _of_template(document, row, entry)
            if isinstance(made, FieldError):
                errors.append(made)
            else:
                pods.extend(made)
    if not errors and not any(row.optional for row in rows):
        errors.extend(_absent(document, rows))
    return tuple(_each_once(errors)) if errors else tuple(pods)


def _each_once(errors: Sequence[FieldError]) -> Iterator[FieldError]:
    """The value of an error may be a list or a mapping, so errors are compared and not hashed."""
    return (error for place, error in enumerate(errors) if error not in errors[:place])


def templates(document: PlainView, rows: Sequence[PodTemplateRow]) -> Iterator[tuple[PlainView, str]]:
    """Every pod template that stands in a document, with its path, whatever number of pods it makes."""
    for row in rows:
        for entry in entries(document, row.template):
            found = _template(document, row, entry)
            if isinstance(found, tuple):
                yield found


def _of_template(document: PlainView, row: PodTemplateRow, entry: Entry) -> tuple[ExpandedPod, ...] | FieldError:
    found = _template(document, row, entry)
    if isinstance(found, FieldError):
        return found
    if found is None:
        return ()
    template, path = found
    counted = places(document, row, entry)
    if isinstance(counted, FieldError):
        return counted
    return tuple(_pod(document, row, (template, path), (entry, place)) for place in counted)


def _template(document: PlainView, row: PodTemplateRow, entry: Entry) -> tuple[PlainView, str] | FieldError | None:
    for candidate in filter(None, (row.template, row.fallback)):
        steps, path = resolve(candidate, entry)
        template = look_up(document, steps)
        if isinstance(template, Mapping) and isinstance(template.get("spec"), Mapping):
            return template, path
        if template is not None:
            return FieldError(type=ErrorType.REQUIRED, field=f"{path}.spec", detail="a pod template needs a spec")
    if row.optional:
        return None
    return FieldError(type=ErrorType.REQUIRED, field=resolve(row.template, entry)[1], detail="a pod template is needed")


def _absent(document: PlainView, rows: Sequence[PodTemplateRow]) -> Iterator[FieldError]:
    """A list of templates that is not there at all."""
    for row in rows:
        path = row.template.partition(EACH)[0]
        if EACH in row.template and look_up(document, path.split(".")) is None:
            yield FieldError(type=ErrorType.REQUIRED, field=path, detail="a pod template is needed")


def _pod(
    document: PlainView, row: PodTemplateRow, template: tuple[PlainView, str], where: tuple[Entry, Place]
) -> ExpandedPod:
    owner = reference(document)
    words = _words(owner, *where)
    name = _filled(row.name, words)
    marks = {key: _filled(pattern, words | {"pod": name}) for key, pattern in row.labels.items()}
    completion = where[1].completion
    if completion is not None:
        marks[COMPLETION_INDEX] = str(completion)
    source, path = template
    metadata = _metadata(source.get("metadata"), marks, completion)
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": owner.namespace, **metadata, "ownerReferences": [_owned_by(document)]},
        "spec": source["spec"],
    }
    return ExpandedPod(
        pod=pod,
        owner=owner,
        template_owner=owner,
        template_path=path,
        inferred=row.inferred,
        per_node=row.per_node,
        marks=marks,
    )


def _words(owner: ObjectRef, entry: Entry, place: Place) -> dict[str, str]:
    return {
        "name": owner.name,
        "entry": entry.label,
        "type": entry.label.lower(),
        "replica": str(place.replica),
        "index": str(place.index),
        "ordinal": str(place.ordinal),
        "replicas": str(place.replicas),
    }


def _filled(pattern: str, words: Mapping[str, str]) -> str:
    """The pattern with its words; `{node}` stays for `daemons` to fill."""
    for word, value in words.items():
        pattern = pattern.replace("{" + word + "}", value)
    return pattern


def _metadata(given: Any, marks: Mapping[str, str], completion: int | None) -> Plain:
    """Labels and annotations of the template, and those of the controller over them."""
    given = given if isinstance(given, Mapping) else {}
    labels, annotations = given.get("labels") or {}, given.get("annotations") or {}
    if completion is not None and isinstance(annotations, Mapping):
        annotations = {**annotations, COMPLETION_INDEX: str(completion)}
    if isinstance(labels, Mapping):
        labels = {**labels, **marks}
    parts = {"labels": labels, "annotations": annotations, "finalizers": given.get("finalizers")}
    return {name: value for name, value in parts.items() if value}


def _owned_by(document: PlainView) -> Plain:
    metadata = document.get("metadata")
    uid = metadata.get("uid") if isinstance(metadata, Mapping) else None
    owner = {
        "apiVersion": document.get("apiVersion"),
        "kind": document.get("kind"),
        "name": reference(document).name,
        "controller": True,
        "blockOwnerDeletion": True,
    }
    return {**owner, "uid": uid} if uid else owner
