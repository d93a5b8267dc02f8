"""A frozen object with one field changed."""

import pytest

from dravite.api.quantity import Quantity
from dravite.api.resource_v1 import (
    CapacityRequirements,
    DeviceClaim,
    DeviceRequest,
    DeviceSelector,
    ExactDeviceRequest,
    ResourceClaim,
    ResourceClaimSpec,
)
from dravite.explain.objects.editing import GONE, edited, replaced, value_at

EXACTLY = ExactDeviceRequest(
    device_class_name="gpu",
    count=4,
    selectors=(DeviceSelector(), DeviceSelector()),
    capacity=CapacityRequirements(requests={"memory": Quantity.parse("10Gi")}),
)
CLAIM = ResourceClaim(
    spec=ResourceClaimSpec(devices=DeviceClaim(requests=(DeviceRequest(name="gpu", exactly=EXACTLY),)))
)
PATH = "spec.devices.requests[0].exactly"


def test_a_field_is_replaced_and_the_old_object_stays():
    changed = edited(CLAIM, f"{PATH}.count", lambda count: count - 1)
    assert changed.spec.devices.requests[0].exactly.count == 3
    assert CLAIM.spec.devices.requests[0].exactly.count == 4
    assert changed.spec.devices.requests[0].exactly.device_class_name == "gpu"


def test_names_are_those_of_the_wire():
    assert value_at(CLAIM, f"{PATH}.deviceClassName") == "gpu"


def test_an_element_is_left_out():
    assert len(replaced(CLAIM, f"{PATH}.selectors[1]", GONE).spec.devices.requests[0].exactly.selectors) == 1


def test_an_entry_of_a_map_is_replaced_added_or_left_out():
    path = f"{PATH}.capacity.requests"
    assert value_at(replaced(CLAIM, f"{path}[memory]", Quantity.parse("8Gi")), path) == {
        "memory": Quantity.parse("8Gi")
    }
    assert value_at(replaced(CLAIM, f"{path}[cores]", Quantity.parse("2")), f"{path}[cores]") == Quantity.parse("2")
    assert value_at(replaced(CLAIM, f"{path}[memory]", GONE), path) == {}


@pytest.mark.parametrize("path", ["spec.nope", "spec.devices.requests[7]", "spec.devices.requests[x]", "kind.name"])
def test_what_cannot_be_there_is_a_broken_question(path):
    with pytest.raises(LookupError):
        value_at(CLAIM, path)
