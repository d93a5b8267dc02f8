"""How configuration of classes and claims is written into results, by release (RES-5 to RES-7)."""

from __future__ import annotations

import msgspec
import pytest

from dravite.allocator.outcomes import Allocation
from dravite.api.meta import ObjectMeta
from dravite.api.resource_v1 import (
    DeviceClaimConfiguration,
    DeviceClass,
    DeviceClassConfiguration,
    DeviceClassSpec,
    OpaqueDeviceConfiguration,
)
from dravite.snapshot.inventory import build_inventory
from tests.allocator.situations import FEATURES, attempt, claim, device, devices_slice, exactly

OPAQUE = OpaqueDeviceConfiguration(driver="d.io", parameters=msgspec.Raw(b"{}"))
CLASS = DeviceClass(
    metadata=ObjectMeta(name="any"), spec=DeviceClassSpec(config=(DeviceClassConfiguration(opaque=OPAQUE),))
)
STOCK = build_inventory([devices_slice(device("a"), device("b"))], [CLASS], features=FEATURES)


def configured(release, *lists):
    wanted = claim(exactly("x"), exactly("y"))
    own = tuple(DeviceClaimConfiguration(requests=tuple(names), opaque=OPAQUE) for names in lists)
    devices = msgspec.structs.replace(wanted.spec.devices, config=own)
    asked = msgspec.structs.replace(wanted, spec=msgspec.structs.replace(wanted.spec, devices=devices))
    outcome = attempt(STOCK.for_release(release), asked)
    assert isinstance(outcome, Allocation)
    return [(one.source, one.requests) for one in outcome.results[0].devices.config]


@pytest.mark.parametrize(
    ("release", "lists", "written"),
    [
        ("1.37", [], [("FromClass", ())]),
        ("1.36", [], [("FromClass", ("x", "y"))]),
        ("1.37", [["y"], []], [("FromClass", ()), ("FromClaim", ("y",)), ("FromClaim", ())]),
        ("1.36", [["y"], []], [("FromClass", ("x", "y")), ("FromClaim", ("y",)), ("FromClaim", ())]),
        ("1.37", [["x", "y"]], [("FromClass", ()), ("FromClaim", ())]),
        ("1.36", [["x", "y"]], [("FromClass", ("x", "y")), *[("FromClaim", ("x", "y"))] * 2]),
        ("1.37", [["z"]], [("FromClass", ())]),
        ("1.36", [["z"]], [("FromClass", ("x", "y"))]),
        ("1.31", [["y"], []], [("FromClass", ()), ("FromClass", ()), ("FromClaim", ("y",)), ("FromClaim", ())]),
    ],
)
def test_res7_lists_are_widened_since_1_37(release, lists, written):
    assert configured(release, *lists) == written
