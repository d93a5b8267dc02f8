"""When pods have to go because of taints on their devices (B6). Nobody is evicted here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from dravite.api.core_v1 import Pod, PodCondition
from dravite.api.resource_v1 import DeviceRequestAllocationResult, DeviceTaint, DeviceToleration, ResourceClaim
from dravite.diagnosis.verdicts import AttemptError
from dravite.lifecycle.instants import seconds_of
from dravite.scheduler.reserve import reserved_for_pod
from dravite.snapshot.pod_claims import PodClaim, pod_claims
from dravite.snapshot.snapshot import Key, Snapshot, is_finished

EVICTED: Final = PodCondition(
    type="DisruptionTarget",
    status="True",
    reason="DeletionByDeviceTaintManager",
    message="Device Taint manager: deleting due to NoExecute taint",
)

_EXTENDED_SINCE: Final = "1.37"
"""Since when claims for extended resources count."""


def eviction_times(snapshot: Snapshot, now: float) -> Mapping[Key, float]:
    """When each running pod has to go, in seconds since 1970; those that may stay are left out.

    A taint without a time counts as added now.
    """
    if not snapshot.profile.enabled("DRADeviceTaints"):
        return {}
    found: dict[Key, float] = {}
    taints: dict[str, Mapping[tuple[str, str, str], tuple[DeviceTaint, ...]]] = {}
    for key in snapshot.pod_order:
        pod = snapshot.pods[key].pod
        node = pod.spec.node_name
        if not node or is_finished(pod) or pod.metadata.deletion_timestamp is not None or node not in snapshot.states:
            continue
        claims = tuple(_claims(snapshot, pod))
        if claims and node not in taints:
            taints[node] = _taints_on(snapshot, node)
        times = [time for claim in claims for time in _times(claim, taints[node], now)]
        if times:
            found[key] = min(times)
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


def _taints_on(snapshot: Snapshot, node: str) -> Mapping[tuple[str, str, str], tuple[DeviceTaint, ...]]:
    """The NoExecute taints of the devices that a node reaches, those of rules included."""
    offered = snapshot.inventory.devices(snapshot.states[node].node)
    if isinstance(offered, AttemptError):
        return {}
    return {
        (seen.id.driver, seen.id.pool, seen.id.device): found
        for seen in offered.devices
        if (found := tuple(taint for taint in seen.device.taints if taint.effect == "NoExecute"))
    }


def _times(
    claim: ResourceClaim, taints: Mapping[tuple[str, str, str], tuple[DeviceTaint, ...]], now: float
) -> Iterator[float]:
    results = claim.status.allocation.devices.results if claim.status.allocation else ()
    for result in results:
        for taint in taints.get((result.driver, result.pool, result.device), ()):
            time = _time(result, taint, now)
            if time is not None:
                yield time


def _time(result: DeviceRequestAllocationResult, taint: DeviceTaint, now: float) -> float | None:
    """Only tolerations that say NoExecute count, and of their times the shortest (B6.1, B6.2)."""
    added = seconds_of(taint.time_added)
    start = now if added is None else added
    matching = [one for one in result.tolerations if _tolerates(one, taint)]
    if not matching:
        return start
    if any(one.toleration_seconds is None for one in matching):
        return None
    return start + max(0, min(one.toleration_seconds or 0 for one in matching))


def _tolerates(toleration: DeviceToleration, taint: DeviceTaint) -> bool:
    if toleration.effect != "NoExecute" or toleration.key not in ("", taint.key):
        return False
    return toleration.operator == "Exists" or toleration.value == taint.value
