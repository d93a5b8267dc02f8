"""Create, update and patch: from what a client sends to what is stored."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final, Literal

import msgspec

from dravite.admission import requests as admission
from dravite.admission.refusals import Refused as NotAdmitted
from dravite.api.field import FieldError
from dravite.api.meta import Model
from dravite.api.plain import Plain
from dravite.apiserver import (
    bodies,
    deletions,
    drafts,
    generations,
    media,
    metadata,
    plain_kinds,
    reads,
    sameness,
    sight,
    statuses,
)
from dravite.apiserver.backend import Backend, Response, key_of, record_of, with_revision, without_revision
from dravite.apiserver.custom_kinds import GROUP as CUSTOM_GROUP
from dravite.apiserver.custom_kinds import why_no_definition
from dravite.apiserver.drafts import Draft, Kept
from dravite.apiserver.managed_fields import Owner, Owners, Views, after_update, read_owners, write_owners
from dravite.apiserver.moulds import Cast, Casting, cast_of
from dravite.apiserver.plain_validation import why_not_create, why_not_update
from dravite.apiserver.pod_admission import admit_pod
from dravite.apiserver.requests import Request, Target, WriteOptions, write_options
from dravite.apiserver.status_rights import why_no_right
from dravite.store import Key, Record, Stale

Part = Literal["main", "status"]

_ATTEMPTS: Final = 8
"""How often a server draws a name before it gives up."""
Own = Callable[[Owners, Views], Owners]


class Writing(msgspec.Struct, frozen=True):
    """A write under way: where to, how, and what the client will be warned of."""

    backend: Backend
    target: Target
    request: Request
    options: WriteOptions
    warnings: tuple[str, ...] = ()

    @property
    def part(self) -> Part:
        return "status" if self.target.subresource == "status" else "main"

    @property
    def owner(self) -> Owner:
        """Who owns what this write changes."""
        return Owner(self.options.manager, "Update", self.target.api_version, self.target.subresource)

    @property
    def ignored(self) -> tuple[str, ...]:
        """What this part of an object cannot change."""
        if self.part == "status":
            is_strict = self.target.kind.info is not None and self.backend.profile.is_at_least("1.32")
            return ("metadata", "spec") if is_strict else ("spec",)
        if self.target.kind.group == "scheduling.k8s.io" and not self.backend.profile.is_at_least("1.37"):
            return ()  # 1.36 loses track of who owns the status there
        return ("status",) if self.target.kind.status else ()


def create(backend: Backend, target: Target, request: Request) -> Response:
    """Create an object from a body."""
    stamp = sight.stamp(backend, target)
    cast = None if stamp is None else cast_of(target, request, backend.profile, stamp)
    casting = None if cast is None else backend.moulds.find(cast, request.body)
    found = None if cast is None or casting is None else _cast(backend, target, cast, casting)
    if found is not None:
        return found
    media.body_format(request.headers.get("content-type"))
    writing = Writing(backend, target, request, write_options(request, "CreateOptions", backend.profile))
    body = bodies.read_body(request, target)
    draft = read(writing, body.value, body.doubled)
    writing = warned(writing, draft, body.doubled)
    with statuses.warning(writing.warnings):
        metadata.check_namespace(draft.plain, target)
        record, told = _stored(writing, draft, own_by_update(writing))
        response = _answered(writing, record, 201, told)
    if cast is not None and response.revision and response.body == record.body + b"\n":
        backend.moulds.keep(cast, record, request.body, response.warnings)
    return response


def created(writing: Writing, draft: Draft, own: Own) -> Response:
    """Store a new object."""
    record, told = _stored(writing, draft, own)
    return _answered(writing, record, 201, told)


def _cast(backend: Backend, target: Target, cast: Cast, casting: Casting) -> Response | None:
    """Store a new object that is like another one; None where its name is taken, which is told as of any object."""
    source, revision = backend.source, backend.store.revision + 1
    name = cast.name if cast.is_whole else metadata.completed(cast.name, source)
    text = casting.filled(name, source.uid(), source.now(), revision)
    stored = backend.store.put(Key(target.kind.resource, target.namespace, name), text, 0)
    if isinstance(stored, Stale):
        return None
    return Response(201, text + b"\n", warnings=casting.warnings, revision=revision)


def _stored(writing: Writing, draft: Draft, own: Own) -> tuple[Record, tuple[str, ...]]:
    """A new object under a name that is free, and warnings. Names that the server completes are tried a few times."""
    sight.check_namespace(writing.backend, writing.target)
    for name in metadata.OF_DELETION:
        draft.plain["metadata"].pop(name, None)
    for _ in range(_ATTEMPTS):
        new, told = _admitted(writing, draft, None)
        named = msgspec.structs.replace(writing.target, name=new.plain["metadata"]["name"])
        _check_new(writing, draft)
        found = writing.backend.store.get(key_of(named))
        if found is None:
            return _put(writing, named, draft, new, own), told
        if draft.plain["metadata"].get("name"):
            raise _taken(named, found, is_prefixed=bool(draft.plain["metadata"].get("generateName")))
    raise statuses.no_name_left(named.kind, named.name)


def _check_new(writing: Writing, draft: Draft) -> None:
    """Refuse a new object that is an old one by its resourceVersion. One that is no number is passed over."""
    revision = str(draft.plain["metadata"].get("resourceVersion") or "")
    if revision.isdigit() and int(revision) and not writing.options.dry_run:
        raise statuses.bad_request("resourceVersion should not be set on objects to be created")


def _put(writing: Writing, target: Target, draft: Draft, new: Kept, own: Own) -> Record:
    """The record of a new object; a dry run stores none."""
    backend, meta = writing.backend, new.plain["metadata"]
    if draft.body is not None:  # others were born when they were prepared
        metadata.be_born(meta, backend.source)
    sent = draft.plain["metadata"].get("managedFields")
    _own(meta, own(read_owners(sent), drafts.views_of(None, draft.plain, new, target)))
    revision = 0 if writing.options.dry_run else backend.store.revision + 1
    plain = with_revision(new.plain, revision) if revision else without_revision(new.plain)
    record = Record(key_of(target), revision, msgspec.json.encode(plain))
    if revision:
        backend.store.put(record.key, record.body, 0)
    return record


def update(backend: Backend, target: Target, request: Request) -> Response:
    """Put an object in the place of the stored one, or where there is none, as far as the kind is made so."""
    options = write_options(request, "UpdateOptions", backend.profile)
    body = bodies.read_body(request, target)
    writing = Writing(backend, target, request, options)
    draft = read(writing, body.value, body.doubled)
    writing = warned(writing, draft, body.doubled)
    with statuses.warning(writing.warnings):
        metadata.check_namespace(draft.plain, target)
        metadata.check_is_named(draft.plain, target)
        record = backend.store.get(key_of(target))
        if record is None:
            sameness.check_unborn(draft.plain, target, backend.profile)
        if record is None and target.kind.put_creates and writing.part == "main":
            return created(writing, draft, own_by_update(writing))
        return replaced(writing, record or record_of(backend, target), draft, own_by_update(writing))


def replaced(writing: Writing, record: Record, draft: Draft, own: Own) -> Response:
    """Store an object in the place of a record, unless it says the same."""
    backend, target = writing.backend, writing.target
    old = drafts.kept(record, target.kind)
    new, told = _admitted(writing, draft, old)
    meta = new.plain["metadata"]
    _own(meta, own(_owners_before(writing, draft, old), drafts.views_of(old, draft.plain, new, target)))
    meta["resourceVersion"] = old.plain["metadata"]["resourceVersion"]
    if _says_the_same(new.plain, old.plain) or writing.options.dry_run:
        same = Record(record.key, 0, msgspec.json.encode(new.plain if writing.options.dry_run else old.plain))
        return _answered(writing, same, 200, told)
    if meta.get("deletionTimestamp") and not (meta.get("finalizers") or meta.get("deletionGracePeriodSeconds")):
        revision = deletions.finish(backend, target, record)
        gone = Record(record.key, 0, msgspec.json.encode(new.plain))
        return msgspec.structs.replace(_answered(writing, gone, 200, told), revision=revision)
    revision = backend.store.revision + 1
    written = msgspec.json.encode(with_revision(new.plain, revision))
    stored = backend.store.put(record.key, written, record.revision)
    if isinstance(stored, Stale):
        raise statuses.conflict(target.kind, target.name)
    return _answered(writing, stored, 200, told)


def _own(meta: Plain, owners: Owners) -> None:
    """Write down who owns an object, in place."""
    meta.pop("managedFields", None)
    if owners:
        meta["managedFields"] = write_owners(owners)


def _owners_before(writing: Writing, draft: Draft, old: Kept) -> Owners:
    """Who owns what before an update: whom the client names, but not at a part of an object; else who is known."""
    sent = draft.plain["metadata"].get("managedFields")
    if writing.part == "main" and sent in ([], [{}]):
        return {}
    named = read_owners(sent) if writing.part == "main" else {}
    return named or read_owners(old.plain["metadata"].get("managedFields"))


def own_by_update(writing: Writing) -> Own:
    """Ownership after a write that owns what it changes. Where nobody owned anything before, it stays so."""
    kind, now = writing.target.kind.kind, writing.backend.source.now()

    def own(owners: Owners, views: Views) -> Owners:
        is_new = not views(writing.target.api_version)[0]["metadata"].get("uid")
        return after_update(owners, views, writing.owner, (kind, writing.ignored), now) if owners or is_new else {}

    return own


def read(writing: Writing, value: Plain, doubled: tuple[str, ...]) -> Draft:
    """The draft of what a client sent.

    Raises:
        Refused: it does not fit the kind, or says too much where the client wants that refused.
    """
    backend, target = writing.backend, writing.target
    draft = drafts.read_draft(value, target, backend.profile, backend.source.now())
    faults = (*_doubled(doubled), *draft.unknown)
    if faults and writing.options.validation == "Strict":
        raise bodies.cannot_be_handled(target, f"strict decoding error: {', '.join(faults)}")
    return draft


def warned(writing: Writing, draft: Draft, doubled: tuple[str, ...] = ()) -> Writing:
    """The write with what its client will be told of the body."""
    told = (*_doubled(doubled), *draft.unknown) if writing.options.validation == "Warn" else ()
    return msgspec.structs.replace(writing, warnings=(*writing.warnings, *told))


def _doubled(paths: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f'duplicate field "{path}"' for path in paths)


def _admitted(writing: Writing, draft: Draft, old: Kept | None) -> tuple[Kept, tuple[str, ...]]:
    """The object as it would be kept, and warnings.

    Raises:
        Refused: admission or validation says no.
    """
    backend, target = writing.backend, writing.target
    if draft.body is None:
        return Kept(None, _plain_kept(writing, draft, old)), ()
    verb: admission.Verb = "create" if old is None else "update status" if writing.part == "status" else "update"
    write = admission.Write(
        verb=verb,
        api_version=target.api_version,
        kind=target.kind.kind,
        namespace=target.namespace,
        name=target.name,
        body=draft.body,
        old=None if old is None else old.typed,
    )
    found = admission.judge(write, sight.in_sight(backend, target), backend.profile, backend.source.now())
    if isinstance(found, NotAdmitted):
        raise _refusal(found, target, draft)
    if old is not None and writing.part == "status":
        errors = tuple(why_no_right(backend, target, writing.request, (old.typed, found.object)))
        if errors:
            raise statuses.invalid(target.kind.kind, target.kind.group, target.name, errors)
    return Kept(found.object, _plain_of(found.object, target)), found.warnings


def _plain_of(typed: Model, target: Target) -> Plain:
    return drafts.write(typed, target.kind.kind, target.kind.hub)


def _plain_kept(writing: Writing, draft: Draft, old: Kept | None) -> Plain:
    """A plain object as it would be kept; a status belongs to its own endpoint."""
    target, backend = writing.target, writing.backend
    plain = {**draft.plain, "apiVersion": target.kind.hub_api_version, "metadata": dict(draft.plain["metadata"])}
    if old is None:
        if isinstance(plain.get("spec"), dict):
            plain["spec"] = dict(plain["spec"])  # what the server decides now is nobody's
        metadata.prepare_create(plain, target, backend.source)
        _check_rules(why_not_create(plain, target.kind, backend.profile), plain, target)
        plain_kinds.bear(plain, target.kind)
        if target.kind.kind == "Pod":
            admit_pod(plain, backend, target)
        _check_definition(plain, target)
        generations.count(plain, None, target.kind, backend.profile)
        return plain
    sameness.check_state(plain, old.plain, target)
    metadata.prepare_update(plain, old.plain, target)
    _check_rules(why_not_update(plain, old.plain, target.kind, backend.profile), plain, target)
    if writing.part == "status":
        return plain_kinds.with_status(old.plain, plain, target.kind)
    _check_definition(plain, target)
    if target.kind.status and "status" in old.plain:
        plain["status"] = old.plain["status"]
    generations.count(plain, old.plain, target.kind, backend.profile)
    return plain


def _check_definition(plain: Plain, target: Target) -> None:
    """Refuse the definition of a kind that would define none."""
    _check_rules(tuple(why_no_definition(plain)) if target.kind.group == CUSTOM_GROUP else (), plain, target)


def _check_rules(errors: tuple[FieldError, ...], plain: Plain, target: Target) -> None:
    if errors:
        raise statuses.invalid(target.kind.kind, target.kind.group, plain["metadata"].get("name", ""), errors)


def _refusal(found: NotAdmitted, target: Target, draft: Draft) -> statuses.Refused:
    """What admission says as a Status."""
    name = target.name or str(draft.plain["metadata"].get("name") or "") or found.name
    kind = target.kind
    details: dict[str, Any] | None = None
    if found.code == 422:
        plural = any(error.field == "metadata.resourceVersion" for error in found.errors)
        named = kind.plural if plural else kind.kind
        return statuses.invalid(named, kind.group, name, found.errors)
    if found.code >= statuses.OURS:
        return statuses.bad_request(found.message)  # Kubernetes blames itself for resource versions that are none
    if found.code in (403, 404, 409):
        details = {"name": name, "group": kind.group, "kind": kind.plural}
        details = {key: value for key, value in details.items() if value}
    return statuses.Refused(statuses.status(found.code, found.reason, found.message, details))


def _taken(target: Target, found: Record, *, is_prefixed: bool = False) -> statuses.Refused:
    """A name that is not free. Beside a prefix it is told of as if it had been drawn."""
    deleted = drafts.kept(found, target.kind).plain["metadata"].get("deletionTimestamp")
    refusal = statuses.no_name_left if is_prefixed else statuses.already_exists
    return refusal(target.kind, target.name, "object is being deleted: " if deleted else "")


def _says_the_same(new: Plain, old: Plain) -> bool:
    """Whether two objects differ in nothing but the times of their owners."""
    rest = ({**plain, "metadata": None} for plain in (new, old))
    return operator.eq(*rest) and _timeless(new) == _timeless(old)


def _timeless(plain: Plain) -> Plain:
    entries = plain["metadata"].get("managedFields") or ()
    bare = sorted(
        msgspec.json.encode({name: value for name, value in entry.items() if name != "time"}, order="sorted")
        for entry in entries
    )
    return {**plain, "metadata": {**plain["metadata"], "managedFields": bare}}


def _answered(writing: Writing, record: Record, code: int, told: tuple[str, ...]) -> Response:
    target = writing.target
    response = reads.answer(writing.backend, target, writing.request, record)
    warnings = tuple(dict.fromkeys((*response.warnings, *writing.warnings, *told)))
    if writing.options.validation != "Warn":
        warnings = tuple(text for text in warnings if not text.startswith(("unknown field", "duplicate field")))
    code = code if response.code == 200 else response.code
    return msgspec.structs.replace(response, code=code, warnings=warnings, revision=record.revision)
