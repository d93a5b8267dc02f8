from __future__ import annotations

from typing import Any

from tests.clusters import release
from tests.controllers.servers import World

BUDGET: dict[str, Any] = {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "b"}}


def generation(world: World, kind: str, name: str) -> int | None:
    found = world.get(kind, name)
    assert found is not None
    number = found["metadata"].get("generation")
    return int(number) if number is not None else None


def test_it_grows_with_each_change_of_the_spec_and_with_no_other():
    world = World(release("1.37"))
    world.apply({**BUDGET, "metadata": {"name": "b", "generation": 7}, "spec": {"minAvailable": 1}})
    assert generation(world, "PodDisruptionBudget", "b") == 1
    world.patch("PodDisruptionBudget", "b", {"metadata": {"labels": {"a": "b"}}})
    world.patch("PodDisruptionBudget", "b", {"status": {"currentHealthy": 1}}, "status")
    assert generation(world, "PodDisruptionBudget", "b") == 1
    world.patch("PodDisruptionBudget", "b", {"spec": {"minAvailable": 2}})
    assert generation(world, "PodDisruptionBudget", "b") == 2


def test_kinds_without_one_get_none():
    world = World(release("1.37"))
    world.apply({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"a": "b"}})
    world.patch("ConfigMap", "c", {"data": {"a": "c"}})
    assert generation(world, "ConfigMap", "c") is None
