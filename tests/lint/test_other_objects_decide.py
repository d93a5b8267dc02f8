"""Admission with the cluster given: changes of what is stored, plugins, and warnings of the server."""

from __future__ import annotations

from tests.lint.manifests import CLASS, NODE, codes, joined, problems, resource_slice, template, the

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
