"""Drivers of recordings of 1.31: the example driver at work in a server of ours, with the settings of a scenario.

The rules of the negotiation are those of `examples/classic-driver`, which is run as users would copy it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from dravite.controllers.commands import Command, Patch
from dravite.controllers.happenings import Tell
from dravite.controllers.runner import NOTHING, Key, News, Outcome
from dravite.controllers.view import Item, View

sys.path.insert(0, str(Path(__file__).parent.parent / "examples" / "classic-driver"))

from devices import Devices
from negotiation import AGAIN, DriverError, Failure, Write, answer, release

Plain = dict[str, Any]

_CONTEXT: Final = "PodSchedulingContext"
_CLAIM: Final = "ResourceClaim"
_FIRST_RETRY: Final = 0.005


class Scripted:
    """A driver that counts devices and fails where its settings say so."""

    def __init__(self, name: str, settings: Mapping[str, Any], view: View) -> None:
        self.name = name
        self.reserves = settings.get("reserve", True)
        self._settings = settings
        self._view = view
        on = {item.name: settings.get("defaultDevices", 0) for item in view.of("Node")}
        claims = [item.plain for item in view.of(_CLAIM)]
        self._devices = Devices(name, {**on, **settings.get("nodes", {})}, claims)

    def unsuitable(self, claims: Sequence[Plain], nodes: Sequence[str]) -> Sequence[str]:
        self._fail("FailUnsuitable")
        return () if self._settings.get("blind") else self._devices.unsuitable(claims, nodes)

    def allocate(self, claim: Plain, node: str) -> Plain:
        self._fail("FailAllocate")
        allocation = dict(self._devices.allocate(claim, node))
        config = self._settings.get("config")
        if config:
            opaque = {"driver": self.name, "parameters": config}
            allocation["devices"] = {**allocation["devices"], "config": [{"source": "FromClaim", "opaque": opaque}]}
        label = {"hostname": "kubernetes.io/hostname"}.get(
            self._settings.get("selector", ""), self._settings.get("selector")
        )
        if label == "none":
            del allocation["nodeSelector"]
        elif label not in (None, "", "name"):
            item = self._view.get("Node", "", node)
            value = node if item is None else item.meta.labels.get(label, "")
            rule = {"key": label, "operator": "In", "values": [value]}
            allocation["nodeSelector"] = {"nodeSelectorTerms": [{"matchExpressions": [rule]}]}
        return allocation

    def deallocate(self, claim: Plain) -> None:
        self._fail("FailDeallocate")

    def _fail(self, setting: str) -> None:
        if self._settings.get(setting):
            raise DriverError(self._settings[setting])


class ClassicDriver:
    """A driver as a controller among the others; `settings` may change while it is at work."""

    def __init__(self, name: str, settings: Mapping[str, Any]) -> None:
        self.name = name
        self.settings = settings
        self._failures: dict[Key, int] = {}

    def keys(self, news: News, view: View) -> Iterable[Key]:
        return ((news.resource.kind, news.namespace, news.name),) if news.resource.kind in (_CONTEXT, _CLAIM) else ()

    def reconcile(self, key: Key, view: View, now: float) -> Outcome:
        kind, namespace, name = key
        item = view.get(kind, namespace, name)
        if item is None:
            return NOTHING
        driver = Scripted(self.name, self.settings, view)
        if kind == _CLAIM:
            todo = list(release(driver, item.plain))
        else:
            pod = view.get("Pod", namespace, name)
            todo = list(answer(driver, item.plain, pod.plain if pod is not None else None, _claims(pod, view)))
        commands = tuple(self._command(one, view) for one in todo)
        if not any(isinstance(one, Failure) for one in todo):
            self._failures.pop(key, None)
            return Outcome(commands, now + AGAIN if kind == _CONTEXT else None)
        failures = self._failures[key] = self._failures.get(key, 0) + 1
        return Outcome(commands, now + _FIRST_RETRY * 2.0**failures)

    def _command(self, todo: Write | Failure, view: View) -> Command | Tell:
        item = view.get(todo.kind, todo.namespace, todo.name)
        assert item is not None
        if isinstance(todo, Failure):
            component = f"resource driver {self.name}"
            return Tell(about=item, reason="Failed", message=todo.message, component=component, type="Warning")
        return Patch(item.resource, item.namespace, item.name, todo.patch, todo.part, item.revision)


def _claims(pod: Item | None, view: View) -> Mapping[str, Plain]:
    """The claims of a pod by its entries; none while one is missing."""
    found = {}
    for entry, name in _names(pod.plain) if pod is not None else ():
        claim = view.get(_CLAIM, pod.namespace if pod is not None else "", name)
        if claim is None:
            return {}
        found[entry] = claim.plain
    return found


def _names(pod: Plain) -> Iterator[tuple[str, str]]:
    made = {
        one["name"]: one.get("resourceClaimName") for one in pod.get("status", {}).get("resourceClaimStatuses") or ()
    }
    for entry in pod["spec"].get("resourceClaims") or ():
        yield entry["name"], entry.get("resourceClaimName") or made.get(entry["name"]) or ""
