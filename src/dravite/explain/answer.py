"""The door: a plan and a pod make an explanation. Asked for only, never on the way to a plan."""

from __future__ import annotations

import msgspec

from dravite.api.meta import ObjectRef
from dravite.diagnosis.verdicts import PodDecision, Scheduled
from dravite.explain.case import case_of, glimpse
from dravite.explain.diagnose import diagnose, glance_at
from dravite.explain.explanation import Explanation
from dravite.explain.folding import folded
from dravite.explain.notes import AttributeDiffers
from dravite.explain.simplify import Detail
from dravite.planning.plan import Plan


def explain(plan: Plan, pod: ObjectRef, detail: Detail = Detail.FOLDED) -> Explanation:
    """Why a pod gets what it gets, with what could be done about it: every remedy was planned and works.

    Raises:
        LookupError: the plan has no decision for the pod.
    """
    from dravite.explain.remedies.planned import remedies  # a plan alone has none to offer

    case = case_of(plan, _decision(plan, pod))
    found = diagnose(case)
    told = msgspec.structs.replace(found.told, remedies=remedies(case, found))
    return folded(_without_idle_talk(told), detail)


def glance(plan: Plan, pod: ObjectRef) -> Explanation:
    """As much as a plan tells: the warnings on a placed pod, and why another is not placed, without remedies.

    Raises:
        LookupError: the plan has no decision for the pod.
    """
    decision = _decision(plan, pod)
    if isinstance(decision.decision, Scheduled):
        return glance_at(glimpse(plan, decision))
    return folded(diagnose(case_of(plan, decision)).told, Detail.FOLDED)


def _decision(plan: Plan, pod: ObjectRef) -> PodDecision:
    decision = plan.decision(pod)
    if decision is None:
        message = f"the plan has no decision for {pod}"
        raise LookupError(message)
    return decision


def _without_idle_talk(told: Explanation) -> Explanation:
    """Attributes that differ are worth a word only where asking for one value works."""
    from dravite.explain.remedies.advice import MatchAttribute

    possible = {one.advice.attribute for one in told.remedies if isinstance(one.advice, MatchAttribute)}
    notes = (note for note in told.notes if not isinstance(note, AttributeDiffers) or note.attribute in possible)
    return msgspec.structs.replace(told, notes=tuple(notes))
