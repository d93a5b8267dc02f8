"""Tables, as `kubectl get` shows them: columns and cells of each kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from dravite.api.meta import Time
from dravite.api.plain import PlainView
from dravite.apiserver.columns import (
    AGE,
    NAME,
    Column,
    Row,
    age,
    age_of,
    name_of,
    numbers,
    spec_of,
    status_of,
    texts,
    wide,
)
from dravite.apiserver.kept_tables import KEPT_TABLES
from dravite.apiserver.workload_tables import WORKLOAD_TABLES

Cells = list[Any]

_ROLE: Final = "node-role.kubernetes.io/"


def _conditions(plain: PlainView) -> Mapping[str, PlainView]:
    return {item.get("type", ""): item for item in status_of(plain).get("conditions") or ()}


def _claim(plain: PlainView, now: Time) -> Cells:
    status = status_of(plain)
    deleted = bool(plain["metadata"].get("deletionTimestamp"))
    states = ["deleted"] if deleted else []
    if status.get("allocation"):
        states.append("allocated")
        if status.get("reservedFor"):
            states.append("reserved")
        elif "deallocationRequested" in status or (deleted and plain.get("apiVersion") == "resource.k8s.io/v1alpha3"):
            states.append("deallocating")
    elif not deleted:
        states.append("pending")
    return [name_of(plain), ",".join(states), age_of(plain, now)]


def _slice(plain: PlainView, now: Time) -> Cells:
    spec = spec_of(plain)
    pool = spec.get("pool") or {}
    return [name_of(plain), spec.get("nodeName", ""), spec.get("driver", ""), pool.get("name", ""), age_of(plain, now)]


def _rule(plain: PlainView, now: Time) -> Cells:
    taint = spec_of(plain).get("taint") or {}
    added = age(taint.get("timeAdded"), now, "")
    words = [taint.get("key", ""), taint.get("value", ""), taint.get("effect", "")]
    return [name_of(plain), *words, added, age_of(plain, now)]


_SUMS: Final = ("totalDevices", "availableDevices", "allocatedDevices", "unavailableDevices")


def _pool_request(plain: PlainView, now: Time) -> Cells:
    status, conditions = status_of(plain), _conditions(plain)
    pools = status.get("pools") or []
    complete = (conditions.get("Complete") or {}).get("status") == "True"
    failed = (conditions.get("Failed") or {}).get("status") == "True"
    sums = ["-"] * 5
    if status and not failed:
        faults = sum(1 for pool in pools if pool.get("validationError"))
        sums = [*(str(sum(pool.get(name) or 0 for pool in pools)) for name in _SUMS), str(faults)]
    count = status.get("poolCount") or 0
    word = "Failed" if failed else "Complete" if complete else "Pending"
    if word == "Complete" and len(pools) < count:
        word = f"Complete ({len(pools)}/{count} pools)"
    done = age((conditions.get("Complete") or {}).get("lastTransitionTime"), now, "<none>") if complete else "<none>"
    return [name_of(plain), spec_of(plain).get("driver", ""), *sums, count, word, done]


def _priority(plain: PlainView, now: Time) -> Cells:
    policy = plain.get("preemptionPolicy") or "<unset>"
    return [name_of(plain), plain.get("value", 0), bool(plain.get("globalDefault")), age_of(plain, now), policy]


def _policy(plain: PlainView) -> str:
    return "Gang" if (spec_of(plain).get("schedulingPolicy") or {}).get("gang") is not None else "Basic"


def _workload_of(plain: PlainView) -> str:
    spec = spec_of(plain)
    template = (spec.get("podGroupTemplateRef") or {}).get("workload") or {}
    return (spec.get("workloadRef") or template).get("workloadName") or "<none>"


def _group(plain: PlainView, now: Time) -> Cells:
    conditions = _conditions(plain)
    first = conditions.get("PodGroupInitiallyScheduled") or conditions.get("PodGroupScheduled")
    word = "Pending" if first is None else "Scheduled" if first.get("status") == "True" else "Unschedulable"
    disrupted = conditions.get("DisruptionTarget")
    if disrupted is not None:
        word = disrupted.get("reason", "")
    return [name_of(plain), _policy(plain), _workload_of(plain), word, age_of(plain, now)]


def _composite(plain: PlainView, now: Time) -> Cells:
    return [name_of(plain), _policy(plain), _workload_of(plain), age_of(plain, now)]


def _context(plain: PlainView, now: Time) -> Cells:
    return [name_of(plain), spec_of(plain).get("selectedNode", ""), age_of(plain, now)]


def _namespace(plain: PlainView, now: Time) -> Cells:
    return [name_of(plain), status_of(plain).get("phase", ""), age_of(plain, now)]


def _node(plain: PlainView, now: Time) -> Cells:
    ready = (_conditions(plain).get("Ready") or {}).get("status")
    word = "Ready" if ready == "True" else "NotReady" if ready else "Unknown"
    if spec_of(plain).get("unschedulable"):
        word += ",SchedulingDisabled"
    labels = plain["metadata"].get("labels") or {}
    roles = ",".join(sorted(name.removeprefix(_ROLE) for name in labels if name.startswith(_ROLE))) or "<none>"
    status = status_of(plain)
    about = status.get("nodeInfo") or {}
    places = {item.get("type"): item.get("address") for item in status.get("addresses") or ()}
    wide_cells = [places.get(name) or "<none>" for name in ("InternalIP", "ExternalIP")]
    wide_cells += [about.get(name) or "<unknown>" for name in ("osImage", "kernelVersion", "containerRuntimeVersion")]
    return [name_of(plain), word, roles, age_of(plain, now), about.get("kubeletVersion", ""), *wide_cells]


def _pod(plain: PlainView, now: Time) -> Cells:
    spec, status = spec_of(plain), status_of(plain)
    states = status.get("containerStatuses") or ()
    ready = sum(1 for state in states if state.get("ready"))
    total = len(spec.get("containers") or ())
    restarts = sum(state.get("restartCount") or 0 for state in states)
    places = [status.get("podIP"), spec.get("nodeName"), status.get("nominatedNodeName")]
    gates = spec.get("readinessGates") or ()
    held = _conditions(plain)
    passed = sum(1 for gate in gates if (held.get(gate.get("conditionType")) or {}).get("status") == "True")
    cells = [name_of(plain), f"{ready}/{total}", _pod_word(plain), str(restarts), age_of(plain, now)]
    return [*cells, *(place or "<none>" for place in places), f"{passed}/{len(gates)}" if gates else "<none>"]


def _pod_word(plain: PlainView) -> str:
    """What a pod is about: the reason that one of its containers gives, or its phase."""
    if plain["metadata"].get("deletionTimestamp"):
        return "Terminating"
    status = status_of(plain)
    word = status.get("reason") or status.get("phase") or ""
    for item in reversed(status.get("containerStatuses") or ()):
        state = item.get("state") or {}
        word = (state.get("waiting") or state.get("terminated") or {}).get("reason") or word
    gated = (_conditions(plain).get("PodScheduled") or {}).get("reason") == "SchedulingGated"
    return "SchedulingGated" if gated else word


def _event(plain: PlainView, now: Time) -> Cells:
    what, source = plain.get("involvedObject") or {}, plain.get("source") or {}
    born = plain.get("eventTime") or plain["metadata"].get("creationTimestamp")
    seen, first = (age(plain.get(name) or born, now) for name in ("lastTimestamp", "firstTimestamp"))
    named = f"{str(what.get('kind', '')).lower()}/{what.get('name', '')}"
    told = source.get("component") or plain.get("reportingComponent") or ""
    by = f"{told}, {source['host']}" if source.get("host") else told
    message = str(plain.get("message", "")).strip()
    cells = [seen, plain.get("type", ""), plain.get("reason", ""), named, what.get("fieldPath", ""), by, message]
    return [*cells, first, plain.get("count") or 1, name_of(plain)]


def _plain(plain: PlainView, now: Time) -> Cells:
    return [name_of(plain), age_of(plain, now)]


_DEFAULT: Final[tuple[tuple[Column, ...], Row]] = (texts("Name", "Age"), _plain)

_TABLES: Final[Mapping[str, tuple[tuple[Column, ...], Row]]] = {
    "ResourceClaim": (texts("Name", "State", "Age"), _claim),
    "ResourceSlice": (texts("Name", "Node", "Driver", "Pool", "Age"), _slice),
    "DeviceTaintRule": (texts("Name", "Key", "Value", "Effect", "TimeAdded", "Age"), _rule),
    "ResourcePoolStatusRequest": (
        (
            *texts("Name", "Driver", "Total", "Available", "Allocated", "Unavailable", "Errors"),
            *numbers("Pools"),
            *texts("Status", "Completed"),
        ),
        _pool_request,
    ),
    "PriorityClass": (
        (
            NAME,
            Column("Value", type="integer"),
            Column("Global-Default", type="boolean"),
            AGE,
            Column("PreemptionPolicy"),
        ),
        _priority,
    ),
    "PodGroup": (texts("Name", "Policy", "Workload", "Status", "Age"), _group),
    "CompositePodGroup": (texts("Name", "Policy", "Workload", "Age"), _composite),
    "PodSchedulingContext": (texts("Name", "SelectedNode", "Age"), _context),
    "Namespace": (texts("Name", "Status", "Age"), _namespace),
    "Node": (
        (
            *texts("Name", "Status", "Roles", "Age", "Version"),
            *wide("Internal-IP", "External-IP", "OS-Image", "Kernel-Version", "Container-Runtime"),
        ),
        _node,
    ),
    "Pod": (
        (
            *texts("Name", "Ready", "Status", "Restarts", "Age"),
            *wide("IP", "Node", "Nominated Node", "Readiness Gates"),
        ),
        _pod,
    ),
    "Event": (
        (
            *(*texts("Last Seen", "Type", "Reason", "Object"), *wide("Subobject", "Source"), *texts("Message")),
            *(*wide("First Seen"), Column("Count", type="integer", priority=1), Column("Name", priority=1)),
        ),
        _event,
    ),
    **WORKLOAD_TABLES,
    **KEPT_TABLES,
}


def columns(kind: str) -> list[dict[str, Any]]:
    """The column definitions of a kind."""
    found, _ = _TABLES.get(kind, _DEFAULT)
    return [msgspec.to_builtins(column) for column in found]


def cells(plain: PlainView, kind: str, now: Time) -> Cells:
    """The cells of one object."""
    found, row = _TABLES.get(kind, _DEFAULT)
    try:
        return row(plain, now)
    except (AttributeError, LookupError, TypeError, ValueError):  # kinds that are kept as they come may hold anything
        return [name_of(plain), *("<unknown>" for _ in found[1:])]
