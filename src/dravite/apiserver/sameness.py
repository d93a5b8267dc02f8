"""Whether a write is of the very object that is stored: by its uid and its resourceVersion."""

from __future__ import annotations

from dravite.api.field import ErrorType, FieldError
from dravite.api.field_text import quoted
from dravite.api.plain import Plain, PlainView
from dravite.api.releases import Profile
from dravite.apiserver import drafts, metadata, statuses
from dravite.apiserver.requests import Target
from dravite.store import Record


def check_uid(value: Plain, record: Record, target: Target, profile: Profile) -> None:
    """Refuse a patched object that is another one than the stored one."""
    uid = metadata.metadata_of(value).get("uid")
    if uid and uid != drafts.kept(record, target.kind).plain["metadata"]["uid"]:
        error = FieldError(type=ErrorType.INVALID, field="metadata.uid", value=uid, detail="field is immutable")
        times = 1 if profile.is_at_least("1.37") else 2  # older releases say it once for each part
        raise statuses.invalid(target.kind.kind, target.kind.group, target.name, (error,) * times)


def check_unborn(plain: PlainView, target: Target, profile: Profile) -> None:
    """Refuse to make an object by its uid; until 1.31 that was looked at before whether one can be made at all."""
    uid = plain["metadata"].get("uid")
    if uid and (target.kind.put_creates or not profile.is_at_least("1.32")):
        why = f"Precondition failed: UID in precondition: {uid}, UID in object meta: "
        raise statuses.conflict(target.kind, target.name, f"StorageError: invalid object, Code: 4, {why}")


def check_state(plain: PlainView, old: PlainView, target: Target) -> None:
    """Refuse an update of another object, or of another state of it."""
    given, stored = plain["metadata"], old["metadata"]
    if given.get("uid") and given["uid"] != stored["uid"]:
        why = f"Precondition failed: UID in precondition: {given['uid']}, UID in object meta: {stored['uid']}"
        key = "/".join(filter(None, ("", target.kind.plural, target.namespace, target.name)))
        told = f"StorageError: invalid object, Code: 4, Key: {key}, ResourceVersion: 0, AdditionalErrorMsg: {why}"
        raise statuses.conflict(target.kind, target.name, told)
    revision = str(given.get("resourceVersion") or "").lstrip("0")
    if revision and not revision.isdigit():
        raise statuses.bad_request(f"strconv.ParseUint: parsing {quoted(revision)}: invalid syntax")
    if not revision and not target.kind.unconditional:
        detail = "must be specified for an update"
        error = FieldError(type=ErrorType.INVALID, field="metadata.resourceVersion", value=0, detail=detail)
        raise statuses.invalid(target.kind.plural, target.kind.group, target.name, (error,))
    if revision and revision != stored["resourceVersion"]:
        raise statuses.conflict(target.kind, target.name)
