"""How a rule says what it found: the code decides how serious it is."""

from __future__ import annotations

from collections.abc import Iterable

from dravite.admission.problems import Subject
from dravite.api.document import Problem
from dravite.api.near import near_names
from dravite.lint.codes import RULES


def finding(subject: Subject, code: str, message: str, field: str = "", hint: str | None = None) -> Problem:
    """A finding about an object; `field` is the object's own path."""
    return subject.problem(RULES[code].severity, code, message, field, hint)


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """The hint for a name that leads nowhere, or None where no known name is near."""
    near = near_names(name, known, 1)
    return f'did you mean "{near[0]}"?' if near else None
