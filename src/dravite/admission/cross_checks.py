"""What only shows when objects are seen together: dangling references that no API server notices.

Each finding is a warning with a code of its own; nothing here keeps an object from being planned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from dravite.admission.reading import Taken
from dravite.api.document import Problem
from dravite.api.field import child
from dravite.api.meta import DeviceID
from dravite.api.resource_v1 import DeviceCounterConsumption, ResourceClaim, ResourceSlice

GONE_DEVICE = "allocated-device-not-published"
NO_COUNTER_SET = "counter-set-not-published"
NO_COUNTER = "counter-not-published"
INCOMPLETE = "pool-incomplete"

_PoolKey: TypeAlias = tuple[str, str]
_Counters: TypeAlias = Mapping[str, frozenset[str]]


def cross_check(objects: Sequence[Taken]) -> Iterator[Problem]:
    """Warnings about references between good objects, in their order."""
    slices = tuple((taken, taken.object) for taken in objects if isinstance(taken.object, ResourceSlice))
    pools = _newest(slices)
    for (driver, name), pool in pools.items():
        yield from _incomplete(driver, name, pool)
        yield from _dangling_counters(name, pool)
    published = {
        DeviceID(item.spec.driver, item.spec.pool.name, device.name)
        for _, item in slices
        for device in item.spec.devices or ()
    }
    for taken in objects:
        if isinstance(taken.object, ResourceClaim):
            yield from _gone_devices(taken, taken.object, published)


_Pool: TypeAlias = list[tuple[Taken, ResourceSlice]]


def _newest(slices: Iterable[tuple[Taken, ResourceSlice]]) -> Mapping[_PoolKey, _Pool]:
    """The slices of each pool's newest generation."""
    pools: dict[_PoolKey, _Pool] = {}
    for taken, item in slices:
        key = (item.spec.driver, item.spec.pool.name)
        pool = pools.setdefault(key, [])
        newest = pool[0][1].spec.pool.generation if pool else item.spec.pool.generation
        if item.spec.pool.generation > newest:
            pool.clear()
        if item.spec.pool.generation >= newest:
            pool.append((taken, item))
    return pools


def _incomplete(driver: str, name: str, pool: _Pool) -> Iterator[Problem]:
    taken, first = pool[0]
    wanted = max(item.spec.pool.resource_slice_count for _, item in pool)
    if len(pool) == wanted:
        return
    message = (
        f"pool {name} of {driver} is incomplete: generation {first.spec.pool.generation} has {wanted} slices "
        f"by its own account, and {len(pool)} of them {'is' if len(pool) == 1 else 'are'} here"
    )
    yield taken.subject.problem("warning", INCOMPLETE, message, "spec.pool.resourceSliceCount")


def _dangling_counters(name: str, pool: _Pool) -> Iterator[Problem]:
    """Each device's first reference to a counter that no slice of its pool publishes: it spoils the pool (P-14)."""
    known: dict[str, frozenset[str]] = {}
    for _, item in pool:
        for counters in item.spec.shared_counters or ():
            known[counters.name] = frozenset(counters.counters)
    for taken, item in pool:
        for position, device in enumerate(item.spec.devices or ()):
            for index, use in enumerate(device.consumes_counters):
                path = child("spec", "devices", position, "consumesCounters", index)
                found = _why_dangling(device.name, name, use, known)
                if found is not None:
                    yield taken.subject.problem("warning", found[0], found[1], child(path, found[2]))
                    break


def _why_dangling(
    device: str, pool: str, use: DeviceCounterConsumption, known: _Counters
) -> tuple[str, str, str] | None:
    consequence = "the whole pool is invalid and none of its devices can be allocated"
    if use.counter_set not in known:
        message = f"device {device} consumes counter set {use.counter_set}, which no slice of pool {pool} publishes"
        return NO_COUNTER_SET, f"{message}: {consequence}", "counterSet"
    for counter in use.counters:
        if counter not in known[use.counter_set]:
            message = f"device {device} consumes counter {counter}, which counter set {use.counter_set} does not have"
            return NO_COUNTER, f"{message}: {consequence}", f"counters[{counter}]"
    return None


def _gone_devices(taken: Taken, claim: ResourceClaim, published: set[DeviceID]) -> Iterator[Problem]:
    allocation = claim.status.allocation
    for position, result in enumerate(allocation.devices.results if allocation else ()):
        device = DeviceID(result.driver, result.pool, result.device)
        if device not in published:
            message = f"the claim is allocated to device {device}, which no slice publishes"
            path = child("status", "allocation", "devices", "results", position, "device")
            yield taken.subject.problem("warning", GONE_DEVICE, message, path)
