"""What a selector read on a device, as texts for people: `attributes["gpu.example.com"].model` was `A100`."""

from __future__ import annotations

from dravite.api.resource_v1 import DeviceAttribute
from dravite.cel import Program
from dravite.diagnosis.reasons import SeenValue
from dravite.snapshot.pools import PoolDevice
from dravite.snapshot.selector_verdicts import look_up

_FIELDS = (
    "int_values",
    "bool_values",
    "string_values",
    "version_values",
    "int_value",
    "bool_value",
    "string_value",
    "version_value",
)


def seen_values(program: Program, device: PoolDevice) -> tuple[SeenValue, ...]:
    """The single values that an expression depends on, by path; whole maps are left out."""
    found = (_seen(path, device) for path in sorted(program.reads or ()))
    return tuple(value for value in found if value is not None)


def _seen(path: tuple[str, ...], device: PoolDevice) -> SeenValue | None:
    driver = device.id.driver
    match path:
        case ("driver",):
            return SeenValue("driver", driver)
        case ("allowMultipleAllocations",):
            return SeenValue("allowMultipleAllocations", _text(bool(device.device.allow_multiple_allocations)))
        case ("attributes", domain, name):
            attribute = look_up(device.device.attributes, driver, domain, name)
            return SeenValue(f'attributes["{domain}"].{name}', None if attribute is None else _value(attribute))
        case ("capacity", domain, name):
            capacity = look_up(device.device.capacity, driver, domain, name)
            return SeenValue(f'capacity["{domain}"].{name}', None if capacity is None else capacity.value.text)
        case _:
            return None


def _value(attribute: DeviceAttribute) -> str:
    value = next((found for field in _FIELDS if (found := getattr(attribute, field)) is not None), "")
    return "[" + ", ".join(_text(one) for one in value) + "]" if isinstance(value, tuple) else _text(value)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
