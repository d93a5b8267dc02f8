"""Where objects come from: file and line, kept with every object that was read."""

from __future__ import annotations

from typing import Literal

import msgspec

from dravite.api.meta import ObjectRef


class Origin(msgspec.Struct, frozen=True):
    """The place an object was read from.

    Attributes:
        file: the path as the user wrote it; `<stdin>` for `-`.
        line: the line (from 1) on which the object begins.
        lines: line of each field path (`spec.devices.requests[0].name`), where the source has lines for them;
            map keys stand in brackets as in field errors. Filled lazily for large inputs (see `api.codec`).
    """

    file: str
    line: int


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Something the user must be told about an input, good for the `problems` list of every answer.

    Attributes:
        severity: `error` (the object would be refused or cannot be read), `warning` or `info`.
        type: a FieldError type as in a Status cause's `reason`, or a lint code.
        object: `Kind namespace/name`, or empty where no object could be made out.
        field: the field path, or None.
        file, line: where; None where the source has none.
        message: one sentence that says what is wrong.
        hint: what to do; only what was checked to work.
    """

    severity: Literal["error", "warning", "info"]
    type: str
    message: str
    object: str = ""
    field: str | None = None
    file: str | None = None
    line: int | None = None
    hint: str | None = None


class Located(msgspec.Struct, frozen=True):
    """Which object stands where."""

    ref: ObjectRef
    origin: Origin
