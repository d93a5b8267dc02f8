"""A pod that asks for less of its node: which of its containers gives way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from dravite.api.core_v1 import Pod
from dravite.api.quantity import Quantity
from dravite.explain.objects.editing import replaced, value_at
from dravite.snapshot.node_state import amount
from dravite.snapshot.requests import PodLevel, in_units, pod_request

_LIMITED_APART: Final = frozenset({"cpu", "memory", "ephemeral-storage"})
"""Resources of which a container may request less than its limit."""


def asking_less(pod: Pod, most: Mapping[str, int], level: PodLevel) -> tuple[Pod, str] | None:
    """The pod with at most so much of each resource in all, in the scheduler's units, and the first field to change.

    The container that asks for most gives way, where that is enough; else all give way alike. None where a request
    would be left with nothing, and where the pod as a whole says what it asks for and its containers want that much.
    """
    fields: list[str] = []
    for resource, units in most.items():
        found = _less(pod, resource, units, level)
        if found is None:
            return None
        pod, path = found
        fields.append(path)
    return (pod, fields[0]) if fields else None


def _less(pod: Pod, resource: str, most: int, level: PodLevel) -> tuple[Pod, str] | None:
    for requests in _ways(pod, resource, most, level):
        if all(units > 0 for units in requests.values()):
            changed = _with_requests(pod, resource, requests)
            if pod_request(changed, level).amounts.get(resource, 0) <= most:
                return changed, _field(next(iter(requests)), resource)
    return None


def _ways(pod: Pod, resource: str, most: int, level: PodLevel) -> Iterator[Mapping[str, int]]:
    """New requests by the place of the container, or of the pod as a whole, the smallest change first."""
    asked = pod_request(pod, level).amounts.get(resource, 0)
    over = asked - most
    whole = pod.spec.resources
    if level == "honour" and whole is not None and resource in whole.requests:
        if pod_request(pod, "ignore").amounts.get(resource, 0) <= most:
            yield {"spec": in_units(resource, whole.requests[resource]) - over}
        return
    wanted = dict(sorted(_requests(pod, resource), key=lambda one: -one[1]))
    for place, units in wanted.items():
        yield {place: units - over}
    yield {place: units * most // asked for place, units in wanted.items()}


def _requests(pod: Pod, resource: str) -> Iterator[tuple[str, int]]:
    for kind, containers in (("containers", pod.spec.containers), ("initContainers", pod.spec.init_containers)):
        for position, container in enumerate(containers):
            found = container.resources.requests.get(resource)
            if found is not None and found.nano > 0:
                yield f"spec.{kind}[{position}]", in_units(resource, found)


def _with_requests(pod: Pod, resource: str, requests: Mapping[str, int]) -> Pod:
    for place, units in requests.items():
        quantity: Quantity = amount(resource, units)
        pod = replaced(pod, _field(place, resource), quantity)
        if resource not in _LIMITED_APART and resource in value_at(pod, f"{place}.resources.limits"):
            pod = replaced(pod, f"{place}.resources.limits[{resource}]", quantity)
    return pod


def _field(place: str, resource: str) -> str:
    return f"{place}.resources.requests[{resource}]"
