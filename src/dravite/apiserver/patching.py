"""PATCH: which kind of patch it is, what it makes of the stored object, and server-side apply."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import msgspec

from dravite.api.field import ErrorType, FieldError
from dravite.api.plain import Plain
from dravite.api.releases import Profile
from dravite.apiserver import bodies, drafts, metadata, patches, sight, statuses, writes
from dravite.apiserver.backend import Backend, Response, key_of, record_of
from dravite.apiserver.drafts import Draft
from dravite.apiserver.field_sets import FieldSet, difference, fields_of, union, without
from dravite.apiserver.managed_fields import (
    Owned,
    Owner,
    Owners,
    Views,
    after_apply,
    conflict_status,
    conflicts,
    read_owners,
)
from dravite.apiserver.merging import merged, pruned
from dravite.apiserver.requests import Request, Target, write_options
from dravite.apiserver.writes import Writing
from dravite.store import Record

_JSON: Final = "application/json-patch+json"
_MERGE: Final = "application/merge-patch+json"
_STRATEGIC: Final = "application/strategic-merge-patch+json"
_APPLY: Final = "application/apply-patch+yaml"
_TYPES: Final = (_JSON, _MERGE, _STRATEGIC, _APPLY)
_OPTIONS: Final = "PatchOptions"

Change: TypeAlias = Callable[[Plain, bytes, Target, Profile], Any]
"""An object, a patch of it, where it is, and for which release: what becomes of it."""


def patch(backend: Backend, target: Target, request: Request) -> Response:
    """Change an object as a patch says, or apply a configuration."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip()
    if kind not in _TYPES:
        raise statuses.unsupported_patch()
    options = write_options(request, _OPTIONS, backend.profile)
    writing = Writing(backend, target, request, options)
    if kind == _APPLY:
        return _apply(writing)
    if "force" in request.query:
        detail = "may not be specified for non-apply patch"
        raise statuses.invalid_options(_OPTIONS, statuses.forbidden_field("force", detail))
    change = _CHANGES[kind]
    record = record_of(backend, target)
    before = drafts.shown(record, target.kind, target.version)
    value = change(before, request.body, target, backend.profile)
    return _written(writing, record, value, request.body if kind == _STRATEGIC else b"")


