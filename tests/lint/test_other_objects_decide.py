"""Admission with the cluster given: changes of what is stored, plugins, and warnings of the server."""

from __future__ import annotations

from tests.lint.manifests import CLASS, NODE, codes, joined, pod, problems, resource_slice, template, the

DEFAULT = "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: %s}\nvalue: 5\nglobalDefault: true\n"


def test_what_cannot_change_in_a_stored_object_is_told() -> None:
    found = problems(template("count: 2"), joined(CLASS, template()))
    changed = the("FieldValueInvalid", found)
    assert changed.field == "spec"
    assert changed.message.endswith("field is immutable")
    assert codes(template("count: 1"), joined(CLASS, template())) == []


def test_faults_of_a_new_object_are_not_told_twice() -> None:
    found = problems(resource_slice("  - name: GPU\n"), resource_slice("  - name: gpu\n"))
    assert [(one.type, one.field) for one in found] == [("FieldValueInvalid", "spec.devices[0].name")]


def test_a_second_default_priority_class_is_refused() -> None:
    assert codes(DEFAULT % "a", NODE) == []
    found = the("admission-refused", problems(DEFAULT % "b", DEFAULT % "a"))
    assert found.message == "PriorityClass a is already marked as default. Only one default can exist"
    assert codes(DEFAULT % "a", DEFAULT % "a") == []


def test_what_a_server_warns_of_is_told_at_the_field() -> None:
    found = the("server-warning", problems(resource_slice("  - name: gpu\n").replace("gpu.example", "GPU.example")))
    assert (found.severity, found.field) == ("warning", "spec.driver")
    assert found.message == 'driver names should be lowercase; "GPU.example.com" contains uppercase characters'
    owner = "{apiVersion: v1, kind: Pod, name: p, uid: u}"
    twice = template().replace("{name: gpu}", f"{{name: gpu, ownerReferences: [{owner}, {owner}]}}")
    assert the("server-warning", problems(joined(CLASS, twice))).field == "metadata.ownerReferences"


def test_a_pod_that_names_its_node_gets_nothing_allocated() -> None:
    bound = pod().replace("spec:\n", "spec:\n  nodeName: n1\n")
    found = the("node-name-skips-scheduler", problems(joined(CLASS, template(), bound)))
    assert found.field == "spec.nodeName"
    assert found.hint == "choose the node with nodeSelector: {kubernetes.io/hostname: n1} in place of nodeName"
    assert codes(joined(CLASS, template(), pod())) == []


def test_a_pod_that_runs_or_whose_claim_is_allocated_may_name_its_node() -> None:
    bound = pod().replace("spec:\n", "spec:\n  nodeName: n1\n")
    assert codes(joined(CLASS, template(), bound + "status: {phase: Running}\n")) == []
    named = bound.replace("resourceClaimTemplateName", "resourceClaimName")
    claim = template().replace("Template", "").replace("  spec:\n", "")
    made = "status: {allocation: {allocationTimestamp: '2026-01-31T12:00:00Z', devices: {results: []}}}\n"
    assert codes(joined(CLASS, claim + made, named)) == []
    assert codes(joined(CLASS, claim, named)) == ["node-name-skips-scheduler"]


def test_two_entries_that_name_one_claim_are_told() -> None:
    claim = template().replace("Template", "").replace("  spec:\n", "")
    named = pod(entries=", {name: two, resourceClaimName: gpu}", container="claims: [{name: gpu}, {name: two}]")
    twice = named.replace("resourceClaimTemplateName", "resourceClaimName")
    found = the("claim-named-twice", problems(joined(CLASS, claim, twice)))
    assert found.field == "spec.resourceClaims[1].resourceClaimName"
    assert found.hint == "let all containers use entry gpu, and leave this one out"
    assert codes(joined(CLASS, template(), claim, named)) == []
