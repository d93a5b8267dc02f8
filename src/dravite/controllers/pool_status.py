"""Answers ResourcePoolStatusRequests, and deletes them when their time is over."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from dravite.api.releases import Profile
from dravite.controllers.commands import Delete, changed
from dravite.controllers.runner import NOTHING, Key, Measure, News, Outcome
from dravite.controllers.view import Item, View
from dravite.lifecycle.pool_reports import RETRIES, DeviceSight, answered, expires

_KIND: Final = "ResourcePoolStatusRequest"
_PROCESSED: Final = "resourcepoolstatusrequest_controller_requests_processed_total"
_FIRST_RETRY: Final = 0.005


class PoolStatus:
    """The controller. A request whose pools stay incomplete is looked at a few times and then left alone (C5.1)."""

    name = "resourcepoolstatusrequest-controller"

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._retries: dict[str, int] = {}

    def keys(self, news: News, view: View) -> Iterable[Key]:
        """The request that has come or changed; slices and claims are no reason to look again."""
        if news.resource.kind != _KIND:
            return ()
        if news.now is None:
            self._retries.pop(news.item.uid, None)
        return ((news.name,),)

    def reconcile(self, key: Key, view: View, now: float) -> Outcome:
        item = view.get(_KIND, "", key[0])
        if item is None:
            return NOTHING
        end = expires(item.typed)
        if end is not None and end <= now:
            return Outcome((Delete(resource=item.resource, namespace="", name=item.name, uid=item.uid),))
        if item.typed.status is not None:
            return Outcome(again=end)
        found = answered(item.typed, _sight(view), self._profile, now)
        if found is None:
            return Outcome(again=self._retry(item, now) or end)
        processed = Measure("count", _PROCESSED, {"driver_name": item.typed.spec.driver})
        return Outcome(changed(item, found), measures=(processed,))

    def _retry(self, item: Item, now: float) -> float | None:
        """When to look once more at pools that are incomplete, if at all."""
        tried = self._retries.get(item.uid, 0)
        if tried >= RETRIES:
            return None
        self._retries[item.uid] = tried + 1
        return now + _FIRST_RETRY * 2.0**tried


def _sight(view: View) -> DeviceSight:
    return DeviceSight(
        tuple(one.typed for one in view.of("ResourceSlice")),
        tuple(one.typed for one in view.of("ResourceClaim")),
        tuple(one.typed for one in view.of("DeviceTaintRule")),
    )
