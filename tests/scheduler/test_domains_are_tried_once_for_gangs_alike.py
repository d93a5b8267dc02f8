"""How a gang fared in a domain is kept for gangs that ask the same: it changes no answer and saves most of the work."""

from __future__ import annotations

import random

import msgspec
import pytest

from dravite.planning.planner import make_plan
from dravite.planning.settings import Settings
from dravite.scheduler import gang
from tests.clusters import (
    claim,
    cluster,
    device_class,
    devices_of,
    group,
    in_domain,
    members,
    node,
    pod,
    release,
    template,
    with_claims,
)

GATES = "GenericWorkload=true,TopologyAwareWorkloadScheduling=true"
RACKS = 6


def racks(devices=(2, 3), size=3):
    names = [(f"n{rack}-{place}", f"r{rack}") for rack in range(RACKS) for place in range(size)]
    yield from (device_class(), template("one"), template("two", 2))
    for number, (name, rack) in enumerate(names):
        yield node(name, {"rack": rack}, cpu=str(4 + number % 2))
        yield devices_of(name, devices[number % len(devices)])


def gangs(seed, count=12):
    dice = random.Random(seed)  # noqa: S311 (the same dice every time)
    for number in range(count):
        name, size, claim = f"g{number}", dice.choice([2, 4]), dice.choice(["one", "one", "two", None])
        spec = {"scheduling_constraints": in_domain("rack")} if dice.random() < 0.9 else {}
        priority = dice.choice([0, 0, 5])
        yield group(name, dice.choice([size, size, None]), priority=priority, **spec)
        for one in members(size, dice.choice(["1", "2"]), name, priority=priority):
            yield with_claims(one, gpu=f"@{claim}") if claim else one


def running(seed):
    dice = random.Random(seed)  # noqa: S311 (the same dice every time)
    for number in range(4):
        on = f"n{dice.randrange(RACKS)}-{dice.randrange(3)}"
        yield pod(f"old-{number}", "2", node_name=on, phase="Running", priority=dice.choice([0, 9]))


def told(objects, seed=0):
    plan = make_plan(cluster(*objects, on=release("1.37", GATES)), Settings(seed=seed))
    return [msgspec.json.encode(one, enc_hook=str) for one in (*plan.decisions, *plan.groups, *plan.notes)]


@pytest.mark.parametrize("seed", range(8))
def test_plans_are_those_of_attempts_without_memory(seed, monkeypatch):
    objects = [*racks(), *running(seed), *gangs(seed)]
    quick = told(objects, seed)
    monkeypatch.setattr(gang, "placement_memory", lambda *_: None)
    assert told(objects, seed) == quick


def test_only_the_domain_that_changed_is_tried_again(monkeypatch):
    tried = []
    choose_node = gang.choose_node
    monkeypatch.setattr(gang, "choose_node", lambda *asked: tried.append(asked) or choose_node(*asked))
    objects = [*racks()]
    for number in range(RACKS):
        objects += [group(f"g{number}", 3, scheduling_constraints=in_domain("rack"))]
        objects += [with_claims(one, gpu="@one") for one in members(3, of=f"g{number}")]
    told(objects)
    first, each_later = 3 * RACKS, 3 + 3
    assert len(tried) <= first + (RACKS - 1) * each_later


def test_pods_that_look_at_others_are_tried_everywhere(monkeypatch):
    tried = []
    choose_node = gang.choose_node
    monkeypatch.setattr(gang, "choose_node", lambda *asked: tried.append(asked) or choose_node(*asked))
    objects = [*racks()]
    for number in range(2):
        objects += [group(f"g{number}", 2, scheduling_constraints=in_domain("rack"))]
        objects += [with_claims(one, gpu=f"shared-{number}") for one in members(2, of=f"g{number}")]
    told([*objects, *(claim(f"shared-{number}") for number in range(2))])
    assert len(tried) == 2 * 2 * RACKS
