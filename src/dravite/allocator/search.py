"""Exhaustive first fit on one node: the first way, in Kubernetes' order, to serve all claims together (S-1 to S-9).

The order of attempts is the order of preference, so it is never changed. Subtrees without a solution may be cut, but
only where no error can be met in them: Kubernetes raises an error exactly if its own search runs into it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from enum import Enum
from typing import Final, TypeAlias

import msgspec

from dravite.allocator.attempt_errors import device_failure, no_constraint_holds
from dravite.allocator.bounds import is_hopeless
from dravite.allocator.claim_compiler import MAX_DEVICES
from dravite.allocator.demands import Collect, Demand
from dravite.allocator.eligibility import Eligibility, Eligible, Failure
from dravite.allocator.failed_states import FailedStates
from dravite.allocator.ledger import Entry, Ledger
from dravite.allocator.outcomes import StepsSpent
from dravite.allocator.problem import Problem
from dravite.allocator.readings import ClaimConstraints
from dravite.allocator.terrain import Terrain
from dravite.diagnosis.verdicts import AttemptError
from dravite.snapshot.node_use import NodeUse


class Pick(msgspec.Struct, frozen=True, gc=False):
    """A device for a demand."""

    claim: int
    request: int
    demand: int
    entry: Entry


class Picks(msgspec.Struct, frozen=True):
    """A solution: devices in the order in which they were picked, and the chosen demand of every request.

    Attributes:
        chosen: by claim and request, for requests that list alternatives.
    """

    picks: tuple[Pick, ...]
    chosen: Mapping[tuple[int, int], int]
    steps: int


class NoPicks(msgspec.Struct, frozen=True):
    """There is no solution."""

    steps: int


class _Failed(Enum):
    """How an attempt failed: for want of devices, or because the claim would get more than it can have (S-6)."""

    PLAINLY = 1
    TOO_MANY = 2


class _Place(msgspec.Struct, frozen=True, gc=False):
    """Where the search stands: a demand that has `picked` devices and looks from position `start` on."""

    claim: int = 0
    request: int = 0
    demand: int | None = None
    picked: int = 0
    start: int = 0


class _Trace(msgspec.Struct, frozen=True):
    """The state in which a frame was put up, and how often the search had been cut off for want of room by then."""

    key: Hashable
    cuts: int


class _Border(msgspec.Struct, frozen=True):
    """Behind this, the claims before are served."""

    trace: _Trace | None = None


class _Choice(msgspec.Struct):
    """A request whose alternatives are tried one after the other."""

    claim: int
    request: int
    demand: int
    all_too_many: bool = True
    trace: _Trace | None = None


class _Taken(msgspec.Struct):
    """A device that is picked; `entry` is None while one is looked for. `tried` says what others it stands for."""

    place: _Place
    position: int = -1
    entry: Entry | None = None
    tried: set[Hashable] = msgspec.field(default_factory=set)
    trace: _Trace | None = None


_Frame: TypeAlias = _Border | _Choice | _Taken
_Next: TypeAlias = _Place | _Failed | AttemptError

START: Final = _Place()
PATIENCE: Final = 128
"""Steps after which states are remembered. Most searches are over by then."""

_KNOWN: Final = _Trace(None, -1)


class Search:
    """One search. It owns its ledger and its frames; what it hands out is frozen."""

    def __init__(
        self, problem: Problem, use: NodeUse, eligibility: Eligibility, collected: Mapping[Collect, tuple[int, ...]]
    ) -> None:
        self._claims = problem.claims
        self._devices = use.devices
        self._eligibility = eligibility
        self._collected = collected
        self._takes_nothing = problem.inventory.is_first
        features = problem.inventory.features
        self._ledger = Ledger(use, features, len(problem.claims))
        self._constraints = [ClaimConstraints(claim, use.devices, problem.inventory) for claim in problem.claims]
        self._held = [0] * len(problem.claims)
        self._frames: list[_Frame] = []
        self._steps = 0
        self._cuts = 0
        self._terrain = Terrain(problem.claims, use, eligibility, collected, features)
        self._failed: FailedStates | None = None

    def run(self, budget: int | None, patience: int = PATIENCE) -> Picks | NoPicks | AttemptError | StepsSpent:
        """Search to the end, or until `budget` steps are spent. A step is one state that is entered.

        After `patience` steps the search looks for shortcuts, which change no answer.
        """
        following: _Next = START
        while True:
            if isinstance(following, _Failed):
                following = self._give_up(following)
                if following is _Failed.PLAINLY:
                    return NoPicks(self._steps)
            if isinstance(following, AttemptError):
                return following
            if isinstance(following, _Place):
                if budget is not None and self._steps >= budget:
                    return StepsSpent(self._steps)
                self._steps += 1
                if self._steps == patience and not self._terrain.must_be_walked():
                    if is_hopeless(self._terrain):
                        return NoPicks(self._steps)
                    self._failed = FailedStates(self._terrain, self._ledger, self._constraints)
                if following.claim == len(self._claims):
                    return self._solution()
                following = self._enter(following)

    def _enter(self, place: _Place) -> _Next:
        claim = self._claims[place.claim]
        trace = None if self._failed is None else self._trace(self._failed, place)
        if trace is _KNOWN:
            return _Failed.PLAINLY
        if place.request == len(claim.requests):
            self._frames.append(_Border(trace))
            return _Place(place.claim + 1)
        request = claim.requests[place.request]
        if request.prioritized and place.demand is None:
            self._frames.append(_Choice(place.claim, place.request, 0, trace=trace))
            return _Place(place.claim, place.request, 0)
        demand = request.demands[place.demand or 0]
        wanted = demand.count
        if demand.takes_all:
            wanted = len(self._list_of(place))
            if not wanted and not self._takes_nothing:
                return _Failed.PLAINLY
        if place.picked >= wanted:
            return _Place(place.claim, place.request + 1)
        if self._held[place.claim] + wanted - place.picked > MAX_DEVICES:
            self._cuts += 1
            return _Failed.TOO_MANY
        frame = _Taken(place, trace=trace)
        self._frames.append(frame)
        return self._advance(frame, demand)

    def _trace(self, failed: FailedStates, place: _Place) -> _Trace:
        """The state that is entered; `_KNOWN` if nothing was found from it before."""
        where = (place.claim, place.request, place.demand, place.picked)
        key = failed.key(where, place.start, self._held[place.claim])
        return _KNOWN if key in failed else _Trace(key, self._cuts)

    def _drop(self) -> None:
        """Take the top frame down: everything was tried from its state on, unless the search was cut off there."""
        trace = self._frames.pop().trace
        if trace is not None and self._failed is not None and trace.cuts == self._cuts:
            self._failed.add(trace.key)

    def _list_of(self, place: _Place) -> tuple[int, ...]:
        return self._collected[Collect(place.claim, place.request, place.demand or 0)]

    def _advance(self, frame: _Taken, demand: Demand) -> _Next:
        """Pick the next device for the demand on top."""
        place = frame.place
        if demand.takes_all:
            taken = self._take_listed(place, demand, self._list_of(place)[place.picked])
        else:
            taken = self._first_fit(frame, demand)
        if taken is None:
            self._drop()
            return _Failed.PLAINLY
        if isinstance(taken, AttemptError):
            return taken
        frame.position, frame.entry = taken.position, taken
        self._held[place.claim] += 1
        return _Place(place.claim, place.request, place.demand, place.picked + 1, taken.position + 1)

    def _first_fit(self, frame: _Taken, demand: Demand) -> Entry | AttemptError | None:
        """The next device that can be taken now (R-7, R-8)."""
        ledger, eligibility, place = self._ledger, self._eligibility, frame.place
        for position in range(max(place.start, frame.position + 1), len(self._devices.devices)):
            if ledger.is_in_use(place.claim, position, admin=demand.admin):
                continue
            if frame.tried and self._likeness(place, position) in frame.tried:
                continue
            verdict = eligibility.verdict(demand, position)
            if isinstance(verdict, Failure):
                return self._failure(verdict, place, demand, position)
            if not isinstance(verdict, Eligible):
                continue
            if ledger.capacity_short(position, verdict.amounts) or ledger.counters_short(position):
                continue
            held = self._constraints[place.claim].add(demand, position)
            if isinstance(held, AttemptError):
                return held
            if held:
                return ledger.take(place.claim, position, verdict.amounts)
        return None

    def _take_listed(self, place: _Place, demand: Demand, position: int) -> Entry | AttemptError | None:
        """The very next device of All, or none; a constraint that refuses it is an error (R-11, R-13)."""
        if self._ledger.is_in_use(place.claim, position, admin=demand.admin):
            return None
        verdict = self._eligibility.verdict(demand, position)
        if not isinstance(verdict, Eligible) or self._ledger.counters_short(position):
            return None
        constraints = self._constraints[place.claim]
        held = constraints.add(demand, position)
        if isinstance(held, AttemptError):
            return held
        if not held:
            device = self._devices.devices[position].id
            return no_constraint_holds(self._claims[place.claim], demand, device, self._devices.node)
        if self._ledger.capacity_short(position, verdict.amounts):
            constraints.pop(demand)
            return None
        return self._ledger.take(place.claim, position, verdict.amounts)

    def _likeness(self, place: _Place, position: int) -> Hashable:
        assert self._failed is not None  # noqa: S101 - asked only by frames that have a trace
        return self._failed.likeness(place.claim, place.request, position)

    def _failure(self, failure: Failure, place: _Place, demand: Demand, position: int) -> AttemptError:
        device = self._devices.devices[position].id
        return device_failure(failure, self._claims[place.claim], demand, device, self._devices.node)

    def _give_up(self, failed: _Failed) -> _Next:
        """Go back to the last state in which something else can be tried; PLAINLY if there is none."""
        while self._frames:
            frame = self._frames[-1]
            if isinstance(frame, _Border):
                failed = _Failed.PLAINLY
                self._drop()
            elif isinstance(frame, _Choice):
                frame.all_too_many &= failed is _Failed.TOO_MANY
                frame.demand += 1
                if frame.demand < len(self._claims[frame.claim].requests[frame.request].demands):
                    return _Place(frame.claim, frame.request, frame.demand)
                failed = _Failed.TOO_MANY if frame.all_too_many else _Failed.PLAINLY
                self._drop()
            else:
                demand = self._undo(frame)
                if failed is _Failed.PLAINLY and not demand.takes_all:
                    following = self._advance(frame, demand)
                    if following is not _Failed.PLAINLY:
                        return following
                else:
                    self._drop()
        return _Failed.PLAINLY

    def _undo(self, frame: _Taken) -> Demand:
        """Give back the device of a frame."""
        place = frame.place
        demand = self._claims[place.claim].requests[place.request].demands[place.demand or 0]
        if frame.entry is not None:
            self._constraints[place.claim].pop(demand)
            self._ledger.undo(frame.entry)
            self._held[place.claim] -= 1
            frame.entry = None
            if frame.trace is not None and frame.trace.cuts == self._cuts:
                frame.tried.add(self._likeness(place, frame.position))
        return demand

    def _solution(self) -> Picks:
        picks = [
            Pick(frame.place.claim, frame.place.request, frame.place.demand or 0, frame.entry)
            for frame in self._frames
            if isinstance(frame, _Taken) and frame.entry is not None
        ]
        chosen = {(frame.claim, frame.request): frame.demand for frame in self._frames if isinstance(frame, _Choice)}
        return Picks(tuple(picks), chosen, self._steps)