def change_of(request: Request) -> Change:
    """What the patch of a request makes of an object, by its type; applied configurations are none of these."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip()
    if kind not in _CHANGES:
        raise statuses.unsupported_patch()
    return _CHANGES[kind]


def _written(writing: Writing, record: Record, value: Any, shown: bytes) -> Response:
    """Store what a patch made of an object."""
    target = writing.target
    if not isinstance(value, dict):
        raise statuses.bad_request(f"json: cannot unmarshal {bodies.go_type(value)} into Go value of type struct")
    metadata.check_name(value, target)
    _check_type(value, target)
    _check_uid(value, drafts.kept(record, target.kind).plain, writing)
    value = {
        **value,
        "metadata": dict(value["metadata"]) if isinstance(value.get("metadata"), dict) else value.get("metadata"),
    }
    try:
        draft = writes.read(writing, value, ())
    except statuses.Refused as error:
        raise _unfit(error, value, shown) from None
    writing = writes.warned(writing, draft)
    return writes.replaced(writing, record, draft, writes.own_by_update(writing))


def _check_uid(value: Plain, old: Plain, writing: Writing) -> None:
    uid, target = metadata.metadata_of(value).get("uid"), writing.target
    if uid and uid != old["metadata"]["uid"]:
        error = FieldError(type=ErrorType.INVALID, field="metadata.uid", value=uid, detail="field is immutable")
        times = 1 if writing.backend.profile.is_at_least("1.37") else 2  # older releases say it once for each part
        raise statuses.invalid(target.kind.kind, target.kind.group, target.name, (error,) * times)


def _check_type(value: Plain, target: Target) -> None:
    for name, wanted in (("kind", target.kind.kind), ("apiVersion", target.api_version)):
        if value.get(name) != wanted:
            why = f"the {name} of the object must be {wanted}"
            raise bodies.cannot_be_handled(target, why)


def _unfit(error: statuses.Refused, value: Plain, shown: bytes) -> statuses.Refused:
    """A patched object that does not fit its type, as Kubernetes tells of it: a fault of the patch, of no kind."""
    why = str(error.status.get("message", "")).partition(": ")[2]
    text = shown.decode("utf-8", "replace") if shown else msgspec.json.encode(value).decode()
    return statuses.invalid("", "", "", (FieldError(type=ErrorType.INVALID, field="patch", value=text, detail=why),))


def _by_json_patch(before: Plain, body: bytes, target: Target, profile: Profile) -> Any:
    operations = _parsed(body)
    if not isinstance(operations, list):
        got = bodies.go_type(operations)
        why = f"json: cannot unmarshal {got} into Go value of type []handlers.jsonPatchOp"
        raise statuses.bad_request(f"error decoding patch: {why}")
    if len(operations) > patches.MAX_OPERATIONS:
        limit = f"The allowed maximum operations in a JSON patch is {patches.MAX_OPERATIONS}, got {len(operations)}"
        raise statuses.too_large(limit)
    try:
        return patches.json_patch(before, operations)
    except patches.PatchFault:
        raise statuses.unprocessable() from None


def _by_merge_patch(before: Plain, body: bytes, target: Target, profile: Profile) -> Any:
    try:
        change = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        why = (
            "invalid JSON patch"
            if profile.is_at_least("1.37")
            else "error decoding patch: unexpected end of JSON input"
        )
        raise statuses.bad_request(why) from None
    return patches.merge_patch(before, change)


def _by_strategic_merge(before: Plain, body: bytes, target: Target, profile: Profile) -> Any:
    change = _parsed(body)
    if not isinstance(change, dict):
        raise statuses.bad_request(f"error decoding patch: json: cannot unmarshal {bodies.go_type(change)}")
    return patches.strategic_merge(before, change, target.kind.kind)


_CHANGES: Final[Mapping[str, Change]] = {
    _JSON: _by_json_patch,
    _MERGE: _by_merge_patch,
    _STRATEGIC: _by_strategic_merge,
}


def _parsed(body: bytes) -> Any:
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        short = body[:1] in (b"[", b"{", b"")
        why = "unexpected end of JSON input" if short else "invalid character looking for beginning of value"
        raise statuses.bad_request(f"error decoding patch: {why}") from None


def _apply(writing: Writing) -> Response:
    """Server-side apply of the configuration in the body."""
    backend, target = writing.backend, writing.target
    if not writing.request.one("fieldManager"):
        error = statuses.required_field("fieldManager", "is required for apply patch")
        raise statuses.invalid_options(_OPTIONS, error)
    config = _configuration(writing)
    record = backend.store.get(key_of(target))
    if record is None:
        return _apply_anew(writing, config)
    live = drafts.shown(record, target.kind, target.version)
    uid = config["metadata"].get("uid")
    if uid and uid != live["metadata"]["uid"]:
        stored = live["metadata"]["uid"]
        why = f"uid mismatch: the provided object specified uid {uid}, and no existing object has it but {stored}"
        raise statuses.conflict(target.kind, target.name, why)
    version = config["metadata"].get("resourceVersion")
    if version and version != live["metadata"]["resourceVersion"]:
        raise statuses.conflict(target.kind, target.name)
    return _apply_over(writing, config, record, live)


def _apply_anew(writing: Writing, config: Plain) -> Response:
    backend, target = writing.backend, writing.target
    uid = config["metadata"].get("uid")
    if uid:
        why = f"uid mismatch: the provided object specified uid {uid}, and no existing object was found"
        raise statuses.conflict(target.kind, target.name, why)
    if writing.part == "status":
        raise statuses.not_found(target.kind, target.name)
    sight.check_namespace(backend, target)
    meta = {**config["metadata"], "name": target.name}
    meta.pop("resourceVersion", None)
    draft = _drafted(writing, {**config, "metadata": meta})
    owned = _owned(writing, config)
    return writes.created(writing, draft, lambda owners, views: {_owner(writing): owned} if owned.fields else {})


def _apply_over(writing: Writing, config: Plain, record: Record, live: Plain) -> Response:
    target = writing.target
    kind = target.kind.kind
    owners = read_owners(live["metadata"].get("managedFields"))
    owned, owner = _owned(writing, config), _owner(writing)
    wanted = _settled(live, config, kind, owners, (owner, owned))
    views: Views = lambda _: (live, wanted)  # noqa: E731 (one line, one use)
    same_version = {who: what for who, what in owners.items() if who.api_version == target.api_version}
    found = conflicts(same_version, views, owner, kind)
    if found and not writing.options.force:
        message, causes = conflict_status(found)
        raise statuses.Refused(statuses.status(409, "Conflict", message, {"causes": causes}))
    draft = _drafted(writing, {**wanted, "metadata": dict(wanted["metadata"])})
    changed = difference(live, wanted, kind)

    def own(before: Owners, _: Views) -> Owners:
        if changed.is_empty and before.get(owner) is not None and before[owner].fields == owned.fields:
            return before
        return after_apply(before, views, owner, kind, owned)

    return writes.replaced(writing, record, draft, own)


def _settled(live: Plain, config: Plain, kind: str, owners: Owners, own: tuple[Owner, Owned]) -> Plain:
    """The live object with the configuration put over it, without what its owner said before and no longer says."""
    owner, owned = own
    made: Plain = merged(live, _without_managed(config), kind)
    before = owners[owner].fields if owner in owners else frozenset()
    kept: FieldSet = union((owned.fields, *(what.fields for who, what in owners.items() if who != owner)))
    result: Plain = pruned(made, before - kept, kept, kind)
    return result


def _without_managed(config: Plain) -> Plain:
    meta = {name: value for name, value in config["metadata"].items() if name != "resourceVersion"}
    return {**config, "metadata": meta}


def _drafted(writing: Writing, value: Plain) -> Draft:
    draft = writes.read(writing, value, ())
    if draft.unknown:
        path = draft.unknown[0].partition('"')[2].rstrip('"')
        target = writing.target
        place = f"{target.namespace}/{target.name}".lstrip("/")
        what = f"({place}; {target.api_version}, Kind={target.kind.kind})"
        raise statuses.bad_request(f"failed to create typed patch object {what}: .{path}: field not declared in schema")
    return draft


def _owned(writing: Writing, config: Plain) -> Owned:
    fields = without(fields_of(config, writing.target.kind.kind), writing.ignored)
    return Owned(fields, writing.backend.source.now())


def _owner(writing: Writing) -> Owner:
    return writing.owner._replace(operation="Apply")


def _configuration(writing: Writing) -> Plain:
    """The configuration in the body, if it is one for the target."""
    target = writing.target
    try:
        config = bodies.read_yaml(writing.request.body).value
    except ValueError as error:
        raise statuses.bad_request(
            f"error decoding patch: error unmarshaling JSON: while decoding JSON: {error}"
        ) from None
    api_version, kind = config.get("apiVersion", ""), config.get("kind", "")
    if not kind or not api_version:
        raise statuses.bad_request(f"invalid object type: {api_version}, Kind={kind}")
    if (api_version, kind) != (target.api_version, target.kind.kind):
        why = (
            f"incorrect object type: {api_version}, Kind={kind}, expected {target.api_version}, Kind={target.kind.kind}"
        )
        raise statuses.bad_request(why)
    meta = config.get("metadata") or {}
    if not isinstance(meta, dict):
        raise statuses.bad_request("metadata must be an object")
    if meta.get("managedFields"):
        raise statuses.bad_request("metadata.managedFields must be nil")
    metadata.check_name(config, target)
    place = {"name": target.name, **({"namespace": target.namespace} if target.kind.namespaced else {})}
    if target.kind.namespaced and meta.get("namespace", target.namespace) != target.namespace:
        message = "the namespace of the provided object does not match the namespace sent on the request"
        raise statuses.bad_request(message)
    return {**config, "metadata": {**meta, **place}}
