"""Evicts the pods of tainted devices, and lets each DeviceTaintRule say how far that has come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from dravite.api.releases import Profile
from dravite.controllers.commands import Command, changed
from dravite.controllers.evictions import eviction
from dravite.controllers.happenings import Tell
from dravite.controllers.runner import Key, Measure, News, Outcome
from dravite.controllers.view import Item, View
from dravite.diagnosis import upstream_controllers as words
from dravite.lifecycle.device_evictions import EVICTED, Eviction, reasons_for_eviction
from dravite.lifecycle.eviction_progress import Tally, pauses_until, with_progress
from dravite.snapshot.snapshot import Snapshot

_RULE: Final = "DeviceTaintRule"
_KINDS: Final = ("Pod", "PodGroup", "ResourceClaim", "ResourceSlice", _RULE)
_ALL: Final[Key] = ("",)

_Pod: TypeAlias = tuple[str, str]
_Reasons: TypeAlias = Mapping[_Pod, tuple[Eviction, ...]]


class DeviceTaints:
    """The controller. It remembers whom it is to evict, and whom each rule has had evicted since it began.

    `snapshot` is the cluster as it is at the moment.
    """

    name = "device-taint-eviction-controller"

    def __init__(self, profile: Profile, snapshot: Callable[[], Snapshot]) -> None:
        self._has_rules = profile.enabled("DRADeviceTaintRules")
        self._snapshot = snapshot
        self._queued: dict[_Pod, str] = {}
        self._evicted: dict[str, set[str]] = {}

    def keys(self, news: News, view: View) -> Iterable[Key]:
        if news.resource.kind not in _KINDS:
            return ()
        if news.resource.kind == _RULE and news.now is None:
            self._evicted.pop(news.item.uid, None)
        return (_ALL,)

    def reconcile(self, key: Key, view: View, now: float) -> Outcome:
        snapshot = self._snapshot()
        reasons = reasons_for_eviction(snapshot, now)
        rules = tuple(view.of(_RULE)) if self._has_rules else ()
        commands: list[Command | Tell] = []
        times: list[float] = []
        measures: list[Measure] = []
        for rule in rules:
            after = with_progress(rule.typed, self._tally(rule, reasons), snapshot, now)
            pause = pauses_until(rule.typed, now) if after is not rule.typed else None
            commands += changed(rule, after) if pause is None else ()
            times += [pause] if pause is not None else ()
        commands += self._cancelled(reasons, view)
        for pod, due in reasons.items():
            item, at = view.get("Pod", *pod), min(one.at for one in due)
            if item is None or not item.typed.spec.node_name or item.meta.deletion_timestamp is not None:
                continue
            if at > now:
                self._queued[pod] = item.uid
                times.append(at)
            else:
                self._queued.pop(pod, None)
                self._count(item, due, rules)
                commands += (_told(item, words.MARKED), *eviction(item, EVICTED, now))
                measures += _measures(now - at)
        return Outcome(tuple(commands), min(times, default=None), tuple(measures))

    def _tally(self, rule: Item, reasons: _Reasons) -> Tally:
        pending = [key for key, due in reasons.items() if any(one.rule == rule.name for one in due)]
        return Tally(pending, len(self._evicted.get(rule.uid, ())))

    def _count(self, pod: Item, due: Iterable[Eviction], rules: Iterable[Item]) -> None:
        names = {one.rule for one in due}
        for rule in rules:
            if rule.name in names:
                self._evicted.setdefault(rule.uid, set()).add(pod.uid)

    def _cancelled(self, reasons: _Reasons, view: View) -> Iterator[Tell]:
        """Pods that were to be evicted and may stay are told so; those that go anyway are not."""
        for key, uid in tuple(self._queued.items()):
            if key in reasons:
                continue
            del self._queued[key]
            item = view.get("Pod", *key)
            if item is not None and item.uid == uid and item.meta.deletion_timestamp is None:
                yield _told(item, words.CANCELLED)


def _measures(seconds: float) -> Iterator[Measure]:
    """A pod was deleted so long after its time had come."""
    yield Measure("count", "device_taint_eviction_controller_pod_deletions_total")
    yield Measure("observe", "device_taint_eviction_controller_pod_deletion_duration_seconds", value=seconds)


def _told(item: Item, message: str) -> Tell:
    return Tell(about=item, reason=words.EVICTION, message=message, component=DeviceTaints.name)
