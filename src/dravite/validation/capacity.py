"""Rules about the capacity of a device and how it may be shared (2.11.2)."""

from __future__ import annotations

from typing import Final

import msgspec

from dravite.api.field import FieldError, child
from dravite.api.quantity import MAX_INT64, NANO, Quantity
from dravite.api.releases import Profile
from dravite.api.resource_v1 import CapacityRequestPolicy, CapacityRequestPolicyRange, Device
from dravite.validation.faults import Faults, duplicate, forbidden, invalid, required, too_many

MAX_VALUES: Final = 10
_MILLI: Final = NANO // 1000


def request_policy(device: Device, name: str, profile: Profile, path: str) -> Faults:
    """The request policy of one capacity of a device, if it has one."""
    entry = device.capacity[name]
    if entry.request_policy is None:
        return
    place = child(path, "requestPolicy")
    if not device.allow_multiple_allocations:
        yield forbidden(place, "allowMultipleAllocations must be true")
    else:
        limit = _Limit(entry.value, profile.enabled("DRAFractionalCapacityRange"), profile)
        yield from _policy(entry.request_policy, limit, place)


class _Limit(msgspec.Struct, frozen=True):
    """What a policy is measured against."""

    capacity: Quantity
    fractions: bool
    profile: Profile


def _policy(policy: CapacityRequestPolicy, limit: _Limit, path: str) -> Faults:
    values, span = policy.valid_values, policy.valid_range
    if values and span is not None:
        detail = 'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time'
        yield forbidden(path, detail)
    elif values:
        if policy.default is None:
            yield required(child(path, "default"), "required when validValues is defined")
        else:
            yield from _valid_values(policy.default, values, limit, child(path, "validValues"))
    elif span is not None:
        if policy.default is None:
            yield required(child(path, "default"), "required when validRange is defined")
        else:
            yield from _valid_range(policy.default, span, limit, child(path, "validRange"))


def _valid_values(default: Quantity, values: tuple[Quantity, ...], limit: _Limit, path: str) -> Faults:
    for position in range(1, len(values)):
        if values[position] < values[position - 1]:
            detail = "values must be sorted in ascending order"
            yield invalid(child(path, position), values[position].text, detail)
    few = len(values) <= MAX_VALUES
    if few:
        yield from _options(values, limit, path)
    else:
        yield too_many(path, len(values), MAX_VALUES)
    if not few or default not in values:
        yield invalid(path, default.text, "default value is not valid according to the requestPolicy")


def _options(values: tuple[Quantity, ...], limit: _Limit, path: str) -> Faults:
    for position, value in enumerate(values):
        if value > limit.capacity:
            detail = f"option is larger than capacity value: {limit.capacity.text}"
            yield invalid(child(path, position), value.text, detail)
    seen: set[object] = set()
    for position, value in enumerate(values):
        key = value.form[:2] if limit.fractions else value.value
        if key in seen:
            yield duplicate(child(path, position), value.text if limit.fractions else str(value.value))
        seen.add(key)


def _valid_range(default: Quantity, span: CapacityRequestPolicyRange, limit: _Limit, path: str) -> Faults:
    low, high, step, capacity = span.min, span.max, span.step, limit.capacity
    if low is None:
        yield required(child(path, "min"), "required when validRange is defined")
        return
    if low > capacity:
        yield invalid(child(path, "min"), low.text, f"min is larger than capacity value: {capacity.text}")
    newer = limit.profile.is_at_least("1.37")
    if default < low:
        yield invalid(child(path, "default" if newer else "min"), default.text, f"default is less than min: {low.text}")
    if high is not None:
        if low > high:
            yield invalid(child(path, "max"), low.text, f"min is larger than max: {high.text}")
        if high > capacity:
            yield invalid(child(path, "max"), high.text, f"max is larger than capacity value: {capacity.text}")
        if default > high:
            place = child(path, "default" if newer else "max")
            yield invalid(place, default.text, f"default is more than max: {high.text}")
    if step is not None:
        yield from _steps(default, span, limit, path) if newer else _old_steps(default, span, limit, path)


def _steps(default: Quantity, span: CapacityRequestPolicyRange, limit: _Limit, path: str) -> Faults:
    step, low = span.step, span.min
    assert step is not None and low is not None  # noqa: S101, PT018 (the caller has looked)
    place = child(path, "step")
    if step.nano <= 0:
        yield invalid(place, step.text, "must be greater than zero")
        return
    if low + step > limit.capacity:
        total = (low + step).text
        detail = f"one step {total} is larger than capacity value: {limit.capacity.text}"
        yield invalid(place, step.text, detail)
    amounts = {"default": default, "min": low, "max": span.max, "step": step}
    unit = NANO
    if limit.fractions and not all(amount is None or amount.is_whole for amount in amounts.values()):
        unit = _MILLI
    bad = tuple(
        error
        for name, amount in amounts.items()
        if amount is not None and (error := _why_unfit(child(path, name), amount, unit)) is not None
    )
    if bad:
        yield from bad
        return
    for amount in (default, span.max):
        if amount is not None and _units(amount - low, unit) % _units(step, unit):
            detail = f"value is not a multiple of a given step ({step.text}) from ({low.text})"
            yield invalid(place, amount.text, detail)


def _old_steps(default: Quantity, span: CapacityRequestPolicyRange, limit: _Limit, path: str) -> Faults:
    """Before 1.37 a server reckoned in 64 bits, whatever came of it, and broke over a step of zero."""
    step, low = span.step, span.min
    assert step is not None and low is not None  # noqa: S101, PT018 (the caller has looked)
    place = child(path, "step")
    if low + step > limit.capacity:
        detail = f"one step {(low + step).text} is larger than capacity value: {limit.capacity.text}"
        yield invalid(place, step.text, detail)
    if step.value == 0:
        yield invalid(place, step.text, "must be greater than zero")
        return
    for amount in (default, span.max):
        if amount is not None and _wrapped(_wrapped(amount.value) - _wrapped(low.value)) % _wrapped(step.value):
            detail = f"value is not a multiple of a given step ({step.text}) from ({low.text})"
            yield invalid(place, amount.text, detail)


def _wrapped(number: int) -> int:
    """A number as 64 bits hold it."""
    return (number + MAX_INT64 + 1) % (2 * MAX_INT64 + 2) - MAX_INT64 - 1


def _units(amount: Quantity, unit: int) -> int:
    return -(-amount.nano // unit)


def _why_unfit(path: str, amount: Quantity, unit: int) -> FieldError | None:
    """Why an amount cannot take part in the arithmetic of a range."""
    if unit == _MILLI:
        exact = amount.nano % _MILLI == 0 and -MAX_INT64 - 1 <= amount.nano // _MILLI <= MAX_INT64
        return None if exact else invalid(path, amount.text, "value cannot be represented as a milli value")
    if amount.nano < 0:
        return invalid(path, amount.text, "must be greater than or equal to 0")
    if amount.value > MAX_INT64:
        return invalid(path, amount.text, f"must not be larger than {MAX_INT64}")
    return None
