"""Small manifests to lint, and what lint says of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from dravite.api.document import Document, Problem
from dravite.api.documents import split
from dravite.api.releases import Profile, profile
from dravite.lint import Asked, Findings, lint
from dravite.workloads import BUILT_IN

CLASS = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu.example.com}
spec:
  selectors:
  - cel: {expression: device.driver == "gpu.example.com"}
"""

NODE = """\
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {kubernetes.io/hostname: n1}}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}
"""


def template(request: str = "", name: str = "gpu", more: str = "") -> str:
    """A template with one request; `request` are further fields of `exactly`, `more` of `devices`."""
    return (
        "apiVersion: resource.k8s.io/v1\n"
        "kind: ResourceClaimTemplate\n"
        f"metadata: {{name: {name}}}\n"
        "spec:\n"
        "  spec:\n"
        "    devices:\n"
        "      requests:\n"
        "      - name: gpu\n"
        f"        exactly: {{deviceClassName: gpu.example.com{request and f', {request}'}}}\n{more}"
    )


def resource_slice(
    devices: str, name: str = "s1", pool: str = "{name: n1, generation: 1, resourceSliceCount: 1}"
) -> str:
    """A slice of node n1; `devices` are lines of a list."""
    return (
        "apiVersion: resource.k8s.io/v1\n"
        "kind: ResourceSlice\n"
        f"metadata: {{name: {name}}}\n"
        "spec:\n"
        "  driver: gpu.example.com\n"
        f"  pool: {pool}\n"
        "  nodeName: n1\n"
        f"  devices:\n{devices}"
    )


def pod(template_name: str = "gpu", entries: str = "", container: str = "claims: [{name: gpu}]") -> str:
    """A pod with one entry from a template; `entries` are further entries."""
    return (
        "apiVersion: v1\n"
        "kind: Pod\n"
        "metadata: {name: p}\n"
        "spec:\n"
        f"  resourceClaims: [{{name: gpu, resourceClaimTemplateName: {template_name}}}{entries}]\n"
        f"  containers: [{{name: c, image: i, resources: {{{container}}}}}]\n"
    )


def linted(
    files: Mapping[str, str] | str, around: Mapping[str, str] | str = "", release: str = "1.37", gates: str = ""
) -> Findings:
    """What lint says of files by name (or of one file); `around` is the cluster."""
    chosen = profile(release, gates)
    assert isinstance(chosen, Profile), chosen
    asked = Asked(
        documents=_documents(files, "m.yaml"),
        around=_documents(around, "cluster/c.yaml"),
        complete=bool(around),
        profile=chosen,
        pod_templates=BUILT_IN,
    )
    return lint(asked)


def problems(files: Mapping[str, str] | str, around: Mapping[str, str] | str = "", **more: str) -> tuple[Problem, ...]:
    """The findings."""
    return linted(files, around, **more).problems


def codes(files: Mapping[str, str] | str, around: Mapping[str, str] | str = "", **more: str) -> list[str]:
    """The codes of the findings, in order."""
    return [problem.type for problem in problems(files, around, **more)]


def the(code: str, found: tuple[Problem, ...]) -> Problem:
    """The one finding of a code."""
    [problem] = [one for one in found if one.type == code]
    return problem


def joined(*documents: str) -> str:
    return "---\n".join(documents)


def _documents(files: Mapping[str, str] | str, name: str) -> tuple[Document, ...]:
    named = {name: files} if isinstance(files, str) else files
    return tuple(document for file, text in named.items() if text for document in split(file, text.encode()))


PAGES = Path(__file__).parents[2] / "src" / "dravite" / "lint" / "pages"
