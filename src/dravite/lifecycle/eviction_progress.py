"""What a DeviceTaintRule says of the evictions that it brings about: its condition `EvictionInProgress` (B7).

Pure functions: who is evicted, and who was, is handed in.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import msgspec

from dravite.api.meta import Condition, DeviceID
from dravite.api.resource_v1 import DeviceTaintRule
from dravite.diagnosis import upstream_controllers as words
from dravite.lifecycle.device_evictions import reasons_for_eviction, selects_device
from dravite.lifecycle.instants import seconds_of, text_of
from dravite.snapshot.cluster_edits import with_rules
from dravite.snapshot.snapshot import Key, Snapshot

EVICTION_IN_PROGRESS: Final = "EvictionInProgress"
PAUSE: Final = 10.0
"""Seconds between two things that a rule says, unless its spec was changed (B7.1, B7.3)."""

_EVICTS: Final = "NoExecute"
_ONLY_TELLS: Final = "None"


class Tally(msgspec.Struct, frozen=True):
    """The pods that a rule is still to evict, and how many it has evicted."""

    pending: Collection[Key] = ()
    evicted: int = 0


class DryRun(msgspec.Struct, frozen=True):
    """How many published devices and results of claims a rule selects, and which pods it evicts or would evict."""

    published: int
    allocated: int
    pods: tuple[Key, ...]


def pauses_until(rule: DeviceTaintRule, now: float) -> float | None:
    """Until when a rule says nothing new; None where it may speak now."""
    told = _told(rule)
    since = seconds_of(told.last_transition_time) if told is not None else None
    if told is None or since is None or told.observed_generation != rule.metadata.generation:
        return None
    return since + PAUSE if now < since + PAUSE else None


def with_progress(rule: DeviceTaintRule, tally: Tally, snapshot: Snapshot, now: float) -> DeviceTaintRule:
    """The rule with what it has to say now; the very same where that is nothing new.

    What a rule without effect would do is looked up in the snapshot once for each version of its spec (B7.5). How many
    pods it has evicted is told whatever its effect is by now (B7.8).
    """
    told = _told(rule)
    is_current = told is not None and told.observed_generation == rule.metadata.generation
    effect = rule.spec.taint.effect
    if is_current and effect == _ONLY_TELLS:
        return rule
    if effect == _EVICTS:
        status, reason, message = _progress(tally)
    elif effect == _ONLY_TELLS:
        status, reason, message = "False", "NoEffect", _dry_run(rule, snapshot, now)
    else:
        status, reason, message = "False", "OtherEffect", words.OTHER_EFFECT
    message = " ".join(filter(None, (message, words.past_evictions(tally.evicted) if tally.evicted else "")))
    if told is not None and is_current and (told.status, told.reason, told.message) == (status, reason, message):
        return rule
    condition = Condition(
        type=EVICTION_IN_PROGRESS,
        status=status,
        observed_generation=rule.metadata.generation,
        last_transition_time=text_of(now),
        reason=reason,
        message=message,
    )
    others = tuple(one for one in rule.status.conditions if one.type != EVICTION_IN_PROGRESS)
    return msgspec.structs.replace(rule, status=msgspec.structs.replace(rule.status, conditions=(*others, condition)))


def _told(rule: DeviceTaintRule) -> Condition | None:
    return next((one for one in rule.status.conditions if one.type == EVICTION_IN_PROGRESS), None)


def _progress(tally: Tally) -> tuple[str, str, str]:
    if tally.pending:
        namespaces = len({key[0] for key in tally.pending})
        return "True", "PodsPendingEviction", words.pending_evictions(len(tally.pending), namespaces)
    return "False", "Completed" if tally.evicted else "NotStarted", ""


def dry_run(rule: DeviceTaintRule, snapshot: Snapshot, now: float) -> DryRun:
    """What a rule does or would do with the effect NoExecute, whatever its effect is (B7.5, B7.6)."""
    taint = msgspec.structs.replace(rule.spec.taint, effect=_EVICTS)
    meant = msgspec.structs.replace(rule, spec=msgspec.structs.replace(rule.spec, taint=taint))
    reasons = reasons_for_eviction(with_rules(snapshot, (meant,)), now)
    pods = tuple(key for key, due in reasons.items() if any(one.rule == rule.metadata.name for one in due))
    return DryRun(_published(rule, snapshot), _allocated(rule, snapshot), pods)


def _dry_run(rule: DeviceTaintRule, snapshot: Snapshot, now: float) -> str:
    found = dry_run(rule, snapshot, now)
    return words.dry_run(found.published, found.allocated, len(found.pods), len({key[0] for key in found.pods}))


def _published(rule: DeviceTaintRule, snapshot: Snapshot) -> int:
    """How many devices of the newest generation of their pools a rule selects."""
    index = snapshot.inventory.index
    newest = (
        item.spec
        for position, item in enumerate(index.slices)
        if item.spec.pool.generation == index.generations(position)[0]
    )
    devices = (DeviceID(spec.driver, spec.pool.name, one.name) for spec in newest for one in spec.devices or ())
    return sum(1 for device in devices if selects_device(rule, device))


def _allocated(rule: DeviceTaintRule, snapshot: Snapshot) -> int:
    """How many results of claims are devices that a rule selects; a shared device counts with every share (B7.9)."""
    allocations = (claim.status.allocation for _, claim in snapshot.claims.items())
    results = (one for found in allocations if found is not None for one in found.devices.results)
    return sum(1 for one in results if selects_device(rule, DeviceID(one.driver, one.pool, one.device)))
