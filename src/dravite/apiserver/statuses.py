"""What a server says when it says no: Status objects in Kubernetes' words, and the exception that carries one.

A request that cannot be answered is a broken question, so the way out is an exception; `ApiServer.handle` turns it
into an answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from dravite.api.field import ErrorType, FieldError
from dravite.api.field_text import cause_message
from dravite.apiserver.kinds import Kind

OURS: Final = 500
"""From this code on it is the server that is at fault."""

META_GROUP: Final = "meta.k8s.io"
MODIFIED: Final = "the object has been modified; please apply your changes to the latest version and try again"
_NO_METHOD: Final = "the server does not allow this method on the requested resource"
_MEDIA: Final = "application/json, application/yaml, application/vnd.kubernetes.protobuf"
_STREAMED: Final = "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch"


_LOST: Final = (404, 405, 406, 415)


class Refused(Exception):  # noqa: N818 (the answer is a refusal, whoever is at fault)
    """A Status with a code from 400 on, headers that go with it, and what the client is to be warned of besides."""

    def __init__(
        self, status: Mapping[str, Any], headers: Mapping[str, str] | None = None, warnings: Iterable[str] = ()
    ) -> None:
        super().__init__(status.get("message", ""))
        self.status = status
        self.headers = headers or {}
        self.warnings = tuple(warnings)

    def warning(self, texts: Iterable[str]) -> Refused:
        """The same with more warnings before its own."""
        return Refused(self.status, self.headers, (*texts, *self.warnings))

    @property
    def is_lost(self) -> bool:
        """Whether the request found no way to a kind: nothing is served there, or nothing in these media types."""
        return self.status["code"] in _LOST and self.status.get("details") == {}


@contextmanager
def warning(texts: Iterable[str]) -> Iterator[None]:
    """Warn the client of these texts also where the request is refused."""
    try:
        yield
    except Refused as refusal:
        raise refusal.warning(texts) from None


def status(code: int, reason: str, message: str, details: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A Status of failure; without reason or details where they are empty."""
    made: dict[str, Any] = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure"}
    made["message"] = message
    if reason:
        made["reason"] = reason
    if details is not None:
        made["details"] = details
    made["code"] = code
    return made


def success(kind: Kind, name: str, uid: str) -> dict[str, Any]:
    """What a deletion answers where it does not answer with the object."""
    details = {**_details(kind, name), "uid": uid}
    return {
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "details": details,
    }  # fmt: skip


def bad_request(message: str) -> Refused:
    return Refused(status(400, "BadRequest", message))


def not_found(kind: Kind, name: str) -> Refused:
    return Refused(status(404, "NotFound", f'{kind.resource} "{name}" not found', _details(kind, name)))


def no_such_path() -> Refused:
    return Refused(status(404, "NotFound", "the server could not find the requested resource", {}))


def no_such_method() -> Refused:
    return Refused(status(405, "MethodNotAllowed", _NO_METHOD, {}))


def already_exists(kind: Kind, name: str, prefix: str = "") -> Refused:
    message = f'{prefix}{kind.resource} "{name}" already exists'
    return Refused(status(409, "AlreadyExists", message, _details(kind, name)))


def no_name_left(kind: Kind, name: str, prefix: str = "") -> Refused:
    """No name with a prefix was found that is free."""
    why = "the server was not able to generate a unique name for the object"
    details = {**_details(kind, name), "retryAfterSeconds": 1}
    made = status(409, "AlreadyExists", f'{prefix}{kind.resource} "{name}" already exists, {why}', details)
    return Refused(made, {"Retry-After": "1"})


def conflict(kind: Kind, name: str, why: str = MODIFIED, *, kind_name: str = "") -> Refused:
    """A precondition that does not hold. Deletions call the thing by `kind_name`, all else by its plural."""
    called = f"{kind_name}.{kind.group}".rstrip(".") if kind_name else kind.resource
    details = _details(kind, name)
    if kind_name:
        details["kind"] = kind_name
    message = f'Operation cannot be fulfilled on {called} "{name}": {why}'
    return Refused(status(409, "Conflict", message, details))


def conflict_about(called: str, target_kind: Kind, name: str, why: str) -> Refused:
    """A precondition of a part of an object that does not hold."""
    details = _details(target_kind, name)
    return Refused(status(409, "Conflict", f"Operation cannot be fulfilled on {called}: {why}", details))


