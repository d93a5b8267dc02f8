"""Tables, as `kubectl get` shows them: columns and cells of each kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from dravite.api.meta import Time

Plain = Mapping[str, Any]
Cells = list[Any]
Row = Callable[[Plain, Time], Cells]


class Column(msgspec.Struct, frozen=True):
    """One column; `format` is a hint for clients."""

    name: str
    description: str = ""
    type: str = "string"
    format: str = ""
    priority: int = 0


_NAME: Final = Column("Name", "What the object is called, unique among its kind and namespace.", format="name")
_AGE: Final = Column("Age", "How long ago the object was created.")


def age(then: Any, now: Time, unknown: str = "<unknown>") -> str:
    """The time between two moments in its largest one or two units; `unknown` where there is none."""
    if not then:
        return unknown
    seconds = int((_moment(now) - _moment(str(then))).total_seconds())
    if seconds < 0:
        return "<invalid>" if seconds < -1 else "0s"
    minutes, hours, days = seconds // 60, seconds // 3600, seconds // 86400
    if seconds < 120:
        return f"{seconds}s"
    if minutes < 10:
        return _two(minutes, "m", seconds % 60, "s")
    if minutes < 180:
        return f"{minutes}m"
    if hours < 8:
        return _two(hours, "h", minutes % 60, "m")
    if hours < 48:
        return f"{hours}h"
    if hours < 192:
        return _two(days, "d", hours % 24, "h")
    if days < 730:
        return f"{days}d"
    return _two(days // 365, "y", days % 365, "d") if days < 2920 else f"{days // 365}y"


def _two(large: int, unit: str, small: int, small_unit: str) -> str:
    return f"{large}{unit}{small}{small_unit}" if small else f"{large}{unit}"


def _moment(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return datetime.fromtimestamp(0, UTC)


def _age(plain: Plain, now: Time) -> str:
    return age(plain["metadata"].get("creationTimestamp"), now)


def _name(plain: Plain) -> str:
    return str(plain["metadata"].get("name", ""))


def _spec(plain: Plain) -> Plain:
    return plain.get("spec") or {}


def _conditions(plain: Plain) -> Mapping[str, Plain]:
    return {item.get("type", ""): item for item in (plain.get("status") or {}).get("conditions") or ()}


def _claim(plain: Plain, now: Time) -> Cells:
    status = plain.get("status") or {}
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
    return [_name(plain), ",".join(states), _age(plain, now)]


def _slice(plain: Plain, now: Time) -> Cells:
    spec = _spec(plain)
    pool = spec.get("pool") or {}
    return [_name(plain), spec.get("nodeName", ""), spec.get("driver", ""), pool.get("name", ""), _age(plain, now)]


def _rule(plain: Plain, now: Time) -> Cells:
    taint = _spec(plain).get("taint") or {}
    added = age(taint.get("timeAdded"), now, "")
    words = [taint.get("key", ""), taint.get("value", ""), taint.get("effect", "")]
    return [_name(plain), *words, added, _age(plain, now)]


_SUMS: Final = ("totalDevices", "availableDevices", "allocatedDevices", "unavailableDevices")


def _pool_request(plain: Plain, now: Time) -> Cells:
    status, conditions = plain.get("status") or {}, _conditions(plain)
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
    return [_name(plain), _spec(plain).get("driver", ""), *sums, count, word, done]


def _priority(plain: Plain, now: Time) -> Cells:
    policy = plain.get("preemptionPolicy") or "<unset>"
    return [_name(plain), plain.get("value", 0), bool(plain.get("globalDefault")), _age(plain, now), policy]


def _policy(plain: Plain) -> str:
    return "Gang" if (_spec(plain).get("schedulingPolicy") or {}).get("gang") is not None else "Basic"


def _workload_of(plain: Plain) -> str:
    spec = _spec(plain)
    template = (spec.get("podGroupTemplateRef") or {}).get("workload") or {}
    return (spec.get("workloadRef") or template).get("workloadName") or "<none>"


def _group(plain: Plain, now: Time) -> Cells:
    conditions = _conditions(plain)
    first = conditions.get("PodGroupInitiallyScheduled") or conditions.get("PodGroupScheduled")
    word = "Pending" if first is None else "Scheduled" if first.get("status") == "True" else "Unschedulable"
    disrupted = conditions.get("DisruptionTarget")
    if disrupted is not None:
        word = disrupted.get("reason", "")
    return [_name(plain), _policy(plain), _workload_of(plain), word, _age(plain, now)]


def _composite(plain: Plain, now: Time) -> Cells:
    return [_name(plain), _policy(plain), _workload_of(plain), _age(plain, now)]


def _context(plain: Plain, now: Time) -> Cells:
    return [_name(plain), _spec(plain).get("selectedNode", ""), _age(plain, now)]


def _namespace(plain: Plain, now: Time) -> Cells:
    return [_name(plain), (plain.get("status") or {}).get("phase", ""), _age(plain, now)]


def _node(plain: Plain, now: Time) -> Cells:
    ready = (_conditions(plain).get("Ready") or {}).get("status")
    word = "Ready" if ready == "True" else "NotReady" if ready else "Unknown"
    if _spec(plain).get("unschedulable"):
        word += ",SchedulingDisabled"
    version = ((plain.get("status") or {}).get("nodeInfo") or {}).get("kubeletVersion", "")
    return [_name(plain), word, "<none>", _age(plain, now), version]


def _pod(plain: Plain, now: Time) -> Cells:
    status = plain.get("status") or {}
    states = status.get("containerStatuses") or ()
    ready = sum(1 for state in states if state.get("ready"))
    total = len(_spec(plain).get("containers") or ())
    restarts = sum(state.get("restartCount") or 0 for state in states)
    word = "Terminating" if plain["metadata"].get("deletionTimestamp") else status.get("reason") or status.get("phase")
    node = _spec(plain).get("nodeName") or "<none>"
    return [
        _name(plain),
        f"{ready}/{total}",
        word,
        str(restarts),
        _age(plain, now),
        status.get("podIP") or "<none>",
        node,
    ]


def _event(plain: Plain, now: Time) -> Cells:
    what = plain.get("involvedObject") or {}
    seen = age(plain.get("lastTimestamp") or plain.get("eventTime") or plain["metadata"].get("creationTimestamp"), now)
    named = f"{str(what.get('kind', '')).lower()}/{what.get('name', '')}"
    return [seen, plain.get("type", ""), plain.get("reason", ""), named, str(plain.get("message", "")).strip()]


def _plain(plain: Plain, now: Time) -> Cells:
    return [_name(plain), _age(plain, now)]


def _columns(*names: str) -> tuple[Column, ...]:
    return tuple(_NAME if name == "Name" else _AGE if name == "Age" else Column(name) for name in names)


_DEFAULT: Final[tuple[tuple[Column, ...], Row]] = (_columns("Name", "Age"), _plain)

_TABLES: Final[Mapping[str, tuple[tuple[Column, ...], Row]]] = {
    "ResourceClaim": (_columns("Name", "State", "Age"), _claim),
    "ResourceSlice": (_columns("Name", "Node", "Driver", "Pool", "Age"), _slice),
    "DeviceTaintRule": (_columns("Name", "Key", "Value", "Effect", "TimeAdded", "Age"), _rule),
    "ResourcePoolStatusRequest": (
        (
            *_columns("Name", "Driver", "Total", "Available", "Allocated", "Unavailable", "Errors"),
            Column("Pools", type="integer"),
            *_columns("Status", "Completed"),
        ),
        _pool_request,
    ),
    "PriorityClass": (
        (
            _NAME,
            Column("Value", type="integer"),
            Column("Global-Default", type="boolean"),
            _AGE,
            Column("PreemptionPolicy"),
        ),
        _priority,
    ),
    "PodGroup": (_columns("Name", "Policy", "Workload", "Status", "Age"), _group),
    "CompositePodGroup": (_columns("Name", "Policy", "Workload", "Age"), _composite),
    "PodSchedulingContext": (_columns("Name", "SelectedNode", "Age"), _context),
    "Namespace": (_columns("Name", "Status", "Age"), _namespace),
    "Node": (_columns("Name", "Status", "Roles", "Age", "Version"), _node),
    "Pod": (
        (*_columns("Name", "Ready", "Status", "Restarts", "Age"), Column("IP", priority=1), Column("Node", priority=1)),
        _pod,
    ),
    "Event": (_columns("Last Seen", "Type", "Reason", "Object", "Message"), _event),
}


def columns(kind: str) -> list[dict[str, Any]]:
    """The column definitions of a kind."""
    found, _ = _TABLES.get(kind, _DEFAULT)
    return [msgspec.to_builtins(column) for column in found]


def cells(plain: Plain, kind: str, now: Time) -> Cells:
    """The cells of one object."""
    _, row = _TABLES.get(kind, _DEFAULT)
    return row(plain, now)
