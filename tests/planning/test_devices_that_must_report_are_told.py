from __future__ import annotations

import msgspec

from dravite.api.meta import Condition, DeviceID, ObjectRef
from dravite.api.resource_v1 import AllocatedDeviceStatus
from dravite.diagnosis.reasons import ClaimNotReady
from dravite.diagnosis.verdicts import Scheduled
from dravite.planning.plan import BindingAwaited
from dravite.planning.planner import make_plan
from dravite.scheduler.devices import why_not_available
from tests.clusters import DRIVER, claim, cluster, device_class, devices_of, node, pod, release, with_claims

GPU = DeviceID(DRIVER, "n1", "gpu-0")


def reporting(ready: str = "Ready", failed: str = "Failed"):
    one = devices_of("n1", 1)
    device = msgspec.structs.replace(
        one.spec.devices[0], binding_conditions=(ready,), binding_failure_conditions=(failed,)
    )
    return msgspec.structs.replace(one, spec=msgspec.structs.replace(one.spec, devices=(device,)))


def planned(gates: str = ""):
    wanting = with_claims(pod("p"), gpu="c")
    return make_plan(cluster(node("n1"), reporting(), device_class(), claim("c"), wanting, on=release("1.37", gates)))


def test_d3_4_a_pod_whose_devices_must_report_has_its_node_and_a_note():
    plan = planned()
    assert isinstance(plan.decisions[0].decision, Scheduled)
    assert plan.notes == (BindingAwaited(ObjectRef("Pod", "default", "p"), (GPU,)),)


def test_where_the_feature_is_off_nothing_is_awaited():
    assert planned("DRADeviceBindingConditions=false").notes == ()


def told(condition: str):
    allocated = planned().final.claim("default", "c")
    report = AllocatedDeviceStatus(
        driver=DRIVER,
        pool="n1",
        device="gpu-0",
        conditions=(Condition(type=condition, status="True", reason="Because"),),
    )
    return msgspec.structs.replace(allocated, status=msgspec.structs.replace(allocated.status, devices=(report,)))


def test_d3_7_a_claim_whose_device_failed_is_of_no_use_on_any_node():
    state = planned().final.states["n1"]
    features = release().features
    assert why_not_available(told("Ready"), state, features) is None
    failed = why_not_available(told("Failed"), state, features)
    assert failed == ClaimNotReady(ObjectRef("ResourceClaim", "default", "c"), GPU, "Because")
    assert why_not_available(told("Failed"), state, frozenset()) is None
