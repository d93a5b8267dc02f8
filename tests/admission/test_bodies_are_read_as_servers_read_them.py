"""What is odd in a body is told or refused, and what is another spelling of the same thing is taken."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from dravite.admission.bodies import Body, read_body
from dravite.admission.refusals import Refused
from dravite.admission.requests import Accepted, Write, judge
from dravite.api.registry import lookup
from dravite.api.resource_v1 import DeviceTaintRule, ResourceClaim
from tests.admission.writes import HERE, NOW, server, written

CLAIM: dict[str, Any] = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceClaim",
    "metadata": {"name": "c"},
    "spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "gpu"}}]}},
}
RULE = """\
apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: r}
spec:
  deviceSelector: {driver: d.example.com}
  taint: {key: broken, effect: None, timeAdded: TIME}
"""


def sent(changes: dict[str, Any], release: str = "1.37") -> Accepted | Refused:
    body = msgspec.json.encode(CLAIM | changes)
    write = Write(verb="create", api_version="resource.k8s.io/v1", kind="ResourceClaim", namespace="default", body=body)
    return judge(write, HERE, server(release))


@pytest.mark.parametrize(
    ("metadata", "warning"),
    [
        ({"name": "c", "nane": "x"}, 'unknown field "metadata.nane"'),
        ({"name": "c", "clusterName": "x"}, 'unknown field "metadata.clusterName"'),
        ({"name": "c", "managedFields": [{"kind": "x"}]}, 'unknown field "metadata.managedFields[0].kind"'),
    ],
)
def test_fields_that_nobody_has_are_passed_over_with_a_warning(metadata: dict[str, Any], warning: str) -> None:
    answer = sent({"metadata": metadata})
    assert isinstance(answer, Accepted)
    assert answer.warnings == (warning,)


def test_fields_of_a_later_release_are_unknown() -> None:
    asked = {"deviceClassName": "gpu", "derivedAttributes": []}
    spec = {"devices": {"requests": [{"name": "r", "exactly": asked}]}}
    warned = [answer.warnings for answer in (sent({"spec": spec}, "1.36"), sent({"spec": spec}))]
    assert warned == [('unknown field "spec.devices.requests[0].exactly.derivedAttributes"',), ()]


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "ResourceSlice"},
        {"apiVersion": "resource.k8s.io/v1beta1"},
        {"spec": []},
        {"metadata": {"name": 5}},
        {"metadata": {"name": "c", "managedFields": "x"}},
        {"metadata": {"name": "c", "managedFields": [{"manager": {}}]}},
        {"metadata": {"name": "c", "managedFields": [{"fieldsType": 5}]}},
        {"metadata": {"name": "c", "selfLink": 1}},
        {"metadata": {"name": "c", "creationTimestamp": "yesterday"}},
        {"metadata": {"name": "c", "namespace": "other"}},
    ],
)
def test_a_body_that_is_something_else_is_a_bad_request(changes: dict[str, Any]) -> None:
    answer = sent(changes)
    assert isinstance(answer, Refused)
    assert (answer.code, answer.reason) == (400, "BadRequest")


def test_a_null_is_as_good_as_nothing() -> None:
    answer = sent({"metadata": {"name": "c", "labels": None, "annotations": {}}, "status": None})
    assert isinstance(answer, Accepted)
    assert isinstance(answer.object, ResourceClaim)
    assert answer.object.spec.devices.requests[0].exactly is not None


@pytest.mark.parametrize(
    ("time", "kept"),
    [
        ("'2026-01-02T03:04:05+01:00'", "2026-01-02T02:04:05Z"),
        ("'2026-01-02T03:04:05.999Z'", "2026-01-02T03:04:05Z"),
        ("null", NOW),
    ],
)
def test_times_are_kept_in_whole_seconds_of_utc(time: str, kept: str) -> None:
    answer = judge(written(RULE.replace("TIME", time)), HERE, server(), NOW)
    assert isinstance(answer, Accepted)
    assert isinstance(answer.object, DeviceTaintRule)
    assert answer.object.spec.taint.time_added == kept


def test_an_owner_that_is_named_twice_is_kept_once() -> None:
    owner = {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u"}
    answer = sent({"metadata": {"name": "c", "ownerReferences": [owner, owner]}})
    assert isinstance(answer, Accepted)
    assert len(answer.object.metadata.owner_references) == 1  # type: ignore[attr-defined]
    assert len(answer.warnings) == 1


_APPLIED = {"manager": "m", "operation": "Update", "apiVersion": "v1", "fieldsV1": {"f:spec": {}}}
_OWNER = {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u"}


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"apiVersion": ""},
        {"kind": None},
        {"metadata": {"name": "c", "creationTimestamp": "2026-01-02T03:04:05Z", "managedFields": [_APPLIED]}},
        {"metadata": {"name": "c", "ownerReferences": [_OWNER], "finalizers": ["a/b"], "resourceVersion": "7"}},
        {"status": {"reservedFor": [{"resource": "pods", "name": "p", "uid": "u"}]}},
        {"spec": {"devices": {"config": [{"opaque": {"driver": "d", "parameters": {"a": [1.5, None]}}}]}}},
    ],
    ids=lambda changes: ",".join(changes) or "claim",
)
def test_an_unknown_field_changes_nothing_about_the_others(changes: dict[str, Any]) -> None:
    info = lookup("resource.k8s.io/v1", "ResourceClaim")
    assert info is not None
    plain, odd = (
        read_body(msgspec.json.encode(CLAIM | changes | more), "resource.k8s.io/v1", info, server())
        for more in ({}, {"odd": 1})
    )
    assert isinstance(plain, Body)
    assert msgspec.structs.replace(plain, unknown=('unknown field "odd"',)) == odd
