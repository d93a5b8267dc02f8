"""Pods that are placed on tainted devices and will not stay: eviction reads tolerations differently (B6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from dravite.api.resource_v1 import DeviceRequestAllocationResult, DeviceTaint, DeviceToleration
from dravite.diagnosis.reasons import ConstraintID
from dravite.explain import notes as n
from dravite.explain.case import Case
from dravite.explain.devices.gains import Got, demands_with_paths, device_of, got, on_node
from dravite.explain.objects.missing import written_in
from dravite.lifecycle.eviction_tolerations import tolerates

Eviction: TypeAlias = n.ToleratedButEvicted | n.ToleratedForAWhile


def evictions(case: Case, node: str) -> Iterator[Eviction]:
    """NoExecute taints of the devices that the pod got, as far as its tolerations do not hold for ever."""
    taints = {seen.id: seen.device.taints for seen in on_node(case, node)}
    for one in got(case):
        for result in one.results:
            for taint in taints.get(device_of(result), ()):
                if taint.effect == "NoExecute":
                    yield from _eviction(case, one, result, taint)


def _eviction(case: Case, one: Got, result: DeviceRequestAllocationResult, taint: DeviceTaint) -> Iterator[Eviction]:
    """Only tolerations that say NoExecute count (B6.2), and of their times the shortest (B6.1)."""
    tolerating = [t for t in result.tolerations if t.effect in ("", "NoExecute") and tolerates(t, taint)]
    counting = [toleration for toleration in tolerating if toleration.effect == "NoExecute"]
    if not counting:
        place = _place(case, one, result.request, tolerating[0]) if tolerating else None
        if place is not None:
            yield n.ToleratedButEvicted(device_of(result), taint.key, taint.value, place)
        return
    shortest = min(counting, key=lambda toleration: toleration.toleration_seconds or 0)
    if all(toleration.toleration_seconds is not None for toleration in counting):
        seconds = max(0, shortest.toleration_seconds or 0)
        place = _place(case, one, result.request, shortest)
        if place is not None:
            yield n.ToleratedForAWhile(device_of(result), taint.key, taint.value, seconds, taint.time_added, place)


def _place(case: Case, one: Got, request: str, toleration: DeviceToleration) -> ConstraintID | None:
    """Where the toleration was written."""
    for path, wanted in demands_with_paths(one.claim):
        if path.name == request and toleration in wanted.tolerations:
            field = f"{path.field}.tolerations[{wanted.tolerations.index(toleration)}]"
            return ConstraintID(*written_in(case.snapshot, case.spec, one.ref, field))
    return None
