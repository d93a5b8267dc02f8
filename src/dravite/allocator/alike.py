"""Answers that hold for every node alike: what was found on one node, kept for all that a search cannot tell from it.

An answer is known by the shape of the claims and by the kind and wear of the node (see `signatures`). Nothing is
decided here: every answer is the allocator's own, and an error is told of each node in its own words.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Final

import msgspec

from dravite.allocator.allocate import DEFAULT_BUDGET, Found, conclude, find_picks
from dravite.allocator.demands import Demand
from dravite.allocator.outcomes import Outcome
from dravite.allocator.problem import Problem
from dravite.allocator.signatures import body_of, demands_of, marks_of, readings_of, shape_of, wear_of
from dravite.diagnosis.verdicts import AttemptError
from dravite.snapshot.inventory import Inventory
from dravite.snapshot.node_devices import NodeDevices
from dravite.snapshot.node_use import NodeUse

_KEY: Final = "alike"
_MOST_KINDS: Final = 1_000_000
_MOST_ANSWERS: Final = 200_000
_MOST_PROBLEMS: Final = 256


class Effort(msgspec.Struct):
    """What was done: `asked` answers were wanted, `searched` of them needed a search, `alone` because the claims have
    no shape; all others were known from a node alike."""

    asked: int = 0
    searched: int = 0
    alone: int = 0


class _Numbers:
    """Numbers for what nodes are in some respect: equal for nodes that are alike in it."""

    __slots__ = ("_by_node", "_numbers")

    def __init__(self) -> None:
        self._by_node: dict[str, tuple[NodeDevices, int]] = {}
        self._numbers: dict[Hashable, int] = {}

    def __len__(self) -> int:
        return len(self._by_node)

    def of(self, devices: NodeDevices, what: Callable[[], Hashable]) -> int:
        """The number of a node; `what` says what it is."""
        known = self._by_node.get(devices.node)
        if known is None or known[0] is not devices:
            number = self._numbers.setdefault(what(), len(self._numbers))
            known = self._by_node[devices.node] = (devices, number)
        return known[1]


class _Shape:
    """What is known of claims of one shape: the kind of each node, answers by kind, wear and budget, and notes."""

    __slots__ = ("answers", "kinds", "notes")

    def __init__(self) -> None:
        self.kinds = _Numbers()
        self.answers: dict[tuple[int, int, int | None], Found] = {}
        self.notes: dict[int, dict[object, object]] = {}


class Alike:
    """All that is known for one set of slices.

    Attributes:
        effort: how much was really searched.
    """

    __slots__ = ("_bodies", "_marks", "_problems", "_shapes", "_wears", "_worn", "effort")

    def __init__(self) -> None:
        self.effort = Effort()
        self._bodies = _Numbers()
        self._marks: dict[object, _Numbers] = {}
        self._shapes: dict[Hashable, _Shape] = {}
        self._problems: dict[int, tuple[object, _Shape | None]] = {}
        self._wears: dict[Hashable, int] = {}
        self._worn: dict[str, tuple[NodeUse, int]] = {}

    def outcome(self, problem: Problem, use: NodeUse, budget: int | None = DEFAULT_BUDGET) -> Outcome:
        """What `allocate` says of a node."""
        found = self.like(problem, use, budget)
        if isinstance(found, AttemptError):
            found = find_picks(problem, use, budget)
        return conclude(problem, use, found)

    def like(self, problem: Problem, use: NodeUse, budget: int | None = DEFAULT_BUDGET) -> Found:
        """What was found on some node alike with the same budget; an error may be told of that node."""
        self.effort.asked += 1
        shape = self._shape(problem)
        if shape is None:
            self.effort.alone += 1
            return self._search(problem, use, budget)
        key = (self._kind(shape, problem, use.devices), self._wear(use), budget)
        found = shape.answers.get(key)
        if found is None:
            if len(shape.answers) >= _MOST_ANSWERS:
                shape.answers.clear()
            found = shape.answers[key] = self._search(problem, use, budget)
        return found

    def notes(self, problem: Problem, devices: NodeDevices) -> dict[object, object] | None:
        """A place for what others find to hold for all nodes of one kind; None where kinds cannot be told."""
        shape = self._shape(problem)
        return None if shape is None else shape.notes.setdefault(self._kind(shape, problem, devices), {})

    def _search(self, problem: Problem, use: NodeUse, budget: int | None) -> Found:
        self.effort.searched += 1
        found = find_picks(problem, use, budget)
        outcome = conclude(problem, use, found)
        return outcome if isinstance(outcome, AttemptError) else found

    def _shape(self, problem: Problem) -> _Shape | None:
        """What is known of the shape of the claims; None if they have none."""
        known = self._problems.get(id(problem.claims))
        if known is None or known[0] is not problem.claims:
            if len(self._problems) >= _MOST_PROBLEMS:
                self._problems.clear()
            known = self._problems[id(problem.claims)] = (problem.claims, self._shape_named(shape_of(problem)))
        return known[1]

    def _shape_named(self, name: Hashable | None) -> _Shape | None:
        if name is None:
            return None
        shape = self._shapes.get(name)
        if shape is None:
            self._make_room()
            shape = self._shapes[name] = _Shape()
        return shape

    def _make_room(self) -> None:
        """Forget the shapes that came first while too much is known."""
        total = sum(len(shape.kinds) for shape in self._shapes.values())
        for name in tuple(self._shapes):
            if total < _MOST_KINDS:
                break
            total -= len(self._shapes.pop(name).kinds)
        if sum(map(len, self._marks.values())) > _MOST_KINDS:
            self._marks.clear()
            self._shapes.clear()

    def _kind(self, shape: _Shape, problem: Problem, devices: NodeDevices) -> int:
        """The number of a node's kind."""

        def kind() -> Hashable:
            inventory = problem.inventory
            body = self._bodies.of(devices, lambda: body_of(devices, inventory.features))
            marks = tuple([self._mark(inventory, demand, devices) for demand in demands_of(problem)])
            return (body, marks, readings_of(problem, devices))

        return shape.kinds.of(devices, kind)

    def _mark(self, inventory: Inventory, demand: Demand, devices: NodeDevices) -> int:
        marks = self._marks.get(demand.traits)
        if marks is None:
            marks = self._marks[demand.traits] = _Numbers()
        return marks.of(devices, lambda: marks_of(inventory, demand, devices))

    def _wear(self, use: NodeUse) -> int:
        known = self._worn.get(use.devices.node)
        if known is None or known[0] is not use:
            known = self._worn[use.devices.node] = (use, self._wears.setdefault(wear_of(use), len(self._wears)))
        return known[1]


def alike_in(inventory: Inventory) -> Alike:
    """What all inventories over the same slices share."""
    work = inventory.memory.work
    known = work.get(_KEY)
    if not isinstance(known, Alike):
        known = work[_KEY] = Alike()
    return known
