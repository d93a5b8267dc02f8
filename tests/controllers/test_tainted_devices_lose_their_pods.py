from __future__ import annotations

from dravite.controllers.device_taints import DeviceTaints
from dravite.controllers.scheduling import Scheduling
from tests.clusters import release
from tests.controllers.device_parts import device_class, node, slice_of
from tests.controllers.servers import Plain, World

SLICE = slice_of({"name": "dev-0"}, {"name": "dev-1"})
CLASS = device_class("cls")
NODE = node()
PENDING = "PodsPendingEviction"
MARKED = "Marking for deletion"


def world(*pods: str, **toleration: object) -> World:
    """A node with two devices, and pods that use one each."""
    profile = release()
    scheduling = Scheduling(profile)
    made = World(profile, lambda _: scheduling, lambda on: DeviceTaints(on, lambda: scheduling.snapshot))
    wanted: Plain = {"deviceClassName": "cls"}
    if toleration:
        wanted["tolerations"] = [{"key": "k", "operator": "Exists", **toleration}]
    requests = [{"name": "r", "exactly": wanted}]
    template: Plain = {"metadata": {"name": "tpl"}, "spec": {"spec": {"devices": {"requests": requests}}}}
    made.apply(NODE, SLICE, CLASS)
    made.apply({"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate", **template})
    made.apply(*(pod(name) for name in pods))
    return made


def pod(name: str) -> Plain:
    spec: Plain = {
        "containers": [{"name": "main", "image": "i"}],
        "terminationGracePeriodSeconds": 0,
        "resourceClaims": [{"name": "c", "resourceClaimTemplateName": "tpl"}],
    }
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec}


