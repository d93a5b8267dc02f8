"""The status of a ResourceQuota says what claims use of it, and follows them."""

from __future__ import annotations

from typing import Any

from dravite.api.releases import newest_profile
from dravite.controllers.quotas import Quotas
from tests.controllers.servers import World

COUNT, DEVICES = "count/resourceclaims.resource.k8s.io", "gpu.deviceclass.resource.k8s.io/devices"
QUOTA = {
    "apiVersion": "v1",
    "kind": "ResourceQuota",
    "metadata": {"name": "q"},
    "spec": {"hard": {COUNT: "3", DEVICES: "8", "pods": "5"}},
}


def claim(name: str, count: int) -> dict[str, Any]:
    request = {"name": "r", "exactly": {"deviceClassName": "gpu", "count": count}}
    spec = {"devices": {"requests": [request]}}
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": name}, "spec": spec}


def status(there: World) -> Any:
    found = there.get("ResourceQuota", "q")
    assert found is not None
    return found["status"]


def test_claims_and_their_devices_are_counted_and_others_left_alone() -> None:
    there = World(newest_profile(), Quotas)
    there.apply(QUOTA)
    assert status(there) == {"hard": QUOTA["spec"]["hard"], "used": {COUNT: "0", DEVICES: "0"}}
    there.apply(claim("a", 2), claim("b", 3))
    assert status(there)["used"] == {COUNT: "2", DEVICES: "5"}
    there.delete("ResourceClaim", "a")
    assert status(there)["used"] == {COUNT: "1", DEVICES: "3"}
