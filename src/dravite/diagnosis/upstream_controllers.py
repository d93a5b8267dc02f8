"""Kubernetes' own words, continued: what its other controllers write into conditions, statuses and events.

Nothing is decided here. Source: observed on 1.37.2 and 1.36.5.
"""

from __future__ import annotations

from typing import Final, Literal

EVICTION: Final = "DeviceTaintManagerEviction"
MARKED: Final = "Marking for deletion"
CANCELLED: Final = "Cancelling deletion"
CREATED: Final = "SuccessfulCreate"
DELETED: Final = "SuccessfulDelete"
SCALING: Final = "ScalingReplicaSet"
AVAILABLE: Final = "Deployment has minimum availability."
NOT_AVAILABLE: Final = "Deployment does not have minimum availability."
OTHER_EFFECT: Final = "Eviction only happens for the NoExecute effect."
_ONCE: Final = "This information will not be updated again. Recreate the DeviceTaintRule to trigger an update."


def pending_evictions(pods: int, namespaces: int) -> str:
    """How many pods a rule will evict."""
    return f"{_counted(pods, 'pod')} {'needs' if pods == 1 else 'need'} to be evicted in {_in_namespaces(namespaces)}."


def past_evictions(pods: int) -> str:
    """How many pods a rule has evicted."""
    return f"{_counted(pods, 'pod')} evicted since starting the controller."


def dry_run(published: int, allocated: int, pods: int, namespaces: int) -> str:
    """What a rule without effect would do."""
    return (
        f"{_counted(published, 'published device')} selected. {_counted(allocated, 'allocated device')} selected. "
        f"{_counted(pods, 'pod')} would be evicted in {_in_namespaces(namespaces)} if the effect was NoExecute. {_ONCE}"
    )


def pools_calculated(pools: int, faulty: int) -> str:
    """The condition of a request for pool status; always "pools"."""
    return f"Calculated status for {pools} pools" + (f" ({faulty} incomplete)" if faulty else "")


def pool_incomplete(pool: str, seen: int, expected: int, generation: int) -> str:
    where = f"at generation {generation}"
    return f"PoolIncomplete: pool {pool} is incomplete: observed {seen}/{expected} slices {where}"


def partitions_without_counters(pool: str) -> str:
    return f"PartitionTypeMissing: pool {pool} declares partitionTypeAttribute but publishes no sharedCounters"


def partition_without_type(pool: str, device: str, attribute: str) -> str:
    what = f'does not carry partition type attribute "{attribute}"'
    return f'PartitionTypeMissing: device "{device}" in pool {pool} {what}'


def partition_costs_differ(pool: str, kind: str) -> str:
    return f'PartitionCostMismatch: devices of partition type "{kind}" in pool {pool} consume different counters'


def too_many_partitions(pool: str, count: int, most: int) -> str:
    return f"PartitionSummaryOverCap: pool {pool} has {count} partition types, exceeding the maximum of {most}"


def too_many_capacities(pool: str, count: int, most: int) -> str:
    return f"ShareableSummaryOverCap: pool {pool} has {count} shareable capacity keys, exceeding the maximum of {most}"


def pod_created(name: str) -> str:
    return f"Created pod: {name}"


def pod_deleted(name: str) -> str:
    return f"Deleted pod: {name}"


def ordered_pod(what: Literal["Create", "Delete"], pod: str, owner: str) -> str:
    """What happened to a pod of a StatefulSet."""
    return f"{what} Pod {pod} in StatefulSet {owner} successful"


def scaled(name: str, before: int, now: int) -> str:
    """How many pods a Deployment has given to one of its ReplicaSets."""
    return f"Scaled {'up' if now > before else 'down'} replica set {name} from {before} to {now}"


JOB_ENDINGS: Final = {
    # Reason of the condition and of the event: what both say.
    "CompletionsReached": "Reached expected number of succeeded pods",
    "BackoffLimitExceeded": "Job has reached the specified backoff limit",
    "DeadlineExceeded": "Job was active longer than specified deadline",
    "FailedIndexes": "Job has failed indexes",
    "MaxFailedIndexesExceeded": "Job has exceeded the specified maximal number of failed indexes",
}
NO_PODS: Final = "No matching pods found"
JOB_COMPLETED: Final = "Job completed"
JOB_SUSPENDED: Final = "Job suspended"
JOB_RESUMED: Final = "Job resumed"


JOB_ALREADY_ACTIVE: Final = "Not starting job because prior execution is running and concurrency policy is Forbid"
TOO_MANY_MISSED: Final = (
    "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew"
)


def failed_with_code(pod: str, container: str, code: int, rule: int) -> str:
    """A rule of a Job's policy fails it for the exit code of a container."""
    return f"Container {container} for pod {pod} failed with exit code {code} matching FailJob rule at index {rule}"


def failed_with_condition(pod: str, condition: str, rule: int) -> str:
    """A rule of a Job's policy fails it for the condition of a pod."""
    return f"Pod {pod} has condition {condition} matching FailJob rule at index {rule}"


def rule_met(rule: int) -> str:
    """A rule of a Job's success policy is met."""
    return f"Matched rules at index {rule}"


def job_created(name: str) -> str:
    return f"Created job {name}"


def job_deleted(name: str) -> str:
    return f"Deleted job {name}"


def job_seen(name: str, end: str) -> str:
    """A Job of a CronJob has ended; `end` is the condition that says how."""
    return f"Saw completed job: {name}, condition: {end}"


def job_missing(name: str) -> str:
    return f"Active job went missing: {name}"


def unexpected_job(name: str) -> str:
    return f"Saw a job that the controller did not create or forgot: {name}"


def unknown_zone(name: str) -> str:
    return f'invalid timeZone: "{name}": unknown time zone {name}'


def unreadable_schedule(schedule: str, why: str) -> str:
    return f'unparseable schedule: "{schedule}" : {why}'


def set_progress(name: str, *, is_complete: bool) -> str:
    """How far the ReplicaSet of a Deployment is."""
    return f'ReplicaSet "{name}" {"has successfully progressed" if is_complete else "is progressing"}.'


PAUSED: Final = "Deployment is paused"
RESUMED: Final = "Deployment is resumed"


def timed_out(name: str) -> str:
    """The ReplicaSet of a Deployment makes no progress any more."""
    return f'ReplicaSet "{name}" has timed out progressing.'


def group_created(kind: str, name: str, job: str) -> str:
    return f"Created {kind} {name} for Job {job}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _in_namespaces(count: int) -> str:
    return "1 namespace" if count == 1 else f"{count} different namespaces"
