"""Which device can serve which demand: the only place where that is decided.

`Eligibility` answers the search with small values; `why_not` asks it the same questions in the same order and turns
its answer into a `Rejection`, so what is explained cannot differ from what was decided. What depends on earlier picks
(a sibling took the device, a constraint broke) is no rejection; the search finds it by itself.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from dravite.allocator.capacity import Amount, CapacityFault, CapacityRefused, consumption
from dravite.allocator.demands import Demand
from dravite.api.names import SelectorFault
from dravite.api.resource_v1 import DeviceTaint, DeviceToleration
from dravite.cel import CelError
from dravite.snapshot.inventory import Inventory
from dravite.snapshot.node_devices import NodeDevices
from dravite.snapshot.pools import PoolDevice
from dravite.snapshot.variants import variant


class Eligible(msgspec.Struct, frozen=True):
    """Nothing in the device itself speaks against it. `amounts` is what it would take of its capacity."""

    amounts: tuple[Amount, ...] = ()


class Refused(msgspec.Struct, frozen=True):
    """The first check that a device does not pass.

    Attributes:
        check: which one. `feature` needs a gate that is off, `operations` and `counters` too, but All collects the
            device all the same and then fails (R-16); so it does with a taint (R-11).
        index: of the selector or taint.
        capacity: for `capacity`, the details.
    """

    check: Literal["binding", "selector", "node", "capacity", "counters", "operations", "taint"]
    index: int = 0
    capacity: CapacityRefused | None = None


class Failure(msgspec.Struct, frozen=True):
    """A check that could not be done, which ends the attempt. `index` is that of the selector, where it is one."""

    error: CelError | SelectorFault | CapacityFault
    index: int = 0


Verdict: TypeAlias = Eligible | Refused | Failure

_FITS = Eligible()
_MAX_DEMANDS = 256
_MOST_COLUMNS = 400_000
_KEY = "eligibility"


class Eligibility:
    """The verdicts on the devices of one node, worked out when they are asked for, and remembered."""

    __slots__ = ("_columns", "_devices", "_inventory")

    def __init__(self, inventory: Inventory, devices: NodeDevices) -> None:
        self._inventory = inventory
        self._devices = devices
        self._columns: dict[int, list[Verdict | None]] = {}

    def verdict(self, demand: Demand, position: int) -> Verdict:
        """Whether a demand can be met by the device at a position, whatever is allocated."""
        column = self._columns.get(id(demand))
        if column is None:
            column = self._columns[id(demand)] = self._column(demand)
        verdict = column[position]
        if verdict is None:
            verdict = column[position] = judge(self._inventory, self._devices, demand, position)
        return verdict

    def collects(self, demand: Demand, position: int) -> bool | Failure:
        """Whether All takes the device into its list; what is on the list must then be got, or All fails (R-10)."""
        verdict = self.verdict(demand, position)
        if isinstance(verdict, Failure):
            return verdict
        return isinstance(verdict, Eligible) or is_listed(verdict)

    def _column(self, demand: Demand) -> list[Verdict | None]:
        """The verdicts known for this node and everything that asks for the same, be it in another claim."""
        columns = _columns(self._inventory)
        known = columns.get(demand.traits)
        if known is None:
            _make_room(columns)
            known = columns[demand.traits] = {}
        entry = known.get(self._devices.node)
        if entry is None or entry[0] is not self._devices:
            blank: list[Verdict | None] = [None] * len(self._devices.devices)
            entry = known[self._devices.node] = (self._devices, blank)
        return entry[1]


def _columns(inventory: Inventory) -> dict[object, dict[str, tuple[NodeDevices, list[Verdict | None]]]]:
    """What is known of nodes by traits of demands."""
    columns: object = inventory.memory.work.setdefault(_KEY, {})
    return columns  # type: ignore[return-value]


def _make_room(columns: dict[object, dict[str, tuple[NodeDevices, list[Verdict | None]]]]) -> None:
    """Forget the traits that came first while too much is known."""
    total = sum(map(len, columns.values()))
    for traits in tuple(columns):
        if total < _MOST_COLUMNS and len(columns) < _MAX_DEMANDS:
            return
        total -= len(columns.pop(traits))


def is_listed(refused: Refused) -> bool:
    """Whether All lists a device although it cannot have it (R-11, R-16)."""
    return refused.check in ("counters", "operations", "taint")


def judge(inventory: Inventory, devices: NodeDevices, demand: Demand, position: int) -> Verdict:
    """All checks in Kubernetes' order (P-21, R-8, S-7). Selectors are evaluated only as far as they are reached.

    Nothing of it is remembered but the verdicts of selectors.
    """
    device, features = devices.devices[position], inventory.features
    if device.device.binding_conditions and "DeviceBindingAndStatus" not in features:
        return Refused("binding")
    refused = _by_selectors(inventory, demand, device)
    if refused is not None:
        return refused
    if device.reach is not True:
        return Failure(device.reach) if isinstance(device.reach, SelectorFault) else Refused("node")
    amounts: tuple[Amount, ...] = ()
    if "ConsumableCapacity" in features:
        taken = consumption(device.device, demand.capacity, fractional="FractionalCapacityRange" in features)
        if isinstance(taken, CapacityFault):
            return Failure(taken)
        if isinstance(taken, CapacityRefused):
            return Refused("capacity", capacity=taken)
        amounts = taken
    return _by_gates(features, devices, demand, device) or (Eligible(amounts) if amounts else _FITS)


def _by_selectors(inventory: Inventory, demand: Demand, device: PoolDevice) -> Refused | Failure | None:
    for index, selector in enumerate(demand.selectors):
        if isinstance(selector.program, CelError):
            return Failure(selector.program, index)
        verdict = inventory.memory.verdicts.verdict(selector.program, device)
        if isinstance(verdict, CelError):
            return Failure(verdict, index)
        if not verdict:
            return Refused("selector", index)
    return None


def _by_gates(features: frozenset[str], devices: NodeDevices, demand: Demand, device: PoolDevice) -> Refused | None:
    """What All finds out only when it takes the device."""
    if device.device.consumes_counters and "PartitionableDevices" not in features:
        return Refused("counters")
    if device.spec.skip_node_operations and not operations_can_be_skipped(features, devices):
        return Refused("operations")
    if "DeviceTaints" in features:
        for index, taint in enumerate(device.device.taints):
            if taint.effect in ("NoSchedule", "NoExecute") and not _is_tolerated(taint, demand.tolerations):
                return Refused("taint", index)
    return None


def operations_can_be_skipped(features: frozenset[str], devices: NodeDevices) -> bool:
    """Whether devices without node operations can be used; only the experimental variant asks (RES-4)."""
    if "OptionalNodeOperations" in features:
        return "DRAOptionalNodeOperations" in devices.declared_features
    return variant(features) != "experimental"


def _is_tolerated(taint: DeviceTaint, tolerations: tuple[DeviceToleration, ...]) -> bool:
    return any(_tolerates(toleration, taint) for toleration in tolerations)


def _tolerates(toleration: DeviceToleration, taint: DeviceTaint) -> bool:
    """R-30. Operators other than Exists and Equal tolerate nothing."""
    if toleration.effect not in ("", taint.effect) or toleration.key not in ("", taint.key):
        return False
    return toleration.operator == "Exists" or (toleration.operator in ("", "Equal") and toleration.value == taint.value)