def rule(effect: str, name: str = "rule", **more: object) -> Plain:
    spec: Plain = {"deviceSelector": {"driver": "d.example.com"}, "taint": {"key": "k", "effect": effect, **more}}
    return {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceTaintRule", "metadata": {"name": name}, "spec": spec}


def progress(cluster: World, name: str = "rule") -> tuple[str, str, str]:
    """What a rule says: status, reason and message."""
    found = cluster.get("DeviceTaintRule", name)
    assert found is not None
    (told,) = found["status"]["conditions"]
    assert told["type"] == "EvictionInProgress"
    assert told["observedGeneration"] == found["metadata"]["generation"]
    return told["status"], told["reason"], told["message"]


def evictions(cluster: World) -> list[tuple[str, str]]:
    return [(about, text) for reason, about, text in cluster.events() if reason == "DeviceTaintManagerEviction"]


def test_b7_4_a_rule_tells_whom_it_will_evict_and_whom_it_has_evicted():
    cluster = world("p1", "p2")
    cluster.apply(rule("NoExecute"))
    assert progress(cluster) == ("True", PENDING, "2 pods need to be evicted in 1 namespace.")
    assert cluster.names("Pod") == []
    assert evictions(cluster) == [("Pod p1", MARKED), ("Pod p2", MARKED)]
    cluster.wait(9)
    assert progress(cluster)[1] == PENDING
    cluster.wait(1)
    assert progress(cluster) == ("False", "Completed", "2 pods evicted since starting the controller.")


def test_b6_7_a_pod_that_is_evicted_says_why_while_it_ends():
    cluster = world()
    cluster.apply({**pod("p"), "spec": {**pod("p")["spec"], "terminationGracePeriodSeconds": 30}})
    cluster.apply(rule("NoExecute"))
    found = cluster.get("Pod", "p")
    assert found is not None
    assert "deletionTimestamp" in found["metadata"]
    told = next(one for one in found["status"]["conditions"] if one["type"] == "DisruptionTarget")
    assert told == {
        "type": "DisruptionTarget",
        "status": "True",
        "reason": "DeletionByDeviceTaintManager",
        "message": "Device Taint manager: deleting due to NoExecute taint",
        "lastProbeTime": None,
        "lastTransitionTime": "2026-01-03T00:00:00Z",
    }
    assert len(evictions(cluster)) == 1


def test_b6_1_tolerations_postpone_the_end():
    cluster = world("p1", effect="NoExecute", tolerationSeconds=6)
    cluster.apply(rule("NoExecute"))
    cluster.wait(5)
    assert progress(cluster) == ("True", PENDING, "1 pod needs to be evicted in 1 namespace.")
    assert cluster.names("Pod") == ["p1"]
    cluster.wait(1)
    assert cluster.names("Pod") == []
    cluster.wait(10)
    assert progress(cluster) == ("False", "Completed", "1 pod evicted since starting the controller.")


def test_b6_1_who_tolerates_for_ever_stays():
    cluster = world("p1", effect="NoExecute")
    cluster.apply(rule("NoExecute"))
    assert progress(cluster) == ("False", "NotStarted", "")
    cluster.wait(600)
    assert cluster.names("Pod") == ["p1"]


def test_b6_8_a_rule_that_goes_in_time_evicts_nobody():
    cluster = world("p1", effect="NoExecute", tolerationSeconds=30)
    cluster.apply(rule("NoExecute"))
    cluster.delete("DeviceTaintRule", "rule")
    assert evictions(cluster) == [("Pod p1", "Cancelling deletion")]
    cluster.wait(60)
    assert cluster.names("Pod") == ["p1"]


def test_b4_1_a_taint_may_come_later():
    cluster = world("p1")
    cluster.apply(rule("NoExecute", timeAdded="2026-01-03T01:00:00Z"))
    assert progress(cluster)[1] == PENDING
    cluster.wait(3599)
    assert cluster.names("Pod") == ["p1"]
    cluster.wait(1)
    assert cluster.names("Pod") == []


def test_b7_5_a_rule_without_effect_tells_once_what_it_would_do():
    cluster = world("p1", "p2")
    cluster.apply(rule("None"))
    told = (
        "2 published devices selected. 2 allocated devices selected. 2 pods would be evicted in 1 namespace if the "
        "effect was NoExecute. This information will not be updated again. Recreate the DeviceTaintRule to trigger an "
        "update."
    )
    assert progress(cluster) == ("False", "NoEffect", told)
    cluster.delete("Pod", "p1")
    cluster.wait(60)
    assert progress(cluster) == ("False", "NoEffect", told)
    cluster.patch("DeviceTaintRule", "rule", {"spec": {"taint": {"effect": "NoSchedule"}}})
    assert progress(cluster) == ("False", "OtherEffect", "Eviction only happens for the NoExecute effect.")
    cluster.patch("DeviceTaintRule", "rule", {"spec": {"taint": {"effect": "NoExecute"}}})
    assert progress(cluster) == ("True", PENDING, "1 pod needs to be evicted in 1 namespace.")


def test_b7_8_a_rule_tells_of_its_evictions_whatever_its_effect_is_by_now():
    cluster = world("p1")
    cluster.apply(rule("NoExecute"))
    cluster.patch("DeviceTaintRule", "rule", {"spec": {"taint": {"effect": "NoSchedule"}}})
    told = "Eviction only happens for the NoExecute effect. 1 pod evicted since starting the controller."
    assert progress(cluster) == ("False", "OtherEffect", told)
    cluster.patch("DeviceTaintRule", "rule", {"spec": {"taint": {"effect": "None"}}})
    assert progress(cluster)[2].endswith("to trigger an update. 1 pod evicted since starting the controller.")


def test_b7_6_two_rules_both_count_the_pod():
    cluster = world("p1")
    cluster.apply(rule("NoExecute", "a", timeAdded="2026-01-03T00:00:20Z"))
    cluster.apply(rule("NoExecute", "b", timeAdded="2026-01-03T00:00:30Z"))
    for name in ("a", "b"):
        assert progress(cluster, name) == ("True", PENDING, "1 pod needs to be evicted in 1 namespace.")


def test_b6_1_slices_taint_without_a_rule():
    cluster = world("p1")
    taint = {"key": "k", "effect": "NoExecute"}
    devices = [{"name": name, "taints": [taint]} for name in ("dev-0", "dev-1")]
    cluster.patch("ResourceSlice", "s", {"spec": {"devices": devices}})
    assert cluster.names("Pod") == []
    assert evictions(cluster) == [("Pod p1", MARKED)]
