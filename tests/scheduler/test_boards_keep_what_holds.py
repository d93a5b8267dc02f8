"""Boards change no decision: every pod is decided as by an attempt that remembers nothing; little is asked twice."""

from __future__ import annotations

import random

import msgspec
import pytest

from dravite.diagnosis.verdicts import Scheduled
from dravite.planning.planner import make_plan
from dravite.scheduler import node_search, preempt
from dravite.scheduler.board import Board
from dravite.snapshot.inventory import InventoryMemory
from dravite.snapshot.snapshot import build
from tests.clusters import device_class, devices_of, manifests, node, pod, release, template, with_claims

NODES = [f"node-{number}" for number in range(12)]


def cluster(*pods):
    return manifests(
        *(node(name, cpu=str(4 + number % 3), memory="16Gi", pods="6") for number, name in enumerate(NODES)),
        *(devices_of(name, 2 + number % 2) for number, name in enumerate(NODES)),
        device_class(),
        template("one"),
        template("two", 2),
        template("four", 4),
        *pods,
    )


def some_pods(seed, count=50):
    dice = random.Random(seed)  # noqa: S311 - the same dice every time
    for number in range(count):
        made = pod(f"pod-{number}", cpu=dice.choice(["1", "2"]))
        wanted = dice.choice(["one", "one", "two", "four", None])
        yield made if wanted is None else with_claims(made, gpu=f"@{wanted}")


def told(plan):
    return [(one.pod, msgspec.json.encode(one, enc_hook=str)) for one in plan.decisions]


@pytest.mark.parametrize("seed", range(5))
def test_decisions_are_those_of_attempts_without_memory(seed, monkeypatch):
    given = cluster(*some_pods(seed))
    quick = told(make_plan(build(given, release())))
    monkeypatch.setattr(node_search, "board_of", lambda cycle: None)
    slow = told(make_plan(build(given, release())))
    assert quick == slow


def test_equal_pods_ask_each_node_once_and_then_only_the_one_that_changed(monkeypatch):
    asked = []
    ask_node = node_search.ask_node
    monkeypatch.setattr(
        node_search, "ask_node", lambda cycle, state: asked.append(state.name) or ask_node(cycle, state)
    )
    pods = [with_claims(pod(f"pod-{number}", cpu="1"), gpu="@one") for number in range(10)]
    plan = make_plan(build(cluster(*pods), release()))
    assert not plan.unplaced
    assert len(asked) == len(NODES) + 9


def test_pods_that_all_nodes_refuse_are_refused_as_one_until_a_node_changes(monkeypatch):
    concluded = []
    refusing_nodes = node_search.refusing_nodes
    monkeypatch.setattr(node_search, "refusing_nodes", lambda *given: concluded.append(given) or refusing_nodes(*given))
    too_many = [with_claims(pod(f"pod-{number:02}", cpu="1"), gpu="@four") for number in range(20)]
    one_that_fits = with_claims(pod("small", cpu="1"), gpu="@one")
    plan = make_plan(build(cluster(*too_many[:10], one_that_fits, *too_many[10:]), release()))
    refused = [one.decision for one in plan.decisions if not isinstance(one.decision, Scheduled)]
    assert len(refused) == 20
    assert len({one.message for one in refused}) == 1
    assert len(concluded) == 2


def test_a_board_forgets_nodes_whose_pods_or_devices_changed():
    pods = [with_claims(pod(f"pod-{number}", cpu="1"), gpu="@one") for number in range(2)]
    plan = make_plan(build(cluster(*pods), release()))
    before, after = plan.start, plan.final
    board = Board(before)
    board.said.update(dict.fromkeys(NODES, "said"))
    board.bring_up_to(after)
    changed = {one.decision.node for one in plan.decisions}
    assert set(NODES) - board.said.keys() == changed


def test_a_board_forgets_everything_when_classes_change():
    start = make_plan(build(cluster(), release())).start
    board = Board(start)
    board.said["node-0"] = "said"
    board.bring_up_to(msgspec.structs.replace(start, inventory=msgspec.structs.replace(start.inventory, classes={})))
    assert board.said == {}


def test_nodes_of_a_pool_are_known_once_they_were_asked_for():
    assert list(InventoryMemory().nodes_of(("d.io", "pool"))) == []


@pytest.mark.parametrize("seed", range(5))
def test_pods_that_find_nobody_to_go_are_told_as_if_each_node_had_been_tried(seed, monkeypatch):
    dice = random.Random(seed)  # noqa: S311 - the same dice every time
    waiting = [pod(f"pod-{n:02}", cpu=dice.choice(["2", "5", "9"]), priority=dice.choice([0, 0, 5])) for n in range(30)]
    running = [pod(f"run-{n}", cpu="2", priority=dice.choice([0, 3]), node_name=f"node-{n}") for n in range(12)]
    given = cluster(*waiting, *running)
    quick = told(make_plan(build(given, release())))
    monkeypatch.setattr(preempt, "_is_nobody_lower", lambda cycle, refusing: False)
    slow = told(make_plan(build(given, release())))
    assert quick == slow


def test_nobody_is_looked_for_again_while_all_nodes_refuse_as_they_did(monkeypatch):
    tried, looked = [], []
    dry_run, among = preempt._dry_run, preempt.priority_among_victims
    monkeypatch.setattr(preempt, "_dry_run", lambda *given: tried.append(given) or dry_run(*given))
    monkeypatch.setattr(preempt, "priority_among_victims", lambda *given: looked.append(given) or among(*given))
    running = [pod(f"run-{n}", cpu="2", node_name=f"node-{n}") for n in range(12)]
    plan = make_plan(build(cluster(*(pod(f"big-{n}", cpu="4") for n in range(9)), *running), release()))
    refused = {one.decision.message for one in plan.decisions if not isinstance(one.decision, Scheduled)}
    assert any("No preemption victims found for incoming pod" in message for message in refused)
    assert not tried
    assert len(looked) <= 2 * len(running)
