"""Requests that bring objects into the states that recordings of tables and field selectors show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import yaml

_STATES: Final = Path(__file__).with_name("states.yaml")

Asked = tuple[str, str, Any]
"""Method, path and body of a request."""


def shows_states(recording: Mapping[str, Any]) -> bool:
    """Whether a recording begins with objects that it does not show the making of."""
    bodies = [step["response"].get("body") or {} for step in recording["steps"]]
    return any("names" in body or any(isinstance(row, list) for row in body.get("rows") or ()) for body in bodies)


def making_states(recording: Mapping[str, Any], release: str) -> Iterator[Asked]:
    """What to ask of a server before the first step."""
    states = yaml.safe_load(_STATES.read_text())
    paths: dict[str, str] = {}
    for step in recording["steps"]:
        path = step["request"]["path"]
        paths.setdefault(path.rpartition("/")[2], path)
    for plural in sorted(paths, reverse=True):  # workloads before the groups that refer to them
        for state in states.get(f"{plural} in {release}") or states.get(plural, ()):
            yield from _making(paths[plural], _as_in(state, release))


def _making(path: str, state: Mapping[str, Any]) -> Iterator[Asked]:
    name = state["metadata"]["name"]
    yield "POST", path, {field: value for field, value in state.items() if field not in ("status", "then")}
    for written in ("status", "then"):
        if written in state:
            yield "PATCH", f"{path}/{name}/status", {"status": state[written]}
    if name.startswith("del"):
        yield "DELETE", f"{path}/{name}", None


def _as_in(state: Mapping[str, Any], release: str) -> Mapping[str, Any]:
    """The state with the words of 1.36, where a group of pods has others."""
    if release != "1.36":
        return state
    made = {**state}
    reference = state.get("spec", {}).get("workloadRef")
    if reference:
        workload = {"workloadName": reference["workloadName"], "podGroupTemplateName": reference["templateName"]}
        made["spec"] = {"schedulingPolicy": state["spec"]["schedulingPolicy"]}
        made["spec"]["podGroupTemplateRef"] = {"workload": workload}
    conditions = state.get("status", {}).get("conditions", ())
    if any(item["type"] == "PodGroupInitiallyScheduled" for item in conditions):
        made["status"] = {"conditions": [{**item, "type": "PodGroupScheduled"} for item in conditions]}
    return made
