"""Random scenarios for the allocator: small clusters of nodes that are often alike, and claims that use every feature.

The same seed gives the same scenario. Values are few, so that devices compete, errors are met, and nodes differ by
what is allocated on them, or only by names.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

Json = dict[str, Any]

D, E = "d.io", "e.io"
_PROFILES: Final = ("default",) * 6 + ("all", "all", "all", "ga", "none")
_STABLE: Final = ("ga", "none")
"""Here Kubernetes tries pools in no fixed order, so that every node has one only."""

_ATTRIBUTE: Final = f'device.attributes["{D}"]'
_SELECTORS: Final = (
    f'{_ATTRIBUTE}.kind == "a"',
    f'{_ATTRIBUTE}.kind != "a"',
    f"{_ATTRIBUTE}.index < 2",
    f"{_ATTRIBUTE}.index >= 1",
    f"{_ATTRIBUTE}.index in [0, 2, 3]",
    f"has({_ATTRIBUTE}.numa) && {_ATTRIBUTE}.numa == 0",
    f"{_ATTRIBUTE}.numa == 1",
    f'{_ATTRIBUTE}.version.isGreaterThan(semver("1.5.0"))',
    f'device.capacity["{D}"].mem.compareTo(quantity("2")) >= 0',
    f'"{D}" in device.attributes && device.driver == "{D}"',
    "device.allowMultipleAllocations",
    "true",
)
_POLICIES: Final = (
    None,
    None,
    {"default": "1", "validValues": ["1", "2", "4"]},
    {"default": "1", "validRange": {"min": "1", "step": "2", "max": "5"}},
)


def scenario(seed: int) -> Json:
    """The scenario of a seed."""
    return _Maker(Random(seed)).scenario(seed)  # noqa: S311 - a test wants the same dice every time


class _Maker:
    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self.second = dice.choice([0, 0, 50, 100])
        self.counters = str(dice.randint(2, 8))
        self.models = [self._model(0), self._model(1)]
        self.devices: list[tuple[str, str, Json]] = []

    def _chance(self, percent: int) -> bool:
        return self.dice.randrange(100) < percent

    def scenario(self, seed: int) -> Json:
        profile = self.dice.choice(_PROFILES)
        if profile in _STABLE:
            self.second = 0
        nodes = [f"n{number}" for number in range(1, self.dice.randint(3, 6))]
        slices = [one for name in nodes for one in self._node_slices(name)]
        if profile not in _STABLE and self._chance(35):
            slices.append(self._network_slice(nodes))
        self.dice.shuffle(slices)
        return {
            "name": f"seed {seed}",
            "profile": profile,
            "nodes": [_node(name, number) for number, name in enumerate(nodes)],
            "classes": [
                _class("dev", f'device.driver == "{D}"'),
                _class("net", f'device.driver == "{E}"'),
                _class("any"),
                _class("a", f'device.driver == "{D}"', f'{_ATTRIBUTE}.kind == "a"'),
            ],
            "slices": slices,
            "claims": [self._claim(f"c{number}") for number in range(self.dice.choice([1, 1, 1, 2]))],
            "allocated": self._allocated(),
        }

    def _model(self, number: int) -> list[Json]:
        """The devices of one kind of node."""
        partitioned = self._chance(30)
        shared = self._chance(30)
        return [
            self._device(f"m{number}-{index}", index, partitioned=partitioned, shared=shared)
            for index in range(self.dice.randint(2, 6))
        ]

    def _device(self, name: str, index: int, *, partitioned: bool, shared: bool) -> Json:
        attributes: Json = {"index": {"int": index}, "uuid": {"string": "?"}}
        if self._chance(92):
            attributes["kind"] = {"string": self.dice.choice("aab")}
        if self._chance(85):
            attributes["numa"] = {"int": self.dice.randrange(2)}
        if self._chance(15):
            attributes["numa"] = {"ints": sorted(self.dice.sample(range(3), self.dice.randint(1, 2)))}
        if self._chance(30):
            attributes["version"] = {"version": self.dice.choice(["1.0.0", "2.0.0"])}
        capacity: Json = {"value": self.dice.choice(["1", "2", "4", "10"])}
        policy = self.dice.choice(_POLICIES) if shared else None
        if policy:
            capacity["requestPolicy"] = policy
        device: Json = {"name": name, "attributes": attributes, "capacity": {"mem": capacity}}
        if partitioned and self._chance(80):
            amounts = {"c": {"value": str(self.dice.randint(1, 3))}}
            device["consumesCounters"] = [{"counterSet": "s", "counters": amounts}]
        if shared and self._chance(80):
            device["allowMultipleAllocations"] = True
        self._burden(device)
        return device

    def _burden(self, device: Json) -> None:
        """What is seldom."""
        if self._chance(10):
            effect = self.dice.choice(["NoSchedule", "NoExecute", "None"])
            device["taints"] = [{"key": "k", "value": "v", "effect": effect}]
        if self._chance(5):
            device["bindingConditions"] = ["ready"]
            device["bindingFailureConditions"] = ["failed"]
        if self._chance(3):
            device["bindsToNode"] = True

    def _node_slices(self, node: str) -> list[Json]:
        """The pools of one node; every device has a uuid of its own."""
        slices: list[Json] = []
        for driver, model in ((D, self.models[self._chance(25)]), (E, self.models[1])):
            if driver == E and not self._chance(self.second):
                continue
            devices = [
                {**one, "attributes": {**one["attributes"], "uuid": {"string": f"{node}-{one['name']}"}}}
                for one in model
            ]
            counted = any("consumesCounters" in one for one in devices)
            count = 2 if counted else 1
            slices.append(_slice(f"{node}-{driver}", driver, node, devices, count, {"nodeName": node}))
            self.devices += [(driver, node, one) for one in devices]
            if counted:
                sets = [{"name": "s", "counters": {"c": {"value": self.counters}}}]
                slices.append(_slice(f"{node}-{driver}-counters", driver, node, None, 2, {"nodeName": node}, sets))
        self._spoil(slices)
        return slices

    def _spoil(self, slices: list[Json]) -> None:
        """A pool that is incomplete, outdated or contradicts itself."""
        if not slices or not self._chance(8):
            return
        spec = self.dice.choice(slices)["spec"]
        spoiled = self.dice.randrange(3)
        if spoiled == 0:
            spec["pool"]["resourceSliceCount"] += 1
        elif spoiled == 1 and spec.get("devices"):
            spec["devices"] = [*spec["devices"], spec["devices"][0]]
        else:
            spec["pool"]["generation"] = 2

    def _network_slice(self, nodes: list[str]) -> Json:
        devices = [
            self._device(f"net-{index}", index, partitioned=False, shared=self._chance(50))
            for index in range(self.dice.randint(1, 3))
        ]
        place: Json = {"allNodes": True}
        kind = self.dice.randrange(4)
        zone = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "zone", "operator": "In", "values": ["z0"]}]}]}
        if kind == 1:
            place = {"nodeSelector": zone}
        elif kind == 2:
            place = {"nodeSelector": {"nodeSelectorTerms": zone["nodeSelectorTerms"] * 2}}
        elif kind == 3:
            place = {"perDeviceNodeSelection": True}
            for one in devices:
                one.update(
                    self.dice.choice(
                        [{"nodeName": self.dice.choice(nodes)}, {"allNodes": True}, {"nodeSelector": zone}]
                    )
                )
        self.devices += [(E, "net", one) for one in devices]
        return _slice("net", E, "net", devices, 1, place)

    def _claim(self, name: str) -> Json:
        requests = [self._request(f"r{number}") for number in range(self.dice.choice([1, 1, 2, 2, 3]))]
        devices: Json = {"requests": requests}
        if self._chance(35):
            devices["constraints"] = [self._constraint(requests) for _ in range(self.dice.choice([1, 1, 2]))]
        if self._chance(20):
            opaque = {"driver": D, "parameters": {"x": 1}}
            devices["config"] = [{"requests": [requests[0]["name"]], "opaque": opaque}]
        return {"metadata": {"name": name, "namespace": "default", "uid": name}, "spec": {"devices": devices}}

    def _request(self, name: str) -> Json:
        if self._chance(25):
            subs = [{"name": sub, **self._wanted()} for sub in ("x", "y", "z")[: self.dice.randint(1, 3)]]
            return {"name": name, "firstAvailable": subs}
        exact = self._wanted()
        if self._chance(6):
            exact["adminAccess"] = True
        return {"name": name, "exactly": exact}

    def _wanted(self) -> Json:
        wanted: Json = {"deviceClassName": self.dice.choice(["dev"] * 6 + ["net", "any", "a"])}
        if self._chance(15):
            wanted["allocationMode"] = "All"
        else:
            wanted |= {"allocationMode": "ExactCount", "count": self.dice.choice([1, 1, 1, 2, 2, 3])}
        if self._chance(30):
            chosen = self.dice.sample(_SELECTORS, self.dice.choice([1, 1, 2]))
            wanted["selectors"] = [{"cel": {"expression": text}} for text in chosen]
        if self._chance(20):
            wanted["capacity"] = {"requests": {"mem": self.dice.choice(["1", "2", "3", "4"])}}
        if self._chance(15):
            wanted["tolerations"] = [{"key": "k", "operator": "Exists"}]
        return wanted

    def _constraint(self, requests: list[Json]) -> Json:
        attribute = f"{D}/{self.dice.choice(['numa', 'numa', 'kind', 'uuid'])}"
        constraint: Json = {self.dice.choice(["matchAttribute", "distinctAttribute"]): attribute}
        if self._chance(40):
            constraint["requests"] = [self.dice.choice(requests)["name"]]
        return constraint

    def _allocated(self) -> list[Json]:
        """Some devices are held, by shares where they can be."""
        held: list[Json] = []
        often = self.dice.choice([(0,), (0, 0, 0, 0, 0, 1), (0, 0, 0, 1, 1, 2)])
        for driver, pool, device in self.devices:
            for share in range(self.dice.choice(often)):
                result: Json = {"request": "r", "driver": driver, "pool": pool, "device": device["name"]}
                if device.get("allowMultipleAllocations"):
                    amount = {"mem": self.dice.choice(["1", "2"])}
                    result |= {"shareID": f"{pool}-{device['name']}-{share}", "consumedCapacity": amount}
                elif share:
                    break
                held.append(result)
        if not held:
            return []
        status = {"allocation": {"devices": {"results": held}}}
        metadata = {"name": "held", "namespace": "default", "uid": "held"}
        spec = {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "any"}}]}}
        return [{"metadata": metadata, "spec": spec, "status": status}]


def _node(name: str, number: int) -> Json:
    return {"metadata": {"name": name, "labels": {"zone": f"z{number % 2}"}}}


def _class(name: str, *expressions: str) -> Json:
    selectors = [{"cel": {"expression": one}} for one in expressions]
    return {"metadata": {"name": name}, "spec": {"selectors": selectors}}


def _slice(
    name: str,
    driver: str,
    pool: str,
    devices: list[Json] | None,
    count: int,
    place: Json,
    sets: list[Json] | None = None,
) -> Json:
    spec: Json = {"driver": driver, "pool": {"name": pool, "generation": 1, "resourceSliceCount": count}, **place}
    if devices is not None:
        spec["devices"] = devices
    if sets is not None:
        spec["sharedCounters"] = sets
    return {"metadata": {"name": name}, "spec": spec}
