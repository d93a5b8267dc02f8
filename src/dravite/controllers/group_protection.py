"""Keeps PodGroups while pods of theirs run or wait."""

from __future__ import annotations

from collections.abc import Iterable

from dravite.controllers.commands import changed
from dravite.controllers.runner import NOTHING, Key, News, Outcome
from dravite.controllers.view import Item, View
from dravite.lifecycle.group_protection import guarded
from dravite.snapshot.snapshot import group_key, is_finished


class GroupProtection:
    """The controller. It remembers who uses which group."""

    name = "podgroup-protection-controller"

    def __init__(self) -> None:
        self._users: dict[Key, dict[Key, None]] = {}

    def keys(self, news: News, view: View) -> Iterable[Key]:
        if news.resource.kind == "PodGroup":
            return ((news.namespace, news.name),)
        if news.resource.kind != "Pod":
            return ()
        before, now = _used_by(news.before), _used_by(news.now)
        if before == now:
            return ()
        pod = (news.namespace, news.name)
        if before is not None:
            self._users[before].pop(pod, None)
        if now is not None:
            self._users.setdefault(now, {})[pod] = None
        return tuple(group for group in (before, now) if group is not None)

    def reconcile(self, key: Key, view: View, now: float) -> Outcome:
        item = view.get("PodGroup", *key)
        users = self._users.get(key)
        if not users:
            self._users.pop(key, None)
        if item is None:
            return NOTHING
        after = guarded(item.typed, is_used=bool(users))
        return Outcome(changed(item, after)) if after is not item.typed else NOTHING


def _used_by(item: Item | None) -> Key | None:
    """The group that a pod names, while the pod has not ended."""
    pod = item.typed if item is not None else None
    return group_key(pod) if pod is not None and not is_finished(pod) else None
