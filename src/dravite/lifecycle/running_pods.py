"""What a kubelet tells of a pod whose containers do as they are told: they start at once, and end when they shall.

Pure functions of a pod as it is written; nothing is run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from zlib import crc32

from dravite.api.plain import Plain, PlainView
from dravite.lifecycle.instants import seconds_of, text_of

_WHILE_RUNNING: Final = ("PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady")
_STILL_TRUE_AFTER: Final = ("Initialized",)
_REASONS: Final = {"Succeeded": "PodCompleted", "Failed": "PodFailed"}
"""Why a pod that has ended is not ready any more."""

_HOST: Final = "127.0.0.1"


def is_waiting_to_start(pod: PlainView) -> bool:
    """Whether a kubelet has yet to start the pod, or to say anything of one that is said to run."""
    if not pod["spec"].get("nodeName") or pod["metadata"].get("deletionTimestamp"):
        return False
    is_unknown = _phase(pod) == "Running" and not pod["status"].get("containerStatuses")
    return is_unknown or _phase(pod) == "Pending"


def completion_time(pod: PlainView, seconds: float) -> float | None:
    """When a pod that runs to its end has done so; None for one that runs for ever, or does not run."""
    started = seconds_of((pod.get("status") or {}).get("startTime"))
    lasts = pod["spec"].get("restartPolicy", "Always") == "Always"
    return None if lasts or started is None or _phase(pod) != "Running" else started + seconds


def end_time(pod: PlainView, longest: float | None = None) -> float | None:
    """When a pod that is being deleted has ended: after its grace period, or so many seconds at most."""
    meta = pod["metadata"]
    last = seconds_of(meta.get("deletionTimestamp"))
    if last is None or not pod["spec"].get("nodeName"):
        return None
    grace = float(meta.get("deletionGracePeriodSeconds") or 0)
    return last - grace + (grace if longest is None else min(grace, longest))


def running(pod: PlainView, now: float) -> Plain:
    """The status of a pod that has just been started, or that runs since it says."""
    stamp = (pod.get("status") or {}).get("startTime") or text_of(now)
    state = {"running": {"startedAt": stamp}}
    address = _address(pod)
    return {
        "phase": "Running",
        "startTime": stamp,
        "hostIP": _HOST,
        "hostIPs": [{"ip": _HOST}],
        "podIP": address,
        "podIPs": [{"ip": address}],
        "conditions": _conditions(pod, dict.fromkeys(_WHILE_RUNNING, ("True", "")), stamp),
        "containerStatuses": [_container(one, state, is_ready=True) for one in pod["spec"].get("containers") or ()],
    }


def succeeded(pod: PlainView, now: float) -> Plain:
    """The status of a pod whose containers have all ended well."""
    return _ended(pod, now, "Succeeded", {"exitCode": 0, "reason": "Completed"})


def stopped(pod: PlainView, now: float) -> Plain:
    """The status of a pod whose containers have been stopped before their end."""
    return _ended(pod, now, "Failed", {"exitCode": 137, "reason": "Error"})


def has_to_tell_its_end(pod: PlainView) -> bool:
    """Whether a pod that is over stays for others, who then have to see that it is."""
    return bool(pod["metadata"].get("finalizers")) and _phase(pod) not in _REASONS


def _ended(pod: PlainView, now: float, phase: str, state: Plain) -> Plain:
    stamp = text_of(now)
    started = (pod.get("status") or {}).get("startTime", stamp)
    ended = {**state, "startedAt": started, "finishedAt": stamp}
    told = {kind: ("True" if kind in _STILL_TRUE_AFTER else "False", _REASONS[phase]) for kind in _WHILE_RUNNING}
    containers = pod["spec"].get("containers") or ()
    return {
        "phase": phase,
        "conditions": _conditions(pod, told, stamp),
        "containerStatuses": [_container(one, {"terminated": ended}, is_ready=False) for one in containers],
    }


def _address(pod: PlainView) -> str:
    """An address that nobody answers at: the machine's own for pods of the host, else one that the pod's uid draws."""
    if pod["spec"].get("hostNetwork"):
        return _HOST
    number = crc32(str(pod["metadata"].get("uid", "")).encode()) % 65_024
    return f"10.244.{number // 254}.{number % 254 + 1}"


def _phase(pod: PlainView) -> str:
    return str((pod.get("status") or {}).get("phase") or "Pending")


def _conditions(pod: PlainView, told: Mapping[str, tuple[str, str]], stamp: str) -> list[Plain]:
    """The conditions of the pod with those that its kubelet tells: their status and reason by type."""
    kept = [one for one in (pod.get("status") or {}).get("conditions") or () if one.get("type") not in told]
    mine = [
        {"type": kind, "status": status, "lastProbeTime": None, "lastTransitionTime": stamp}
        | ({"reason": reason} if reason else {})
        for kind, (status, reason) in told.items()
    ]
    return [*mine, *kept]


def _container(container: PlainView, state: Plain, *, is_ready: bool) -> Plain:
    return {
        "name": container.get("name", ""),
        "image": container.get("image", ""),
        "imageID": "",
        "ready": is_ready,
        "started": is_ready,
        "restartCount": 0,
        "state": state,
        "lastState": {},
    }
