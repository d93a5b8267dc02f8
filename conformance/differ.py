"""Random scenarios put to several ways of answering, which must agree.

    python -m conformance.differ [--seeds FROM:TO] [--against plain|PROGRAM] [--save FOLDER]

`plain` compares the allocator with its own search without any shortcut, and with a fleet that places the claims again
and again. A PROGRAM is the reference program, asked for the same allocations. What differs is made as small as it
still differs, and saved as a scenario file.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from conformance import allocate as door
from conformance.allocate import PROFILES, Scenario
from conformance.questions import Json, scenario
from dravite.allocator.allocate import allocate, checked, conclude
from dravite.allocator.eligibility import Eligibility
from dravite.allocator.fleet import Fleet
from dravite.allocator.outcomes import Allocation, Outcome, StepsSpent, Unallocatable
from dravite.allocator.problem import Problem, prepare
from dravite.allocator.search import Search
from dravite.api.core_v1 import Node
from dravite.api.meta import ObjectRef
from dravite.diagnosis.verdicts import AttemptError
from dravite.snapshot.inventory import Inventory, build_inventory

_NEVER: Final = 10**9
_BUDGET: Final = 3_000
_ROUNDS: Final = 4
_CHUNK: Final = 500
_OPTIONAL: Final = frozenset(
    {
        "adminAccess",
        "allowMultipleAllocations",
        "attributes",
        "bindingConditions",
        "bindingFailureConditions",
        "capacity",
        "config",
        "constraints",
        "consumesCounters",
        "requestPolicy",
        "selectors",
        "taints",
        "tolerations",
    }
)

Check = Callable[[Json], str]


def main(arguments: list[str] | None = None) -> int:
    """The command; 1 if anything differs."""
    parser = argparse.ArgumentParser(prog="conformance.differ", description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--seeds", default="0:2000")
    parser.add_argument("--against", default="plain")
    parser.add_argument("--save", type=Path, default=Path())
    options = parser.parse_args(arguments)
    start, end = map(int, options.seeds.split(":"))
    seen: Counter[str] = Counter()
    wrong = 0
    for low in range(start, end, _CHUNK):
        chunk = [scenario(seed) for seed in range(low, min(low + _CHUNK, end))]
        for found, difference in _compare(chunk, options.against, seen):
            wrong += 1
            small = shrink(found, lambda one: one_difference(one, options.against))
            path = options.save / f"differs-{found['name'].replace(' ', '-')}.json"
            path.write_text(json.dumps(small) + "\n", encoding="utf-8")
            print(f"{found['name']}: {difference}; {path}", flush=True)
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{low - start + len(chunk)} of {end - start} ")
    print(f"{end - start} scenarios, {wrong} differ; " + ", ".join(f"{k} {n}" for k, n in sorted(seen.items())))
    return 1 if wrong else 0


def _compare(chunk: list[Json], against: str, seen: Counter[str]) -> Iterator[tuple[Json, str]]:
    if against == "plain":
        for one in chunk:
            difference = plain_difference(one, seen)
            if difference:
                yield one, difference
        return
    for one, answer in zip(chunk, _ask(against, chunk), strict=True):
        difference = _reference_difference(one, answer, seen)
        if difference:
            yield one, difference


def one_difference(given: Json, against: str) -> str:
    """What differs in one scenario; empty if nothing does, or if it can no longer be asked."""
    try:
        if against == "plain":
            return plain_difference(given, Counter())
        return _reference_difference(given, next(_ask(against, [given])), Counter())
    except (msgspec.DecodeError, LookupError, ValueError, subprocess.CalledProcessError):
        return ""


def _ask(program: str, chunk: list[Json]) -> Iterator[Json]:
    lines = "".join(json.dumps(one) + "\n" for one in chunk)
    command = [program, "allocate", "--time-limit", "10s"]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)  # noqa: S603
    return map(json.loads, done.stdout.splitlines())


def _reference_difference(given: Json, answer: Json, seen: Counter[str]) -> str:
    for node in (answer.get("nodes") or {}).values():
        seen[node["outcome"]] += 1
    if answer.get("error"):
        seen["not tried"] += 1
        return ""
    return "; ".join(door.differences({"scenario": given, "expected": answer}))


def plain_difference(given: Json, seen: Counter[str]) -> str:
    """Where the allocator, or a fleet that is filled, answers otherwise than a search without shortcuts."""
    asked = msgspec.json.decode(json.dumps(given), type=Scenario, dec_hook=door.read_quantity)
    one, other = (_inventory(asked) for _ in range(2))
    problem, plain = prepare(asked.claims, one), prepare(asked.claims, other)
    if not isinstance(problem, Problem) or not isinstance(plain, Problem):
        return ""
    fleet = Fleet(asked.nodes, one)
    for number in range(_ROUNDS):
        answers = fleet.ask(problem)
        first = None
        for position, node in enumerate(asked.nodes):
            expected = allocate_plainly(plain, node)
            seen[_sort(expected)] += 1
            if isinstance(expected, StepsSpent):
                continue
            bits = (answers.fit >> position & 1, answers.unsure >> position & 1)
            if bits != (isinstance(expected, Allocation), isinstance(expected, AttemptError)):
                return f"round {number}, {node.metadata.name}: the fleet says {bits}, plainly {expected}"
            for found in (allocate(problem, node), fleet.outcome(problem, position)):
                if _bare(found) != _bare(expected):
                    return f"round {number}, {node.metadata.name}: {found}, plainly {expected}"
            if first is None and isinstance(expected, Allocation):
                first = expected
        if first is None:
            break
        one, other = _taken(one, first, number), _taken(other, first, number)
        problem, plain = problem.on(one), plain.on(other)
    seen["fleet asked"] += fleet.effort.asked
    seen["fleet searched"] += fleet.effort.searched
    return ""


def _inventory(asked: Scenario) -> Inventory:
    features = PROFILES[asked.profile or "unnamed"] if asked.features is None else frozenset(asked.features)
    return build_inventory(asked.slices, asked.classes, asked.allocated, asked.taint_rules, features)


def _taken(inventory: Inventory, allocation: Allocation, number: int) -> Inventory:
    usage = inventory.usage
    for index, result in enumerate(allocation.results):
        usage = usage.with_claim(ObjectRef("ResourceClaim", "default", f"round-{number}-{index}"), result)
    return inventory.with_usage(usage)


def allocate_plainly(problem: Problem, node: Node) -> Outcome:
    """The outcome of first fit, step by step."""
    use = problem.inventory.use(node)
    if isinstance(use, AttemptError):
        return use
    eligibility = Eligibility(problem.inventory, use.devices)
    collected = checked(problem, use, eligibility)
    if isinstance(collected, AttemptError):
        return collected
    return conclude(problem, use, Search(problem, use, eligibility, collected).run(_BUDGET, _NEVER))


def _bare(outcome: Outcome) -> Any:
    """The outcome without its steps, which shortcuts save."""
    if isinstance(outcome, Allocation):
        return msgspec.json.encode(outcome.results, enc_hook=lambda quantity: quantity.text)
    return outcome.cause if isinstance(outcome, Unallocatable) else outcome


def _sort(outcome: Outcome) -> str:
    return f"error {outcome.kind}" if isinstance(outcome, AttemptError) else type(outcome).__name__


def shrink(given: Json, difference: Callable[[Json], str]) -> Json:
    """The scenario with everything taken out that the difference does not need."""
    smaller = True
    while smaller:
        smaller = False
        for path in list(_removable(given, ())):
            candidate = _without(given, path)
            if difference(candidate):
                given, smaller = candidate, True
                break
    return given


def _removable(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Paths of all list items and of fields that may be missing, outer ones first."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in inner:
        if isinstance(value, list) or key in _OPTIONAL or path[-1:] == ("attributes",):
            yield (*path, key)
        yield from _removable(below, (*path, key))


def _without(value: Any, path: tuple[Any, ...]) -> Any:
    if isinstance(value, list):
        index = path[0]
        middle = [] if len(path) == 1 else [_without(value[index], path[1:])]
        return [*value[:index], *middle, *value[index + 1 :]]
    copy = dict(value)
    if len(path) == 1:
        del copy[path[0]]
    else:
        copy[path[0]] = _without(value[path[0]], path[1:])
    return copy


if __name__ == "__main__":
    sys.exit(main())
