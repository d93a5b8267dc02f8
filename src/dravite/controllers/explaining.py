"""Why a pod was refused, in dravite's own words: an event after the scheduler's, once for each thing that it says.

Pods that ask for the same and are told the same are explained alike. The pods of a group, which are refused together,
are told why their group cannot start.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from operator import is_
from typing import TYPE_CHECKING, Any, Final

import msgspec

from dravite.api.meta import ObjectRef
from dravite.controllers.happenings import Tell
from dravite.controllers.runner import NOTHING, Key, News, Outcome
from dravite.controllers.view import Item, View
from dravite.diagnosis import upstream
from dravite.diagnosis.verdicts import Unschedulable
from dravite.scheduler.memory import claims_shape, pod_shape
from dravite.snapshot.groups import scheme_of
from dravite.snapshot.manifests import PlannedPod
from dravite.snapshot.pod_claims import PodClaim, pod_claims
from dravite.snapshot.snapshot import Key as PodKey
from dravite.snapshot.snapshot import Snapshot, group_key, is_pending, key_of

if TYPE_CHECKING:
    from dravite.render.report import Hint

LONGEST: Final = 1024
"""Characters of a message that an event may have."""

MOST_NODES: Final = 200
"""Up to so many nodes it is also found out what would help."""

MOST_MEMBERS: Final = 100
"""Up to so many pods of a group that wait it is also found out what would help it."""

MOST_KNOWN: Final = 100
"""So many explanations are remembered."""

PAUSE: Final = 0.2
"""Seconds between two explanations that have to be found: they take time that others may need."""

_REFUSED: Final = ("PodScheduled", "False", upstream.UNSCHEDULABLE)


class _Known(msgspec.Struct, frozen=True):
    """What is said of a pod, and the names in it that differ between pods that are alike."""

    text: str
    names: tuple[str, ...]


class Explaining:
    """A controller that only says something."""

    name = "dravite"

    def __init__(self, snapshot: Callable[[], Snapshot]) -> None:
        self._snapshot = snapshot
        self._not_before = 0.0
        self._basis: tuple[object, ...] = ()
        self._known: dict[Hashable, _Known] = {}

    def keys(self, news: News, view: View) -> Iterable[Key]:
        if (
            news.resource.kind == "Pod"
            and news.now is not None
            and _refusal(news.now) not in ("", _refusal(news.before))
        ):
            yield news.now.key

    def reconcile(self, key: Key, view: View, now: float) -> Outcome:
        namespace, name = key
        item, snapshot = view.get("Pod", namespace, name), self._snapshot()
        planned = snapshot.pods.get((namespace, name))
        if item is None or planned is None or not is_pending(planned.pod):
            return NOTHING
        self._follow(snapshot)
        likeness, names = _likeness(snapshot, planned, _refusal(item)), _names(snapshot, planned)
        known = self._known.get(likeness)
        if known is None:
            if now < self._not_before:
                return Outcome(again=self._not_before)
            self._not_before = now + PAUSE
            known = self._known[likeness] = _Known(_explained(snapshot, planned), names)
        if not known.text:
            return NOTHING
        text = _with_names(known.text, dict(zip(known.names, names, strict=True)))
        return Outcome((Tell(about=item, reason="Explained", message=text, component=self.name),))

    def _follow(self, snapshot: Snapshot) -> None:
        """Forget what was found in another cluster than this one."""
        inventory = snapshot.inventory
        basis = (snapshot.states, snapshot.budgets, inventory.index, inventory.classes, inventory.usage)
        if len(self._known) >= MOST_KNOWN or not self._basis or not all(map(is_, self._basis, basis)):
            self._known = {}
        self._basis = basis


def explanation(snapshot: Snapshot, key: PodKey) -> str:
    """Why the pod has no node, and what would help, each of which was tried; empty where it would have one now."""
    # Only a refusal needs these, and they are a good part of dravite.
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
    return _in_one_text(report.headline, report.brief, report.hints)


def group_explanation(snapshot: Snapshot, key: PodKey, group: PodKey) -> str:
    """As `explanation`, for a pod that is scheduled with its group: what is said of the group."""
    from dravite.explain.groups.answer import explain_group, glance_at_group
    from dravite.planning.planner import plan_with_group
    from dravite.render.view.groups import group_report
    from dravite.render.view.sight import Sight

    plan, ref = plan_with_group(snapshot, key), ObjectRef("PodGroup", *group)
    decision = plan.group(ref)
    if decision is None or decision.outcome != "unschedulable":
        return ""
    is_small = len(snapshot.nodes) <= MOST_NODES and len(plan.decisions) <= MOST_MEMBERS
    report = group_report(explain_group(plan, ref) if is_small else glance_at_group(plan, ref), Sight())
    return _in_one_text(report.headline, report.brief, report.hints)


def _in_one_text(headline: str, brief: Iterable[str], hints: Iterable[Hint]) -> str:
    evidence = (f"{line.rstrip('.')}." for line in brief if line not in headline)
    text = " ".join((headline, *evidence))
    ways = "; ".join(f"({letter}) {hint.text}" for letter, hint in zip("abcdef", hints, strict=False))
    if ways:
        text += f" Each of these was planned and works: {ways}."
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _explained(snapshot: Snapshot, planned: PlannedPod) -> str:
    key, group = key_of(planned.pod.metadata), _group_of(snapshot, planned)
    return explanation(snapshot, key) if group is None else group_explanation(snapshot, key, group)


def _group_of(snapshot: Snapshot, planned: PlannedPod) -> PodKey | None:
    """The group that a pod is scheduled with."""
    return group_key(planned.pod) if scheme_of(snapshot.profile) != "none" else None


def _likeness(snapshot: Snapshot, planned: PlannedPod, refusal: str) -> Hashable:
    """What pods have in common that are explained alike as long as the cluster is the same."""
    pod, group = planned.pod, _group_of(snapshot, planned)
    if group is not None:
        whole = snapshot.pod_groups.get(group)
        version = (whole.metadata.uid, whole.metadata.generation) if whole is not None else None
        return (group, version, snapshot.members.get(group))
    claims = _claims(snapshot, planned)
    entries = tuple((one.name, one.resource_claim_name) for one in pod.spec.resource_claims)
    meta, asked = (pod.metadata.namespace, pod.metadata.labels), claims_shape([one.claim for one in claims])
    return (meta[0], tuple(sorted(meta[1].items())), pod.spec.priority, pod_shape(pod), entries, asked, refusal)


def _names(snapshot: Snapshot, planned: PlannedPod) -> tuple[str, ...]:
    """The names that stand in what is said of a pod and are its own."""
    if _group_of(snapshot, planned) is not None:
        return ()
    own = (planned.pod.metadata, *(one.claim.metadata for one in _claims(snapshot, planned)))
    return tuple(f"{meta.namespace}/{meta.name}" for meta in own)


def _claims(snapshot: Snapshot, planned: PlannedPod) -> tuple[PodClaim, ...]:
    found = pod_claims(snapshot, planned.pod)
    return found if isinstance(found, tuple) else ()


def _with_names(text: str, names: Mapping[str, str]) -> str:
    """The text with these names in place of others, wherever they stand as a whole."""
    whole = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.sub(rf"(?<![\w./-])(?:{whole})(?![\w-]|[./]\w)", lambda found: names[found[0]], text) if names else text


def _refusal(item: Item | None) -> str:
    """What the scheduler says of a pod that it has refused."""
    conditions: list[Any] = (item.plain.get("status") or {}).get("conditions") or [] if item is not None else []
    refusals = (
        str(one.get("message", ""))
        for one in conditions
        if (one.get("type"), one.get("status"), one.get("reason")) == _REFUSED
    )
    return next(refusals, "")
