"""Keeps the status of PodDisruptionBudgets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from dravite.controllers.commands import Command, Patch, merge_patch
from dravite.controllers.happenings import Tell
from dravite.controllers.runner import NOTHING, Key, News, Outcome
from dravite.controllers.view import View
from dravite.diagnosis import upstream_controllers as words
from dravite.lifecycle.disruption_budgets import budget_status, pods_of_budget

_KIND: Final = "PodDisruptionBudget"


class Disruption:
    """The controller."""

    name = "controllermanager"

    def keys(self, news: News, view: View) -> Iterable[Key]:
        if news.resource.kind == _KIND:
            return ((news.namespace, news.name),)
        return tuple(one.key for one in view.of(_KIND, news.namespace)) if news.resource.kind == "Pod" else ()

    def reconcile(self, key: Key, view: View, now: float) -> Outcome:
        namespace, name = key
        item = view.get(_KIND, namespace, name)
        if item is None or item.typed is None:
            return NOTHING
        alike = (one.typed for one in view.of("Pod", namespace))
        pods = pods_of_budget(item.typed, [pod for pod in alike if pod is not None])
        before = item.plain.get("status") or {}
        patch = merge_patch(before, budget_status(item.typed, item.plain, pods, now))
        if not patch:
            return NOTHING
        commands: list[Command | Tell] = []
        if not pods:
            commands.append(Tell(about=item, reason="NoPods", message=words.NO_PODS, component=self.name))
        commands.append(Patch(item.resource, namespace, name, {"status": patch}, "status", item.revision))
        return Outcome(tuple(commands))
