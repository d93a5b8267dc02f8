"""Networks, volumes and histories have the columns that kubectl shows of them on a cluster (seen on 1.37.2)."""

from __future__ import annotations

from typing import Any

import pytest
from asking import ask, server

TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
CORE = "/api/v1/namespaces/default"
NETWORKS = "/apis/networking.k8s.io/v1/namespaces/default"
CLASSES = "/apis/storage.k8s.io/v1/storageclasses"
PORTS = [{"name": "a", "port": 80}, {"name": "b", "port": 53, "protocol": "UDP", "nodePort": 30053}]


def shown(path: str, body: dict[str, Any]) -> dict[str, Any]:
    """The cells of an object by their columns, without its age."""
    to = server()
    code, said = ask(to, "POST", path, {"metadata": {"name": "n"}, **body})
    assert code == 201, said
    table = ask(to, "GET", path, accept=TABLE)[1]
    (row,) = (one for one in table["rows"] if one["cells"][0].startswith("n"))
    names = [one["name"] for one in table["columnDefinitions"]]
    return {name: cell for name, cell in zip(names, row["cells"], strict=True) if name not in ("Name", "Age")}


@pytest.mark.parametrize(
    ("spec", "cells"),
    [
        (
            {"clusterIP": "None", "ports": PORTS[:1], "selector": {"app": "a"}},
            ("ClusterIP", "None", "<none>", "80/TCP"),
        ),
        ({"type": "NodePort", "ports": PORTS}, ("NodePort", "<none>", "<none>", "80/TCP,53:30053/UDP")),
        ({"type": "LoadBalancer", "ports": PORTS[:1]}, ("LoadBalancer", "<none>", "<pending>", "80/TCP")),
        (
            {"type": "ExternalName", "externalName": "x.example.com"},
            ("ExternalName", "<none>", "x.example.com", "<none>"),
        ),
    ],
)
def test_services(spec: dict[str, Any], cells: tuple[str, ...]) -> None:
    found = shown(f"{CORE}/services", {"spec": spec})
    assert tuple(found.values())[:4] == cells
    assert found["Selector"] == ("app=a" if "selector" in spec else "<none>")


def test_ingresses_and_network_policies() -> None:
    rules = [{"host": "a.example.com"}, {"host": "b.example.com"}]
    found = shown(f"{NETWORKS}/ingresses", {"spec": {"ingressClassName": "c", "tls": [{}], "rules": rules}})
    assert found == {"Class": "c", "Hosts": "a.example.com,b.example.com", "Address": "", "Ports": "80, 443"}
    assert shown(f"{NETWORKS}/ingresses", {"spec": {}})["Hosts"] == "*"
    found = shown(f"{NETWORKS}/networkpolicies", {"spec": {"podSelector": {"matchLabels": {"app": "a"}}}})
    assert found == {"Pod-Selector": "app=a"}


def test_volumes_and_their_classes() -> None:
    spec: dict[str, Any] = {"accessModes": ["ReadWriteOnce", "ReadOnlyMany"], "storageClassName": "fast"}
    found = shown(f"{CORE}/persistentvolumeclaims", {"spec": spec})
    assert (found["Status"], found["Access Modes"], found["StorageClass"]) == ("Pending", "", "fast")
    spec = {**spec, "capacity": {"storage": "1Gi"}, "claimRef": {"namespace": "a", "name": "b"}}
    found = shown("/api/v1/persistentvolumes", {"spec": spec})
    assert [found[name] for name in ("Capacity", "Access Modes", "Claim")] == ["1Gi", "RWO,ROX", "a/b"]
    annotations = {"storageclass.kubernetes.io/is-default-class": "true"}
    body = {"metadata": {"name": "n", "annotations": annotations}, "provisioner": "p.example.com"}
    found = shown(CLASSES, body)
    assert found == {
        "Provisioner": "p.example.com",
        "ReclaimPolicy": "Delete",
        "VolumeBindingMode": "Immediate",
        "AllowVolumeExpansion": False,
    }


def test_revisions_of_templates() -> None:
    owner = {"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "d", "uid": "u", "controller": True}
    body = {"metadata": {"name": "n", "ownerReferences": [owner]}, "data": {}, "revision": 3}
    found = shown("/apis/apps/v1/namespaces/default/controllerrevisions", body)
    assert found == {"Controller": "daemonset.apps/d", "Revision": 3}
