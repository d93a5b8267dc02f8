"""References: said where the object would have to be here, with the name that was meant, and never otherwise."""

from __future__ import annotations

import pytest

from tests.lint.manifests import CLASS, NODE, codes, joined, linted, pod, problems, template, the

WORKLOAD_GATES = "GenericWorkload=true,DRAWorkloadResourceClaims=true"
GROUP = """\
apiVersion: scheduling.k8s.io/v1beta1
kind: PodGroup
metadata: {name: g}
spec:
  schedulingPolicy: {basic: {}}
  workloadRef: {workloadName: w, templateName: workers}
  resourceClaims: [{name: gpu, resourceClaimTemplateName: gpu}]
"""
WORKLOAD = """\
apiVersion: scheduling.k8s.io/v1beta1
kind: Workload
metadata: {name: w}
spec:
  podGroupTemplates:
  - {name: worker, schedulingPolicy: {basic: {}}}
"""
GROUPED = pod().replace("spec:\n", "spec:\n  schedulingGroup: {podGroupName: h}\n")


def test_without_objects_of_its_kind_a_name_is_not_followed_and_that_is_said() -> None:
    found = linted(joined(template(), pod("other")))
    assert codes(template()) == []
    assert found.unchecked == (("DeviceClass", 1),)


def test_a_class_is_missed_where_others_are_here() -> None:
    found = problems(joined(CLASS.replace("gpu.example.com}", "gpu.exampel.com}"), template()))
    missing = the("class-not-found", found)
    assert missing.message == "there is no DeviceClass gpu.example.com among the objects given"
    assert missing.hint == 'did you mean "gpu.exampel.com"?'
    assert (missing.line, missing.field) == (16, "spec.spec.devices.requests[0].exactly.deviceClassName")


def test_with_surroundings_what_is_not_here_is_nowhere() -> None:
    assert codes(template(), NODE) == ["class-not-found"]
    assert codes(pod(), NODE) == ["template-not-found"]
    assert codes(joined(template(), pod()), CLASS) == []


def test_an_object_of_another_namespace_is_pointed_at() -> None:
    elsewhere = template().replace("{name: gpu}", "{name: gpu, namespace: infra}")
    missing = the("template-not-found", problems(joined(CLASS, elsewhere, pod()), NODE))
    assert missing.hint == "it is in namespace infra: names do not reach into other namespaces"


def test_names_that_share_only_their_domain_are_no_suggestion() -> None:
    found = problems(joined(CLASS.replace("{name: gpu.", "{name: nic."), template()))
    assert the("class-not-found", found).hint is None


def test_a_pod_whose_claim_was_made_needs_no_template() -> None:
    made = pod("gone") + "status:\n  resourceClaimStatuses: [{name: gpu, resourceClaimName: p-gpu-x}]\n"
    assert codes(joined(template(), CLASS, made)) == []


def test_the_resource_of_a_class_names_the_class() -> None:
    asking = pod(container="claims: [{name: gpu}], limits: {deviceclass.resource.kubernetes.io/gpux: 1}")
    missing = the("class-not-found", problems(joined(CLASS, template(), asking)))
    assert missing.field == "spec.containers[0].resources.limits[deviceclass.resource.kubernetes.io/gpux]"


def test_a_priority_class_that_is_missing_keeps_a_pod_out() -> None:
    known = "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: 5\n"
    wanting = pod().replace("spec:\n", "spec:\n  priorityClassName: {}\n", 1)
    assert codes(joined(template(), wanting.replace("{}", "hihg"))) == []
    missing = the("priority-class-not-found", problems(joined(known, template(), wanting.replace("{}", "hihg"))))
    assert (missing.severity, missing.hint) == ("error", 'did you mean "high"?')
    assert codes(joined(known, template(), wanting.replace("{}", "system-node-critical"))) == []


def test_groups_workloads_and_their_templates_are_followed() -> None:
    files = joined(CLASS, template(), GROUP, WORKLOAD, GROUPED)
    found = [one for one in problems(files, gates=WORKLOAD_GATES) if one.type != "version-off-by-default"]
    assert [one.type for one in found] == ["pod-group-template-not-found", "pod-group-not-found"]
    assert found[0].message == "Workload default/w has no template workers; it has worker"
    assert found[0].hint == 'did you mean "worker"?'


def test_a_container_that_names_a_request_of_no_claim_is_told() -> None:
    asking = pod(container="claims: [{name: gpu, request: gpus}]")
    missing = the("request-not-found", problems(joined(CLASS, template(), asking)))
    assert missing.message == "ResourceClaimTemplate default/gpu has no request gpus; it has gpu"
    assert missing.field == "spec.containers[0].resources.claims[0].request"


def test_an_entry_that_no_container_uses_is_told() -> None:
    found = problems(joined(CLASS, template(), pod(container="")))
    assert the("claim-entry-unused", found).field == "spec.resourceClaims[0]"


@pytest.mark.parametrize(("count", "said"), [(32, []), (33, ["claim-too-large"])])
def test_a_claim_holds_at_most_32_devices(count: int, said: list[str]) -> None:
    assert codes(joined(CLASS, template(f"count: {count}"))) == said


def test_an_extended_resource_that_is_nearly_one_that_is_served_is_told_with_it() -> None:
    cluster = joined(CLASS + "  extendedResourceName: example.com/gpu\n", NODE)
    asking = pod(container="limits: {example.com/gpus: 1}").replace("  resourceClaims", "  # resourceClaims")
    assert the("resource-not-offered", problems(asking, cluster)).hint == 'did you mean "example.com/gpu"?'


def test_a_topology_label_that_no_node_has_is_told() -> None:
    grouped = (
        "apiVersion: scheduling.k8s.io/v1beta1\nkind: PodGroup\nmetadata: {name: g}\nspec:\n"
        "  schedulingPolicy: {gang: {minCount: 2}}\n  schedulingConstraints: {topology: [{key: example.com/racks}]}\n"
    )
    rack = NODE.replace("labels: {", "labels: {example.com/rack: r1, ")
    gates = "GenericWorkload=true,TopologyAwareWorkloadScheduling=true"
    found = the("topology-label-missing", problems(grouped, rack, gates=gates))
    assert (
        found.message == "the only node given lacks label example.com/racks: there is no domain for the pods to lie in"
    )
    assert found.hint == 'did you mean "example.com/rack"?'
    assert "topology-label-missing" not in codes(grouped.replace("racks", "rack"), rack, gates=gates)
    assert "topology-label-missing" not in codes(grouped, gates=gates)
