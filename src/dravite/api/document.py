"""Where objects come from: file and line, kept with every object that was read."""

from __future__ import annotations

from typing import Literal

import msgspec

from dravite.api.meta import ObjectRef
from dravite.api.text_lines import line_of


class Origin(msgspec.Struct, frozen=True):
    """The place an object was read from.

    Attributes:
        file: the path as the user wrote it; `<stdin>` for `-`; empty for an object of a running cluster.
        line: the line (from 1) on which the object begins.
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


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """One object as it was read, before anybody looks at its type.

    Attributes:
        origin: where it begins.
        api_version, kind: as written; empty where missing.
        body: the object as JSON; empty where nothing could be read, and then `problems` says why.
        text: the object's own text, in which lines of fields are looked up; empty where `body` is that text.
        problems: what is wrong with the text. One of severity `error` spoils the object.
        handwritten: whether the input is small enough that a person may have written it: only then misspelt
            fields are looked for in all of it. Dumps were pruned by the server that they come from.
        letters: where an unquoted `y` or `n` stands in YAML: the steps to it, and the letter.
        stored: whether a server holds the object: the rules for making one applied then and do not apply now.
    """

    origin: Origin
    api_version: str = ""
    kind: str = ""
    body: bytes | msgspec.Raw = b""
    text: str = ""
    problems: tuple[Problem, ...] = ()
    handwritten: bool = True
    letters: tuple[tuple[tuple[str | int, ...], str], ...] = ()
    stored: bool = False

    def line_of(self, path: str) -> int | None:
        """The line of a field, or of the nearest thing around it; None where the source has no lines."""
        text = self.text or bytes(self.body)
        return line_of(text, self.origin.line, path) if text else None


class Located(msgspec.Struct, frozen=True):
    """Which object stands where."""

    ref: ObjectRef
    origin: Origin
