"""The question: claims, taken apart, against an inventory. Everything in it can be switched off one by one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from dravite.allocator.claim_compiler import ClaimCompiler, claim_ref
from dravite.allocator.demands import Check, ClaimDemand, ClaimSource
from dravite.api.resource_v1 import ResourceClaim
from dravite.diagnosis.reasons import ConstraintID
from dravite.diagnosis.verdicts import AttemptError
from dravite.snapshot.inventory import Inventory


class Problem(msgspec.Struct, frozen=True):
    """Claims to be allocated together on one node, all or nothing.

    Attributes:
        claims: in the order in which they are served.
        checks: what every node is asked first.
        inventory: the devices, and what is taken of them.
        asked: the claims as they were given, with the places where they were written.
        off: demands and constraints that are switched off.
    """

    claims: tuple[ClaimDemand, ...]
    checks: tuple[Check, ...]
    inventory: Inventory
    asked: tuple[tuple[ResourceClaim, ClaimSource], ...]
    off: frozenset[ConstraintID] = frozenset()

    def constraint_ids(self) -> tuple[ConstraintID, ...]:
        """Everything that was asked for and can be switched off, in the order of the claims; nothing twice."""
        found: dict[ConstraintID, None] = {}
        for claim in self.claims:
            for request in claim.requests:
                found[request.id] = None
                for demand in request.demands:
                    found[demand.size_id] = None
                    found.update(dict.fromkeys(selector.id for selector in demand.selectors))
                    found.update(dict.fromkeys(capacity.id for capacity in demand.capacity))
            found.update(dict.fromkeys(constraint.id for constraint in claim.constraints))
        return tuple(found)

    def without(self, ids: Iterable[ConstraintID]) -> Problem:
        """The same claims with some demands and constraints switched off.

        A request that is off asks for nothing; without its count it asks for one device; without its mode (All) for
        any one. Selectors, capacities and constraints just do not hold.
        """
        return _compile(self.asked, self.inventory, self.off | frozenset(ids))

    def on(self, inventory: Inventory) -> Problem:
        """The same claims against other allocations of the same devices and classes."""
        return msgspec.structs.replace(self, inventory=inventory)


def prepare(
    claims: Sequence[ResourceClaim], inventory: Inventory, sources: Sequence[ClaimSource] = ()
) -> Problem | AttemptError:
    """Compile claims, in their order.

    Args:
        claims: defaulted claims that are not allocated yet.
        inventory: devices, classes and allocations.
        sources: where each claim was written, if not in itself; one per claim, or none at all.

    Returns:
        The problem, or an error for a request that asks for nothing (R-2), which no node could be asked.
    """
    for claim in claims:
        for request in claim.spec.devices.requests:
            if request.exactly is None and not request.first_available:
                message = f"request {request.name}: unknown request type"
                return AttemptError(kind="request", message=message, claim=claim_ref(claim), request=request.name)
    own = [ClaimSource(claim_ref(claim)) for claim in claims]
    return _compile(tuple(zip(claims, sources or own, strict=True)), inventory, frozenset())


def _compile(
    asked: tuple[tuple[ResourceClaim, ClaimSource], ...], inventory: Inventory, off: frozenset[ConstraintID]
) -> Problem:
    demands: list[ClaimDemand] = []
    checks: list[Check] = []
    for number, (claim, source) in enumerate(asked):
        compiler = ClaimCompiler(claim, source, inventory, off)
        demands.append(compiler.compile(number))
        checks.extend(compiler.checks)
        if compiler.is_stopped:
            break
    return Problem(tuple(demands), tuple(checks), inventory, asked, off)
