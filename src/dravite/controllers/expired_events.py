"""Deletes events that nobody has told again for a while."""

from __future__ import annotations

from collections.abc import Iterable

from dravite.controllers.commands import Delete
from dravite.controllers.runner import NOTHING, Key, News, Outcome
from dravite.controllers.view import View
from dravite.lifecycle.event_ages import LIFETIME, last_told


class ExpiredEvents:
    """The controller."""

    name = "kube-apiserver"

    def keys(self, news: News, view: View) -> Iterable[Key]:
        return ((news.namespace, news.name),) if news.resource.kind == "Event" else ()

    def reconcile(self, key: Key, view: View, now: float) -> Outcome:
        item = view.get("Event", *key)
        if item is None:
            return NOTHING
        end = last_told(item.plain) + LIFETIME
        if now < end:
            return Outcome(again=end)
        return Outcome((Delete(resource=item.resource, namespace=item.namespace, name=item.name, uid=item.uid),))
