"""One device that has every kind of attribute, and short ways to ask about it."""

from __future__ import annotations

from functools import cache

from dravite.api.quantity import Quantity
from dravite.api.resource_v1 import Device, DeviceAttribute, DeviceCapacity
from dravite.cel import CelError, Program, Result, activate, compile_selector, evaluate_selector, run
from dravite.cel.device import Activation

DRIVER = "gpu.example.com"
A = f'device.attributes["{DRIVER}"]'
C = f'device.capacity["{DRIVER}"]'

GPU = Device(
    name="gpu-0",
    attributes={
        "text": DeviceAttribute(string_value="abc"),
        "empty": DeviceAttribute(string_value=""),
        "five": DeviceAttribute(int_value=5),
        "yes": DeviceAttribute(bool_value=True),
        "version": DeviceAttribute(version_value="1.2.3"),
        "built": DeviceAttribute(version_value="1.2.3+build.7"),
        "ints": DeviceAttribute(int_values=(1, 2, 3)),
        "texts": DeviceAttribute(string_values=("a", "b")),
        "rack.example.com/row": DeviceAttribute(int_value=7),
    },
    capacity={
        "memory": DeviceCapacity(value=Quantity.parse("40Gi")),
        "rack.example.com/power": DeviceCapacity(value=Quantity.parse("300")),
    },
)


@cache
def program(text: str) -> Program:
    """The program of a selector that compiles."""
    compiled = compile_selector(text)
    assert isinstance(compiled, Program), compiled
    return compiled


def activation(device: Device = GPU, driver: str = DRIVER) -> Activation:
    """A device whose attributes can all be read."""
    active = activate(driver, device)
    assert isinstance(active, Activation), active
    return active


def verdict(text: str, device: Device = GPU) -> bool | str:
    """What a selector says to a device: the answer, or the message of the error."""
    answer = evaluate_selector(program(text), activation(device))
    return answer.message if isinstance(answer, CelError) else answer


def ran(text: str, device: Device = GPU) -> Result:
    """Value, error and cost of an expression."""
    return run(program(text), activation(device))
