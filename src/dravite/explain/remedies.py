"""What could be done about a "no": advice is planned, and only what works is kept."""

from __future__ import annotations

from dravite.explain.advice import Remedy
from dravite.explain.case import Case
from dravite.explain.diagnose import Diagnosis


def remedies(case: Case, found: Diagnosis) -> tuple[Remedy, ...]:
    """The advice that works, best first."""
    del case, found
    return ()
