"""Playing scheduling scenarios: `python -m conformance schedule [--kubernetes RELEASE] FOLDER…`.

Writes one JSON line per folder, in the form of the recordings. The objects are applied one after the other to a cluster
in virtual time; steps in between wait, delete, patch, or stop parts of the control plane.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from conformance.outcome import outcome
from conformance.scenario import Scenario, read_scenario, step_of
from conformance.server import Server
from dravite.admission.admit import admit
from dravite.api.meta import ObjectRef
from dravite.rehearsal.rehearsal import Rehearsal
from dravite.rehearsal.steps import Delete, Kubelets, Scheduler, Step, Wait
from dravite.rehearsal.world import BINDING_TIMEOUT, Terms
from dravite.snapshot.snapshot import build

CONFIGURED: Final[Mapping[str, float]] = {
    "kube-scheduler --config with pluginConfig DynamicResources: bindingTimeout 8s": 8.0
}
"""The binding timeout of scenarios whose scheduler was configured, by the note that says so."""


def main(arguments: list[str], release: str = "1.37") -> Iterator[str]:
    """One line per folder."""
    parser = argparse.ArgumentParser(prog="conformance schedule")
    parser.add_argument("--kubernetes", default=release, metavar="RELEASE", help="the release that was recorded")
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    options = parser.parse_args(arguments)
    for folder in options.folders:
        yield json.dumps(play(read_scenario(Path(folder), options.kubernetes)), sort_keys=True)


def play(scenario: Scenario) -> Mapping[str, Any]:
    """What becomes of a scenario, in the form of the recordings."""
    start = build(admit(scenario.cluster, scenario.profile), scenario.profile)
    bound = frozenset(key for key in start.pod_order if start.pods[key].pod.spec.node_name)
    rehearsal = Rehearsal(start, _terms(scenario.expected))
    server = Server(scenario.cluster, scenario.profile)
    for document in scenario.workload:
        step = step_of(document)
        if step is None:
            rehearsal.play(server.create(document, rehearsal.snapshot))
            continue
        rehearsal.play(_steps(step, server))
        if "patch" in step:
            rehearsal.play(server.patch(_ref(step["patch"]), step, rehearsal.snapshot))
    rehearsal.do(Wait())
    told = outcome(rehearsal, bound)
    return {"name": scenario.name, **told, "refused": server.refused}


def _terms(expected: Mapping[str, Any]) -> Terms:
    timeout = CONFIGURED.get(expected.get("note", ""), BINDING_TIMEOUT) if "scheduler" in expected else BINDING_TIMEOUT
    return Terms(grace=float(expected.get("grace", 1)), binding_timeout=timeout)


def _steps(step: Mapping[str, Any], server: Server) -> Iterator[Step]:
    """What a step says but for its patch, in the order of its keys in the recordings."""
    if "scheduler" in step:
        yield Scheduler(step["scheduler"] == "continue")
    if "kubelets" in step:
        yield Kubelets(step["kubelets"] == "run")
    if "delete" in step:
        ref = _ref(step["delete"])
        server.forget(ref)
        yield Delete(ref)
    if "wait" in step:
        yield Wait(None if step["wait"] == "settled" else float(step["wait"]))


def _ref(named: Mapping[str, str]) -> ObjectRef:
    cluster_wide = ("Node", "ResourceSlice", "DeviceClass", "DeviceTaintRule", "PriorityClass", "Namespace")
    namespaced = named["kind"] not in cluster_wide
    return ObjectRef(named["kind"], named.get("namespace", "default") if namespaced else "", named["name"])
