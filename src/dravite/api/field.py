"""One broken rule: where, what kind, the bad value, and the sentence Kubernetes says about it."""

from __future__ import annotations

from enum import Enum
from typing import Any

import msgspec


class ErrorType(Enum):
    """The kinds of field errors. The value is the `reason` of a Status cause. Source: apimachinery `field`."""

    REQUIRED = "FieldValueRequired"
    INVALID = "FieldValueInvalid"
    TYPE_INVALID = "FieldValueTypeInvalid"
    NOT_SUPPORTED = "FieldValueNotSupported"
    DUPLICATE = "FieldValueDuplicate"
    FORBIDDEN = "FieldValueForbidden"
    TOO_LONG = "FieldValueTooLong"
    TOO_MANY = "FieldValueTooMany"
    TOO_FEW = "FieldValueTooFew"
    NOT_FOUND = "FieldValueNotFound"
    INTERNAL = "InternalError"


class FieldError(msgspec.Struct, frozen=True, kw_only=True):
    """One rule that an object breaks.

    Attributes:
        type: the kind of error.
        field: path from the object's root, `spec.devices.requests[0].name`; empty for the object itself.
        value: the bad value, where the kind carries one.
        detail: what is wrong, without the kind and the value.
        origin: the rule's id, for tests; never shown.
    """

    type: ErrorType
    field: str
    value: Any = None
    detail: str = ""
    origin: str = ""


def child(path: str, *steps: str | int) -> str:
    """The path one or more steps below `path`: names are joined by dots, numbers become `[3]`."""
    for step in steps:
        path = f"{path}[{step}]" if isinstance(step, int) else f"{path}.{step}" if path else step
    return path


def keyed(path: str, key: str) -> str:
    """The path of a map entry: `capacity[memory]`."""
    return f"{path}[{key}]"
