"""How much of a device's capacity one request takes: the device's request policy applied to what was asked.

Decides amounts, and whether they can be taken at all (CAP-2 to CAP-6, CAP-18). What is left of a device at some
point of the search is not known here. Amounts keep the notation that Kubernetes would write them in (CAP-4).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Final, Literal, TypeAlias

import msgspec

from dravite.allocator.demands import CapacityDemand
from dravite.api.quantity import MAX_INT64, NANO, Quantity
from dravite.api.resource_v1 import CapacityRequestPolicy, CapacityRequestPolicyRange, Device, DeviceCapacity

_MILLI: Final = NANO // 1000


class Amount(msgspec.Struct, frozen=True, gc=False):
    """What one allocation takes of one capacity.

    Attributes:
        taken: in the notation of the result.
        total: the device's value, in nano units.
    """

    name: str
    taken: Quantity
    total: int


class CapacityRefused(msgspec.Struct, frozen=True):
    """Why a device cannot give a capacity, whatever is left of it.

    `missing`: it has none of that name. `policy`: its policy allows no such amount. `small`: it never had so much.
    """

    reason: Literal["missing", "policy", "small"]
    name: str
    taken: Quantity | None = None


class CapacityFault(msgspec.Struct, frozen=True):
    """An amount that cannot be computed; ends the attempt. `text` is Kubernetes' own."""

    text: str


Consumption: TypeAlias = tuple[Amount, ...] | CapacityRefused | CapacityFault


def consumption(device: Device, demands: Sequence[CapacityDemand], *, fractional: bool) -> Consumption:
    """What a request takes of each capacity of a device, in order of their names.

    Args:
        fractional: whether ranges are computed in thousandths where they allow it (FractionalCapacityRange).
    """
    if not demands and not any(map(_policy_of, device.capacity.values())):
        return _all_of(device)
    requested = {demand.name: demand.amount for demand in demands}
    for name in requested:
        if name not in device.capacity:
            return CapacityRefused("missing", name)
    amounts: list[Amount] = []
    for name, capacity in sorted(device.capacity.items()):
        taken = _taken(capacity, requested.get(name), fractional=fractional)
        if isinstance(taken, str):
            return CapacityFault(f'capacity "{name}": {taken}')
        if taken.nano < 0:
            return CapacityFault(f'capacity "{name}": capacity value is negative')
        amounts.append(Amount(name, taken, capacity.value.nano))
    return _refused(device, amounts, fractional=fractional) or tuple(amounts)


_policy_of: Final = attrgetter("request_policy")


def _all_of(device: Device) -> Consumption:
    """What a request takes that asks for nothing, of a device that has no policies: all that there is."""
    amounts: list[Amount] = []
    for name, capacity in sorted(device.capacity.items()):
        if capacity.value.nano < 0:
            return CapacityFault(f'capacity "{name}": capacity value is negative')
        amounts.append(Amount(name, capacity.value, capacity.value.nano))
    return tuple(amounts)


def allowed_amounts(policy: CapacityRequestPolicy) -> str:
    """The most that a policy allows, as it stands in the policy: a maximum, or the last valid value."""
    if policy.valid_range is not None and policy.valid_range.max is not None:
        return policy.valid_range.max.text
    return policy.valid_values[-1].text if policy.valid_values else ""


def most_allowed(capacity: DeviceCapacity, left: Quantity) -> Quantity | None:
    """The largest request that fits into what is `left` and is taken as it is; None where the policy has none."""
    policy = capacity.request_policy
    if policy is None:
        return left
    if policy.valid_values:
        return max((one for one in policy.valid_values if one <= left), default=None)
    limits = policy.valid_range
    if limits is None:
        return left
    most = min(left, limits.max) if limits.max is not None else left
    if limits.min is None or limits.step is None or not limits.step.nano:
        return most if limits.min is None or most >= limits.min else None
    steps = (most.nano - limits.min.nano) // limits.step.nano
    return Quantity(limits.min.nano + steps * limits.step.nano, limits.step.notation) if steps >= 0 else None


def _refused(device: Device, amounts: Iterable[Amount], *, fractional: bool) -> CapacityRefused | None:
    for amount in amounts:
        policy = device.capacity[amount.name].request_policy
        if policy is not None and _violates(policy, amount.taken, fractional=fractional):
            return CapacityRefused("policy", amount.name, amount.taken)
        if amount.taken.nano > amount.total:
            return CapacityRefused("small", amount.name, amount.taken)
    return None


def _taken(capacity: DeviceCapacity, requested: Quantity | None, *, fractional: bool) -> Quantity | str:
    """CAP-3: the amount, or why it cannot be computed."""
    policy = capacity.request_policy
    if policy is None:
        return capacity.value if requested is None else requested
    if requested is None:
        return capacity.value if policy.default is None else policy.default
    limits = policy.valid_range
    if limits is not None and limits.min is not None:
        return _within(limits, limits.min, requested, fractional=fractional)
    if policy.valid_values:
        return next((value for value in policy.valid_values if value >= requested), requested)
    if limits is not None and limits.step is not None:
        return "the range of its request policy has a step and no minimum"  # Kubernetes crashes here
    return requested


def _within(
    limits: CapacityRequestPolicyRange, minimum: Quantity, requested: Quantity, *, fractional: bool
) -> Quantity | str:
    """CAP-4: at least the minimum, and from there up to the next step."""
    step = limits.step
    if requested < minimum:
        return minimum
    if step is None:
        return requested
    unit = _unit(limits, fractional=fractional)
    fault = "capacity request cannot be represented in the device's range arithmetic: "
    asked, least, width = (-(-quantity.nano // unit) for quantity in (requested, minimum, step))
    if width == 0:
        return "the range of its request policy has a step of zero"  # Kubernetes crashes here
    if unit == _MILLI and (requested.nano % _MILLI or asked > MAX_INT64):
        return f"{fault}request {requested.text} is not a representable milli value"
    if asked > MAX_INT64:
        return f"{fault}request {requested.text} exceeds MaxInt64"
    rounded = least - (least - asked) // width * width
    if rounded > MAX_INT64 or width < 0:
        limit = "the milli-value range" if unit == _MILLI else "MaxInt64"
        return f"{fault}rounding request {requested.text} up to the next step passes {limit}"
    return Quantity(rounded * unit, step.notation)


def _unit(limits: CapacityRequestPolicyRange, *, fractional: bool) -> int:
    """The unit that a range is computed in, in nano units: thousandths, if they are on and exact for it (CAP-18)."""
    bounds = [bound for bound in (limits.min, limits.max, limits.step) if bound is not None]
    exact = all(bound.nano % _MILLI == 0 and bound.nano // _MILLI <= MAX_INT64 for bound in bounds)
    return _MILLI if fractional and exact else NANO


def _violates(policy: CapacityRequestPolicy, amount: Quantity, *, fractional: bool) -> bool:
    """CAP-6; the policy's own default is always allowed."""
    default = policy.default
    if default is not None and default == amount and default.notation == amount.notation:
        return False
    limits = policy.valid_range
    if limits is None:
        return bool(policy.valid_values) and amount not in policy.valid_values
    if limits.max is not None and amount > limits.max:
        return True
    if limits.step is None or limits.min is None:
        return False
    unit = _unit(limits, fractional=fractional)
    taken, least, width = (-(-quantity.nano // unit) for quantity in (amount, limits.min, limits.step))
    return width != 0 and (taken - least) % width != 0
