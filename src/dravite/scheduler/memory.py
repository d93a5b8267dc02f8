"""What one attempt worked out and the next may use: verdicts of equal pods on nodes that have not changed.

Pods stamped from one template ask the same of every node. A verdict is kept with the very value that it rests on (the
node's state, or what is taken of its devices) and counts only while that value is the same. It changes no answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Generic, TypeVar

import msgspec

from dravite.allocator.outcomes import Outcome
from dravite.api.core_v1 import Pod
from dravite.api.quantity import Quantity
from dravite.api.resource_v1 import ResourceClaim
from dravite.diagnosis.reasons import NodeRejection
from dravite.scheduler.scores import OwnScores, image_spread
from dravite.snapshot.snapshot import Snapshot

V = TypeVar("V")

MOST_VERDICTS: Final = 500_000
"""How many verdicts are kept; those of the shape that was asked for longest ago go first."""

_KEY: Final = "scheduler"


class Verdicts(Generic[V]):
    """Verdicts by shape of pod and node, each with what it rests on."""

    __slots__ = ("_shapes",)

    def __init__(self) -> None:
        self._shapes: dict[bytes, dict[str, tuple[object, V]]] = {}

    def of_shape(self, shape: bytes) -> dict[str, tuple[object, V]]:
        """The verdicts of one shape by node; new ones are written into it."""
        verdicts = self._shapes.pop(shape, None)
        if verdicts is None:
            self._make_room()
            verdicts = {}
        self._shapes[shape] = verdicts
        return verdicts

    def _make_room(self) -> None:
        total = sum(map(len, self._shapes.values()))
        for shape in tuple(self._shapes):
            if total <= MOST_VERDICTS:
                return
            total -= len(self._shapes.pop(shape))


class SchedulerMemory:
    """Everything that is kept for one inventory.

    Attributes:
        lowest: the lowest priority of any pod that could go for another, with what it was worked out from.
    """

    __slots__ = ("boards", "devices", "filters", "images", "lowest", "placements", "scores")

    def __init__(self) -> None:
        self.boards: dict[object, object] = {}
        self.placements: dict[object, object] = {}
        self.filters: Verdicts[tuple[NodeRejection, ...]] = Verdicts()
        self.devices: Verdicts[Outcome] = Verdicts()
        self.scores: Verdicts[OwnScores] = Verdicts()
        self.images: tuple[object, Mapping[str, int]] | None = None
        self.lowest: tuple[tuple[object, ...], int | None] = ((), None)


def memory_of(snapshot: Snapshot) -> SchedulerMemory:
    """The memory that all snapshots over the same slices share."""
    work = snapshot.inventory.memory.work
    kept = work.get(_KEY)
    if not isinstance(kept, SchedulerMemory):
        kept = work[_KEY] = SchedulerMemory()
    return kept


def images_of(snapshot: Snapshot) -> Mapping[str, int]:
    """On how many nodes each image lies."""
    memory = memory_of(snapshot)
    if memory.images is None or memory.images[0] is not snapshot.nodes:
        memory.images = (snapshot.nodes, image_spread(snapshot.nodes))
    return memory.images[1]


def pod_shape(pod: Pod) -> bytes:
    """What node filters and most scores read of a pod, as a key; names and claims are no part of it."""
    bare = msgspec.structs.replace(
        pod.spec, resource_claims=(), scheduling_gates=(), priority=None, scheduling_group=None, workload_ref=None
    )
    return _encoder.encode(bare)


def claims_shape(claims: Sequence[ResourceClaim]) -> bytes:
    """What the allocator reads of claims, as a key; their names are no part of it."""
    return _encoder.encode([claim.spec for claim in claims])


def _as_text(value: object) -> str:
    if isinstance(value, Quantity):
        return value.text
    message = f"no key for {type(value).__name__}"
    raise TypeError(message)


_encoder: Final = msgspec.json.Encoder(enc_hook=_as_text)
