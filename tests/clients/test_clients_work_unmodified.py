"""The same few steps with each client that is installed: create, read, change, watch, delete."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dravite.embedded import Running, start

CLAIM = """
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: a}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: c.example.com}}]}}
"""

OFFICIAL = """
from kubernetes import client, config, watch
config.load_kube_config()
api = client.ResourceV1Api()
spec = {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "c.example.com"}}]}}
body = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "a"}, "spec": spec}
made = api.create_namespaced_resource_claim("default", body)
assert made.spec.devices.requests[0].exactly.count == 1
patched = api.patch_namespaced_resource_claim("a", "default", {"metadata": {"labels": {"q": "1"}}})
assert patched.metadata.labels == {"q": "1"}
events = watch.Watch().stream(client.CoreV1Api().list_namespace, timeout_seconds=1)
assert "default" in [event["object"].metadata.name for event in events]
assert api.delete_namespaced_resource_claim("a", "default").metadata.name == "a"
"""

LIGHTKUBE = """
from lightkube import ApiError, Client
from lightkube.models.meta_v1 import ObjectMeta
from lightkube.models.resource_v1 import DeviceClaim, DeviceRequest, ExactDeviceRequest, ResourceClaimSpec
from lightkube.resources.resource_v1 import ResourceClaim
client = Client(field_manager="test")
request = DeviceRequest(name="r", exactly=ExactDeviceRequest(deviceClassName="c.example.com"))
spec = ResourceClaimSpec(devices=DeviceClaim(requests=[request]))
made = client.create(ResourceClaim(metadata=ObjectMeta(name="a"), spec=spec))
made.metadata.annotations = {"x": "y"}
made = client.replace(made)
assert client.patch(ResourceClaim, "a", {"metadata": {"labels": {"n": "1"}}}).metadata.labels == {"n": "1"}
assert [item.metadata.name for item in client.list(ResourceClaim, labels={"n": "1"})] == ["a"]
for operation, item in client.watch(ResourceClaim):
    assert (operation, item.metadata.name) == ("ADDED", "a")
    break
client.delete(ResourceClaim, "a")
try:
    client.get(ResourceClaim, "a")
except ApiError as error:
    assert error.status.reason == "NotFound"
"""

KR8S = """
import kr8s
from kr8s.objects import new_class
Claim = new_class(kind="ResourceClaim", version="resource.k8s.io/v1", namespaced=True)
spec = {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "c.example.com"}}]}}
claim = Claim({"metadata": {"name": "a", "namespace": "default"}, "spec": spec})
claim.create()
claim.label({"a": "b"})
assert claim.labels == {"a": "b"}
claim.delete()
"""


@pytest.fixture
def running() -> Iterator[Running]:
    with start() as found:
        yield found


def environment(running: Running) -> dict[str, str]:
    return {**os.environ, "KUBECONFIG": str(running.kubeconfig), "HOME": str(running.kubeconfig.parent)}


@pytest.mark.parametrize(("package", "code"), [("kubernetes", OFFICIAL), ("lightkube", LIGHTKUBE), ("kr8s", KR8S)])
def test_python_clients(package: str, code: str, running: Running) -> None:
    pytest.importorskip(package)
    given = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(given, env=environment(running), capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr


def test_kubectl(running: Running, tmp_path: Path) -> None:
    program = shutil.which("kubectl")
    if program is None:
        pytest.skip("there is no kubectl")

    def kubectl(*arguments: str) -> str:
        given = [program, *arguments]
        done = subprocess.run(given, env=environment(running), capture_output=True, text=True, check=False)  # noqa: S603
        assert done.returncode == 0, done.stderr
        return done.stdout

    file = tmp_path / "claim.yaml"
    file.write_text(CLAIM)
    assert kubectl("apply", "-f", str(file)) == "resourceclaim.resource.k8s.io/a created\n"
    before = kubectl("get", "resourceclaim", "a", "-o", "jsonpath={.metadata.resourceVersion}")
    kubectl("apply", "-f", str(file))
    assert kubectl("get", "resourceclaim", "a", "-o", "jsonpath={.metadata.resourceVersion}") == before
    assert kubectl("get", "resourceclaims", "--no-headers").split()[:2] == ["a", "pending"]
    assert kubectl("label", "resourceclaim", "a", "x=y") == "resourceclaim.resource.k8s.io/a labeled\n"
    assert kubectl("get", "resourceclaim", "a", "-o", "jsonpath={.metadata.labels.x}") == "y"
    assert kubectl("create", "namespace", "team") == "namespace/team created\n"
    assert kubectl("auth", "can-i", "create", "pods") == "yes\n"
    assert "requests" in kubectl("explain", "resourceclaim.spec.devices")
    assert kubectl("delete", "resourceclaim", "a").startswith('resourceclaim.resource.k8s.io "a" deleted')
