"""What else is in a cluster decides whether an object is taken, and fills in what it leaves out."""

from __future__ import annotations

import msgspec
import pytest

from dravite.admission.plugins import InSight
from dravite.admission.refusals import Refused
from dravite.admission.requests import Accepted, judge
from dravite.api.core_v1 import Node
from dravite.api.meta import Model
from dravite.api.scheduling_v1 import PriorityClass
from dravite.api.scheduling_v1beta1 import PodGroup
from tests.admission.writes import HERE, server, stored, written

GROUPS = "GenericWorkload=true"
GROUP = """\
apiVersion: scheduling.k8s.io/v1beta1
kind: PodGroup
metadata: {name: g}
spec: {schedulingPolicy: {basic: {}}}
"""
CLASS = """\
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: other}
value: 5
globalDefault: true
"""
SLICE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: d.example.com
  nodeName: n
  pool: {name: n, generation: 1, resourceSliceCount: 1}
  devices:
  - {name: dev, nodeAllocatableResources: {memory: {overhead: {perPod: 1Gi}}}}
"""
CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, adminAccess: true}}]}}
"""
HIGH = PriorityClass.from_dict({"metadata": {"name": "high"}, "value": 1000})
DEFAULT = PriorityClass.from_dict({"metadata": {"name": "usual"}, "value": 7, "globalDefault": True})


def seen(**objects: object) -> InSight:
    return msgspec.structs.replace(HERE, **objects)


def refusal(answer: Accepted | Refused) -> tuple[int, str]:
    assert isinstance(answer, Refused), answer
    return answer.code, answer.message


def group(text: str, in_sight: InSight) -> PodGroup:
    obj: Model = stored(text, server(gates=GROUPS), in_sight)
    assert isinstance(obj, PodGroup)
    return obj


def test_a_group_gets_the_number_of_its_class_and_is_protected() -> None:
    named = GROUP.replace("spec: {", "spec: {priorityClassName: high, ")
    obj = group(named, seen(priority_classes=(HIGH, DEFAULT)))
    assert (obj.spec.priority, obj.spec.priority_class_name) == (1000, "high")
    assert obj.metadata.finalizers == ("scheduling.k8s.io/podgroup-protection",)


def test_a_group_without_a_class_gets_the_default_one_if_there_is_one() -> None:
    found = [group(GROUP, seen(priority_classes=classes)).spec for classes in ((HIGH,), (HIGH, DEFAULT))]
    assert [(spec.priority, spec.priority_class_name) for spec in found] == [(0, ""), (7, "usual")]


@pytest.mark.parametrize(("head", "called"), [("name: g", "g"), ("generateName: g-", "g-"), ("labels: {}", "Unknown")])
def test_a_group_of_an_unknown_class_is_refused_by_the_name_that_it_has(head: str, called: str) -> None:
    text = GROUP.replace("name: g", head).replace("spec: {", "spec: {priorityClassName: nowhere, ")
    request = msgspec.structs.replace(written(text), verb="create")
    message = f'podgroups.scheduling.k8s.io "{called}" is forbidden: no PriorityClass with name nowhere was found'
    assert refusal(judge(request, HERE, server(gates=GROUPS))) == (403, message)


def test_there_is_one_default_class_but_it_may_be_written_again() -> None:
    in_sight = seen(priority_classes=(DEFAULT,))
    code, message = refusal(judge(written(CLASS), in_sight, server()))
    assert code == 403
    assert message.endswith("PriorityClass usual is already marked as default. Only one default can exist")
    text = CLASS.replace("name: other", "name: usual, resourceVersion: '1'").replace("value: 5", "value: 7")
    old = stored(CLASS.replace("other", "usual").replace("5", "7"), server())
    assert isinstance(judge(written(text, "update", old), in_sight, server()), Accepted)


def test_devices_that_take_from_their_node_need_one_that_declares_it() -> None:
    gates = "DRANodeAllocatableResources=true"
    plain = Node.from_dict({"metadata": {"name": "n"}})
    able = Node.from_dict({"metadata": {"name": "n"}, "status": {"declaredFeatures": [gates.partition("=")[0]]}})
    answers = [judge(written(SLICE), seen(nodes=nodes), server(gates=gates)) for nodes in ((), (plain,), (able,))]
    assert refusal(answers[0])[1].endswith('node "n" not found for device "dev"')
    assert refusal(answers[1])[1].endswith('node "n" does not support DRANodeAllocatableResources feature')
    assert isinstance(answers[2], Accepted)


def test_admin_access_needs_a_namespace_that_says_so() -> None:
    assert refusal(judge(written(CLAIM), HERE, server()))[0] == 422
    labelled = seen(namespaces={"default": {"resource.kubernetes.io/admin-access": "true"}})
    assert isinstance(judge(written(CLAIM), labelled, server()), Accepted)
    otherwise = seen(namespaces={"default": {"resource.kubernetes.io/admin-access": "True"}})
    assert refusal(judge(written(CLAIM), otherwise, server()))[0] == 422


def test_a_namespace_must_exist_and_a_name_be_free() -> None:
    plain = CLAIM.replace(", adminAccess: true", "")
    assert refusal(judge(written(plain), InSight(), server())) == (404, 'namespaces "default" not found')
    taken = seen(taken=frozenset({("ResourceClaim", "default", "c")}))
    assert refusal(judge(written(plain), taken, server())) == (
        409,
        'resourceclaims.resource.k8s.io "c" already exists',
    )


@pytest.mark.parametrize(
    ("text", "release", "gates"), [(GROUP, "1.37", ""), (GROUP, "1.36", GROUPS), (CLAIM, "1.33", "")]
)
def test_what_a_release_does_not_serve_is_not_found(text: str, release: str, gates: str) -> None:
    found = refusal(judge(written(text), HERE, server(release, gates)))
    assert found == (404, "the server could not find the requested resource")
