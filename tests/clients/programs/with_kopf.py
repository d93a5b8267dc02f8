"""An operator with kopf, and what becomes of a claim under its eyes. lightkube plays the user."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import kopf
from lightkube import Client
from lightkube.models import resource_v1 as m
from lightkube.models.meta_v1 import ObjectMeta
from lightkube.resources.core_v1 import Event
from lightkube.resources.resource_v1 import ResourceClaim

CLAIMS = ("resource.k8s.io", "v1", "resourceclaims")
CLIENT = Client(field_manager="suite")


@kopf.on.create(*CLAIMS)
def created(spec: kopf.Spec, patch: kopf.Patch, body: kopf.Body, **_: Any) -> None:
    patch.metadata.annotations["counted"] = str(len(spec["devices"]["requests"]))
    kopf.info(body, reason="Counted", message="counted")


@kopf.on.field(*CLAIMS, field="metadata.labels.size")
def sized(new: str | None, patch: kopf.Patch, **_: Any) -> None:
    patch.metadata.annotations["sized"] = str(new)


@kopf.timer(*CLAIMS, interval=0.1, labels={"ticks": kopf.PRESENT})
def ticked(patch: kopf.Patch, **_: Any) -> None:
    patch.metadata.annotations["ticked"] = "yes"


@kopf.on.delete(*CLAIMS)
def deleted(name: str, **_: Any) -> None:
    print("deletion held up:", name, flush=True)


def operate(ready: threading.Event, stop: threading.Event) -> None:
    asyncio.run(kopf.operator(standalone=True, clusterwide=True, ready_flag=ready, stop_flag=stop))


def noted(name: str) -> str:
    """What the operator writes into an annotation, as soon as it does."""
    for _, claim in CLIENT.watch(ResourceClaim, fields={"metadata.name": "a"}):
        if name in (claim.metadata.annotations or {}):
            return str(claim.metadata.annotations[name])
    return ""


def use() -> None:
    request = m.DeviceRequest(name="gpu", exactly=m.ExactDeviceRequest(deviceClassName="gpu.example.com"))
    spec = m.ResourceClaimSpec(devices=m.DeviceClaim(requests=[request]))
    CLIENT.create(ResourceClaim(metadata=ObjectMeta(name="a", labels={"ticks": "1"}), spec=spec))
    print("counted:", noted("counted"))
    print("ticked:", noted("ticked"))
    CLIENT.patch(ResourceClaim, "a", {"metadata": {"labels": {"size": "3"}}})
    print("sized:", noted("sized"))
    _, event = next(iter(CLIENT.watch(Event)))
    print("event:", event.reason, event.involvedObject.name)
    moment = CLIENT.get(ResourceClaim, "a").metadata.resourceVersion
    CLIENT.delete(ResourceClaim, "a")
    changes = CLIENT.watch(ResourceClaim, resource_version=moment)
    print("gone:", next(claim.metadata.name for happened, claim in changes if happened == "DELETED"))


def main() -> None:
    ready, stop = threading.Event(), threading.Event()
    operator = threading.Thread(target=operate, args=(ready, stop))
    operator.start()
    try:
        if ready.wait(20):
            use()
    finally:
        stop.set()
        operator.join()


main()
