"""Comparing answers to requests with recorded ones, as far as the words of people allow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from conformance.validate import answer, expand

_SHOWN: Final = 600


def differences(line: Mapping[str, Any], release: str = "1.37") -> list[str]:
    """What differs between the recorded answer to a line and ours, one text a fact."""
    return list(compare(line["expected"], answer(line, release)))


def compare(expected: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[str]:
    """What differs between two answers: code, causes, object, and for refusals by plugins the message."""
    expected = expand(expected)
    code = expected["code"]
    if code == 500 and "failed inside" in expected["message"]:
        if found["code"] < 400:
            yield f"code {found['code']} where the server failed"
    elif code != found["code"]:
        yield f"code {found['code']} {_why(found)}, recorded {code} {_why(expected)}"
    elif code == 422:
        yield from _causes(_facts(expected), _facts(found))
    elif code < 300:
        yield from unlike(dense(expected["object"]), dense(found["object"]))
    elif code in (403, 404) and expected["message"] != found["message"]:
        yield f"message {found['message']!r}, recorded {expected['message']!r}"


def _why(answered: Mapping[str, Any]) -> str:
    text = "; ".join(f"{reason}@{field}" for reason, field in _facts(answered)) or answered.get("message", "")
    return f"({text})"[:_SHOWN]


def _facts(answered: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Reasons and fields, each pair once, in order."""
    causes = answered.get("causes", ())
    return list(dict.fromkeys((cause["reason"], cause["field"]) for cause in causes))


def _causes(expected: list[tuple[str, str]], found: list[tuple[str, str]]) -> Iterator[str]:
    for reason, field in expected:
        if (reason, field) not in found:
            yield f"missing {reason} at {field}"
    for reason, field in found:
        if (reason, field) not in expected:
            yield f"extra {reason} at {field}"
    if expected != found and sorted(expected) == sorted(found) and not any(_is_keyed(field) for _, field in expected):
        yield f"order {found}, recorded {expected}"


def _is_keyed(field: str) -> bool:
    """Whether a path leads through a map, whose order is random in Go."""
    steps = [step.partition("]")[0] for step in field.split("[")[1:]]
    return any(not step.isdigit() for step in steps)


def dense(value: Any) -> Any:
    """The value without nulls, empty maps and empty lists."""
    if isinstance(value, dict):
        kept = {key: dense(item) for key, item in value.items()}
        return {key: item for key, item in kept.items() if item not in (None, {}, [])}
    return [dense(item) for item in value] if isinstance(value, list) else value


def unlike(expected: Any, found: Any, path: str = "") -> Iterator[str]:
    """Where two plain values differ."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in dict.fromkeys((*expected, *found)):
            yield from unlike(expected.get(key), found.get(key), f"{path}.{key}" if path else key)
    elif expected != found or type(expected) is not type(found):
        yield f"{path}: {found!r}, recorded {expected!r}"[:_SHOWN]
