"""Functions of semantic versions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from dravite.api.semver import Semver
from dravite.cel.values import Failure


def _semver(text: str, normalize: bool = False) -> object:  # noqa: FBT001, FBT002 - an argument of the CEL function
    normal = _normalized(text) if normalize else text
    if normal is None:
        return Failure("short version cannot contain PreRelease/Build meta data")
    found = Semver.read(normal)
    return Failure(found) if isinstance(found, str) else found


def _normalized(text: str) -> str | None:
    """One leading `v` and leading zeros dropped, missing numbers filled in; None where that is not allowed (CEL-27)."""
    parts = [_without_zeros(part) for part in text.removeprefix("v").split(".", 2)]
    if len(parts) < 3:
        if "+" in parts[-1] or "-" in parts[-1]:
            return None
        parts += ["0"] * (3 - len(parts))
    return ".".join(parts)


def _without_zeros(part: str) -> str:
    if len(part) < 2:
        return part
    rest = part.lstrip("0")
    return rest if rest and rest[0] in "0123456789" else "0" + rest


def _is_semver(text: str, normalize: bool = False) -> bool:  # noqa: FBT001, FBT002 - an argument of the CEL function
    return isinstance(_semver(text, normalize), Semver)


def _wrapped(number: int) -> int:
    """The number in 64 bits with a sign, as Kubernetes gives it back."""
    return number if number < 2**63 else number - 2**64


def _compare(left: Semver, right: Semver) -> int:
    return (left > right) - (left < right)


OVERLOADS: Final[Mapping[str, Callable[..., object]]] = {
    "string_to_semver": _semver,
    "string_bool_to_semver": _semver,
    "is_semver_string": _is_semver,
    "is_semver_string_bool": _is_semver,
    "semver_is_greater_than": lambda left, right: left > right,
    "semver_is_less_than": lambda left, right: left < right,
    "semver_compare_to": _compare,
    "semver_major": lambda version: _wrapped(version.major),
    "semver_minor": lambda version: _wrapped(version.minor),
    "semver_patch": lambda version: _wrapped(version.patch),
}
