"""A node with devices, as tests of controllers begin with it."""

from __future__ import annotations

from tests.controllers.servers import Plain

CAPACITY: Plain = {"cpu": "4", "memory": "16Gi", "pods": "110"}


def node(name: str = "n1") -> Plain:
    status = {"capacity": CAPACITY, "allocatable": CAPACITY}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "status": status}


def slice_of(*devices: Plain) -> Plain:
    """The only ResourceSlice of node n1."""
    pool = {"name": "n1", "generation": 1, "resourceSliceCount": 1}
    spec = {"driver": "d.example.com", "nodeName": "n1", "pool": pool, "devices": list(devices)}
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "s"}, "spec": spec}


def device_class(name: str = "c") -> Plain:
    """A class of all devices."""
    return {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": name}, "spec": {}}
