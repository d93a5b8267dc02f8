"""A name that devices do not publish: what is wrong with it, and what may have been meant."""

from dravite.api.meta import DeviceID, ObjectRef
from dravite.api.quantity import Quantity
from dravite.api.resource_v1 import Device, DeviceAttribute, DeviceCapacity, ResourceSliceSpec
from dravite.diagnosis.reasons import ConstraintID
from dravite.explain.insights import NodeCount, SeenCount
from dravite.explain.selectors.published import Located, name_insight, values_at
from dravite.snapshot.device_paths import DevicePath
from dravite.snapshot.pools import PoolDevice

ASKED = ConstraintID(ObjectRef("ResourceClaim", "ml", "gpus"), "spec.devices.requests[0].exactly.selectors[0]")
DRIVER = "gpu.example.com"


def device(number, node="n1", driver=DRIVER, capacity=None, **attributes):
    published = {name.replace("__", "/"): DeviceAttribute(string_value=value) for name, value in attributes.items()}
    amounts = {name: DeviceCapacity(value=Quantity.parse(value)) for name, value in (capacity or {}).items()}
    name = f"gpu-{number}"
    published_device = Device(name=name, attributes=published, capacity=amounts)
    return Located(node, PoolDevice(DeviceID(driver, node, name), published_device, ResourceSliceSpec()))


def attribute(name, domain=DRIVER):
    return DevicePath("attributes", domain, name)


def insight(path, *devices):
    return name_insight(ASKED, "gpu", path, devices)


def test_a_capacity_that_is_asked_for_as_an_attribute():
    found = insight(attribute("memory"), device(0, capacity={"memory": "24Gi"}), device(1))
    assert (found.problem, found.near) == ("is-capacity", (DevicePath("capacity", DRIVER, "memory"),))
    assert (found.having, found.devices) == (0, 2)


def test_an_attribute_that_is_asked_for_as_a_capacity():
    found = insight(DevicePath("capacity", DRIVER, "model"), device(0, model="A100"))
    assert (found.problem, found.near) == ("is-attribute", (attribute("model"),))


def test_a_misspelt_name():
    found = insight(attribute("produktName"), device(0, productName="A100", uuid="x"))
    assert (found.problem, found.near) == ("name-unknown", (attribute("productName"),))


def test_a_name_under_another_domain():
    found = insight(attribute("model", "gpu.example.org"), device(0, model="A100"))
    assert (found.problem, found.near) == ("other-domain", (attribute("model"),))


def test_a_standard_name_that_a_driver_publishes_as_its_own():
    found = insight(attribute("pcieRoot", "resource.kubernetes.io"), device(0, pciRoot="pci0000:00"))
    assert (found.problem, found.near) == ("name-unknown", (attribute("pciRoot"),))


def test_a_domain_that_nobody_publishes():
    found = insight(DevicePath("attributes", "gpu.exmaple.com"), device(0, model="A100"))
    assert (found.problem, found.near) == ("domain-unknown", (DevicePath("attributes", DRIVER),))


def test_nothing_near():
    found = insight(attribute("colour", "paint.io"), device(0, uuid="x"))
    assert (found.problem, found.near) == ("domain-unknown", ())


def test_a_name_that_some_devices_have_is_counted_by_node():
    devices = (device(0), device(1), device(0, "n2", mode="ATS"))
    found = insight(attribute("mode"), *devices)
    assert found.problem == "on-some"
    assert found.nodes == (NodeCount("n1", 0, 2), NodeCount("n2", 1, 1))
    assert found.lacking == (devices[0].id, devices[1].id)


def test_a_name_that_all_have_is_no_insight():
    assert insight(attribute("mode"), device(0, mode="ATS")) is None
    assert insight(attribute("mode"), device(0, **{"gpu.example.com__mode": "ATS"})) is None


def test_values_are_counted_and_add_up():
    devices = (device(0, model="T4"), device(1, model="A100"), device(2, model="A100"), device(3))
    counted = values_at(devices, attribute("model"))
    assert [(c.value, c.devices) for c in counted] == [("A100", 2), (None, 1), ("T4", 1)]
    assert counted[0] == SeenCount("A100", 2, (devices[1].id, devices[2].id))
