"""A request that names the class of whole devices and selects for partitions, or the other way round."""

from __future__ import annotations

import msgspec
import pytest

from dravite.api.resource_v1 import CELDeviceSelector, DeviceClass, DeviceSelector
from dravite.explain.explanation import Explanation
from dravite.explain.remedies.advice import UseObject
from tests.clusters import device_class
from tests.explain.worlds import ATTRIBUTES, gpu, published, template, told, waiting, wants

WHOLE = gpu(0, type="gpu", model="A100")
PART = gpu(1, type="mig", profile="1g.10gb")


def of_type(name: str, kind: str) -> DeviceClass:
    """A class of the devices of one type."""
    made = device_class(name)
    selector = DeviceSelector(cel=CELDeviceSelector(expression=f'{ATTRIBUTES}.type == "{kind}"'))
    spec = msgspec.structs.replace(made.spec, selectors=(*made.spec.selectors, selector))
    return msgspec.structs.replace(made, spec=spec)


def classes_advised(found: Explanation) -> list[str]:
    return [one.advice.use.name for one in found.remedies if isinstance(one.advice, UseObject)]


@pytest.mark.parametrize(
    ("named", "selector", "better"),
    [
        ("whole", f'{ATTRIBUTES}.profile == "1g.10gb"', ["part"]),  # an error: whole devices have no profile
        ("whole", f'{ATTRIBUTES}.type == "mig"', ["part"]),  # false on every whole device
        ("part", f'{ATTRIBUTES}.type == "gpu"', ["whole"]),
        ("whole", f'{ATTRIBUTES}.type == "vfio"', []),
    ],
)
def test_a_class_is_named_whose_devices_pass_the_selectors(named: str, selector: str, better: list[str]) -> None:
    classes = (of_type("whole", "gpu"), of_type("part", "mig"))
    found = told(*classes, published("n1", WHOLE, PART), template("t", wants("gpu", selector, of=named)), waiting())
    assert classes_advised(found) == better
