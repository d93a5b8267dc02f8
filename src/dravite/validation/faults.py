"""Field errors, one constructor for each kind, and the order in which a server lists them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, Literal, TypeAlias

import msgspec

from dravite.api.field import ErrorType, FieldError, child
from dravite.api.releases import Profile

Faults: TypeAlias = Iterator[FieldError]

DECLARED: Final = "declared"
"""The origin of rules that Kubernetes declares in its types. Since 1.37 they are listed after all others (0.1)."""


def required(path: str, detail: str = "") -> FieldError:
    """A value that is missing."""
    return FieldError(type=ErrorType.REQUIRED, field=path, detail=detail)


def invalid(path: str, value: Any, detail: str) -> FieldError:
    """A value that breaks a rule."""
    return FieldError(type=ErrorType.INVALID, field=path, value=value, detail=detail)


def forbidden(path: str, detail: str) -> FieldError:
    """A value that may not be set here."""
    return FieldError(type=ErrorType.FORBIDDEN, field=path, detail=detail)


def duplicate(path: str, value: Any, detail: str = "") -> FieldError:
    """A value that was there before."""
    return FieldError(type=ErrorType.DUPLICATE, field=path, value=value, detail=detail)


def not_found(path: str, value: Any, detail: str = "") -> FieldError:
    """A reference to something that is not there."""
    return FieldError(type=ErrorType.NOT_FOUND, field=path, value=value, detail=detail)


def not_supported(path: str, value: str, known: Iterable[str]) -> FieldError:
    """A word that is not one of the known ones, which are listed in the order given."""
    detail = "supported values: " + ", ".join(f'"{word}"' for word in known)
    return FieldError(type=ErrorType.NOT_SUPPORTED, field=path, value=value, detail=detail)


def too_long(path: str, limit: int, unit: Literal["bytes", "characters"] = "bytes") -> FieldError:
    """A text over its limit; the text itself is not shown."""
    return FieldError(type=ErrorType.TOO_LONG, field=path, detail=f"may not be more than {limit} {unit}")


def too_many(path: str, count: int, limit: int) -> FieldError:
    """A list over its limit."""
    noun = "item" if limit == 1 else "items"
    return FieldError(type=ErrorType.TOO_MANY, field=path, value=count, detail=f"must have at most {limit} {noun}")


def invalid_each(path: str, value: Any, details: Iterable[str]) -> Faults:
    """One error for each sentence about a value."""
    return (invalid(path, value, detail) for detail in details)


def repeated(path: str, items: Sequence[Any], key: Callable[[Any], Any] = lambda item: item) -> Faults:
    """One error for each item of a list whose key was there before."""
    seen = set()
    for position, item in enumerate(items):
        if key(item) in seen:
            yield duplicate(child(path, position), item)
        seen.add(key(item))


def declared(errors: Iterable[FieldError]) -> Faults:
    """The errors, marked as those of declared rules."""
    return (msgspec.structs.replace(error, origin=DECLARED) for error in errors)


def is_declared(error: FieldError, profile: Profile) -> bool:
    """Whether the error comes from a rule that the release declares, and takes for more than a second opinion."""
    return error.origin == DECLARED and profile.is_at_least("1.37")


def in_server_order(errors: Iterable[FieldError], profile: Profile) -> tuple[FieldError, ...]:
    """Hand-written rules first, then declared ones, each in their own order."""
    found = tuple(errors)
    late = [is_declared(error, profile) for error in found]
    if not any(late):
        return found
    first = (error for error, declares in zip(found, late, strict=True) if not declares)
    return (*first, *(error for error, declares in zip(found, late, strict=True) if declares))
