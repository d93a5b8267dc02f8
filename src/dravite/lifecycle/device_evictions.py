"""When pods have to go because of taints on their devices (B6). Nobody is evicted here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from dravite.api.core_v1 import Pod, PodCondition
from dravite.api.meta import DeviceID
from dravite.api.resource_v1 import (
    Device,
    DeviceRequestAllocationResult,
    DeviceTaint,
    DeviceTaintRule,
    ResourceClaim,
)
from dravite.lifecycle.eviction_tolerations import tolerates
from dravite.lifecycle.instants import seconds_of
from dravite.scheduler.reserve import reserved_for_pod
from dravite.snapshot.pod_claims import PodClaim, pod_claims
from dravite.snapshot.slice_index import SliceIndex
from dravite.snapshot.snapshot import Key, Snapshot, is_finished

EVICTED: Final = PodCondition(
    type="DisruptionTarget",
    status="True",
    reason="DeletionByDeviceTaintManager",
    message="Device Taint manager: deleting due to NoExecute taint",
)

_EFFECT: Final = "NoExecute"
_EXTENDED_SINCE: Final = "1.37"
"""Since when claims for extended resources count."""


class Eviction(msgspec.Struct, frozen=True, kw_only=True):
    """When a pod has to go, in seconds since 1970, and which taint of which of its devices comes first.

    Attributes:
        rule: the DeviceTaintRule that the taint is from; empty for a taint of the slice.
    """

    at: float
    device: DeviceID
    taint: DeviceTaint
    rule: str = ""


class _Laid(msgspec.Struct, frozen=True):
    """A NoExecute taint on a device, and the rule that it is from."""

    taint: DeviceTaint
    rule: str = ""


def eviction_times(snapshot: Snapshot, now: float) -> Mapping[Key, float]:
    """When each running pod has to go, in seconds since 1970; those that may stay are left out."""
    return {key: one.at for key, one in evictions(snapshot, now).items()}


def evictions(snapshot: Snapshot, now: float) -> Mapping[Key, Eviction]:
    """The running pods that have to go, in the order of the input, each at its earliest time (B6.1, B6.4).

    Of several taints that are due then, those of rules come first, by name. A taint without a time counts as added now.
    """
    return {
        key: min(due, key=lambda one: (one.at, not one.rule, one.rule))
        for key, due in reasons_for_eviction(snapshot, now).items()
    }


def reasons_for_eviction(snapshot: Snapshot, now: float) -> Mapping[Key, tuple[Eviction, ...]]:
    """The running pods that have to go, in the order of the input, with all taints for which they have to."""
    if not snapshot.profile.enabled("DRADeviceTaints"):
        return {}
    taints = _Taints(snapshot)
    found: dict[Key, tuple[Eviction, ...]] = {}
    for key in snapshot.pod_order if taints else ():
        pod = snapshot.pods[key].pod
        if not pod.spec.node_name or is_finished(pod) or pod.metadata.deletion_timestamp is not None:
            continue
        due = tuple(one for claim in _claims(snapshot, pod) for one in _evictions(claim, taints, now))
        if due:
            found[key] = due
    return found


def _claims(snapshot: Snapshot, pod: Pod) -> Iterator[ResourceClaim]:
    """The claims that are reserved for the pod."""
    found = pod_claims(snapshot, pod) if pod.spec.resource_claims else ()
    if isinstance(found, tuple):
        yield from (one.claim for one in found if reserved_for_pod(one, pod))
    extended = pod.status.extended_resource_claim_status
    if extended is not None and snapshot.profile.is_at_least(_EXTENDED_SINCE):
        claim = snapshot.claim(pod.metadata.namespace, extended.resource_claim_name)
        if claim is not None and reserved_for_pod(PodClaim("", claim), pod):
            yield claim


class _Taints:
    """The NoExecute taints of devices: those of the newest slice with the device, then those of rules (B6.1)."""

    def __init__(self, snapshot: Snapshot) -> None:
        work = snapshot.inventory.memory.work
        if _Taints not in work:
            work[_Taints] = _published(snapshot.inventory.index)
        self._published: Mapping[DeviceID, tuple[int, tuple[_Laid, ...]]] = work[_Taints]  # type: ignore[assignment]
        self._rules: tuple[DeviceTaintRule, ...] = ()
        if snapshot.profile.enabled("DRADeviceTaintRules"):
            rules = (rule for rule in snapshot.manifests.taint_rules if rule.spec.taint.effect == _EFFECT)
            self._rules = tuple(sorted(rules, key=lambda rule: rule.metadata.name))
        # A scheduler before 1.37 took a rule without a selector for one of all devices; nobody was evicted (B2.4).
        self._idle = frozenset(rule.metadata.name for rule in self._rules if rule.spec.device_selector is None)

    def __bool__(self) -> bool:
        return bool(self._rules or self._published)

    def of(self, device: DeviceID) -> tuple[_Laid, ...]:
        """Rules count for devices that nobody publishes any more, too (B2.3)."""
        known = self._published.get(device)
        if known is not None:
            return tuple(one for one in known[1] if one.rule not in self._idle) if self._idle else known[1]
        return tuple(_Laid(rule.spec.taint, rule.metadata.name) for rule in self._rules if selects_device(rule, device))


def _published(index: SliceIndex) -> Mapping[DeviceID, tuple[int, tuple[_Laid, ...]]]:
    """Every device with the generation of its newest slice; none where none is tainted."""
    if not any(_is_tainted(device) for item in index.slices for device in item.spec.devices or ()):
        return {}
    found: dict[DeviceID, tuple[int, tuple[_Laid, ...]]] = {}
    for position, item in enumerate(index.slices):
        by_rules, generation = index.taint_rules(position), item.spec.pool.generation
        for number, device in enumerate(item.spec.devices or ()):
            key = DeviceID(item.spec.driver, item.spec.pool.name, device.name)
            if key not in found or generation > found[key][0]:
                rules = by_rules.get(number, ())
                names = ("",) * (len(device.taints) - len(rules)) + rules
                laid = (_Laid(*one) for one in zip(device.taints, names, strict=True) if one[0].effect == _EFFECT)
                found[key] = (generation, tuple(laid))
    return found


def _is_tainted(device: Device) -> bool:
    return any(taint.effect == _EFFECT for taint in device.taints)


def selects_device(rule: DeviceTaintRule, device: DeviceID) -> bool:
    """Whether a rule taints a device, published or not; one without a selector taints none (B2)."""
    selector = rule.spec.device_selector
    return (
        selector is not None
        and selector.driver in (None, device.driver)
        and selector.pool in (None, device.pool)
        and selector.device in (None, device.device)
    )


def _evictions(claim: ResourceClaim, taints: _Taints, now: float) -> Iterator[Eviction]:
    for result in claim.status.allocation.devices.results if claim.status.allocation else ():
        device = DeviceID(result.driver, result.pool, result.device)
        for laid in taints.of(device):
            at = _time(result, laid.taint, now)
            if at is not None:
                yield Eviction(at=at, device=device, taint=laid.taint, rule=laid.rule)


def _time(result: DeviceRequestAllocationResult, taint: DeviceTaint, now: float) -> float | None:
    """Only tolerations that say NoExecute count, and of their times the shortest (B6.1, B6.2)."""
    added = seconds_of(taint.time_added)
    start = now if added is None else added
    matching = [one for one in result.tolerations if one.effect == _EFFECT and tolerates(one, taint)]
    if not matching:
        return start
    if any(one.toleration_seconds is None for one in matching):
        return None
    return start + max(0, min(one.toleration_seconds or 0 for one in matching))
