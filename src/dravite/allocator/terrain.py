"""What a search moves through: the claims, the devices of a node, and what they are to each other.

Nothing here knows how far a search has come.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dravite.allocator.demands import ClaimDemand, Collect, Constraint, Demand
from dravite.allocator.eligibility import Eligibility, Eligible, Failure
from dravite.allocator.readings import read_for
from dravite.diagnosis.verdicts import AttemptError
from dravite.snapshot.node_use import NodeUse


class Terrain:
    """The claims, and the devices of the node with the verdicts on them."""

    __slots__ = ("_has_shares", "claims", "collected", "eligibility", "lists", "use")

    def __init__(
        self,
        claims: Sequence[ClaimDemand],
        use: NodeUse,
        eligibility: Eligibility,
        collected: Mapping[Collect, tuple[int, ...]],
        features: frozenset[str],
    ) -> None:
        self.claims = claims
        self.use = use
        self.eligibility = eligibility
        self.collected = collected
        self.lists = "ListTypeAttributes" in features
        self._has_shares = "ConsumableCapacity" in features

    def shares(self, position: int) -> bool:
        """Whether a device can be picked several times."""
        return self._has_shares and bool(self.use.devices.devices[position].device.allow_multiple_allocations)

    def demands(self, claim: int, request: int) -> Iterator[tuple[Collect, Demand]]:
        """What is still to be served from a request on, in order."""
        for number in range(claim, len(self.claims)):
            first = request if number == claim else 0
            for index in range(first, len(self.claims[number].requests)):
                for choice, demand in enumerate(self.claims[number].requests[index].demands):
                    yield Collect(number, index, choice), demand

    def must_be_walked(self) -> bool:
        """Whether every state counts that Kubernetes would visit, for an error could be met there.

        It also counts where admin access makes taken devices useful again, which roles do not tell.
        """
        return any(
            demand.admin or (demand.takes_all and self._is_bound(where, demand)) or self._has_failure(where, demand)
            for where, demand in self.demands(0, 0)
        )

    def _is_bound(self, where: Collect, demand: Demand) -> bool:
        return any(constraint.applies_to(demand) for constraint in self.claims[where.claim].constraints)

    def _has_failure(self, where: Collect, demand: Demand) -> bool:
        bound = [c for c in self.claims[where.claim].constraints if c.applies_to(demand)]
        for position in range(len(self.use.devices.devices)):
            if position in self.use.busy:
                continue
            verdict = self.eligibility.verdict(demand, position)
            if isinstance(verdict, Failure):
                return True
            if isinstance(verdict, Eligible) and any(
                isinstance(self.reading(constraint, demand, position), AttemptError) for constraint in bound
            ):
                return True
        return False

    def reading(self, constraint: Constraint, demand: Demand, position: int) -> object:
        """What a constraint reads on a device that serves a demand."""
        return read_for(constraint, demand, self.use.devices.devices[position], self.use.devices.node, lists=self.lists)
