"""Rules about the capacity of a device and how it may be shared (2.11.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from dravite.api.field import child
from dravite.api.quantity import MAX_INT64, NANO, Quantity
from dravite.api.releases import Profile
from dravite.api.resource_v1 import CapacityRequestPolicy, CapacityRequestPolicyRange, Device
from dravite.validation.faults import Faults, forbidden, invalid, repeated, required, too_many
from dravite.validation.fixed_width import decimal_text, scaled, wrapped

MAX_VALUES: Final = 10
_MILLI: Final = -3


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
    keys = [decimal_text(value) if limit.fractions else str(scaled(value, 0)) for value in values]
    yield from repeated(path, keys)


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
    if newer:
        yield from _arithmetic(default, span, limit, path)
    elif step is not None:
        yield from _old_steps(default, span, limit, path)


def _arithmetic(default: Quantity, span: CapacityRequestPolicyRange, limit: _Limit, path: str) -> Faults:
    """What a server reckons with: in thousandths where the gate is on and something has a fraction."""
    named = (("default", default), ("min", span.min), ("max", span.max), ("step", span.step))
    amounts = {child(path, name): amount for name, amount in named if amount is not None}
    power = 0
    if limit.fractions and not all(amount.is_whole for amount in amounts.values()):
        power = _MILLI
        bad = tuple(_unfit_as_milli(amounts))
        if bad:
            yield from bad
            return
    step, low = span.step, span.min
    if step is None or low is None:
        return
    place = child(path, "step")
    if step.nano <= 0:
        yield invalid(place, step.text, "must be greater than zero")
        return
    if low + step > limit.capacity:
        detail = f"one step {(low + step).text} is larger than capacity value: {limit.capacity.text}"
        yield invalid(place, step.text, detail)
    bad = () if power else tuple(_unfit(amounts))
    yield from bad
    size = scaled(step, power)
    for amount in (default, span.max):
        if not bad and amount is not None and wrapped(scaled(amount, power) - scaled(low, power)) % size:
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
    size = scaled(step, 0)
    if size == 0:
        yield invalid(place, step.text, "must be greater than zero")
        return
    for amount in (default, span.max):
        if amount is not None and wrapped(scaled(amount, 0) - scaled(low, 0)) % size:
            detail = f"value is not a multiple of a given step ({step.text}) from ({low.text})"
            yield invalid(place, amount.text, detail)


def _unfit_as_milli(amounts: Mapping[str, Quantity]) -> Faults:
    """The amounts, by path, that are not a number of thousandths."""
    for path, amount in amounts.items():
        if amount.nano * 1000 != scaled(amount, _MILLI) * NANO:
            yield invalid(path, amount.text, "value cannot be represented as a milli value")


def _unfit(amounts: Mapping[str, Quantity]) -> Faults:
    """The amounts, by path, that 64 bits do not hold, or that are negative."""
    for path, amount in amounts.items():
        if amount.nano < 0:
            yield invalid(path, amount.text, "must be greater than or equal to 0")
        elif amount.nano > MAX_INT64 * NANO:
            yield invalid(path, amount.text, f"must not be larger than {MAX_INT64}")
