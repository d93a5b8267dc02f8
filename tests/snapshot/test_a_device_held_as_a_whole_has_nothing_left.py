from __future__ import annotations

import msgspec

from dravite.api.quantity import Quantity
from dravite.api.resource_v1 import DeviceCapacity
from dravite.snapshot.survey import survey
from tests.clusters import cluster, devices_of, node, running


def test_a_device_held_as_a_whole_has_nothing_left():
    published = devices_of("n1", 2)
    memory = {"memory": DeviceCapacity(value=Quantity.parse("80Gi"))}
    devices = tuple(msgspec.structs.replace(one, capacity=memory) for one in published.spec.devices or ())
    published = msgspec.structs.replace(published, spec=msgspec.structs.replace(published.spec, devices=devices))
    inventory = cluster(node("n1"), published, *running("a", "gpu-0")).inventory
    (pool,) = survey(inventory.index.slices, inventory.usage)
    assert [(one.state, one.capacity[0].total, one.capacity[0].left) for one in pool.devices] == [
        ("in-use", "80Gi", "0"),
        ("free", "80Gi", "80Gi"),
    ]
