"""Which part of a selector is false on how many devices, with the values that it saw there."""

import pytest

from dravite.api.meta import DeviceID, ObjectRef
from dravite.api.quantity import Quantity
from dravite.api.resource_v1 import Device, DeviceAttribute, DeviceCapacity, ResourceSliceSpec
from dravite.diagnosis.reasons import ConstraintID
from dravite.explain.insights import NodeCount
from dravite.explain.selectors.judging import AskedSelector, insight, judge
from dravite.explain.selectors.published import Located
from dravite.explain.selectors.unpublished import of_selector
from dravite.snapshot.device_paths import DevicePath
from dravite.snapshot.pools import PoolDevice
from dravite.snapshot.selector_verdicts import SelectorVerdicts

D = "gpu.example.com"
A = f'device.attributes["{D}"]'
MEMORY = f'device.capacity["{D}"].memory.compareTo(quantity("80Gi")) >= 0'
ASKED = ConstraintID(ObjectRef("ResourceClaim", "ml", "gpus"), "spec.devices.requests[0].exactly.selectors[0]")


def gpu(number, *, memory="40Gi", node="n1", **attributes):
    published = {name: DeviceAttribute(string_value=value) for name, value in attributes.items()}
    capacity = {"memory": DeviceCapacity(value=Quantity.parse(memory))} if memory else {}
    one = Device(name=f"gpu-{number}", attributes=published, capacity=capacity)
    return Located(node, PoolDevice(DeviceID(D, node, one.name), one, ResourceSliceSpec()))


@pytest.fixture
def memory():
    return SelectorVerdicts()


def told(expression, devices, memory):
    return insight(judge(AskedSelector(ASKED, "gpu", expression), devices, memory), memory)


def test_each_clause_is_counted_by_itself_and_the_counts_add_up(memory):
    devices = [gpu(0, model="A100"), gpu(1, model="T4"), gpu(2, model="A100", memory="80Gi")]
    found = told(f'{A}.model == "A100" && {MEMORY}', devices, memory)
    assert (found.devices, found.matched, found.refused, found.failed) == (3, 1, 2, 0)
    model, size = found.clauses
    assert (model.true_on, model.false_on, model.decides_on) == (2, 1, 0)
    assert (size.true_on, size.false_on, size.decides_on) == (1, 2, 1)
    assert size.comparison.operand == "80Gi"
    (read,) = size.seen
    assert [(v.value, v.devices) for v in read.values] == [("40Gi", 2)]
    assert found.matched_examples == (devices[2].id,)


def test_a_text_that_is_nearly_right_is_told_its_neighbour(memory):
    devices = [gpu(n, productName="NVIDIA A100-SXM4-80GB") for n in range(8)]
    found = told(f'{A}.productName == "NVIDIA A100 80GB PCIe"', devices, memory)
    assert (found.matched, found.devices) == (0, 8)
    assert found.clauses[0].nearest == "NVIDIA A100-SXM4-80GB"


def test_errors_are_counted_apart(memory):
    found = told(f'{A}.mode == "ATS"', [gpu(0), gpu(1, mode="ATS")], memory)
    assert (found.matched, found.refused, found.failed) == (1, 0, 1)
    assert found.clauses[0].error_on == 1
    assert found.clauses[0].seen[0].values[0].value is None


def test_a_conjunction_inside_a_binding_is_one_clause(memory):
    found = told(f'cel.bind(a, {A}, a.model == "T4" && a.model != "x")', [gpu(0, model="A100")], memory)
    assert len(found.clauses) == 1
    assert found.clauses[0].false_on == 1


def test_an_expression_that_does_not_compile_fails_everywhere(memory):
    found = told("device.nope", [gpu(0)], memory)
    assert (found.failed, found.clauses) == (1, ())


def test_a_name_is_judged_where_the_clauses_before_it_lead(memory):
    other = Located("n1", PoolDevice(DeviceID("nic.io", "n1", "eth0"), Device(name="eth0"), ResourceSliceSpec()))
    devices = [other, gpu(0), gpu(1, node="n2", mode="ATS")]
    judged = judge(AskedSelector(ASKED, "gpu", f'device.driver == "{D}" && {A}.mode == "ATS"'), devices, memory)
    (name,) = of_selector(judged, memory)
    assert name.path == DevicePath("attributes", D, "mode")
    assert (name.problem, name.having, name.devices) == ("on-some", 1, 2)
    assert name.nodes == (NodeCount("n1", 0, 1), NodeCount("n2", 1, 1))


def test_a_name_that_is_asked_for_only_where_it_is_there_is_no_matter(memory):
    judged = judge(AskedSelector(ASKED, "gpu", f'{A}.?mode.orValue("ATS") == "ATS"'), [gpu(0)], memory)
    assert of_selector(judged, memory) == ()


def test_a_capacity_asked_for_as_an_attribute_is_noticed(memory):
    judged = judge(AskedSelector(ASKED, "gpu", f'{A}.memory >= "80Gi"'), [gpu(0)], memory)
    (name,) = of_selector(judged, memory)
    assert (name.problem, name.near) == ("is-capacity", (DevicePath("capacity", D, "memory"),))


def test_devices_are_counted_one_by_one_where_a_domain_is_read_whole(memory):
    devices = [gpu(0, mode="ATS", model="T4"), gpu(1, mode="off", model="A100"), gpu(2, mode="off", model="T4")]
    own = "device.attributes[device.driver]"
    judged = judge(AskedSelector(ASKED, "gpu", f'{own}.mode == "ATS" && {own}.model == "A100"'), devices, memory)
    mode, model = insight(judged, memory).clauses
    assert (mode.true_on, mode.false_on, mode.decides_on) == (1, 2, 1)
    assert (model.true_on, model.false_on, model.decides_on) == (1, 2, 1)
    assert {read.path.root for read in (*mode.seen, *model.seen)} == {"driver"}
    assert of_selector(judged, memory) == ()


def test_a_domain_that_is_there_is_not_told_as_missing(memory):
    (clause,) = told(f"{A}.size() > 5", [gpu(0, mode="ATS")], memory).clauses
    assert (clause.false_on, clause.seen) == (1, ())
