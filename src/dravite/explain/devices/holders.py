"""Who has the devices that are in the way: the claim, the pods that use it, and where."""

from __future__ import annotations

from collections.abc import Iterable

from dravite.api.meta import DeviceID, ObjectRef
from dravite.diagnosis.reasons import CapacityShort, CountersExhausted, GroupsIncompatible, InUse, Rejection
from dravite.explain.insights import Holding
from dravite.snapshot.snapshot import Snapshot
from dravite.snapshot.usage import consumers_of


class InTheWay:
    """The allocations that keep devices from a pod; each device of each claim once, in the order met."""

    def __init__(self, start: Snapshot, seen: Snapshot) -> None:
        self._start, self._seen = start, seen
        self._found: dict[tuple[DeviceID, ObjectRef | None], Holding] = {}

    def add(self, node: str, rejections: Iterable[Rejection]) -> None:
        """Note who stands behind rejections on a node."""
        for rejection in rejections:
            match rejection:
                case InUse(device=device, holder=holder):
                    self._note(node, device, holder, through_counter=False)
                case CapacityShort(device=device, holders=holders):
                    for holder in holders:
                        self._note(node, device, holder, through_counter=False)
                case CountersExhausted(holders=pairs) | GroupsIncompatible(holders=pairs):
                    for device, holder in pairs:
                        self._note(node, device, holder, through_counter=True)

    def all(self) -> tuple[Holding, ...]:
        """Everything that was noted."""
        return tuple(self._found.values())

    def _note(self, node: str, device: DeviceID, claim: ObjectRef | None, *, through_counter: bool) -> None:
        if (device, claim) in self._found:
            return
        self._found[device, claim] = Holding(
            device=device,
            claim=claim,
            pods=() if claim is None else users(self._seen, claim),
            node=node,
            planned=claim is not None and not _held(self._start, claim),
            counters=through_counter,
        )


def users(snapshot: Snapshot, claim: ObjectRef) -> tuple[ObjectRef, ...]:
    """The pods (or groups) for which a claim is reserved."""
    found = snapshot.claim(claim.namespace, claim.name)
    return () if found is None else consumers_of(found)


def _held(snapshot: Snapshot, claim: ObjectRef) -> bool:
    found = snapshot.claim(claim.namespace, claim.name)
    return found is not None and found.status.allocation is not None
