"""Bodies become plain objects: JSON and YAML, with every key that stands twice."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import msgspec

from dravite.api.json_text import doubled_keys
from dravite.api.yaml_text import read_documents
from dravite.apiserver import media, protobuf, statuses
from dravite.apiserver.requests import Request, Target

_SHOWN: Final = 1_000


class Body(msgspec.Struct, frozen=True):
    """What a body says. `doubled` are the paths of keys that stand twice in their object; the last one counts."""

    value: dict[str, Any]
    doubled: tuple[str, ...] = ()


def read_body(request: Request, target: Target) -> Body:
    """The object in the body of a create or an update.

    Raises:
        Refused: the media type is unknown, or the text is no object of the kind.
    """
    form = media.body_format(request.headers.get("content-type"))
    try:
        body = _READERS[form](request.body)
    except protobuf.ProtobufError as error:
        shown = request.body[:_SHOWN].hex() or "<empty>"
        raise _unrecognized(target, f"{error} ({shown})") from None
    except ValueError as error:
        raise _unrecognized(target, f"couldn't get version/kind; json parse error: {error}") from None
    _check_type(body.value, target)
    return body


def read_any(request: Request) -> Body:
    """The object in the body of a request to no kind in particular.

    Raises:
        Refused: the media type is unknown, or the text is no object.
    """
    form = media.body_format(request.headers.get("content-type"))
    try:
        return _READERS[form](request.body)
    except ValueError as error:
        raise statuses.bad_request(f"couldn't get version/kind; json parse error: {error}") from None


def read_json(data: bytes) -> Body:
    """The object of a JSON text. Raises ValueError with what Go says of such a text."""
    shown = data[:_SHOWN].decode("utf-8", "replace") or "<empty>"
    try:
        value = msgspec.json.decode(data)
        if doubled_keys(data):
            value = json.loads(data, object_pairs_hook=_object)
    except (ValueError, msgspec.DecodeError, RecursionError) as error:
        short = "truncated" in str(error) or "Expecting" in str(error)
        why = "unexpected end of JSON input" if short or not data.strip() else "invalid character"
        message = f"{why} ({shown})"
        raise ValueError(message) from None
    if value is None:
        return Body({})
    if not isinstance(value, dict):
        message = f"json: cannot unmarshal {go_type(value)} into Go value of type struct ({shown})"
        raise ValueError(message)
    return Body(value, tuple(_doubled(value, "")))


def read_yaml(data: bytes) -> Body:
    """The object of a YAML text, of which JSON is a part. Raises ValueError."""
    try:
        documents = tuple(read_documents(data.decode()))
    except UnicodeDecodeError:
        message = "yaml: invalid UTF-8"
        raise ValueError(message) from None
    if not documents:
        message = "unexpected end of JSON input (<empty>)"
        raise ValueError(message)
    first = documents[0]
    faults = [problem for problem in first.problems if problem.type != "FieldValueDuplicate"]
    if first.value is None and faults:
        raise ValueError(faults[0].message)
    if not isinstance(first.value, dict):
        message = f"json: cannot unmarshal {go_type(first.value)} into Go value of type map[string]interface {{}}"
        raise ValueError(message)
    doubled = tuple(problem.field or "" for problem in first.problems if problem.type == "FieldValueDuplicate")
    return Body(first.value, doubled)


def go_type(value: Any) -> str:
    """What Go calls a JSON value."""
    match value:
        case bool():
            return "bool"
        case int() | float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
    return "object" if isinstance(value, dict) else "null"


def _check_type(value: dict[str, Any], target: Target) -> None:
    """Fill in a missing type, or refuse another one."""
    kind = value.get("kind") or target.kind.kind
    api_version = value.get("apiVersion") or target.api_version
    if not isinstance(kind, str) or not isinstance(api_version, str):
        field = "kind" if not isinstance(kind, str) else "apiVersion"
        got = go_type(value[field])
        detail = f"json: cannot unmarshal {got} into Go struct field .{field} of type string"
        raise _unrecognized(target, f"couldn't get version/kind; json parse error: {detail}")
    if kind != target.kind.kind or api_version != target.api_version:
        why = f'no kind "{kind}" is registered for version "{api_version}" in scheme "pkg/runtime/scheme.go:111"'
        raise cannot_be_handled(target, why, kind, api_version)
    value["kind"], value["apiVersion"] = kind, api_version


def cannot_be_handled(target: Target, why: str, kind: str = "", api_version: str = "") -> statuses.Refused:
    """An object that cannot become the kind of an endpoint."""
    version = (api_version or target.api_version).rpartition("/")[2]
    name = target.kind.kind
    return statuses.bad_request(f'{kind or name} in version "{version}" cannot be handled as a {name}: {why}')


def _unrecognized(target: Target, why: str) -> statuses.Refused:
    return statuses.bad_request(f"the object provided is unrecognized (must be of type {target.kind.kind}): {why}")


class _Doubled(dict[str, Any]):
    """An object in which keys stand twice."""

    names: tuple[str, ...] = ()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = _Doubled(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        made.names = tuple(dict.fromkeys(key for key, _ in pairs if key in seen or seen.add(key)))  # type: ignore[func-returns-value]
    return made


def _doubled(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, _Doubled):
        for name in value.names:
            yield f"{path}.{name}".lstrip(".")
    if isinstance(value, dict) and type(value) is _Doubled:
        for key, item in value.items():
            yield from _doubled(item, f"{path}.{key}")
    elif isinstance(value, list):
        for position, item in enumerate(value):
            yield from _doubled(item, f"{path}[{position}]")


_READERS: Final[Mapping[str, Callable[[bytes], Body]]] = {
    "json": read_json,
    "yaml": read_yaml,
    "protobuf": lambda data: Body(protobuf.decode(data)),
}
