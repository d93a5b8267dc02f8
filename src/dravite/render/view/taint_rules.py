"""DeviceTaintRules that somebody means to apply, in words: whom they evict, or how far they reach without."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from dravite.api.document import Problem
from dravite.api.meta import ObjectRef
from dravite.planning.leaving import DeviceTainted, RuleReach
from dravite.planning.whatif import PodChange
from dravite.render import words
from dravite.render.view.sight import Sight, objects

EVICTS: Final = "taint-rule-evicts"
_SELECTOR: Final = "spec.deviceSelector"


def evictions(rules: Sequence[RuleReach], changes: Sequence[PodChange], sight: Sight) -> Iterator[Problem]:
    """Each rule that evicts pods, as something that somebody must be told."""
    for one in rules:
        mine = [change for change in changes if _is_evicted_by(change, one.rule)]
        if not mine:
            continue
        file, line = sight.where(one.rule, _SELECTOR) or (None, None)
        message, hint = _eviction(mine, one)
        yield Problem(
            severity="warning",
            type=EVICTS,
            object=str(one.rule),
            field=_SELECTOR,
            file=file,
            line=line,
            message=message,
            hint=hint,
        )


def _is_evicted_by(change: PodChange, rule: ObjectRef) -> bool:
    cause = change.leaving.cause if change.leaving is not None else None
    return isinstance(cause, DeviceTainted) and cause.rule == rule.name


def _eviction(mine: Sequence[PodChange], reach: RuleReach) -> tuple[str, str]:
    """What a rule does, and what would be safer."""
    does = f"evicts {_with_namespaces([one.pod for one in mine])}, and no PodDisruptionBudget is asked"
    safer = "with effect: None the rule evicts nobody, and its status says what it would hit"
    if not reach.selects_all:
        return f"DeviceTaintRule {reach.rule.name} selects {_devices(reach)} and {does}", safer
    message = (
        f"DeviceTaintRule {reach.rule.name} has an empty deviceSelector, which selects every device of the cluster, "
        f"{_devices(reach)}; it {does}"
    )
    return message, f"name driver, pool and device under {_SELECTOR}; left out, it selects nothing at all; {safer}"


def _devices(reach: RuleReach) -> str:
    """`3 published devices and 2 that claims hold`."""
    return f"{words.count(reach.published, 'published device')} and {reach.allocated or 'none'} that claims hold"


def _with_namespaces(pods: Sequence[ObjectRef]) -> str:
    return f"{words.count(len(pods), 'pod')} in {words.count(len({pod.namespace for pod in pods}), 'namespace')}"


def without_evictions(rules: Sequence[RuleReach], changes: Sequence[PodChange]) -> Iterator[str]:
    """What the rules come to that evict nobody."""
    yield from (note for one in rules if (note := _harmless(one, changes)))


def _harmless(reach: RuleReach, changes: Sequence[PodChange]) -> str:
    """What a rule comes to that evicts nobody; nothing of one that does."""
    rule, selects = f"DeviceTaintRule {reach.rule.name}", f"selects {_devices(reach)}"
    if not reach.published and not reach.allocated:
        return f"{rule} selects no device."
    if reach.effect == "None":
        would = f"evict {_with_namespaces(reach.pods)}: {objects(reach.pods)}" if reach.pods else "evict nobody"
        return f"{rule} {selects} and has no effect; with NoExecute it would {would}."
    if reach.effect == "NoSchedule":
        return f"{rule} {selects}; who has them keeps them."
    if any(_is_evicted_by(one, reach.rule) for one in changes):
        return ""
    whom = f"{_with_namespaces(reach.pods)} without the change too" if reach.pods else "nobody"
    return f"{rule} {selects} and evicts {whom}."


def rules_without_gate(rules: Sequence[ObjectRef], gate: str, release: str) -> str:
    """Why rules do nothing in this release."""
    which = f"DeviceTaintRule {words.listed(rule.name for rule in rules)} {words.bent(len(rules), 'has')} no effect"
    return f"{which}: gate {gate} is off (Kubernetes {release}); --feature-gates turns it on."
