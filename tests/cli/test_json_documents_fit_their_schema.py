"""What `-o json` prints is what the published schemas say, for every kind of answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.console_blocks import run

ROOT = Path(__file__).parents[2]
SCHEMAS = ROOT / "docs" / "reference"
INPUTS = f"-f {ROOT}/examples/cluster -f {ROOT}/examples/jobs"
TYPES = {
    "string": str,
    "integer": int,
    "boolean": bool,
    "number": float,
    "null": type(None),
    "object": dict,
    "array": list,
}


def faults(value: Any, schema: Any, root: Any, path: str = "$") -> list[str]:
    """Where a value departs from a schema; as much of JSON Schema as our schemas use."""
    if "$ref" in schema:
        return faults(value, root["$defs"][schema["$ref"].rpartition("/")[2]], root, path)
    if "anyOf" in schema:
        tries = [faults(value, one, root, path) for one in schema["anyOf"]]
        return [] if [] in tries else [f"{path}: fits none of {len(tries)}: {min(tries, key=len)}"]
    if "const" in schema and value != schema["const"]:
        return [f"{path}: {value!r} is not {schema['const']!r}"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{path}: {value!r} is none of {schema['enum']}"]
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(type(value) is TYPES[kind] for kind in kinds):
        return [f"{path}: {value!r} is no {kinds}"]
    return [*_in_object(value, schema, root, path), *_in_list(value, schema, root, path)]


def _in_object(value: Any, schema: Any, root: Any, path: str) -> list[str]:
    if not isinstance(value, dict):
        return []
    found = [f"{path}: lacks {key}" for key in schema.get("required", ()) if key not in value]
    for key, one in value.items():
        if key in schema.get("properties", {}):
            found += faults(one, schema["properties"][key], root, f"{path}.{key}")
    return found


def _in_list(value: Any, schema: Any, root: Any, path: str) -> list[str]:
    if not isinstance(value, list):
        return []
    if "prefixItems" in schema:
        pairs = list(zip(value, schema["prefixItems"], strict=True))
    else:
        pairs = [(one, schema.get("items", {})) for one in value]
    return [fault for index, (one, kind) in enumerate(pairs) for fault in faults(one, kind, root, f"{path}[{index}]")]


@pytest.mark.parametrize(
    ("command", "schema", "code"),
    [
        (f"plan {INPUTS}", "plan", 1),
        (f"explain {INPUTS} -n ml pod/train-big", "explanation", 1),
        (f"explain {INPUTS} -n ml job/train", "explanation", 0),
        (f"explain {INPUTS} --budget 1", "explanation", 3),
        (f"pools {INPUTS}", "pools", 0),
        (f"what-if {INPUTS} -n ml pod/train-big --without pod/vision/render-0", "whatif", 0),
        (
            f"what-if {INPUTS} --drain gpu-01 --add-nodes gpu-03=2 --to-feature-gates DRAConsumableCapacity=false",
            "whatif",
            1,
        ),
        (f"what-if {INPUTS} --taint-device gpu.example.com/gpu-01/* --set job/ml/train:spec.suspend=true", "whatif", 1),
    ],
)
def test_the_document_fits(command: str, schema: str, code: int, tmp_path: Path) -> None:
    told, exit_code = run(f"dravite {command} -o json", tmp_path)
    assert exit_code == code
    described = json.loads((SCHEMAS / f"{schema}.schema.json").read_text())
    assert faults(json.loads(told), described, described) == []


def test_a_document_that_does_not_fit_is_noticed() -> None:
    described = json.loads((SCHEMAS / "plan.schema.json").read_text())
    assert "$: lacks pods" in faults({"apiVersion": "dravite.dev/v1alpha1", "kind": "Plan"}, described, described)


def test_the_contract_of_a_plan(tmp_path: Path) -> None:
    told, _ = run(f"dravite plan {INPUTS} -o json", tmp_path)
    pods = {pod["name"]: pod for pod in json.loads(told)["pods"]}
    big, worker = pods["train-big"], pods["train-0"]
    assert big["verdict"] == "unschedulable"
    assert big["node"] is None
    assert big["reason"] == "Unschedulable"
    assert big["upstreamMessage"].startswith("0/4 nodes are available: 4 cannot allocate all claims.")
    assert big["owner"] is None
    assert worker["owner"] == {"kind": "Job", "name": "train"}
    claim = worker["claims"][0]
    assert (claim["name"], claim["claim"], claim["generateName"]) == ("devices", None, "train-0-devices-")
    assert claim["allocation"]["devices"]["results"][0] == {
        "request": "gpu",
        "driver": "gpu.example.com",
        "pool": "gpu-03",
        "device": "gpu-0",
    }


def test_equal_inputs_give_equal_bytes(tmp_path: Path) -> None:
    first, _ = run(f"dravite plan {INPUTS} -o json", tmp_path)
    second, _ = run(f"dravite plan {INPUTS} -o json", tmp_path)
    assert first == second
