"""PATCH: which kind of patch it is, and what it makes of the stored object."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

import msgspec

from dravite.api.field import ErrorType, FieldError
from dravite.api.plain import Plain
from dravite.apiserver import applying, bodies, drafts, metadata, patches, sameness, statuses, writes
from dravite.apiserver.backend import Backend, Response, record_of
from dravite.apiserver.bodies import Body
from dravite.apiserver.requests import Request, Target, write_options
from dravite.apiserver.writes import Writing
from dravite.store import Record

_JSON: Final = "application/json-patch+json"
_MERGE: Final = "application/merge-patch+json"
_STRATEGIC: Final = "application/strategic-merge-patch+json"
_APPLY: Final = "application/apply-patch+yaml"
_TYPES: Final = (_JSON, _MERGE, _STRATEGIC, _APPLY)
_OF_USERS: Final = ", ".join((_JSON, _MERGE, _APPLY))
"""Patches of kinds that users define, whose lists have no keys."""

_OPTIONS: Final = "PatchOptions"

Change: TypeAlias = Callable[[Plain, Any, Target], Any]
"""An object, a patch of it, and where it is: what becomes of it."""


def patch(backend: Backend, target: Target, request: Request) -> Response:
    """Change an object as a patch says, or apply a configuration."""
    kind = _type_of(request)
    if kind == _STRATEGIC and target.kind.printed is not None:
        raise statuses.unsupported_body(_OF_USERS)
    options = write_options(request, _OPTIONS, backend.profile, _type_errors(request, kind))
    writing = Writing(backend, target, request, options)
    if kind == _APPLY:
        return applying.apply(writing)
    if backend.profile.is_at_least("1.37"):
        _check_json(request.body)
    record = record_of(backend, target)
    sent = _sent(request, kind)
    value = _CHANGES[kind](drafts.shown(record, target.kind, target.version), sent.value, target)
    shown = request.body if kind == _STRATEGIC else b""
    return _written(writing, record, Body(value, sent.doubled), shown)


def patched(before: Plain, request: Request, target: Target) -> Any:
    """What the patch of a request makes of an object. Applied configurations are none.

    Raises:
        Refused: it is no patch, or cannot be carried out.
    """
    kind = _type_of(request)
    if kind not in _CHANGES:
        raise statuses.unsupported_patch()
    return _CHANGES[kind](before, _sent(request, kind).value, target)


def _type_errors(request: Request, kind: str) -> Iterator[FieldError]:
    """What is wrong with the options that only some patches have."""
    if kind != _APPLY and "force" in request.query:
        yield statuses.forbidden_field("force", "may not be specified for non-apply patch")
    if kind == _APPLY and not request.one("fieldManager"):
        yield statuses.required_field("fieldManager", "is required for apply patch")


def check_type(request: Request) -> None:
    """Refuse what is no kind of patch."""
    if _type_of(request) not in _TYPES:
        raise statuses.unsupported_patch()


def _type_of(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip()


def _written(writing: Writing, record: Record, patched: Body, shown: bytes) -> Response:
    """Store what a patch made of an object; `doubled` is what stood twice in the patch."""
    target, value = writing.target, patched.value
    if not isinstance(value, dict):
        raise statuses.bad_request(f"json: cannot unmarshal {bodies.go_type(value)} into Go value of type struct")
    meta = value.get("metadata")
    value = {**value, "metadata": dict(meta) if isinstance(meta, dict) else meta}
    try:
        _check_type(value, target)
        draft = writes.read(writing, value, patched.doubled)
    except statuses.Refused as error:
        raise _unfit(error, value, shown) from None
    writing = writes.warned(writing, draft, patched.doubled)
    with statuses.warning(writing.warnings):
        metadata.check_namespace(value, target)
        metadata.check_is_named(value, target)
        sameness.check_uid(value, record, target, writing.backend.profile)
        return writes.replaced(writing, record, draft, writes.own_by_update(writing))


def _check_type(value: Plain, target: Target) -> None:
    """Fill in a missing type, or refuse another one."""
    for name, wanted in (("kind", target.kind.kind), ("apiVersion", target.api_version)):
        if value.get(name) not in (None, "", wanted):
            raise bodies.cannot_be_handled(target, f"the {name} of the object must be {wanted}")
        value[name] = wanted


def _unfit(error: statuses.Refused, value: Plain, shown: bytes) -> statuses.Refused:
    """A patched object that does not fit its type, as Kubernetes tells of it: a fault of the patch, of no kind."""
    why = str(error.status.get("message", "")).partition(": ")[2]
    text = shown.decode("utf-8", "replace") if shown else msgspec.json.encode(value).decode()
    return statuses.invalid("", "", "", (FieldError(type=ErrorType.INVALID, field="patch", value=text, detail=why),))


def _by_json_patch(before: Plain, operations: Any, target: Target) -> Any:
    if not isinstance(operations, list):
        got = bodies.go_type(operations)
        why = f"json: cannot unmarshal {got} into Go value of type []handlers.jsonPatchOp"
        raise statuses.bad_request(f"error decoding patch: {why}")
    if len(operations) > patches.MAX_OPERATIONS:
        limit = f"The allowed maximum operations in a JSON patch is {patches.MAX_OPERATIONS}, got {len(operations)}"
        raise statuses.too_large(limit)
    wrong = next((operation for operation in operations if not isinstance(operation, dict)), None)
    if wrong is not None:
        why = f"json: cannot unmarshal {bodies.go_type(wrong)} into Go value of type handlers.jsonPatchOp"
        raise statuses.bad_request(f"error decoding patch: {why}")
    try:
        return patches.json_patch(before, operations)
    except patches.PatchFault:
        raise statuses.unprocessable() from None


def _by_merge_patch(before: Plain, change: Any, target: Target) -> Any:
    if change is None:
        raise statuses.bad_request("Invalid JSON Patch")
    _check_object(change)
    return patches.merge_patch(before, change)


def _by_strategic_merge(before: Plain, change: Any, target: Target) -> Any:
    if change is None:
        return before
    _check_object(change)
    typed = {name: inner for name, inner in change.items() if name not in ("kind", "apiVersion")}
    return patches.strategic_merge(before, typed, target.kind.kind)


_CHANGES: Final[Mapping[str, Change]] = {
    _JSON: _by_json_patch,
    _MERGE: _by_merge_patch,
    _STRATEGIC: _by_strategic_merge,
}


def _check_object(change: Any) -> None:
    if not isinstance(change, dict):
        why = f"json: cannot unmarshal {bodies.go_type(change)} into Go value of type map[string]interface {{}}"
        raise statuses.bad_request(f"error decoding patch: {why}")


def _check_json(body: bytes) -> None:
    """Refuse what is no JSON, before anything is looked for."""
    try:
        msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise statuses.bad_request("invalid JSON patch") from None


def _sent(request: Request, kind: str) -> Body:
    """The patch in a body, and what stands twice in it."""
    try:
        value = msgspec.json.decode(request.body)
        doubled = bodies.read_json(request.body).doubled if kind != _JSON and isinstance(value, dict) else ()
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError, ValueError):
        short = request.body[:1] in (b"[", b"{", b"")
        why = "unexpected end of JSON input" if short else "invalid character looking for beginning of value"
        raise statuses.bad_request(f"error decoding patch: {why}") from None
    return Body(value, doubled)
