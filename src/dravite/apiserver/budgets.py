"""Whether disruption budgets let a pod be evicted, and what is left of them then."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from dravite.api.codec import from_plain
from dravite.api.names import label_selector_matches
from dravite.api.plain import Plain
from dravite.api.policy_v1 import PodDisruptionBudget
from dravite.apiserver import drafts
from dravite.apiserver.backend import Backend, with_revision
from dravite.apiserver.statuses import Refused, status
from dravite.store import Compacted, Record

_COLLECTION: Final = "poddisruptionbudgets.policy"
_REFUSAL: Final = "Cannot evict pod as it would violate the pod's disruption budget."
_UNBUDGETED: Final = ("Pending", "Succeeded", "Failed")
"""Phases in which a pod serves nobody."""


def charge(backend: Backend, pod: Plain, *, dry_run: bool) -> int:
    """Take an eviction off the budget of a pod; the revision of that, 0 where no budget was changed.

    Raises:
        Refused: the budget lets no pod go, or the pod has two of them.
    """
    if (pod.get("status") or {}).get("phase") in _UNBUDGETED or pod["metadata"].get("deletionTimestamp"):
        return 0
    found = list(_budgets_of(backend, pod))
    if not found:
        return 0
    if len(found) > 1:
        text = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."
        raise Refused(status(400, "BadRequest", text))  # Kubernetes answers 500
    record, budget = found[0]
    told = budget.get("status") or {}
    if not _is_ready(pod) and _lets_broken_go(budget):
        return 0
    if (told.get("disruptionsAllowed") or 0) <= 0:
        raise _too_many(budget)
    if dry_run:
        return 0
    disrupted = {**(told.get("disruptedPods") or {}), pod["metadata"]["name"]: backend.source.now()}
    left = {**told, "disruptionsAllowed": told["disruptionsAllowed"] - 1, "disruptedPods": disrupted}
    revision = backend.store.revision + 1
    backend.store.put(
        record.key, msgspec.json.encode(with_revision({**budget, "status": left}, revision)), record.revision
    )
    return revision


def _budgets_of(backend: Backend, pod: Plain) -> Iterator[tuple[Record, Plain]]:
    kind = backend.catalogue.named("policy", "PodDisruptionBudget")
    page = backend.store.page(_COLLECTION, pod["metadata"]["namespace"])
    for record in () if kind is None or isinstance(page, Compacted) else page.records:
        plain = drafts.kept(record, kind).plain
        typed = from_plain({name: plain[name] for name in ("metadata", "spec") if name in plain}, PodDisruptionBudget)
        selector = typed.spec.selector if isinstance(typed, PodDisruptionBudget) else None
        if selector is not None and label_selector_matches(selector, pod["metadata"].get("labels") or {}) is True:
            yield record, plain


def _is_ready(pod: Plain) -> bool:
    conditions = (pod.get("status") or {}).get("conditions") or ()
    return any(item.get("type") == "Ready" and item.get("status") == "True" for item in conditions)


def _lets_broken_go(budget: Plain) -> bool:
    """Whether pods that are not ready need no leave: always, or while enough others are well."""
    told = budget.get("status") or {}
    if (budget.get("spec") or {}).get("unhealthyPodEvictionPolicy") == "AlwaysAllow":
        return True
    desired = told.get("desiredHealthy") or 0
    return bool(desired) and (told.get("currentHealthy") or 0) >= desired


def _too_many(budget: Plain) -> Refused:
    told = budget.get("status") or {}
    needs, has = told.get("desiredHealthy") or 0, told.get("currentHealthy") or 0
    name = budget["metadata"]["name"]
    message = f"The disruption budget {name} needs {needs} healthy pods and has {has} currently"
    details = {"causes": [{"reason": "DisruptionBudget", "message": message}]}
    return Refused(status(429, "TooManyRequests", _REFUSAL, details))
