"""What devices publish, counted, and what that says about names that nobody publishes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from dravite.api.meta import DeviceID
from dravite.api.near import near_names
from dravite.api.resource_v1 import Device
from dravite.diagnosis.reasons import ConstraintID
from dravite.explain.insights import NameInsight, NodeCount, SeenCount
from dravite.snapshot.device_paths import DevicePath, find, named, published
from dravite.snapshot.pools import PoolDevice

EXAMPLES: Final = 4
_OTHER_ROOT: Final[Mapping[str, str]] = {"attributes": "capacity", "capacity": "attributes"}

Problem: TypeAlias = Literal["domain-unknown", "name-unknown", "is-capacity", "is-attribute", "other-domain", "on-some"]


class Located(msgspec.Struct, frozen=True):
    """A device as it is published, and a node that sees it."""

    node: str
    pooled: PoolDevice

    @property
    def id(self) -> DeviceID:
        """Which device."""
        return self.pooled.id

    @property
    def device(self) -> Device:
        """What its slice says about it."""
        return self.pooled.device


def counts(devices: Sequence[Located]) -> Counter[DevicePath]:
    """How many devices publish each attribute and capacity."""
    shapes = Counter((seen.id.driver, tuple(seen.device.attributes), tuple(seen.device.capacity)) for seen in devices)
    total: Counter[DevicePath] = Counter()
    for (driver, attributes, capacity), number in shapes.items():
        for path in named(driver, attributes, capacity):
            total[path] += number
    return total


def values_at(devices: Sequence[Located], path: DevicePath) -> tuple[SeenCount, ...]:
    """The values at a path, most frequent first, ties by the text; the counts sum to the number of devices."""
    holders: dict[str | None, list[DeviceID]] = {}
    for seen in devices:
        found = find(seen.id.driver, seen.device, path)
        holders.setdefault(None if found is None else found.text, []).append(seen.id)
    ordered = sorted(holders.items(), key=lambda item: (-len(item[1]), item[0] is not None, item[0] or ""))
    return tuple(SeenCount(value, len(ids), tuple(ids[:EXAMPLES])) for value, ids in ordered)


def name_insight(
    asked_by: ConstraintID, request: str, path: DevicePath, devices: Sequence[Located]
) -> NameInsight | None:
    """What is wrong with a name, given the devices that are asked for it; None where every device has it."""
    if path.root not in _OTHER_ROOT or not devices:
        return None
    having = [seen for seen in devices if has(seen, path)]
    if len(having) == len(devices):
        return None
    problem, near = ("on-some", ()) if having else _unknown(path, counts(devices))
    lacking = [seen for seen in devices if not has(seen, path)]
    return NameInsight(
        asked_by=asked_by,
        request=request,
        path=path,
        problem=problem,
        having=len(having),
        devices=len(devices),
        near=near,
        nodes=_by_node(devices, path) if having else (),
        lacking=tuple(seen.id for seen in lacking),
    )


def has(seen: Located, path: DevicePath) -> bool:
    """Whether a device has something at a path; a path without a name means anything in the domain."""
    if path.name:
        return find(seen.id.driver, seen.device, path) is not None
    return any(p.root == path.root and p.domain == path.domain for p in published(seen.id.driver, seen.device))


def _by_node(devices: Sequence[Located], path: DevicePath) -> tuple[NodeCount, ...]:
    """Per node, in the order in which they appear, how many devices have the name."""
    total: dict[str, int] = {}
    having: dict[str, int] = {}
    for seen in devices:
        total[seen.node] = total.get(seen.node, 0) + 1
        having[seen.node] = having.get(seen.node, 0) + has(seen, path)
    return tuple(NodeCount(node, having[node], total[node]) for node in total)


def _unknown(path: DevicePath, known: Mapping[DevicePath, int]) -> tuple[Problem, tuple[DevicePath, ...]]:
    """Why nobody has a name, and the published names that may have been meant."""
    domains = {p.domain for p in known if p.root == path.root}
    if not path.name:
        alike = near_names(path.domain, sorted(domains))
        return "domain-unknown", tuple(DevicePath(path.root, domain) for domain in alike)
    other = DevicePath(_OTHER_ROOT[path.root], path.domain, path.name)
    if other in known:
        return ("is-capacity" if other.root == "capacity" else "is-attribute"), (other,)
    same_name = sorted(p for p in known if p.name == path.name)
    if same_name:
        return _elsewhere(path, same_name)
    near = _near_paths(path, known)
    return ("name-unknown" if path.domain in domains or near else "domain-unknown"), near


def _elsewhere(path: DevicePath, same_name: list[DevicePath]) -> tuple[Problem, tuple[DevicePath, ...]]:
    """The name is published, though under another domain; its own map comes first."""
    ordered = sorted(same_name, key=lambda p: (p.root != path.root, p))
    problem: Problem = "other-domain"
    if ordered[0].root != path.root:
        problem = "is-capacity" if ordered[0].root == "capacity" else "is-attribute"
    return problem, tuple(ordered[:3])


def _near_paths(path: DevicePath, known: Mapping[DevicePath, int]) -> tuple[DevicePath, ...]:
    """Published names that look alike; the own domain comes first, then the own map."""
    names = sorted({p.name for p in known})
    alike = near_names(path.name, names)
    places = [p for p in sorted(known) if p.name in alike]
    places.sort(key=lambda p: (alike.index(p.name), p.domain != path.domain, p.root != path.root, p))
    return tuple(places[:3])