def forbidden(kind: Kind, name: str, why: str, causes: Sequence[Mapping[str, str]] = ()) -> Refused:
    called = f'{kind.resource} "{name}"' if name else kind.resource
    details = _details(kind, name)
    if causes:
        details["causes"] = list(causes)
    return Refused(status(403, "Forbidden", f"{called} is forbidden: {why}", details))


def invalid(kind: str, group: str, name: str, errors: Iterable[FieldError]) -> Refused:
    """An object, or a request's options, that break rules."""
    found = tuple(errors)
    causes = [_cause(error) for error in found]
    lines = tuple(dict.fromkeys(_line(error) for error in found))
    text = lines[0] if len(lines) == 1 else f"[{', '.join(lines)}]"
    called = f"{kind}.{group}" if group else kind
    details = {"name": name, "group": group, "kind": kind, "causes": causes}
    kept = {key: value for key, value in details.items() if value}
    return Refused(status(422, "Invalid", f'{called} "{name}" is invalid: {text}', kept))


def invalid_options(kind: str, *errors: FieldError) -> Refused:
    return invalid(kind, META_GROUP, "", errors)


def unprocessable(message: str = "the server rejected our request due to an error in our request") -> Refused:
    return Refused(status(422, "Invalid", message, {}))


def unsupported_body(served: str = _MEDIA) -> Refused:
    message = f"the body of the request was in an unknown format - accepted media types include: {served}"
    return Refused(status(415, "UnsupportedMediaType", message))


def unsupported_patch() -> Refused:
    return Refused(status(415, "UnsupportedMediaType", "415: Unsupported Media Type", {}))


def no_such_form(*, streamed: bool) -> Refused:
    """No media type that anything is served in; a list has those of watches too."""
    served = f"{_MEDIA}, {_STREAMED}" if streamed else _MEDIA
    return Refused(status(406, "NotAcceptable", f"406: Not Acceptable\n\nAvailable representations: {served}", {}))


def not_acceptable(*, watched: bool = False) -> Refused:
    """No form of an object that the client takes."""
    served = _STREAMED if watched else _MEDIA
    return Refused(status(406, "NotAcceptable", f"only the following media types are accepted: {served}"))


def wrong_number(form: str, kind: Kind, *, is_list: bool) -> Refused:
    """A form that is for one object was wanted of a list, or the other way round."""
    package = kind.group.partition(".")[0] or "core"
    what = f"a list (*{package}.{kind.kind}List)" if is_list else f"not a list (*{package}.{kind.kind})"
    return Refused(status(406, "NotAcceptable", f"you requested {form}, but the requested object is {what}"))


def too_large(why: str) -> Refused:
    return Refused(status(413, "RequestEntityTooLarge", f"Request entity too large: {why}"))


def expired(message: str, token: str = "") -> Refused:
    made = status(410, "Expired", message)
    if token:
        made["metadata"] = {"continue": token}
    return Refused(made)


def too_new(revision: int, current: int) -> Refused:
    cause = {"reason": "ResourceVersionTooLarge", "message": "Too large resource version"}
    details = {"causes": [cause], "retryAfterSeconds": 1}
    message = f"Timeout: Too large resource version: {revision}, current: {current}"
    return Refused(status(504, "Timeout", message, details), {"Retry-After": "1"})


def internal(message: str) -> Refused:
    """A fault of ours; the code that Kubernetes has for its own."""
    details = {"causes": [{"message": message}]}
    return Refused(status(500, "InternalError", f"Internal error occurred: {message}", details))


def _details(kind: Kind, name: str) -> dict[str, Any]:
    details = {"name": name, "group": kind.group, "kind": kind.plural}
    return {key: value for key, value in details.items() if value}


def _cause(error: FieldError) -> dict[str, str]:
    cause = {"reason": error.type.value, "message": cause_message(error)}
    return {**cause, "field": error.field} if error.field else cause


def _line(error: FieldError) -> str:
    return f"{error.field}: {cause_message(error)}" if error.field else cause_message(error)


def forbidden_field(field: str, detail: str) -> FieldError:
    """A value that may not be set."""
    return FieldError(type=ErrorType.FORBIDDEN, field=field, detail=detail)


def required_field(field: str, detail: str) -> FieldError:
    """A value that is missing."""
    return FieldError(type=ErrorType.REQUIRED, field=field, detail=detail)
