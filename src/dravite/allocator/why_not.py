"""Why a device cannot serve a demand, told of every device, one by one.

It asks `Eligibility` and a fresh `Ledger`, as the search does, in the search's order; it decides nothing by itself.
A device for which it says None can serve the demand while nothing else is picked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dravite.allocator.capacity import Amount, CapacityFault, CapacityRefused, allowed_amounts
from dravite.allocator.demands import ClaimDemand, Demand
from dravite.allocator.eligibility import Eligibility, Eligible, Failure, Refused
from dravite.allocator.ledger import CounterShort, GroupsClash, Ledger
from dravite.allocator.problem import Problem
from dravite.allocator.readings import read_for
from dravite.allocator.seen_values import seen_values
from dravite.api.meta import DeviceID, ObjectRef
from dravite.api.quantity import Quantity
from dravite.cel import CelError
from dravite.diagnosis.reasons import (
    AttributeMissing,
    CapacityMissing,
    CapacityShort,
    CountersExhausted,
    FeatureOff,
    GroupsIncompatible,
    InUse,
    PolicyViolated,
    Rejection,
    SelectorFailed,
    SelectorFalse,
    TaintNotTolerated,
    WrongNode,
)
from dravite.diagnosis.verdicts import AttemptError
from dravite.snapshot.node_devices import describe_fault
from dravite.snapshot.node_use import NodeUse, allocated_consumers
from dravite.snapshot.pools import CounterUse, PoolDevice

_GATES: Final[Mapping[str, str]] = {
    "binding": "DRADeviceBindingConditions",
    "counters": "DRAPartitionableDevices",
    "operations": "DRAOptionalNodeOperations",
}


def why_not(problem: Problem, claim: ClaimDemand, demand: Demand, use: NodeUse, position: int) -> Rejection | None:
    """Why the device at `position` cannot serve `demand` of `claim`, as far as that depends on the device alone."""
    return _Judge(problem, claim, demand, use).why_not(position)


def why_not_any(problem: Problem, claim: ClaimDemand, demand: Demand, use: NodeUse) -> tuple[Rejection | None, ...]:
    """`why_not` of every device of the node, in first-fit order."""
    judge = _Judge(problem, claim, demand, use)
    return tuple(judge.why_not(position) for position in range(len(use.devices.devices)))


class _Judge:
    """One demand against the devices of one node."""

    def __init__(self, problem: Problem, claim: ClaimDemand, demand: Demand, use: NodeUse) -> None:
        features = problem.inventory.features
        self._demand = demand
        self._use = use
        self._constraints = tuple(c for c in claim.constraints if c.applies_to(demand))
        self._lists = "ListTypeAttributes" in features
        self._eligibility = Eligibility(problem.inventory, use.devices)
        self._ledger = Ledger(use, features, 1)

    def why_not(self, position: int) -> Rejection | None:
        device = self._use.devices.devices[position]
        if self._ledger.is_in_use(0, position, admin=self._demand.admin):
            return self._in_use(device, position)
        verdict = self._eligibility.verdict(self._demand, position)
        if isinstance(verdict, Failure):
            return self._failed(verdict, device.id)
        if isinstance(verdict, Refused):
            return self._refused(verdict, device, position)
        return self._short(verdict, device, position) or self._missing(device)

    def _short(self, verdict: Eligible, device: PoolDevice, position: int) -> Rejection | None:
        short = self._ledger.capacity_short(position, verdict.amounts)
        if short is not None:
            return self._capacity_short(device, position, short)
        counters = self._ledger.counters_short(position)
        if isinstance(counters, CounterShort):
            return self._counters_short(device.id, position, counters)
        if isinstance(counters, GroupsClash):
            holders = self._holders_of(position, counters.counter_set, None)
            return GroupsIncompatible(device.id, counters.counter_set, holders)
        return None

    def _in_use(self, device: PoolDevice, position: int) -> InUse:
        usage = self._use.usages[self._use.devices.pool_of[position]]
        held = usage.holdings[device.id.device][0]
        return InUse(device.id, held.claim, held.consumers)

    def _failed(self, failure: Failure, device: DeviceID) -> Rejection:
        error = failure.error
        if isinstance(error, CelError):
            selector = self._demand.selectors[failure.index]
            return SelectorFailed(device, selector.id, selector.expression, error.message)
        if isinstance(error, CapacityFault):
            return SelectorFailed(device, self._demand.id, "", error.text)
        return SelectorFailed(device, self._demand.id, "", describe_fault(error))

    def _refused(self, refused: Refused, device: PoolDevice, position: int) -> Rejection:
        match refused.check:
            case "selector":
                selector = self._demand.selectors[refused.index]
                seen = () if isinstance(selector.program, CelError) else seen_values(selector.program, device)
                return SelectorFalse(device.id, selector.id, selector.expression, seen)
            case "node":
                return WrongNode(device.id)
            case "taint":
                taint = device.device.taints[refused.index]
                added = refused.index - len(device.device.taints) + len(device.taint_rules)
                rule = device.taint_rules[added] if added >= 0 else None
                return TaintNotTolerated(device.id, taint.key, taint.value, taint.effect, rule)
            case "capacity" if refused.capacity is not None:
                return self._capacity_refused(device, position, refused.capacity)
            case _:
                return FeatureOff(device.id, _GATES[refused.check])

    def _capacity_refused(self, device: PoolDevice, position: int, refused: CapacityRefused) -> Rejection:
        if refused.reason == "missing" or refused.taken is None:
            return CapacityMissing(device.id, refused.name)
        capacity = device.device.capacity[refused.name]
        if refused.reason == "policy" and capacity.request_policy is not None:
            allowed = allowed_amounts(capacity.request_policy)
            return PolicyViolated(device.id, refused.name, self._asked(refused.name) or refused.taken.text, allowed)
        amount = Amount(refused.name, refused.taken, capacity.value.nano)
        return self._capacity_short(device, position, amount)

    def _capacity_short(self, device: PoolDevice, position: int, amount: Amount) -> CapacityShort:
        value = device.device.capacity[amount.name].value
        taken = self._use.committed.get(position, {}).get(amount.name, 0)
        held = self._use.usages[self._use.devices.pool_of[position]].holdings.get(device.id.device, ())
        holders = tuple(dict.fromkeys(one.claim for one in held if amount.name in one.consumed))
        left = Quantity(value.nano - taken, value.notation)
        return CapacityShort(
            device.id, amount.name, self._asked(amount.name), amount.taken.text, value.text, left.text, holders
        )

    def _asked(self, capacity: str) -> str | None:
        return next((one.amount.text for one in self._demand.capacity if one.name == capacity), None)

    def _counters_short(self, device: DeviceID, position: int, short: CounterShort) -> CountersExhausted:
        notation = self._use.devices.pools[self._use.devices.pool_of[position]].notation(
            (short.counter_set, short.counter)
        )
        return CountersExhausted(
            device,
            short.counter_set,
            short.counter,
            Quantity(short.needed, notation).text,
            Quantity(short.left, notation).text,
            self._holders_of(position, short.counter_set, short.counter),
        )

    def _holders_of(
        self, position: int, counter_set: str, counter: str | None
    ) -> tuple[tuple[DeviceID, ObjectRef | None], ...]:
        """The allocated devices that use a counter, or any counter of a set, with the claims that hold them."""
        number = self._use.devices.pool_of[position]
        pool, usage = self._use.devices.pools[number], self._use.usages[number]
        return tuple(
            (DeviceID(pool.driver, pool.name, name), usage.holdings[name][0].claim)
            for name, uses in allocated_consumers(pool, usage)
            if any(_concerns(one, counter_set, counter) for one in uses)
        )

    def _missing(self, device: PoolDevice) -> Rejection | None:
        for constraint in self._constraints:
            reading = read_for(constraint, self._demand, device, self._use.devices.node, lists=self._lists)
            if isinstance(reading, AttemptError):
                return SelectorFailed(device.id, constraint.id, reading.expression or "", reading.message)
            if reading is None:
                return AttributeMissing(device.id, constraint.id, constraint.attribute)
        return None


def _concerns(use: CounterUse, counter_set: str, counter: str | None) -> bool:
    return use.counter_set == counter_set and (counter is None or any(name == counter for name, _ in use.amounts))
