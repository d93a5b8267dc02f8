"""Tolerations in the wrong place or without effect, and rules that taint everything or nothing."""

from __future__ import annotations

from tests.lint.manifests import CLASS, NODE, codes, joined, pod, problems, resource_slice, template, the

RULE = """\
apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: r}
spec:
  deviceSelector: {}
  taint: {key: example.com/fault, effect: NoExecute}
"""
TAINTED = resource_slice("  - {name: gpu-0, taints: [{key: example.com/fault, effect: NoExecute}]}\n")
HELD = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: held}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
status:
  reservedFor: [{resource: pods, name: p, uid: u}]
  allocation:
    allocationTimestamp: "2026-01-31T12:00:00Z"
    devices: {results: [{request: gpu, driver: gpu.example.com, pool: n1, device: gone}]}
"""


def tolerating(toleration: str) -> str:
    return template(f"tolerations: [{{{toleration}}}]")


def test_a_toleration_without_effect_does_not_keep_a_pod_on_a_tainted_device() -> None:
    cluster = joined(CLASS, TAINTED)
    found = the("toleration-without-effect", problems(tolerating("key: example.com/fault, operator: Exists"), cluster))
    assert found.field == "spec.spec.devices.requests[0].exactly.tolerations[0]"
    assert codes(tolerating("key: example.com/fault, operator: Exists, effect: NoExecute"), cluster) == []
    assert codes(tolerating("key: example.com/other, operator: Exists"), cluster) == []


def test_without_devices_the_missing_effect_is_said_too() -> None:
    assert codes(tolerating("operator: Exists")) == ["toleration-without-effect"]


def test_seconds_count_only_with_no_execute() -> None:
    found = problems(tolerating("operator: Exists, effect: NoSchedule, tolerationSeconds: 60"))
    assert [one.type for one in found] == ["toleration-seconds-ignored"]
    assert codes(tolerating("operator: Exists, effect: NoExecute, tolerationSeconds: 60")) == []


def test_a_node_taint_is_not_tolerated_by_a_claim_nor_a_device_taint_by_a_pod() -> None:
    node = NODE + "spec: {taints: [{key: example.com/gpu, effect: NoSchedule}]}\n"
    cluster = joined(CLASS, TAINTED, node)
    assert codes(tolerating("key: example.com/gpu, operator: Exists, effect: NoSchedule"), cluster) == [
        "toleration-of-node-taint"
    ]
    wrong = pod().replace("spec:\n", "spec:\n  tolerations: [{key: example.com/fault, operator: Exists}]\n", 1)
    right = pod().replace("spec:\n", "spec:\n  tolerations: [{key: example.com/gpu, operator: Exists}]\n", 1)
    assert codes(joined(template(), wrong), cluster) == ["toleration-of-device-taint"]
    assert codes(joined(template(), right), cluster) == []


def test_an_empty_selector_taints_everything_and_the_pods_that_go_are_named() -> None:
    cluster = joined(CLASS, resource_slice("  - name: gpu-0\n  - name: gpu-1\n"), HELD, pod())
    found = the("taint-rule-selects-all", problems(RULE, cluster))
    assert found.message == (
        "DeviceTaintRule r has an empty deviceSelector and taints all 3 devices that are given; "
        "1 pod would be evicted: default/p"
    )
    assert the("taint-rule-selects-all", problems(RULE)).message.endswith("taints every device of the cluster")


def test_a_rule_that_selects_nothing_is_told() -> None:
    assert codes(RULE.replace("  deviceSelector: {}\n", "")) == ["taint-rule-selects-nothing"]
    cluster = joined(CLASS, resource_slice("  - name: gpu-0\n"))
    naming = RULE.replace("{}", "{driver: gpu.example.com, pool: n1, device: gpu-%d}")
    assert codes(naming.replace("%d", "1"), cluster) == ["taint-rule-selects-nothing"]
    assert codes(naming.replace("%d", "0"), cluster) == []


def test_an_allocation_without_timestamp_blocks_the_next_pod_while_both_gates_are_on() -> None:
    bare = HELD.replace('    allocationTimestamp: "2026-01-31T12:00:00Z"\n', "")
    assert codes(joined(CLASS, HELD)) == []
    assert codes(joined(CLASS, bare)) == ["allocation-without-timestamp"]
    assert codes(joined(CLASS, bare), release="1.35") == []
