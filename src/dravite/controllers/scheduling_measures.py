"""What the scheduler and the claim controller are measured by, under Kubernetes' names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from dravite.api.releases import Profile
from dravite.controllers.commands import Create
from dravite.controllers.runner import Measure
from dravite.diagnosis.verdicts import Aborted, Decision, Scheduled, Unschedulable
from dravite.rehearsal.world import Record
from dravite.scheduler.ordering import SCHEDULER_NAME

QUEUES: Final = ("active", "backoff", "unschedulable", "gated")

_RESULTS: Final[Mapping[type, str]] = {Scheduled: "scheduled", Unschedulable: "unschedulable", Aborted: "error"}


def measures_of(record: Record, asked: Iterable[object], profile: Profile) -> Iterator[Measure]:
    """What one step has brought: attempts, victims, and the claims that are made."""
    results = Counter(_RESULTS[type(one.decision)] for one in record.attempts.values() if _is_result(one.decision))
    for result, number in sorted(results.items()):
        labels = {"profile": SCHEDULER_NAME, "result": result}
        yield Measure("count", "scheduler_schedule_attempts_total", labels, number)
    groups = Counter(one.outcome for one in record.groups if one.outcome != "waiting")
    for outcome, number in sorted(groups.items()):
        labels = {"profile": SCHEDULER_NAME, "result": outcome}
        yield Measure("count", "scheduler_podgroup_schedule_attempts_total", labels, number)
    if record.victims:
        yield Measure("count", "scheduler_preemption_attempts_total")
        yield Measure("observe", "scheduler_preemption_victims", value=len(record.victims))
    for command in asked:
        if isinstance(command, Create) and command.resource.kind == "ResourceClaim":
            yield _made(command, profile)


def pending(sizes: Mapping[str, int]) -> Iterator[Measure]:
    """How many wait in each part of the queue."""
    for queue in QUEUES:
        yield Measure("set", "scheduler_pending_pods", {"queue": queue}, sizes.get(queue, 0))


def _is_result(decision: Decision) -> bool:
    return type(decision) in _RESULTS


def _made(command: Create, profile: Profile) -> Measure:
    requests = command.body["spec"].get("devices", {}).get("requests", ())
    admin = any(one.get("exactly", one).get("adminAccess") for one in requests)
    labels = {"admin_access": str(admin).lower(), "status": "success"}
    if not profile.is_at_least("1.37"):
        return Measure("count", "resourceclaim_controller_creates_total", labels)
    owner: Mapping[str, str] = next(iter(command.body["metadata"].get("ownerReferences", ())), {})
    group = str(owner.get("apiVersion", "")).rpartition("/")[0]
    labels |= {"owner_api_group": group, "owner_api_kind": str(owner.get("kind", ""))}
    return Measure("count", "dynamic_resource_allocation_resourceclaim_creates_total", labels)
