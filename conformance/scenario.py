"""A scheduling scenario: a folder with the state before, the objects that are applied to it, and what was observed.

It only reads; playing a scenario and comparing the outcome are done elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import yaml

from dravite.api.document import Document
from dravite.api.documents import split
from dravite.api.releases import Profile, profile

STEP: Final = "Step"

GATES: Final[Mapping[tuple[str, str], Sequence[str]]] = {
    ("1.37", "all-gates"): (
        "DRADerivedAttributes",
        "DRADeviceCompatibilityGroups",
        "DRAListTypeAttributes",
        "DRANodeAllocatableResources",
        "DRAOptionalNodeOperations",
        "DRAPartitionableDevicesType",
        "DRAResourcePoolStatus",
        "DRAWorkloadResourceClaims",
        "GenericWorkload",
        "CompositePodGroup",
        "PodGroupPreemptionPolicy",
        "TopologyAwareWorkloadScheduling",
        "WorkloadWithJob",
    ),
    ("1.36", "all-gates"): (
        "DRADeviceTaintRules",
        "DRAListTypeAttributes",
        "DRANodeAllocatableResources",
        "DRAResourcePoolStatus",
        "DRAWorkloadResourceClaims",
        "GenericWorkload",
        "GangScheduling",
        "WorkloadAwarePreemption",
        "TopologyAwareWorkloadScheduling",
        "WorkloadWithJob",
    ),
    ("1.36", "gang"): ("GenericWorkload", "GangScheduling"),
}
"""The gates that were on besides those of a stock control plane, by release and name of the profile."""


_BORN: Final = split("the server", b'{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default"}}')
"""What every cluster has; a namespace of that name in the scenario takes its place."""


_UNREADY: Final = {"conditions": [{"type": "Ready", "status": "False"}]}
"""The state of a pod that runs from the start: nobody ever says that it is ready, so no budget counts on it."""


class Scenario(msgspec.Struct, frozen=True):
    """One folder.

    Attributes:
        cluster: the objects that are there before.
        workload: what is done then, in order: documents, and steps as plain values.
        expected: what was observed; empty where nothing was recorded.
    """

    name: str
    profile: Profile
    cluster: tuple[Document, ...]
    workload: tuple[Document, ...]
    expected: Mapping[str, Any]


def is_scenario(folder: Path) -> bool:
    """Whether a folder holds a scheduling scenario."""
    return (folder / "cluster.yaml").is_file() and (folder / "workload.yaml").is_file()


def read_scenario(folder: Path, release: str) -> Scenario:
    """The scenario in a folder, for the release that it was recorded on.

    Raises:
        ValueError: the scenario names a profile that is not known here.
    """
    recorded = folder / "expected.json"
    expected = json.loads(recorded.read_text()) if recorded.is_file() else {}
    return Scenario(
        name=folder.name,
        profile=named_profile(release, expected.get("profile", "default-gates")),
        cluster=(*_BORN, *_documents(folder / "cluster.yaml", "2026-01-01T00")),
        workload=tuple(_documents(folder / "workload.yaml", "2026-01-02T00")),
        expected=expected,
    )


def named_profile(release: str, name: str) -> Profile:
    """The profile with this name in recordings of a release.

    Raises:
        ValueError: there is none.
    """
    gates = () if name == "default-gates" else GATES.get((release, name))
    made = profile(release, ",".join(f"{gate}=true" for gate in gates)) if gates is not None else None
    if not isinstance(made, Profile):
        message = f"no profile {name} for {release}"
        raise ValueError(message)
    return made


def _documents(file: Path, hour: str) -> Iterator[Document]:
    """The documents of a file as they were recorded: read as YAML 1.1 by Python's reader, and sent as JSON.

    Objects without a creation time get one in that hour. Those between two steps were made in one second.
    """
    steps = 0
    for value in yaml.safe_load_all(file.read_text()):
        if value is None:
            continue
        steps += value.get("kind") == STEP
        if value.get("kind") != STEP:
            stamp = f"{hour}:{steps // 60:02}:{steps % 60:02}Z"
            value["metadata"] = {"creationTimestamp": stamp, **value.get("metadata", {})}
        if value.get("kind") == "Pod" and "status" in value:
            value["status"] = {**_UNREADY, **value["status"]}
        yield from split(str(file), json.dumps(value).encode())


def step_of(document: Document) -> Mapping[str, Any] | None:
    """What a step says, or None for a document that is an object."""
    if document.kind != STEP:
        return None
    step: Mapping[str, Any] = json.loads(bytes(document.body))
    return step
