"""Documents → the world, and what is wrong with each object by itself.

Each object is taken, converted, defaulted and checked as if it were applied alone, by the same functions that admission
uses. Nothing is merged and nothing is planned: a suspended workload's template is as worth reading as any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from dravite.admission.notices import unknown_version
from dravite.admission.problems import Subject, spoils
from dravite.admission.promised import promised_template
from dravite.admission.quotas import raw_quota
from dravite.admission.reading import Taken, about, faults_of, raw_ref, take
from dravite.api.codec import Decoded, decode_plain, decode_raw
from dravite.api.core_v1 import Pod
from dravite.api.defaults import default
from dravite.api.document import Document, Problem
from dravite.api.documents import why_no_manifest
from dravite.api.gated_fields import drop_gated
from dravite.api.meta import ObjectMeta, ObjectRef
from dravite.api.registry import lookup
from dravite.api.releases import Profile
from dravite.lint.finding import finding
from dravite.lint.versions import gate_problems, having, is_kept, version_problems
from dravite.lint.world import Item, PodItem, QuotaItem
from dravite.validation import why_not_create
from dravite.workloads import PodTemplates, makes_pods, pod_templates, unknown_fields


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked: documents to speak of, documents around them, and how a server would look at both.

    Attributes:
        complete: whether `around` was given, even if it holds nothing.
    """

    documents: tuple[Document, ...]
    around: tuple[Document, ...] = ()
    complete: bool = False
    profile: Profile
    namespace: str = "default"
    pod_templates: PodTemplates


class Read(msgspec.Struct, frozen=True):
    """What one document holds."""

    items: tuple[Item, ...] = ()
    pods: tuple[PodItem, ...] = ()
    mentioned: tuple[ObjectRef, ...] = ()
    problems: tuple[Problem, ...] = ()
    quotas: tuple[QuotaItem, ...] = ()


def read_document(document: Document, asked: Asked, *, around: bool) -> Read:
    """The objects of one document. Problems are found for surroundings, too; the caller drops them."""
    passed_over = why_no_manifest(document)
    if passed_over is not None:
        return Read(problems=(passed_over,))
    if not document.body or not document.kind or not document.api_version:
        return Read(problems=document.problems)
    if lookup(document.api_version, document.kind) is not None:
        return _typed(document, asked, around=around)
    quota = raw_quota(document, asked.namespace)
    if quota is not None:
        return Read(problems=document.problems, quotas=(QuotaItem(quota, document.origin.file, around),))
    raw = decode_raw(document)
    raw = {**raw, "apiVersion": document.api_version, "kind": document.kind} if isinstance(raw, dict) else {}
    if makes_pods(raw, asked.pod_templates):
        return _workload(document, raw, asked, around=around)
    problem = unknown_version(document)
    if problem is None:
        promised = promised_template(document, asked.namespace)
        return Read(mentioned=promised[:1] if promised is not None else (), problems=document.problems)
    return Read((), (), (raw_ref(document, document.kind, asked.namespace),), (*document.problems, problem))


def _typed(document: Document, asked: Asked, *, around: bool) -> Read:
    profile = having(document.kind, asked.profile)
    taken = take(document, profile, asked.namespace)
    if not isinstance(taken, Taken):
        info = lookup(document.api_version, document.kind)
        space = asked.namespace if info is not None and info.scope == "Namespaced" else None
        return Read(mentioned=(raw_ref(document, document.kind, space),), problems=taken)
    errors = faults_of(taken, profile)
    problems = (
        *(problem for problem in taken.problems if is_kept(problem, taken, asked.profile)),
        *version_problems(taken, asked.profile),
        *gate_problems(taken.subject, taken.dropped, asked.profile),
        *taken.subject.errors(errors),
    )
    item = Item(taken=taken, around=around, good=not errors and not any(map(spoils, problems)))
    pods = (PodItem(pod=item.object, subject=item.subject, around=around),) if isinstance(item.object, Pod) else ()
    return Read((item,), pods, (), problems)


def _workload(document: Document, raw: Mapping[str, Any], asked: Asked, *, around: bool) -> Read:
    """A workload of a kind without a type: its pod templates are looked at, and that it has no field it cannot have."""
    ref = raw_ref(document, document.kind, asked.namespace)
    whole = Subject(ref, document)
    problems: list[Problem] = [*about(whole, document.problems), *whole.unknown(unknown_fields(raw))]
    pods: list[PodItem] = []
    for template, path in pod_templates(raw, asked.pod_templates):
        subject = Subject(ref, document, path)
        decoded = decode_plain(_as_pod(template, ref), Pod)
        if not isinstance(decoded, Decoded):
            problems += subject.errors(decoded)
            continue
        pod, dropped = drop_gated(default(decoded.object, asked.profile), asked.profile)
        assert isinstance(pod, Pod)  # noqa: S101 (it was decoded as one)
        pods.append(PodItem(pod=pod, subject=subject, around=around))
        problems += subject.unknown(decoded.unknown)
        problems += gate_problems(subject, dropped, asked.profile)
        problems += subject.errors(why_not_create(pod, asked.profile))
    return Read((), tuple(pods), (ref,), tuple(problems))


def _as_pod(template: Mapping[str, Any], ref: ObjectRef) -> dict[str, Any]:
    """The template as the pod that it stands for, under a name that is never at fault."""
    given = template.get("metadata")
    given = given if isinstance(given, Mapping) else {}
    kept = {name: given[name] for name in ("labels", "annotations", "finalizers") if name in given}
    named = {"name": "pod", "namespace": ref.namespace, **kept}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": named, "spec": template.get("spec")}


def twice(items: Sequence[Item]) -> Iterator[Problem]:
    """Objects that stand in one folder more than once."""
    seen: dict[tuple[ObjectRef, str], Item] = {}
    for item in items:
        key = (item.ref, item.file.rpartition("/")[0])
        first = seen.setdefault(key, item)
        if first is not item and not _drawn(item):
            same = first.object == item.object
            origin = first.document.origin
            message = f"{item.ref} is here twice, first in {origin.file}:{origin.line}"
            message += "" if same else "; whichever is applied last counts"
            yield finding(item.subject, "object-read-twice", message)


def _drawn(item: Item) -> bool:
    """Whether the server draws the object's name, so that there may be many of it."""
    meta: ObjectMeta = item.object.metadata
    return not meta.name
