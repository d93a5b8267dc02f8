"""Why a pod was refused, in dravite's own words: an event after the scheduler's, once for each thing that it says.

Pods of groups are refused together; they are told of by `dravite explain`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from dravite.controllers.happenings import Tell
from dravite.controllers.runner import NOTHING, Key, News, Outcome
from dravite.controllers.view import Item, View
from dravite.diagnosis import upstream
from dravite.diagnosis.verdicts import Unschedulable
from dravite.snapshot.snapshot import Snapshot, group_key, is_pending

LONGEST: Final = 1024
"""Characters of a message that an event may have."""

MOST_NODES: Final = 200
"""Up to so many nodes it is also found out what would help."""

_REFUSED: Final = ("PodScheduled", "False", upstream.UNSCHEDULABLE)

PAUSE: Final = 0.2
"""Seconds between two explanations: they take time that others may need."""


class Explaining:
    """A controller that only says something."""

    name = "dravite"

    def __init__(self, snapshot: Callable[[], Snapshot]) -> None:
        self._snapshot = snapshot
        self._not_before = 0.0

    def keys(self, news: News, view: View) -> Iterable[Key]:
        if (
            news.resource.kind == "Pod"
            and news.now is not None
            and _refusal(news.now) not in ("", _refusal(news.before))
        ):
            yield news.now.key

    def reconcile(self, key: Key, view: View, now: float) -> Outcome:
        if now < self._not_before:
            return Outcome(again=self._not_before)
        namespace, name = key
        item = view.get("Pod", namespace, name)
        planned = self._snapshot().pods.get((namespace, name))
        if item is None or planned is None or not is_pending(planned.pod) or group_key(planned.pod) is not None:
            return NOTHING
        self._not_before = now + PAUSE
        text = explanation(self._snapshot(), (namespace, name))
        if not text:
            return NOTHING
        return Outcome((Tell(about=item, reason="Explained", message=text, component=self.name),))


def explanation(snapshot: Snapshot, key: tuple[str, str]) -> str:
    """Why the pod has no node, and what would help, each of which was tried; empty where it would have one now."""
    # Only a refusal needs these, and they are a good part of dravite.
    from dravite.api.meta import ObjectRef
    from dravite.explain.answer import explain, glance
    from dravite.planning.planner import plan_pod
    from dravite.render.view.answers import pod_report
    from dravite.render.view.sight import Sight

    plan, pod = plan_pod(snapshot, key), ObjectRef("Pod", *key)
    decision = plan.decision(pod)
    if decision is None or not isinstance(decision.decision, Unschedulable):
        return ""
    found = explain(plan, pod) if len(snapshot.nodes) <= MOST_NODES else glance(plan, pod)
    report = pod_report(found, (decision,), Sight())
    evidence = (f"{line.rstrip('.')}." for line in report.brief if line not in report.headline)
    text = " ".join((report.headline, *evidence))
    if report.hints:
        ways = "; ".join(f"({letter}) {hint.text}" for letter, hint in zip("abcdef", report.hints, strict=False))
        text += f" Each of these was planned and works: {ways}."
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _refusal(item: Item | None) -> str:
    """What the scheduler says of a pod that it has refused."""
    conditions: list[Any] = (item.plain.get("status") or {}).get("conditions") or [] if item is not None else []
    refusals = (
        str(one.get("message", ""))
        for one in conditions
        if (one.get("type"), one.get("status"), one.get("reason")) == _REFUSED
    )
    return next(refusals, "")
