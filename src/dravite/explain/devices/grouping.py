"""The devices under a constraint by the value of its attribute, on one node."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from dravite.allocator.demands import ClaimDemand, Constraint, Demand
from dravite.api.meta import DeviceID
from dravite.diagnosis.findings import Clash
from dravite.explain.devices.stories import Scene, eligible_positions
from dravite.explain.insights import AttributeGroup, ConstraintInsight
from dravite.snapshot.device_paths import DevicePath, Found, find


def constraint_insights(scene: Scene, clash: Clash) -> tuple[ConstraintInsight, ...]:
    """The sets that the constraints of a clash leave, in the order of the claims."""
    return tuple(
        _insight(scene, claim, constraint)
        for claim in scene.problem.claims
        for constraint in claim.constraints
        if constraint.id in clash.core
    )


def _insight(scene: Scene, claim: ClaimDemand, constraint: Constraint) -> ConstraintInsight:
    bound = [d for request in claim.requests for d in request.demands if constraint.applies_to(d)]
    values: dict[Found | None, dict[str, list[DeviceID]]] = {}
    needed = []
    for demand in bound:
        positions = eligible_positions(scene, claim, demand)
        needed.append((demand.name, len(positions) if demand.takes_all else demand.count))
        for value, device in _valued(scene, constraint, positions):
            values.setdefault(value, {}).setdefault(demand.name, []).append(device)
    serves = {value: _served(by_request, bound, dict(needed)) for value, by_request in values.items()}
    ordered = sorted(values, key=lambda value: (value is None, -serves[value], value.text if value else ""))
    told = Counter(value.text for value in values if value is not None)
    return ConstraintInsight(
        constraint=constraint.id,
        kind="matchAttribute" if constraint.kind == "match" else "distinctAttribute",
        attribute=constraint.attribute,
        node=scene.now.devices.node,
        needed=tuple(needed),
        groups=tuple(
            AttributeGroup(_told(v, told), tuple((r, tuple(ids)) for r, ids in values[v].items())) for v in ordered
        ),
        largest=_largest(constraint, serves),
    )


def _told(value: Found | None, told: Mapping[str, int]) -> str | None:
    """A value as text; with its kind where the same text is there as another kind, which is another value (CON-5)."""
    if value is None:
        return None
    return value.text if told[value.text] == 1 else f"{value.text} ({value.kind})"


def _largest(constraint: Constraint, serves: dict[Found | None, int]) -> int:
    known = [count for value, count in serves.items() if value is not None]
    if constraint.kind == "distinct":
        return len(known)
    return max(known, default=0)


def _served(by_request: dict[str, list[DeviceID]], bound: list[Demand], needed: dict[str, int]) -> int:
    """How many devices of one value serve the requests; a device serves one request only."""
    wanted = sum(min(needed[d.name], len(by_request.get(d.name, ()))) for d in bound)
    return min(wanted, len({device for ids in by_request.values() for device in ids}))


def _valued(
    scene: Scene, constraint: Constraint, positions: tuple[int, ...]
) -> Iterable[tuple[Found | None, DeviceID]]:
    domain, _, name = constraint.attribute.partition("/")
    path = DevicePath("attributes", domain, name)
    for position in positions:
        device = scene.now.devices.devices[position]
        yield find(device.id.driver, device.device, path), device.id
