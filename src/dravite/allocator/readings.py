"""The constraints of one claim during a search: which apply to a device, and what they read on it.

Derived attributes are evaluated here, and only here: when a constraint that applies asks for one (KEP-6080).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from dravite.allocator.attempt_errors import derived_failed
from dravite.allocator.constraints import (
    ConstraintState,
    Reading,
    constraint_state,
    published,
    read_derived,
    read_scalar,
    read_set,
)
from dravite.allocator.demands import ClaimDemand, Constraint, Demand, DerivedAttribute
from dravite.cel import CelError
from dravite.diagnosis.verdicts import AttemptError
from dravite.snapshot.inventory import Inventory
from dravite.snapshot.node_devices import NodeDevices
from dravite.snapshot.pools import PoolDevice
from dravite.snapshot.selector_verdicts import derived_value


class ClaimConstraints:
    """The state of all constraints of a claim (CON-1)."""

    __slots__ = ("_applying", "_claim", "_devices", "_lists", "_states")

    def __init__(self, claim: ClaimDemand, devices: NodeDevices, inventory: Inventory) -> None:
        self._claim = claim
        self._devices = devices
        self._lists = "ListTypeAttributes" in inventory.features
        self._states: list[ConstraintState] = [constraint_state(c.kind, lists=self._lists) for c in claim.constraints]
        self._applying: dict[str, tuple[int, ...]] = {}

    def add(self, demand: Demand, position: int) -> bool | AttemptError:
        """Take a device in, if all constraints that apply hold with it; else nothing changes (CON-13)."""
        applying = self._which(demand)
        for number, index in enumerate(applying):
            reading = self._read(self._claim.constraints[index], demand, self._devices.devices[position])
            if isinstance(reading, AttemptError) or reading is None or not self._states[index].add(reading):
                for earlier in reversed(applying[:number]):
                    self._states[earlier].pop()
                return reading if isinstance(reading, AttemptError) else False
        return True

    def pop(self, demand: Demand) -> None:
        """Give up the device that was taken in last, which was one for `demand`."""
        for index in reversed(self._which(demand)):
            self._states[index].pop()

    def signatures(self, constraints: Sequence[int]) -> Hashable:
        """What some constraints have seen: equal where they will decide alike from now on."""
        return tuple(self._states[index].signature() for index in constraints)

    def used(self, constraint: int) -> frozenset[object]:
        """The values that a scalar distinctAttribute has seen."""
        signature = self._states[constraint].signature()
        return signature if isinstance(signature, frozenset) else frozenset()

    def _which(self, demand: Demand) -> tuple[int, ...]:
        known = self._applying.get(demand.name)
        if known is None:
            known = tuple(i for i, constraint in enumerate(self._claim.constraints) if constraint.applies_to(demand))
            self._applying[demand.name] = known
        return known

    def _read(self, constraint: Constraint, demand: Demand, device: PoolDevice) -> Reading | AttemptError | None:
        return read_for(constraint, demand, device, self._devices.node, lists=self._lists)


def read_for(
    constraint: Constraint, demand: Demand, device: PoolDevice, node: str, *, lists: bool
) -> Reading | AttemptError | None:
    """What a constraint reads on a device that serves a demand; None where the attribute is missing (CON-4)."""
    for attribute in demand.derived:
        if attribute.name == constraint.attribute:
            return _derived(attribute, device, node, lists=lists)
    found = published(device.device, device.id.driver, constraint.attribute)
    if found is None:
        return None
    return read_set(found) if lists else read_scalar(found)


def _derived(
    attribute: DerivedAttribute, device: PoolDevice, node: str, *, lists: bool
) -> Reading | AttemptError | None:
    value: object = attribute.program
    if not isinstance(attribute.program, CelError):
        value = derived_value(attribute.program, device)
    if isinstance(value, CelError):
        return derived_failed(attribute, value, device.id, node)
    return read_derived(value, lists=lists)
