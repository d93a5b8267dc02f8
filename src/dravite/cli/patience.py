"""Explanations until somebody presses Ctrl-C; what is left is told as kube-scheduler would tell it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from dravite.diagnosis.verdicts import PodDecision
from dravite.explain.explanation import Explanation

LOST: Final = "Interrupted: what is not explained here was not looked into any more."


class Patience:
    """Somebody's who waits for explanations."""

    def __init__(self) -> None:
        self.lost = False

    def ask(self, decision: PodDecision, explain: Callable[[], Explanation]) -> Explanation:
        """What explains a decision, or the decision alone once patience is lost."""
        if not self.lost:
            try:
                return explain()
            except KeyboardInterrupt:
                self.lost = True
        return Explanation(decision=decision)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know of it."""
        return (LOST,) if self.lost else ()
