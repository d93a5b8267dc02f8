"""The devices of the example: so many on every node, called `dev-0`, `dev-1`, … Put your own in their place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from negotiation import DriverError, Object, status_of


@dataclass
class Devices:
    """A driver that counts devices.

    Attributes:
        name: what `spec.controller` of its claims says.
        on: how many devices each node has; nodes that are not listed have none.
        claims: every claim there is; what they hold is not free.
        reserves: whether a pod is noted as a user together with the allocation. It saves the scheduler a write.
    """

    name: str
    on: Mapping[str, int]
    claims: Sequence[Object] = ()
    reserves: bool = True
    taken: list[Object] = field(default_factory=list)

    def unsuitable(self, claims: Sequence[Object], nodes: Sequence[str]) -> Sequence[str]:
        wanted = sum(len(list(_wishes(claim))) for claim in claims)
        return [node for node in nodes if len(list(self._free(node))) < wanted]

    def allocate(self, claim: Object, node: str) -> Object:
        free = self._free(node)
        results = []
        for request in _wishes(claim):
            device = next(free, None)
            if device is None:
                message = f"no free device on node {node}"
                raise DriverError(message)
            results.append({"request": request, "driver": self.name, "pool": node, "device": device})
        self.taken += results
        here = {"key": "metadata.name", "operator": "In", "values": [node]}
        return {"devices": {"results": results}, "nodeSelector": {"nodeSelectorTerms": [{"matchFields": [here]}]}}

    def deallocate(self, claim: Object) -> None:
        """Nothing to do: a device is free once no claim holds it."""

    def _free(self, node: str) -> Iterator[str]:
        held = {one["device"] for one in (*self._held(), *self.taken) if one["pool"] == node}
        return (name for number in range(self.on.get(node, 0)) if (name := f"dev-{number}") not in held)

    def _held(self) -> Iterable[Object]:
        allocations = (status_of(claim).get("allocation") or {} for claim in self.claims)
        results = (one for found in allocations for one in found.get("devices", {}).get("results") or ())
        return (one for one in results if one["driver"] == self.name)


def _wishes(claim: Object) -> Iterator[str]:
    """The request behind each device that a claim wants."""
    for request in claim["spec"]["devices"].get("requests") or ():
        yield from [request["name"]] * max(request.get("count") or 1, 1)
