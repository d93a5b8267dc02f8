"""Run the example driver on an API server of Kubernetes 1.31:

    pip install lightkube
    dravite serve --kubernetes 1.31 --simulate-nodes …
    KUBECONFIG=… python run.py --devices n1=2,n2=2

It looks at everything once a second, which is enough for an example; a real driver would watch. What it decides is in
negotiation.py, what it hands out in devices.py.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from devices import Devices
from lightkube import ApiError, Client
from lightkube.generic_resource import create_namespaced_resource
from lightkube.models.core_v1 import ObjectReference
from lightkube.models.meta_v1 import ObjectMeta
from lightkube.resources.core_v1 import Event, Pod
from lightkube.types import PatchType
from negotiation import Failure, Object, Write, answer, release

_GROUP, _VERSION = "resource.k8s.io", "v1alpha3"
CLAIM = create_namespaced_resource(_GROUP, _VERSION, "ResourceClaim", "resourceclaims")
CONTEXT = create_namespaced_resource(_GROUP, _VERSION, "PodSchedulingContext", "podschedulingcontexts")
_KINDS = {"ResourceClaim": CLAIM, "PodSchedulingContext": CONTEXT}


def step(client: Client, devices: Devices) -> bool:
    """Look at all claims and contexts once; whether anything was written."""
    claims = {_key(one): one for one in _all(client, CLAIM)}
    pods = {_key(one): one for one in _all(client, Pod)}
    devices.claims, devices.taken = list(claims.values()), []
    wrote = False
    for claim in claims.values():
        wrote |= _carry_out(client, devices, release(devices, claim))
    for context in _all(client, CONTEXT):
        pod = pods.get(_key(context))
        entries = _claims_of(pod, claims) if pod is not None else {}
        wrote |= _carry_out(client, devices, answer(devices, context, pod, entries))
    return wrote


def main() -> None:
    parser = argparse.ArgumentParser(description="An example driver with a controller, for Kubernetes 1.31.")
    parser.add_argument("--name", default="classic.example.com", help="what spec.controller of its claims says")
    parser.add_argument("--devices", default="n1=2,n2=2", help="how many devices each node has: n1=2,n2=2")
    given = parser.parse_args()
    counts = dict(one.split("=", 1) for one in given.devices.split(","))
    devices = Devices(given.name, {node: int(count) for node, count in counts.items()})
    client = Client(field_manager=given.name)
    while True:
        if not step(client, devices):
            time.sleep(1)


def _claims_of(pod: Object, claims: dict[tuple[str, str], Object]) -> dict[str, Object]:
    """The claims of a pod by the name of its entry; nothing while one is missing."""
    namespace, found = pod["metadata"]["namespace"], {}
    made = {one["name"]: one.get("resourceClaimName") for one in pod["status"].get("resourceClaimStatuses") or ()}
    for entry in pod["spec"].get("resourceClaims") or ():
        name = entry.get("resourceClaimName") or made.get(entry["name"])
        claim = claims.get((namespace, name)) if name else None
        if claim is None:
            return {}
        found[entry["name"]] = claim
    return found


def _carry_out(client: Client, devices: Devices, todo: Iterable[Write | Failure]) -> bool:
    """Write one thing after the other; who was overtaken looks again at the next step."""
    wrote = False
    for one in todo:
        try:
            if isinstance(one, Failure):
                _tell(client, devices, one)
                continue
            kind = _KINDS[one.kind].Status if one.part else _KINDS[one.kind]
            client.patch(kind, one.name, one.patch, namespace=one.namespace, patch_type=PatchType.MERGE)
            wrote = True
        except ApiError as error:
            sys.stderr.write(f"{one.kind} {one.namespace}/{one.name}: {error}\n")
            return wrote
    return wrote


def _tell(client: Client, devices: Devices, failure: Failure) -> None:
    about = ObjectReference(kind=failure.kind, namespace=failure.namespace, name=failure.name)
    now = datetime.now(UTC)
    client.create(
        Event(
            metadata=ObjectMeta(generateName=f"{failure.name}.", namespace=failure.namespace),
            involvedObject=about,
            type="Warning",
            reason="Failed",
            message=failure.message,
            firstTimestamp=now,
            lastTimestamp=now,
            reportingComponent=f"resource driver {devices.name}",
        )
    )


def _all(client: Client, kind: Any) -> list[Object]:
    return [one.to_dict() for one in client.list(kind, namespace="*")]


def _key(obj: Object) -> tuple[str, str]:
    return (obj["metadata"]["namespace"], obj["metadata"]["name"])


if __name__ == "__main__":
    main()
