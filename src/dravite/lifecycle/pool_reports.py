"""What a ResourcePoolStatusRequest is answered with: how many devices of each pool there are and are left (C2, C5).

A pure function of slices, claims and rules. What a pool's devices have in common beyond that, `pool_views` counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from dravite.api.meta import Condition
from dravite.api.releases import Profile
from dravite.api.resource_v1 import DeviceTaintRule, ResourceClaim, ResourceSlice
from dravite.api.resource_v1alpha3 import PoolStatus, ResourcePoolStatusRequest, ResourcePoolStatusRequestStatus
from dravite.diagnosis import upstream_controllers as words
from dravite.lifecycle.instants import seconds_of, text_of
from dravite.lifecycle.pool_views import Result, Views, views_of
from dravite.snapshot.tainted import apply_taint_rules

RETRIES: Final = 5
"""How often a request is looked at again while a pool is incomplete; after that it stays without an answer (C5.1)."""

_LIMIT: Final = 100
_LONGEST_ERROR: Final = 256
_ANSWERED_FOR: Final = 3600.0
_PENDING_FOR: Final = 24 * 3600.0
_KEEPING_OUT: Final = ("NoSchedule", "NoExecute")
_PoolKey = tuple[str, str]


class DeviceSight(msgspec.Struct, frozen=True):
    """What a report is made from.

    Attributes:
        slices: all of them; the first of a pool says how many slices it has.
        claims: all of them; those that are allocated take devices.
        rules: the taints that are put on devices from outside.
    """

    slices: Sequence[ResourceSlice]
    claims: Iterable[ResourceClaim] = ()
    rules: Iterable[DeviceTaintRule] = ()


def answered(
    request: ResourcePoolStatusRequest, sight: DeviceSight, profile: Profile, now: float
) -> ResourcePoolStatusRequest | None:
    """The request with its answer; None while a pool that it would show is incomplete (C5.1)."""
    found = _pools(request, sight, profile)
    count, shown = len(found), found[: request.spec.limit or _LIMIT]
    pools = tuple(_report(request, slices, sight, profile) for slices in shown)
    if any(pool.total_devices is None for pool in pools):
        return None
    faulty = sum(1 for pool in pools if pool.validation_error)
    condition = Condition(
        type="Complete",
        status="True",
        reason="CalculationComplete",
        message=words.pools_calculated(len(pools), faulty),
        last_transition_time=text_of(now),
    )
    status = ResourcePoolStatusRequestStatus(pool_count=count, pools=pools, conditions=(condition,))
    return msgspec.structs.replace(request, status=status)


def expires(request: ResourcePoolStatusRequest) -> float | None:
    """When a request is deleted, in seconds since 1970; None where that cannot be told (C5.4)."""
    created = seconds_of(request.metadata.creation_timestamp)
    if request.status is None:
        return None if created is None else created + _PENDING_FOR
    told = (one for one in request.status.conditions if one.type in ("Complete", "Failed"))
    since = next((seconds_of(one.last_transition_time) for one in told), created)
    return None if since is None else since + _ANSWERED_FOR


def _pools(
    request: ResourcePoolStatusRequest, sight: DeviceSight, profile: Profile
) -> tuple[tuple[ResourceSlice, ...], ...]:
    """The slices of each pool that is asked for, of the newest generation, with all taints; pools in their order."""
    rules = sight.rules if profile.enabled("DRADeviceTaintRules") else ()
    wanted = request.spec.pool_name
    found: dict[_PoolKey, list[ResourceSlice]] = {}
    for one in apply_taint_rules(sight.slices, rules).slices:
        if one.spec.driver == request.spec.driver and wanted in (None, one.spec.pool.name):
            found.setdefault((one.spec.driver, one.spec.pool.name), []).append(one)
    ordered = sorted(found.items(), key=lambda item: (item[0][0].encode(), item[0][1].encode()))
    return tuple(_newest(slices) for _, slices in ordered)


def _newest(slices: Sequence[ResourceSlice]) -> tuple[ResourceSlice, ...]:
    generation = max(one.spec.pool.generation for one in slices)
    return tuple(one for one in slices if one.spec.pool.generation == generation)


def _report(
    request: ResourcePoolStatusRequest, slices: tuple[ResourceSlice, ...], sight: DeviceSight, profile: Profile
) -> PoolStatus:
    spec = slices[0].spec
    driver, name = spec.driver, spec.pool.name
    nodes = {one.spec.node_name for one in slices}
    told = PoolStatus(
        driver=driver,
        pool_name=name,
        generation=spec.pool.generation,
        node_name=next(iter(nodes)) if len(nodes) == 1 else None,
    )
    expected, count = spec.pool.resource_slice_count, len(slices)
    if count < expected:
        error = words.pool_incomplete(f"{driver}/{name}", count, expected, spec.pool.generation)
        return msgspec.structs.replace(told, validation_error=error[:_LONGEST_ERROR])
    results = _results(sight.claims, (driver, name))
    newest = profile.is_at_least("1.37")
    views = views_of(slices, results, _fallback(request, profile), f"{driver}/{name}") if newest else Views()
    total = sum(len(one.spec.devices or ()) for one in slices)
    allocated = len({one.device for one in results if not one.admin_access}) if newest else len(results)
    unavailable = _unavailable(slices) if newest else 0
    return msgspec.structs.replace(
        told,
        resource_slice_count=count,
        total_devices=total,
        allocated_devices=allocated,
        available_devices=max(0, total - allocated - unavailable),
        unavailable_devices=unavailable,
        partition_summary=views.partitions,
        shareable_summary=views.shareable,
        validation_error=views.error[:_LONGEST_ERROR] or None,
    )


def _fallback(request: ResourcePoolStatusRequest, profile: Profile) -> str:
    """The attribute that tells partitions apart where no slice names one."""
    types = profile.enabled("DRAPartitionableDevicesType")
    return (request.spec.default_partition_type_attribute or "") if types else ""


def _results(claims: Iterable[ResourceClaim], pool: _PoolKey) -> tuple[Result, ...]:
    return tuple(
        result
        for claim in claims
        if claim.status.allocation is not None
        for result in claim.status.allocation.devices.results
        if (result.driver, result.pool) == pool
    )


def _unavailable(slices: Iterable[ResourceSlice]) -> int:
    """How many devices a taint keeps out; a name counts once, though two slices have it."""
    tainted: Mapping[str, None] = {
        device.name: None
        for one in slices
        for device in one.spec.devices or ()
        if any(taint.effect in _KEEPING_OUT for taint in device.taints)
    }
    return len(tainted)
