from __future__ import annotations

import msgspec

from dravite.api.meta import OwnerReference
from dravite.api.resource_v1 import (
    AllocationResult,
    DeviceAllocationResult,
    DeviceRequestAllocationResult,
    ResourceClaimConsumerReference,
    ResourceClaimStatus,
)
from dravite.lifecycle.settling import settle
from dravite.scheduler.reserve import FINALIZER
from tests.clusters import DRIVER, claim, cluster, device_class, devices_of, node, pod, with_claims

STAMP = "2026-01-01T00:00:00Z"


def used(name: str, *users: str, finalizer: bool = True, owner: str | None = None, device: str = "gpu-0"):
    result = DeviceRequestAllocationResult(request="gpu", driver=DRIVER, pool="n1", device=device)
    allocation = AllocationResult(devices=DeviceAllocationResult(results=(result,)), allocation_timestamp=STAMP)
    reserved = tuple(ResourceClaimConsumerReference(resource="pods", name=u, uid=f"uid-{u}") for u in users)
    one = claim(name)
    owners = (OwnerReference(api_version="v1", kind="Pod", name=owner, uid=f"uid-{owner}", controller=True),)
    metadata = msgspec.structs.replace(
        one.metadata, finalizers=(FINALIZER,) if finalizer else (), owner_references=owners if owner else ()
    )
    status = ResourceClaimStatus(allocation=allocation, reserved_for=reserved)
    return msgspec.structs.replace(one, metadata=metadata, status=status)


def settled(*objects: object):
    return settle(cluster(node("n1"), devices_of("n1", 1), device_class(), *objects))


def done(name: str):
    return pod(name, node_name="n1", phase="Succeeded")


def test_a4_1_a_finished_pod_lets_go_and_the_last_one_frees_the_devices():
    snapshot = settled(used("c", "p"), done("p"))
    freed = snapshot.claim("default", "c")
    assert freed.status.allocation is None
    assert freed.metadata.finalizers == ()
    assert len(snapshot.inventory.usage.pools) == 0


def test_a4_3_while_somebody_uses_the_claim_its_devices_stay():
    snapshot = settled(used("c", "p", "q"), done("p"), with_claims(pod("q", node_name="n1", phase="Running"), a="c"))
    kept = snapshot.claim("default", "c")
    assert [entry.name for entry in kept.status.reserved_for] == ["q"]
    assert kept.status.allocation is not None


def test_a4_4_a_claim_that_nobody_ever_used_stays_allocated():
    assert settled(used("c")).claim("default", "c").status.allocation is not None


def test_a4_4_without_the_finalizer_only_the_reservation_goes():
    kept = settled(used("c", "p", finalizer=False), done("p")).claim("default", "c")
    assert kept.status.reserved_for == ()
    assert kept.status.allocation is not None


def test_a4_2_a_pod_of_the_same_name_with_another_uid_is_another_pod():
    stranger = msgspec.structs.replace(pod("p", node_name="n1", phase="Running"))
    metadata = msgspec.structs.replace(stranger.metadata, uid="another")
    snapshot = settled(used("c", "p"), msgspec.structs.replace(stranger, metadata=metadata))
    assert snapshot.claim("default", "c").status.allocation is None


def test_consumers_that_are_not_in_the_input_are_believed():
    assert settled(used("c", "unknown")).claim("default", "c").status.allocation is not None


def test_a4_6_a_claim_that_was_made_for_a_finished_pod_goes():
    assert settled(used("p-a-12345", "p", owner="p"), done("p")).claim("default", "p-a-12345") is None


def test_a3_7_a_pod_that_was_bound_past_the_scheduler_is_noted():
    running = with_claims(pod("p", node_name="n1", phase="Running"), a="c")
    reserved = settled(used("c"), running).claim("default", "c").status.reserved_for
    assert [(entry.resource, entry.name, entry.uid) for entry in reserved] == [("pods", "p", "uid-p")]
