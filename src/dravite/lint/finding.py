"""How a rule says what it found: the code decides how serious it is."""

from __future__ import annotations

from dravite.admission.problems import Subject
from dravite.api.document import Problem
from dravite.lint.codes import RULES


def finding(subject: Subject, code: str, message: str, field: str = "", hint: str | None = None) -> Problem:
    """A finding about an object; `field` is the object's own path."""
    return subject.problem(RULES[code].severity, code, message, field, hint)
