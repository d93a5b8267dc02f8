"""Allocations on single nodes: answers scenarios as the recordings have them, and compares the two.

A scenario is a JSON object with `nodes`, `classes`, `slices` and `claims`; see `Scenario` for the rest.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from dravite.allocator.allocate import allocate
from dravite.allocator.outcomes import Allocation, Outcome, StepsSpent, Unallocatable
from dravite.allocator.problem import Problem, prepare
from dravite.api.core_v1 import Node
from dravite.api.quantity import Quantity, QuantityError
from dravite.api.resource_v1 import DeviceClass, DeviceTaintRule, ResourceClaim, ResourceSlice
from dravite.diagnosis.verdicts import AttemptError
from dravite.snapshot.inventory import Inventory, build_inventory
from dravite.snapshot.variants import variant

_GA: Final = frozenset({"AdminAccess", "DeviceTaints", "PrioritizedList"})
_DEFAULT: Final = _GA | {"ConsumableCapacity", "DeviceBindingAndStatus", "PartitionableDevices"}

PROFILES: Final[Mapping[str, frozenset[str]]] = {
    "none": frozenset(),
    "ga": _GA,
    "default": _DEFAULT,
    "unnamed": _DEFAULT | {"FractionalCapacityRange"},
    "all": _DEFAULT
    | {
        "CompatibilityGroups",
        "DerivedAttributes",
        "FractionalCapacityRange",
        "ListTypeAttributes",
        "OptionalNodeOperations",
    },
}
"""Features by profile. `unnamed` is for scenarios that name none: what was on when those were recorded."""

_CUTS: Final = (
    "failed to perform node selection for",
    "failed to parse node selector",
    "CEL compile error: compilation failed",
    "parse semantic version",
)
"""What follows one of these in an error is a library's own wording and need not agree."""

_INVALID_POOLS: Final = "invalid resource pools were encountered"

Answer = dict[str, Any]


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """Claims to be allocated together, on each node by itself.

    Attributes:
        features: what is enabled; wins over `profile`.
        allocated: claims whose status says what is in use.
        taint_rules: are put on the slices first.
    """

    nodes: tuple[Node, ...]
    name: str = ""
    profile: str = ""
    features: tuple[str, ...] | None = None
    classes: tuple[DeviceClass, ...] = ()
    slices: tuple[ResourceSlice, ...] = ()
    claims: tuple[ResourceClaim, ...] = ()
    allocated: tuple[ResourceClaim, ...] = ()
    taint_rules: tuple[DeviceTaintRule, ...] = ()


def main(arguments: Sequence[str]) -> Iterator[str]:
    """One answer for each scenario on standard input."""
    parser = argparse.ArgumentParser(prog="conformance allocate")
    parser.add_argument("--profile", default="unnamed", choices=sorted(PROFILES), help="for scenarios without one")
    parser.add_argument("--features", help="A,B,…: for scenarios without a list and without a profile")
    options = parser.parse_args(arguments)
    default = PROFILES[options.profile]
    if options.features is not None:
        default = frozenset(filter(None, options.features.split(",")))
    for line in sys.stdin:
        if line.strip() and not line.startswith("#"):
            yield json.dumps(answer_line(line, default), separators=(",", ":"))


def answer_line(line: str, default: frozenset[str]) -> Answer:
    """The answer to a scenario as it was read."""
    try:
        scenario = _DECODER.decode(line)
    except msgspec.DecodeError as error:
        return {"name": "", "error": f"input: {error}"}
    return answer(scenario, default)


def answer(scenario: Scenario, default: frozenset[str] = PROFILES["unnamed"]) -> Answer:
    """What became of each node, by name."""
    features = PROFILES[scenario.profile] if scenario.profile else default
    if scenario.features is not None:
        features = frozenset(scenario.features)
    inventory = build_inventory(scenario.slices, scenario.classes, scenario.allocated, scenario.taint_rules, features)
    nodes = {node.metadata.name: _answer_node(scenario.claims, inventory, node) for node in scenario.nodes}
    return {"name": scenario.name, "variant": variant(features), "nodes": nodes}


def _answer_node(claims: tuple[ResourceClaim, ...], inventory: Inventory, node: Node) -> Answer:
    problem = prepare(claims, inventory)
    outcome: Outcome = allocate(problem, node) if isinstance(problem, Problem) else problem
    match outcome:
        case Allocation(results=results, steps=steps):
            plain = msgspec.json.decode(_ENCODER.encode(results))
            return {"outcome": "allocated", "allocations": plain, "error": None, "invocations": steps}
        case Unallocatable(cause="none", steps=steps):
            return {"outcome": "none", "allocations": None, "error": None, "invocations": steps}
        case Unallocatable(steps=steps):
            return {"outcome": "node-error", "allocations": None, "error": _INVALID_POOLS, "invocations": steps}
        case StepsSpent(steps=steps):
            return {"outcome": "timeout", "allocations": None, "error": "steps spent", "invocations": steps}
        case AttemptError(message=message):
            return {"outcome": "error", "allocations": None, "error": message}


def differences(vector: Mapping[str, Any]) -> list[str]:
    """What differs between a recorded answer and ours, one line per node."""
    found = answer(_DECODER.decode(json.dumps(vector["scenario"])))["nodes"]
    recorded = vector["expected"].get("nodes") or {}
    return [line for name, expected in recorded.items() for line in _node_differences(name, expected, found[name])]


def _node_differences(name: str, expected: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[str]:
    outcome = expected["outcome"]
    if outcome == "panic":  # Kubernetes crashed; any error of ours will do
        if found["outcome"] != "error":
            yield f"{name}: {found['outcome']} where Kubernetes crashes"
    elif outcome != found["outcome"]:
        yield f"{name}: {found['outcome']} ({found['error'] or ''}), recorded {outcome} ({expected.get('error') or ''})"
    elif outcome == "error" and _comparable(found["error"]) != _comparable(expected["error"]):
        yield f"{name}: error {found['error']!r}, recorded {expected['error']!r}"
    elif outcome == "allocated" and _full(found["allocations"]) != _full(expected.get("allocations")):
        yield f"{name}: {json.dumps(found['allocations'])}, recorded {json.dumps(expected.get('allocations'))}"


def _comparable(error: str) -> str:
    """The part of an error that has to agree."""
    line = error.split("\n", 1)[0]
    ends = [line.index(cut) + len(cut) for cut in _CUTS if cut in line]
    return line[: min(ends)] if ends else line


def _full(value: Any) -> Any:
    """The value without what is empty: a missing list and an empty one are the same."""
    if isinstance(value, dict):
        return {key: _full(inner) for key, inner in value.items() if inner not in (None, [], {})}
    return [_full(inner) for inner in value] if isinstance(value, list) else value


def read_quantity(kind: type, value: Any) -> Any:
    if kind is Quantity and isinstance(value, str | int):
        try:
            return Quantity.parse(str(value))
        except QuantityError as error:
            raise ValueError(str(error)) from None
    message = f"cannot be read as {kind.__name__}"
    raise ValueError(message)


_DECODER: Final = msgspec.json.Decoder(Scenario, dec_hook=read_quantity)
_ENCODER: Final = msgspec.json.Encoder(enc_hook=lambda quantity: quantity.text)
