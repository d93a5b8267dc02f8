"""The example driver of 1.31, run as users run it: over HTTP, on a server whose scheduler waits for it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from lightkube import Client, KubeConfig
from lightkube.resources.core_v1 import Pod

from dravite.api.releases import Profile, profile
from dravite.apiserver import Settings
from dravite.embedded import ControlPlane, Habits, Place, Running, Work
from dravite.embedded.loading import load
from dravite.sources import read

EXAMPLE = Path(__file__).parents[2] / "examples" / "classic-driver"
sys.path.insert(0, str(EXAMPLE))

from devices import Devices  # noqa: E402 (stands in the example's folder)
from run import CLAIM, CONTEXT, step  # noqa: E402

GATES = "DynamicResourceAllocation=true,DRAControlPlaneController=true"


@pytest.fixture
def client() -> Iterator[Client]:
    """A client of a server that knows the example's objects."""
    made = profile("1.31", GATES)
    assert isinstance(made, Profile)
    plane = ControlPlane(Place(), Settings(profile=made), Work(kubelets=Habits()))
    assert not tuple(load(plane.server, read([str(EXAMPLE)]), "default"))
    with Running(plane) as running:
        made_client = Client(config=KubeConfig.from_file(running.kubeconfig), field_manager="test")
        yield made_client
        made_client.close()


def test_a_pod_gets_the_devices_that_its_driver_allocates(client: Client) -> None:
    devices = Devices("classic.example.com", {"n1": 1, "n2": 2})
    for change, _ in client.watch(CONTEXT, server_timeout=60):
        if change == "DELETED":
            break
        step(client, devices)
    client.wait(Pod, "uses-two-devices", for_conditions=["PodScheduled"])
    assert client.get(Pod, "uses-two-devices").spec.nodeName == "n2"
    claim = client.get(CLAIM, "two-devices").to_dict()
    assert claim["metadata"]["finalizers"] == ["classic.example.com/deletion-protection"]
    assert [one["device"] for one in claim["status"]["allocation"]["devices"]["results"]] == ["dev-0", "dev-1"]
    assert claim["status"]["reservedFor"][0]["name"] == "uses-two-devices"
    assert list(client.list(CONTEXT)) == []
