"""Kubernetes' own workloads are not read as a whole, but a misspelled field of theirs changes nothing: it is named."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
import yaml

from dravite.admission.admit import admit
from dravite.api.documents import split
from dravite.apiserver.protobuf import message_types, type_name
from dravite.workloads import unknown_fields
from dravite.workloads.known_fields import FIELDS
from tests.clusters import release

VERSIONS = {"apps": "apps/v1", "batch": "batch/v1", "": "v1"}

DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: ml}
spec:
  replicaz: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: web}]}
"""


def told(text: str) -> list[tuple[str, str | None, str | None]]:
    return [(one.path, one.near, one.belongs) for one in unknown_fields(yaml.safe_load(text))]


def test_a_misspelled_field_is_named_with_the_one_that_was_meant() -> None:
    assert told(DEPLOYMENT) == [("spec.replicaz", "replicas", None)]


def test_a_field_in_the_wrong_place_is_named_with_the_right_one() -> None:
    job = "{apiVersion: batch/v1, kind: Job, parallelism: 2, spec: {}}"
    assert told(job) == [("parallelism", None, "spec.parallelism")]
    cron = "{apiVersion: batch/v1, kind: CronJob, spec: {jobTemplate: {spec: {paralelism: 2}}}}"
    assert told(cron) == [("spec.jobTemplate.spec.paralelism", "parallelism", None)]


def test_nothing_is_unknown_in_kinds_that_others_define() -> None:
    assert told("{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, spec: {anything: 1}}") == []
    assert told("{apiVersion: apps/v1, kind: Deployment, spec: 7}") == []


def test_a_plan_says_so_with_file_and_line() -> None:
    (problem,) = admit(split("web.yaml", DEPLOYMENT.encode()), release()).problems
    assert (problem.severity, problem.type, problem.field) == ("warning", "unknown-field", "spec.replicaz")
    assert (problem.file, problem.line) == ("web.yaml", 5)
    assert problem.hint == 'did you mean "replicas"?'


def test_dumps_are_believed() -> None:
    (document,) = split("dump.json", b'{"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j"}, "odd": 1}')
    dumped = msgspec.structs.replace(document, handwritten=False)
    assert not [one for one in admit((dumped,), release()).problems if one.type == "unknown-field"]


@pytest.mark.parametrize(("group", "kind"), list(FIELDS))
def test_the_table_has_all_fields_of_kubernetes(group: str, kind: str) -> None:
    for place, names in FIELDS[group, kind].items():
        expected = set(fields_at(type_name(VERSIONS[group], kind), place))
        assert names == (expected | {"apiVersion", "kind"} if not place else expected), place


def fields_at(message: str, place: str) -> dict[str, Any]:
    here = {field.name: field.code for field in message_types()[message].values()}
    name, _, rest = place.partition(".")
    return here if not place else fields_at(here[name], rest)
