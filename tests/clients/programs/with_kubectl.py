"""The suite with kubectl, which is the argument: it prints what the others print."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

CLAIM = """
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {%s}
spec: {devices: {requests: [{name: %s, exactly: {deviceClassName: gpu.example.com}}]}}
"""
CLASS = """
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu.example.com, labels: {by: "%s"}}
"""
POD = """
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {containers: [{name: c, image: old}, {name: d, image: old}]}
"""
KINDS = """
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: gpu.example.com
  nodeName: node-1
  pool: {name: node-1, generation: 1, resourceSliceCount: 1}
  devices: [{name: gpu-0, attributes: {model: {string: G80}}}]
---
apiVersion: scheduling.k8s.io/v1beta1
kind: PodGroup
metadata: {name: g}
spec: {schedulingPolicy: {gang: {minCount: 2}}}
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 1000
"""


def ran(*words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.argv[1], *words], input=given, capture_output=True, text=True, check=False)  # noqa: S603


def kubectl(*words: str, given: str = "") -> str:
    done = ran(*words, given=given)
    assert done.returncode == 0, done.stderr
    return done.stdout


def told(*words: str, given: str = "") -> Any:
    return json.loads(kubectl(*words, "-o", "json", given=given))


def field(what: str, path: str) -> str:
    return kubectl("get", what, "-o", f"jsonpath={{{path}}}")


def reason(*words: str, given: str = "") -> str:
    """The code and reason of a refusal, of which kubectl says the reason only."""
    said = ran(*words, given=given).stderr
    codes = {"NotFound": 404, "AlreadyExists": 409, "Conflict": 409}
    return next(f"{code} {name}" for name, code in codes.items() if name.lower() in said.lower())


def writes() -> None:
    exactly = told("create", "-f", "-", given=CLAIM % ('name: a, labels: {suite: "1"}', "gpu"))
    exactly = exactly["spec"]["devices"]["requests"][0]["exactly"]
    print("created:", exactly["allocationMode"], exactly["count"])
    read = told("get", "resourceclaim", "a")
    print("read:", read["metadata"]["uid"] == field("resourceclaim/a", ".metadata.uid"))
    drawn = told("create", "-f", "-", given=CLAIM % ("generateName: drawn-", "gpu"))["metadata"]["name"]
    print("named:", drawn[:6], len(drawn))
    read["metadata"]["annotations"] = {"x": "y"}
    replaced = told("replace", "-f", "-", given=json.dumps(read))
    print("replaced:", replaced["metadata"]["annotations"]["x"])
    print("replaced after a change:", reason("replace", "-f", "-", given=json.dumps(read)))


def patches() -> None:
    kubectl("patch", "resourceclaim", "a", "--type=merge", "-p", '{"metadata": {"labels": {"n": "1"}}}')
    print("merge patch:", field("resourceclaim/a", ".metadata.labels.n"))
    operation = '[{"op": "replace", "path": "/metadata/labels/n", "value": "2"}]'
    kubectl("patch", "resourceclaim", "a", "--type=json", "-p", operation)
    print("JSON patch:", field("resourceclaim/a", ".metadata.labels.n"))
    kubectl("apply", "-f", "-", given=POD)
    kubectl("apply", "-f", "-", given=POD.replace("old", "new", 1))
    print("strategic merge patch:", field("pod/p", "range .spec.containers[*]}{.name}={.image} {end").strip())
    kubectl("apply", "--server-side", "--field-manager=suite", "-f", "-", given=CLASS % 1)
    print("applied:", field("deviceclass/gpu.example.com", ".metadata.labels.by"))
    other = ("apply", "--server-side", "--field-manager=other", "-f", "-")
    print("applied by another:", reason(*other, given=CLASS % 2))


def reads() -> None:
    resources = kubectl("api-resources", "--api-group=resource.k8s.io", "--no-headers")
    version = next(line.split()[1] for line in resources.splitlines() if line.startswith("resourceclaims "))
    print(
        "discovered:", version.partition("/")[2], "exactly" in kubectl("explain", "resourceclaim.spec.devices.requests")
    )
    chosen = ("get", "resourceclaims", "-l", "suite=1", "--field-selector", "metadata.name=a", "-o", "name")
    print("selected:", kubectl(*chosen).strip().partition("/")[2])
    items = [
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"page-{number}", "labels": {"pages": "1"}}}
        for number in range(101)
    ]
    kubectl("create", "-f", "-", given=json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    pages = kubectl("get", "configmaps", "-l", "pages=1", "--chunk-size=40", "--no-headers")
    print("in pages:", len(pages.splitlines()))


def watches() -> None:
    watching = subprocess.Popen(  # noqa: S603
        [sys.argv[1], "get", "deviceclasses", "--watch", "--output-watch-events", "--no-headers"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert watching.stdout is not None
    watching.stdout.readline()  # the class that is there
    kubectl("create", "-f", "-", given=(CLASS % 1).replace("gpu.example.com", "w"))
    kubectl("label", "deviceclass", "w", "n=1")
    kubectl("delete", "deviceclass", "w")
    print("watched:", *(" ".join(watching.stdout.readline().split()[:2]) for _ in range(3)))
    watching.terminate()
    watching.communicate()


def statuses() -> None:
    result = {"request": "gpu", "driver": "gpu.example.com", "pool": "node-1", "device": "gpu-0"}
    change = json.dumps({"status": {"allocation": {"devices": {"results": [result]}}}})
    kubectl("patch", "resourceclaim", "a", "--subresource=status", "--type=merge", "-p", change)
    print("status:", field("resourceclaim/a", ".status.allocation.devices.results[0].device"))


def refusals() -> None:
    print("missing:", reason("get", "resourceclaim", "missing"))
    print("there already:", reason("create", "-f", "-", given=CLAIM % ("name: a", "gpu")))
    said = ran("create", "-f", "-", given=CLAIM % ("name: wrong", "GPU")).stderr
    print("refused: 422 Invalid", said.partition("is invalid: ")[2].partition(":")[0])


def kinds() -> None:
    kubectl("apply", "-f", "-", given=KINDS)
    chosen = ("get", "resourceslices", "--field-selector", "spec.driver=gpu.example.com")
    print("slice:", kubectl(*chosen, "-o", "jsonpath={.items[0].spec.devices[0].attributes.model.string}"))
    print("group:", field("podgroup/g", ".spec.schedulingPolicy.gang.minCount"))
    print("priority class:", field("priorityclass/high", ".preemptionPolicy"))


def deletions() -> None:
    kubectl("delete", "resourceclaim", "a", "--dry-run=server")
    print("deleted only in a dry run:", field("resourceclaim/a", ".metadata.name"))
    kubectl("delete", "resourceclaim", "a")
    kubectl("delete", "resourceclaims", "--all")
    print("left:", len(told("get", "resourceclaims")["items"]))


for step in (writes, patches, reads, watches, statuses, refusals, kinds, deletions):
    step()
