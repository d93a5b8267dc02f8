"""Scheduling scenarios on a server of ours with all controllers: what becomes of pods and named claims there.

A rehearsal tells the rest of the outcome, scores for example, which no server shows.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from conformance.controllers import Cluster
from conformance.scenario import Scenario, step_of
from dravite.controllers.view import Item, View
from dravite.embedded.loading import load

Plain = dict[str, Any]


def is_servable(scenario: Scenario) -> bool:
    """Whether nothing of the control plane is stopped or configured in the scenario."""
    steps = [step for document in scenario.workload if (step := step_of(document)) is not None]
    return "scheduler" not in scenario.expected and not any({"scheduler", "kubelets"} & step.keys() for step in steps)


def on_server(scenario: Scenario, told: Mapping[str, Any]) -> Mapping[str, Any]:
    """An outcome of the scenario in which nodes, conditions and devices are those that a server comes to."""
    cluster = Cluster(scenario.profile, acts_at_once=True)
    tuple(load(cluster.server, scenario.cluster[1:], "default"))
    cluster.settle()
    view = cluster.runner.view
    fixed = _named_nodes(scenario)
    for document in scenario.workload:
        step = step_of(document)
        if step is None:
            tuple(load(cluster.server, [document], "default"))
            cluster.settle_at_once()
        else:
            _do(cluster, step)
    cluster.settle()
    cluster.wait(40.0)
    pods = {name: _pod(view, name, one) for name, one in told["pods"].items()}
    claims = {name: _claim(view, name, one) for name, one in told["claims"].items()}
    placed = (item for item in view.of("Pod") if item.key not in fixed and not item.meta.deletion_timestamp)
    nodes = Counter(str(item.plain["spec"]["nodeName"]) for item in placed if item.plain["spec"].get("nodeName"))
    return {**told, "pods": pods, "claims": claims, "counts": {**told["counts"], "pods_on_node": dict(nodes)}}


def _named_nodes(scenario: Scenario) -> frozenset[tuple[str, str]]:
    """The pods that are applied with a node."""
    found = []
    for document in (*scenario.cluster, *scenario.workload):
        raw = json.loads(bytes(document.body))
        if document.kind == "Pod" and raw["spec"].get("nodeName"):
            found.append((raw["metadata"].get("namespace", "default"), raw["metadata"]["name"]))
    return frozenset(found)


def _do(cluster: Cluster, step: Mapping[str, Any]) -> None:
    if "delete" in step:
        cluster.do({"delete": step["delete"]})
    if "wait" in step:
        if step["wait"] == "settled":
            cluster.settle()
        else:
            cluster.wait(float(step["wait"]))
    if "patch" in step:
        cluster.do({"patch": {**step["patch"], "merge": step["with"]}})


def _pod(view: View, name: str, told: Plain) -> Plain:
    """A pod as it is on the server; one that is gone, or whose name is drawn, is believed."""
    item = view.get("Pod", *name.split("/", 1))
    if item is None:
        return told
    node = item.plain["spec"].get("nodeName")
    refusal = _refusal(item) if node is None else None
    mine = {key: value for key, value in told.items() if key not in ("node", "reason", "message")}
    if node is not None:
        return {**mine, "node": node}
    if refusal is not None and told.get("node") is None:
        return {**mine, "node": None, "reason": refusal.get("reason", ""), "message": told.get("message", "")}
    return {**mine, "node": None, "reason": "", "message": ""} if refusal is None else {**mine, "node": None, **refusal}


def _refusal(item: Item) -> Plain | None:
    conditions = (item.plain.get("status") or {}).get("conditions") or ()
    found = (one for one in conditions if one.get("type") == "PodScheduled" and one.get("status") == "False")
    return next(({"reason": one.get("reason", ""), "message": one.get("message", "")} for one in found), None)


def _claim(view: View, name: str, told: Plain) -> Plain:
    item = view.get("ResourceClaim", *name.split("/", 1))
    if item is None:
        return told
    allocation = (item.plain.get("status") or {}).get("allocation")
    results = ((allocation or {}).get("devices") or {}).get("results") or ()
    devices = [[one["request"], one["driver"], one["pool"], one["device"]] for one in results]
    return {**told, "devices": devices if allocation is not None else None}
