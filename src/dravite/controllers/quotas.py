"""Tells in the status of each ResourceQuota what it allows of claims and devices, and what of that is used."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from dravite.admission.quotas import DEVICES
from dravite.api.releases import Profile
from dravite.controllers.commands import Patch
from dravite.controllers.runner import NOTHING, Key, News, Outcome
from dravite.controllers.view import View
from dravite.lifecycle.claim_quotas import open_books

_KIND: Final = "ResourceQuota"
_COUNTED: Final = ("ResourceClaim", "DeviceClass")


class Quotas:
    """The controller. Of what quotas say about other kinds it repeats what is allowed, and counts nothing."""

    name = "resourcequota-controller"

    def __init__(self, profile: Profile) -> None:
        self._profile = profile

    def keys(self, news: News, view: View) -> Iterable[Key]:
        if news.resource.kind == _KIND:
            return (news.item.key,)
        if news.resource.kind not in _COUNTED:
            return ()
        namespace = news.namespace or None
        return tuple(item.key for item in view.of(_KIND, namespace))

    def reconcile(self, key: Key, view: View, now: float) -> Outcome:
        namespace, name = key
        item = view.get(_KIND, namespace, name)
        if item is None:
            return NOTHING
        bare = {field: value for field, value in item.plain.items() if field != "status"}
        claims = [one.typed for one in view.of("ResourceClaim", namespace) if one.typed is not None]
        classes = [one.typed for one in view.of("DeviceClass") if one.typed is not None]
        (quota,) = open_books((bare,), claims, classes, self._profile).counting.quotas
        hard = (item.plain.get("spec") or {}).get("hard") or {}
        used = {one: quota.used[one].text for one in hard if one in quota.used and _is_counted(one)}
        status = {"hard": hard, "used": used}
        if (item.plain.get("status") or {}) == status:
            return NOTHING
        return Outcome((Patch(item.resource, namespace, name, {"status": status}, "status", item.revision),))


def _is_counted(name: str) -> bool:
    """Whether a quota says by this name something of claims or of devices."""
    return name.startswith("count/resourceclaims.") or DEVICES in name or (name.startswith("requests.") and "/" in name)
