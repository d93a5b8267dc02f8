"""Alternatives of a request in another order: the scheduler does not go back on what the first pod of a gang took."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from dravite.api.core_v1 import Pod
from dravite.api.meta import ObjectRef
from dravite.api.resource_v1 import DeviceRequest, ResourceClaimSpec, ResourceClaimTemplate
from dravite.explain.groups.explanation import AskInOtherOrder
from dravite.snapshot.changes import SetObject
from dravite.snapshot.snapshot import Snapshot

MOST_ORDERS: Final = 6


def in_other_order(snapshot: Snapshot, pods: Iterable[Pod]) -> Iterator[tuple[AskInOtherOrder, tuple[SetObject, ...]]]:
    """For each template of the pods and each later alternative, the request with that alternative first."""
    number = 0
    for template in _templates(snapshot, pods):
        for place, request in enumerate(template.spec.spec.devices.requests):
            for order in _orders(request):
                number += 1
                if number > MOST_ORDERS:
                    return
                ref = ObjectRef("ResourceClaimTemplate", template.metadata.namespace, template.metadata.name)
                advice = AskInOtherOrder(ref, request.name, tuple(one.name for one in order.first_available))
                yield advice, (SetObject(_with_request(template, place, order)),)


def _templates(snapshot: Snapshot, pods: Iterable[Pod]) -> Iterator[ResourceClaimTemplate]:
    """The templates that the pods name, each once."""
    named = {
        (pod.metadata.namespace, entry.resource_claim_template_name or ""): True
        for pod in pods
        for entry in pod.spec.resource_claims
    }
    return (snapshot.templates[key] for key in named if key in snapshot.templates)


def _orders(request: DeviceRequest) -> Iterator[DeviceRequest]:
    alternatives = request.first_available
    for place in range(1, len(alternatives)):
        order = (alternatives[place], *alternatives[:place], *alternatives[place + 1 :])
        yield msgspec.structs.replace(request, first_available=order)


def _with_request(template: ResourceClaimTemplate, place: int, request: DeviceRequest) -> ResourceClaimTemplate:
    devices = template.spec.spec.devices
    requests = (*devices.requests[:place], request, *devices.requests[place + 1 :])
    spec = ResourceClaimSpec(devices=msgspec.structs.replace(devices, requests=requests))
    return msgspec.structs.replace(template, spec=msgspec.structs.replace(template.spec, spec=spec))
