"""Faults of objects as problems: with the object, its file, and the line of the field."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from dravite.api.codec import decode_raw
from dravite.api.document import Document, Problem
from dravite.api.field import FieldError, keyed
from dravite.api.meta import ObjectRef
from dravite.validation.versions import as_written

if TYPE_CHECKING:
    from dravite.api.unknown_fields import UnknownField

Severity = Literal["error", "warning", "info"]

UNKNOWN_FIELD = "unknown-field"

_LONGEST: Final = 2_000
_STEP: Final = re.compile(r"([^.\[\]]+)(?:\[([^\]]*)\])?")


class Subject(msgspec.Struct, frozen=True):
    """The object that problems are about, and the text it was read from.

    Attributes:
        prefix: where the object stands in the text's object: the path of a pod template, or empty.
    """

    ref: ObjectRef
    document: Document
    prefix: str = ""

    def problem(self, severity: Severity, kind: str, message: str, field: str = "", hint: str | None = None) -> Problem:
        """A problem of this object; `field` is the object's own path."""
        path = self.full_path(field)
        return Problem(
            severity=severity,
            type=kind,
            message=message,
            object=_readable(str(self.ref)),
            field=path or None,
            file=self.document.origin.file or None,
            line=None if self.document.stored else self._line(path),
            hint=hint,
        )

    def _line(self, path: str) -> int | None:
        written = as_written(path, self.document.api_version)
        return self.document.line_of(written) if path else self.document.origin.line

    def errors(self, errors: Iterable[FieldError]) -> tuple[Problem, ...]:
        """What an API server would refuse the object for."""
        found = tuple(errors)
        counts = any("[" in self.full_path(error.field) for error in found)
        value = decode_raw(self.document) if counts and self.document.body else None
        return tuple(self._error(error, value) for error in found)

    def _error(self, error: FieldError, value: Any) -> Problem:
        from dravite.admission.remedies import remedy_for  # most objects have no faults

        message = self._message(error, value)
        problem = self.problem("error", error.type.value, message, error.field, remedy_for(error, value))
        if not isinstance(error.value, str) or not error.field:
            return problem
        place = as_written(self.full_path(error.field), self.document.api_version)
        entry = keyed(place, error.value)  # a bad key stands on a line of its own
        return msgspec.structs.replace(problem, line=self.document.line_of(entry))

    def _message(self, error: FieldError, value: Any) -> str:
        """Kubernetes' sentence, and the names of the list items that the path counts."""
        from dravite.api.field_text import cause_message

        message = cause_message(_shortened(error))
        names = _names_on_the_way(value, self.full_path(error.field)) if "\n" not in message else ()
        told = ", ".join(f"{item} is {name}" for item, name in names)
        return f"{message} ({told})" if told else message

    def unknown(self, fields: Iterable[UnknownField]) -> tuple[Problem, ...]:
        """Fields that the object does not have: a server drops them, or refuses the object if asked to be strict."""
        found = tuple(fields)
        if not found:
            return ()
        from dravite.admission.remedies import remedy_for_unknown

        return tuple(
            self.problem(
                "warning",
                UNKNOWN_FIELD,
                f'unknown field "{self.full_path(field.path)}"',
                field.path,
                remedy_for_unknown(field, self.prefix),
            )
            for field in found
        )

    def full_path(self, field: str) -> str:
        """The path of a field in the text's object."""
        return f"{self.prefix}.{field}" if self.prefix and field else field or self.prefix


def _shortened(error: FieldError) -> FieldError:
    """The error with so much of its value as people can read."""
    return msgspec.structs.replace(error, value=_readable(error.value)) if isinstance(error.value, str) else error


def _readable(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _names_on_the_way(value: Any, path: str) -> tuple[tuple[str, str], ...]:
    """The list items on a path through a plain value that have a name of their own: `devices[0]` and the name."""
    found = []
    for name, position in _STEP.findall(path):
        inner = value.get(name) if isinstance(value, dict) else None
        if position.isdigit() and isinstance(inner, list) and int(position) < len(inner):
            value = inner[int(position)]
            own = value.get("name") if isinstance(value, dict) else None
            if isinstance(own, str) and own:
                found.append((f"{name}[{position}]", own))
        else:
            value = inner
    return tuple(found)


def in_order(problems: Iterable[Problem], files: Sequence[str]) -> tuple[Problem, ...]:
    """Problems by file, in the order in which files were read, and by line; each once."""
    places = {file: position for position, file in enumerate(dict.fromkeys(files))}
    return tuple(
        sorted(dict.fromkeys(problems), key=lambda problem: (places.get(problem.file or "", -1), problem.line or 0))
    )


def spoils(problem: Problem) -> bool:
    """Whether a problem keeps its object from being planned."""
    return problem.severity == "error"
