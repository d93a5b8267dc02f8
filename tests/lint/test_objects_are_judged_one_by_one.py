"""Each object by itself, as if it were applied alone: errors, unknown fields, pod templates; nothing is merged."""

from __future__ import annotations

import json

from tests.lint.manifests import CLASS, codes, joined, linted, pod, problems, template, the

JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {name: train}
spec:
  suspend: true
  parallelism: 0
  template:
    spec:
      restartPolicy: Never
      resourceClaims:
      - name: gpu
        source: {resourceClaimTemplateName: gpu}
      containers: [{name: c, image: i, resources: {claims: [{name: gpu}]}}]
"""


def test_good_objects_have_no_findings() -> None:
    found = linted(joined(CLASS, template(), pod()))
    assert (found.problems, found.objects, found.unchecked) == ((), 3, ())


def test_all_that_a_server_refuses_is_said_at_once_with_lines() -> None:
    text = template().replace("exactly: {deviceClassName: gpu.example.com}", "deviceClassName: gpu.example.com")
    found = problems(text)
    assert [(one.severity, one.type, one.line) for one in found] == [
        ("error", "FieldValueRequired", 8),
        ("error", "unknown-field", 9),
    ]
    assert found[1].hint == "it belongs at spec.spec.devices.requests[0].exactly.deviceClassName"


def test_a_template_is_read_whether_or_not_it_makes_pods_now() -> None:
    found = problems(JOB)
    assert [(one.type, one.field, one.line) for one in found] == [
        ("FieldValueInvalid", "spec.template.spec.resourceClaims[0]", 11),
        ("unknown-field", "spec.template.spec.resourceClaims[0].source", 12),
    ]


def test_a_broken_object_is_still_there_for_those_who_name_it() -> None:
    broken = template().replace("metadata: {name: gpu}", "metadata: {name: gpu, labels: 5}")
    assert codes(joined(broken, template(name="other"), pod())) == ["FieldValueTypeInvalid"]


def test_alternatives_in_other_folders_are_not_compared_and_not_merged() -> None:
    files = {"a/x.yaml": template("count: 2"), "b/x.yaml": template("count: -1")}
    assert codes(files) == ["FieldValueInvalid"]


def test_an_object_that_stands_twice_in_one_folder_is_said() -> None:
    found = problems({"a/x.yaml": template(), "a/y.yaml": template("count: 2")})
    twice = the("object-read-twice", found)
    assert (twice.severity, twice.file) == ("info", "a/y.yaml")
    assert twice.message == (
        "ResourceClaimTemplate default/gpu is here twice, first in a/x.yaml:1; whichever is applied last counts"
    )


def test_what_is_no_manifest_is_passed_over() -> None:
    found = linted({"values.yaml": "replicas: 3\nimage: {tag: 1.2.3}\n", "m.yaml": CLASS})
    assert (found.problems, found.passed_over) == ((), 1)


def test_a_text_that_is_no_yaml_is_an_error() -> None:
    assert codes("kind: Pod\napiVersion: v1\n\tmetadata:\n") == ["yaml-syntax"]


def test_surroundings_are_looked_at_and_not_judged() -> None:
    bad_class = CLASS.replace('device.driver == "gpu.example.com"', "device.driver ==")
    assert codes(joined(template(), pod()), bad_class) == []


def test_blanks_between_words_of_json_do_not_count_against_its_size() -> None:
    parameters = {f"k{number}": "v" * 20 for number in range(250)}
    config = [{"opaque": {"driver": "d.example.com", "parameters": parameters}}]
    held = {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "c"}}
    assert codes(json.dumps({**held, "spec": {"config": config}}, indent=16)) == []
    parameters |= {f"l{number}": "v" * 20 for number in range(250)}
    assert codes(json.dumps({**held, "spec": {"config": config}})) == ["FieldValueTooLong"]
