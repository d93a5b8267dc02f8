"""Whether the pods of a gang would fit in any way at all: any order, any nodes, any devices.

kube-scheduler places one pod after the other and never goes back. Here equal pods are counted, and a solver says how
many of each kind go to which node; whether a node really takes such a mix is asked of the filters and the allocator,
and what it does not take is forbidden. A way that is found is then walked as kube-scheduler would have to walk it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from dravite.explain.case import STEPS_PER_QUESTION
from dravite.explain.groups.explanation import OtherWays
from dravite.explain.groups.packing import Limits as Bounds
from dravite.explain.groups.packing import Packing
from dravite.explain.groups.together import Kind, Mix, Together, kinds_of
from dravite.explain.groups.trials import queue_of
from dravite.scheduler.binding import reserve
from dravite.scheduler.group_status import Told
from dravite.scheduler.node_choice import Chosen, Limits, choose_node
from dravite.scheduler.placements import placements_of
from dravite.snapshot.groups import Group, placed_members
from dravite.snapshot.node_devices import NodeDevices
from dravite.snapshot.node_state import NodeState
from dravite.snapshot.requests import PODS
from dravite.snapshot.snapshot import Key, Snapshot

MOST_MIXES: Final = 500
"""How many answers of the solver are tried for one placement."""

MOST_STEPS: Final = 2_000
"""How often a pod is put on a node while an order is looked for."""


class Found(NamedTuple):
    """What the search came to: pods with their nodes in the order in which they have to be placed."""

    outcome: OtherWays
    placed: tuple[tuple[Key, str], ...] = ()


def search_other_ways(snapshot: Snapshot, root: Group) -> Found:
    """Nodes for as many pods as a PodGroup needs. Composite groups are not searched.

    Raises ImportError where the solver is not installed.
    """
    placements = placements_of(snapshot, root)
    if root.is_composite or isinstance(placements, Told):
        return Found("not-searched")
    needed = max(1, (root.minimum or 1) - len(placed_members(snapshot, root.key)))
    kinds = kinds_of(snapshot, queue_of(snapshot, root).get(root.key, ()))
    if kinds is None:
        return Found("not-found")
    if sum(len(kind.pods) for kind in kinds) < needed:
        return Found("none")
    outcomes: list[OtherWays] = []
    for placement in placements:
        confined = msgspec.structs.replace(snapshot, placement=placement.nodes)
        found = _Search(confined, kinds, needed).run()
        if found.outcome == "found":
            return found
        outcomes.append(found.outcome)
    return Found(next((worst for worst in ("given-up", "not-found") if worst in outcomes), "none"))


class _Search:
    """One search among the nodes of one placement."""

    def __init__(self, snapshot: Snapshot, kinds: Sequence[Kind], needed: int) -> None:
        self._snapshot = snapshot
        self._kinds = kinds
        self._together = Together(snapshot, kinds)
        self._packing = Packing(_bounds(snapshot, kinds, needed, self._together))
        self._is_last_word = not any(kind.asks_more for kind in kinds)

    def run(self) -> Found:
        for _ in range(MOST_MIXES):
            mixes = self._packing.solve()
            if mixes == "given-up":
                break
            if mixes == "impossible":
                proven = self._is_last_word and not self._together.unknown
                return Found("none" if proven else "not-found")
            if self._forbid_what_does_not_fit(mixes):
                continue
            placed = _Walk(self._snapshot, self._kinds).walk(mixes)
            if isinstance(placed, str):
                self._is_last_word = False
                self._packing.forbid(placed, mixes[placed])
                continue
            return Found("found", placed)
        return Found("given-up")

    def _forbid_what_does_not_fit(self, mixes: Mapping[str, Mix]) -> bool:
        """Whether there was such a mix. What one node does not take, the others are asked as well."""
        forbidden: set[Mix] = set()
        for node, mix in mixes.items():
            if self._together.fits(node, mix) == "no":
                forbidden.add(self._together.least(node, mix))
        for mix in sorted(forbidden):
            for node in self._snapshot.choices:
                if self._together.fits(node, mix) == "no":
                    self._packing.forbid(node, mix)
        return bool(forbidden)


def _bounds(snapshot: Snapshot, kinds: Sequence[Kind], needed: int, together: Together) -> Bounds:
    names = snapshot.choices
    states = [snapshot.states[name] for name in names]
    counted = sorted({resource for kind in kinds for resource in kind.pod.request.amounts})
    amounts = {resource: tuple(kind.pod.request.amounts.get(resource, 0) for kind in kinds) for resource in counted}
    amounts[PODS] = (1,) * len(kinds)
    return Bounds(
        nodes=names,
        kinds=tuple(len(kind.pods) for kind in kinds),
        needed=needed,
        most={name: tuple(together.most(name, kind) for kind in range(len(kinds))) for name in names},
        amounts=amounts,
        free={resource: dict(_free(states, resource)) for resource in amounts},
        same_node=tuple(_on_one_node(snapshot, kinds)),
    )


def _free(states: Sequence[NodeState], resource: str) -> Iterator[tuple[str, int]]:
    """What nodes have left of a resource that they count."""
    for state in states:
        if not state.unlimited and resource in state.allocatable:
            used = len(state.pods) if resource == PODS else state.requested.get(resource, 0)
            yield state.name, max(0, state.allocatable[resource] - used)


def _on_one_node(snapshot: Snapshot, kinds: Sequence[Kind]) -> Iterator[tuple[int, ...]]:
    """The kinds that share a claim, where devices belong to one node each: all their pods go where its devices are."""
    if not _devices_are_local(snapshot):
        return
    for claim in sorted({claim for kind in kinds for claim in kind.shared}):
        yield tuple(place for place, kind in enumerate(kinds) if claim in kind.shared)


def _devices_are_local(snapshot: Snapshot) -> bool:
    seen: set[object] = set()
    for name in snapshot.choices:
        devices = snapshot.inventory.devices(snapshot.states[name].node)
        keys = devices.keys if isinstance(devices, NodeDevices) else ()
        if not seen.isdisjoint(keys):
            return False
        seen.update(keys)
    return True


class _Walk:
    """Placing the pods one after the other, each on its node, in an order that works; nodes in their order."""

    def __init__(self, snapshot: Snapshot, kinds: Sequence[Kind]) -> None:
        self._start = snapshot
        self._kinds = kinds
        self._left = MOST_STEPS

    def walk(self, mixes: Mapping[str, Mix]) -> tuple[tuple[Key, str], ...] | str:
        """The pods with their nodes, or the node on which no order works."""
        placed: list[tuple[Key, str]] = []
        taken = [0] * len(self._kinds)
        snapshot = self._start
        for node in (name for name in self._start.choices if name in mixes):
            pods = [
                kind.pods[first : first + n] for kind, first, n in zip(self._kinds, taken, mixes[node], strict=True)
            ]
            found = self._in_some_order(snapshot, node, pods)
            if found is None:
                return node
            order, snapshot = found
            placed += [(key, node) for key in order]
            taken = [first + count for first, count in zip(taken, mixes[node], strict=True)]
        return tuple(placed)

    def _in_some_order(
        self, snapshot: Snapshot, node: str, pods: Sequence[Sequence[Key]]
    ) -> tuple[tuple[Key, ...], Snapshot] | None:
        """An order of the pods, given by kind, in which the node takes all of them."""
        if not any(pods):
            return (), snapshot
        for kind, keys in enumerate(pods):
            after = self._with_pod(snapshot, keys[0], node) if keys else None
            if after is None:
                continue
            found = self._in_some_order(after, node, [*pods[:kind], keys[1:], *pods[kind + 1 :]])
            if found is not None:
                return (keys[0], *found[0]), found[1]
        return None

    def _with_pod(self, snapshot: Snapshot, pod: Key, node: str) -> Snapshot | None:
        if self._left <= 0:
            return None
        self._left -= 1
        planned = snapshot.pods[pod]
        confined = msgspec.structs.replace(snapshot, placement=(node,))
        choice = choose_node(confined, planned, Limits(budget=STEPS_PER_QUESTION))
        return snapshot.assume(reserve(snapshot, planned.pod, choice)) if isinstance(choice, Chosen) else None
