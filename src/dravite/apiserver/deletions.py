"""Delete one object or a collection: preconditions, propagation, and finalizers that hold an object back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from dravite.api.field import ErrorType, FieldError
from dravite.api.plain import Plain
from dravite.api.releases import Profile
from dravite.apiserver import bodies, drafts, forms, grace_periods, namespaces, reads, statuses
from dravite.apiserver.backend import (
    Backend,
    Response,
    deprecations,
    key_of,
    kind_of_key,
    record_of,
    with_revision,
)
from dravite.apiserver.list_options import list_options
from dravite.apiserver.requests import Request, Target, why_not_options
from dravite.store import Key, Record
from dravite.validation.wording import in_words_of

_OPTIONS: Final = "DeleteOptions"
_POLICIES: Final = ("Foreground", "Background", "Orphan")
_FINALIZERS: Final = {"Foreground": "foregroundDeletion", "Orphan": "orphan"}
_ORPHANING: Final = (("batch", "Job"), ("", "ReplicationController"))
"""The kinds whose pods stay, unless a deletion says what is to become of them (observed on 1.37.2)."""


_PODS_STAY: Final = (
    "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set "
    "propagationPolicy=Orphan to suppress this warning"
)


class DeleteOptions(msgspec.Struct, frozen=True):
    """How a deletion is meant. Empty preconditions do not matter; `cascades` says that somebody wants no orphans."""

    dry_run: bool
    policy: str
    uid: str = ""
    revision: str = ""
    grace: int | None = None
    cascades: bool = False


class _Preconditions(msgspec.Struct, rename="camel"):
    uid: str | None = None
    resource_version: str | None = None


class _Sent(msgspec.Struct, rename="camel"):
    """DeleteOptions as they are in a body."""

    dry_run: tuple[str, ...] | None = None
    propagation_policy: str | None = None
    orphan_dependents: bool | None = None
    grace_period_seconds: int | None = None
    preconditions: _Preconditions | None = None


def delete(backend: Backend, target: Target, request: Request) -> Response:
    """Delete an object, or mark it as deleted where a finalizer holds it."""
    options = delete_options(backend, request)
    told = _told(target, options)
    with statuses.warning(told):
        record = record_of(backend, target)
        check_preconditions(record, target, options)
        gone, plain, revision = remove(backend, target, record, options)
    warnings = (*deprecations(backend, target), *told)
    if gone and target.kind.deletes_to.get(target.version) == "Status":
        meta = plain["metadata"]
        body = statuses.success(target.kind, target.name, meta["uid"])
        form = reads.form_of_object(target, request).content_type
        return Response(200, body, form, warnings=warnings, revision=revision)
    found = Record(record.key, revision or record.revision, msgspec.json.encode(plain))
    answer = reads.answer(backend, target, request, found)
    code = 202 if options.cascades and not gone and answer.code == 200 else answer.code
    return msgspec.structs.replace(answer, code=code, warnings=warnings, revision=revision)


def _told(target: Target, options: DeleteOptions) -> tuple[str, ...]:
    """What a client is warned of who does not say what is to become of the pods of a job."""
    return (_PODS_STAY,) if not options.policy and (target.kind.group, target.kind.kind) == _ORPHANING[0] else ()


def delete_collection(backend: Backend, target: Target, request: Request) -> Response:
    """Delete what a list would show; answers with that list."""
    listed = list_options(request, target, backend.profile, watching=False)
    options = delete_options(backend, request)
    found, head = reads.page(backend, target, listed)
    told, last = _told(target, options) if found else (), 0
    for record in found:
        one = msgspec.structs.replace(target, namespace=record.key.namespace, name=record.key.name)
        check_preconditions(record, one, options)
        last = max(last, remove(backend, one, record, options)[2])
    items = [drafts.shown(record, target.kind, target.version) for record in found]
    taken = reads.form_of_list(target, request)
    body = forms.listed(items, head, target, taken, ("Metadata", backend.source.now()))
    warnings = (*deprecations(backend, target), *told)
    return Response(200, body, taken.content_type, warnings=warnings, revision=last)


def remove(backend: Backend, target: Target, record: Record, options: DeleteOptions) -> tuple[bool, Plain, int]:
    """Delete a record, or mark it; whether it is gone, the object as it is now, and the revision of the write."""
    old = drafts.kept(record, target.kind).plain
    finalizers = _finalizers(old, options.policy or _policy_of(target, old))
    is_pod = target.kind.kind == "Pod"
    seconds = grace_periods.grace(old, options.grace) if is_pod else 0
    if target.kind.kind == "Namespace" and not options.dry_run:
        return _remove_namespace(backend, target, record, options)
    if finalizers or seconds:
        return _mark(backend, target, record, (finalizers, seconds, options.dry_run))
    if options.dry_run:
        return True, old, 0
    if is_pod:  # which a server marks first, even where nothing is waited for
        old = _mark(backend, target, record, ([], 0, False))[1]
        record = record_of(backend, target)
    revision = backend.store.revision + 1
    last = with_revision(old, revision)
    backend.store.delete(record.key, record.revision, msgspec.json.encode(last))
    if target.kind.namespaced:
        _end_namespace(backend, target.namespace)
    return True, last, revision


def _remove_namespace(
    backend: Backend, target: Target, record: Record, options: DeleteOptions
) -> tuple[bool, Plain, int]:
    """Mark a namespace, and delete what is in it; with the last of that it goes."""
    finalizers = _finalizers(drafts.kept(record, target.kind).plain, options.policy)
    marked = _mark(backend, target, record, (finalizers, 0, False))[1]
    _empty(backend, target.name, options)
    _end_namespace(backend, target.name)
    return False, marked, backend.store.revision


def _mark(
    backend: Backend, target: Target, record: Record, how: tuple[list[str], int, bool]
) -> tuple[bool, Plain, int]:
    """Mark a record as deleted: with these finalizers, so many seconds to go, and whether only in a dry run."""
    finalizers, seconds, dry_run = how
    old = drafts.kept(record, target.kind).plain
    marked = _marked(backend, old, finalizers, seconds)
    if target.kind.kind == "Namespace":
        marked = namespaces.terminating(marked)
        marked["metadata"].pop("deletionGracePeriodSeconds", None)
    if marked == old or dry_run:
        return False, marked, 0
    revision = backend.store.revision + 1
    written = with_revision(marked, revision)
    backend.store.put(record.key, msgspec.json.encode(written), record.revision)
    return False, written, revision


def _empty(backend: Backend, name: str, options: DeleteOptions) -> None:
    """Delete all that is in a namespace."""
    inside = msgspec.structs.replace(options, policy="Background", uid="", revision="", grace=0)
    for record in namespaces.content(backend, name):
        kind = kind_of_key(backend, record.key.collection)
        if kind is not None:
            remove(backend, Target(kind, kind.hub, name, record.key.name), record, inside)


def _end_namespace(backend: Backend, name: str) -> None:
    """Remove a namespace that only waited for its last object."""
    kind = backend.catalogue.named("", "Namespace")
    record = backend.store.get(Key("namespaces", "", name))
    if kind is None or record is None:
        return
    meta = drafts.kept(record, kind).plain["metadata"]
    if meta.get("deletionTimestamp") and not meta.get("finalizers") and not namespaces.content(backend, name):
        finish(backend, Target(kind, kind.hub, "", name), record)


def delete_options(backend: Backend, request: Request) -> DeleteOptions:
    """The options in the body, or, of a request without one, in the query."""
    if not request.body.strip():
        return _checked(_in_query(request), backend.profile)
    body = bodies.read_any(request).value
    kind, api_version = body.get("kind", _OPTIONS), body.get("apiVersion", "v1")
    if kind != _OPTIONS:
        raise statuses.bad_request(f'no kind "{kind}" is registered for version "{api_version}" in scheme')
    return options_of(backend, body)


def options_of(backend: Backend, body: Plain) -> DeleteOptions:
    """The options that a plain object says."""
    return _checked(_sent(body), backend.profile)


def _in_query(request: Request) -> _Sent:
    grace = request.number("gracePeriodSeconds") if "gracePeriodSeconds" in request.query else None
    conditions = _Preconditions(request.one("uid") or None, request.one("resourceVersion") or None)
    return _Sent(
        preconditions=conditions,
        dry_run=request.query.get("dryRun"),
        propagation_policy=request.one("propagationPolicy") or None,
        orphan_dependents=request.flag("orphanDependents") if "orphanDependents" in request.query else None,
        grace_period_seconds=grace,
    )


def _checked(sent: _Sent, profile: Profile) -> DeleteOptions:
    """The options, if they are such."""
    policy, orphan, dry_run = sent.propagation_policy, sent.orphan_dependents, sent.dry_run or ()
    errors = (*_policy_errors(policy, orphan=orphan), *why_not_options(dry_run))
    if errors:
        raise statuses.invalid_options(_OPTIONS, *in_words_of(errors, profile))
    if orphan is not None:
        policy = "Orphan" if orphan else "Background"
    conditions = sent.preconditions or _Preconditions()
    uid, revision = conditions.uid or "", conditions.resource_version or ""
    grace, cascades = sent.grace_period_seconds, orphan is False
    return DeleteOptions(bool(dry_run), policy or "", uid, revision, grace, cascades)


def _policy_errors(policy: str | None, *, orphan: bool | None) -> Iterator[FieldError]:
    field = "propagationPolicy"
    if policy is not None and orphan is not None:
        detail = "orphanDependents and deletionPropagation cannot be both set"
        yield FieldError(type=ErrorType.INVALID, field=field, value=policy, detail=detail)
    if policy is not None and policy not in _POLICIES:
        words = ", ".join(f'"{word}"' for word in (*_POLICIES, "nil"))
        yield FieldError(type=ErrorType.NOT_SUPPORTED, field=field, value=policy, detail=f"supported values: {words}")


def _sent(body: Any) -> _Sent:
    try:
        return msgspec.convert(body, _Sent)
    except msgspec.ValidationError as error:
        raise statuses.bad_request(f"json: cannot unmarshal into Go struct field {_OPTIONS}: {error}") from None


def check_preconditions(record: Record, target: Target, options: DeleteOptions) -> None:
    """Refuse a deletion that is meant for another object, or another state of it."""
    meta = drafts.kept(record, target.kind).plain["metadata"]
    if options.uid and options.uid != meta.get("uid"):
        why = (
            f"the UID in the precondition ({options.uid}) does not match the UID in record ({meta.get('uid')}). "
            "The object might have been deleted and then recreated"
        )
        raise statuses.conflict(target.kind, target.name, why, kind_name=target.kind.kind)
    if options.revision and options.revision != meta.get("resourceVersion"):
        why = (
            f"the ResourceVersion in the precondition ({options.revision}) does not match the ResourceVersion in "
            f"record ({meta.get('resourceVersion')}). The object might have been modified"
        )
        raise statuses.conflict(target.kind, target.name, why, kind_name=target.kind.kind)


def _policy_of(target: Target, old: Plain) -> str:
    """How an object is deleted where nobody says it: as somebody has said before, or as is usual for its kind."""
    is_said = any(name in _FINALIZERS.values() for name in old["metadata"].get("finalizers") or ())
    return "Orphan" if not is_said and (target.kind.group, target.kind.kind) in _ORPHANING else ""


def _finalizers(old: Plain, policy: str) -> list[str]:
    """The finalizers of an object that is deleted so."""
    kept = list(old["metadata"].get("finalizers") or ())
    wanted = _FINALIZERS.get(policy)
    if policy:
        kept = [name for name in kept if name not in _FINALIZERS.values() or name == wanted]
    return kept if wanted is None or wanted in kept else [*kept, wanted]


def _marked(backend: Backend, old: Plain, finalizers: list[str], seconds: int) -> Plain:
    meta = {**old["metadata"], "finalizers": finalizers} if finalizers else dict(old["metadata"])
    is_shorter = seconds < meta.get("deletionGracePeriodSeconds", 0)
    if "deletionTimestamp" not in meta or is_shorter:
        meta["deletionTimestamp"] = grace_periods.later(backend.source.now(), seconds)
        meta["deletionGracePeriodSeconds"] = seconds
        if meta.get("generation"):
            meta["generation"] += 1
    return {**old, "metadata": meta}


def finish(backend: Backend, target: Target, record: Record) -> int:
    """Remove an object whose last finalizer is taken away; the revision of that. It is remembered as it was before."""
    revision = backend.store.revision + 1
    last = with_revision(drafts.kept(record, target.kind).plain, revision)
    backend.store.delete(key_of(target), record.revision, msgspec.json.encode(last))
    if target.kind.namespaced:
        _end_namespace(backend, target.namespace)
    return revision
