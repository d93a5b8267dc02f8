"""`snapshot --anonymize` takes the names out and changes no decision."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from dravite.render.anonymous import anonymous
from tests.console_blocks import run

EXAMPLES = Path(__file__).parents[2] / "examples"


def plan(line: str, folder: Path) -> Any:
    told, _ = run(f"dravite plan {line} -o json", folder)
    return json.loads(told)


def outline(answer: Any) -> list[Any]:
    """All of a plan but the names of pods, nodes and claims."""
    return [(pod["verdict"], pod["upstreamMessage"], devices(pod)) for pod in answer["pods"]]


def devices(pod: Any) -> list[tuple[str, ...]]:
    allocations = [claim["allocation"] for claim in pod["claims"] if claim["allocation"]]
    results = [result for one in allocations for result in one["devices"]["results"]]
    return [(result["request"], result["driver"], result["device"]) for result in results]


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    told, code = run(f"dravite snapshot --anonymize {shlex.quote(str(EXAMPLES))}", tmp_path)
    assert code == 0
    (tmp_path / "shared.yaml").write_text(told)
    return tmp_path


def test_decisions_and_devices_are_the_same(shared: Path) -> None:
    before, after = plan(str(EXAMPLES), shared), plan("shared.yaml", shared)
    assert outline(after) == outline(before)
    assert len({pod["node"] for pod in after["pods"]}) == len({pod["node"] for pod in before["pods"]})


def test_no_name_is_left(shared: Path) -> None:
    text = (shared / "shared.yaml").read_text()
    for name in ("gpu-01", "cpu-01", "notebook", "render", "vision", "train-big", "rack", "registry", "c2b1f7a0"):
        assert name not in text


def test_new_names_sort_as_the_old_ones() -> None:
    names = ["b", "a-1", "c", "a"]
    nodes = [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}} for name in names]
    made = [one["metadata"]["name"] for one in anonymous(nodes)]
    assert sorted(range(4), key=lambda n: names[n]) == sorted(range(4), key=lambda n: made[n])


def test_addresses_of_ports_are_replaced_alike() -> None:
    addresses = ["10.0.0.2", "10.0.0.3", "10.0.0.2", "0.0.0.0", ""]  # noqa: S104 (nothing is bound)
    ports = [{"containerPort": 80, "hostPort": 8080, "hostIP": one} for one in addresses]
    pod = {"kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": [{"name": "c", "ports": ports}]}}
    made = [port["hostIP"] for port in anonymous([pod])[0]["spec"]["containers"][0]["ports"]]
    assert made[0] == made[2] != made[1]
    assert made[3:] == addresses[3:]
    assert not set(made) & set(addresses[:3])


def test_a_value_that_a_selector_compares_with_stays() -> None:
    serial, other = "0a1b2c3d-0000-4000-8000-000000000001", "0a1b2c3d-0000-4000-8000-000000000002"
    attributes = {"uuid": {"string": serial}, "parent": {"string": other}}
    objects: list[dict[str, Any]] = [
        {
            "kind": "ResourceSlice",
            "metadata": {"name": "s"},
            "spec": {"devices": [{"name": "gpu-0", "attributes": attributes}]},
        },
        {
            "kind": "DeviceClass",
            "metadata": {"name": "c"},
            "spec": {"selectors": [{"cel": {"expression": f'device.attributes["x"].uuid == "{serial}"'}}]},
        },
    ]
    made = anonymous(objects)[0]["spec"]["devices"][0]["attributes"]
    assert made["uuid"]["string"] == serial
    assert made["parent"]["string"] != other


@pytest.mark.parametrize("junk", [None, 5, "text", [], [5], {}, {"a": 5}])
@pytest.mark.parametrize(
    "place",
    [
        "metadata",
        "metadata.name",
        "metadata.generateName",
        "metadata.labels",
        "metadata.ownerReferences",
        "kind",
        "spec",
        "spec.pool",
        "spec.devices",
        "spec.devices.config",
        "spec.tolerations",
        "spec.containers",
        "spec.affinity.matchExpressions",
        "spec.affinity.matchFields",
        "spec.affinity.topologyKey",
        "spec.device",
        "spec.image",
        "spec.uid",
        "spec.attributes",
        "spec.attributes.model",
        "spec.images",
    ],
)
def test_what_is_written_wrongly_is_no_reason_to_fail(place: str, junk: Any) -> None:
    *steps, last = place.split(".")
    one: dict[str, Any] = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "secret"}, "spec": {}}
    inner = one
    for step in steps:
        inner = inner.setdefault(step, {})
    inner[last] = junk
    (made,) = anonymous([one])
    assert "secret" not in json.dumps(made)
