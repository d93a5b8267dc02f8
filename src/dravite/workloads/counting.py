"""How many pods a template makes: replicas, pods per replica, and what a Job still has to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

import msgspec

from dravite.api.field import ErrorType, FieldError, child
from dravite.workloads.raw_paths import Entry, look_up, mapping, resolve
from dravite.workloads.rows import PodTemplateRow

MAX_PODS: Final = 150_000
"""More pods than Kubernetes supports in one cluster are not planned for one workload."""


class Place(msgspec.Struct, frozen=True):
    """The place of one pod among the pods of a template; `completion` is the completion index of an indexed Job."""

    replica: int
    index: int
    ordinal: int
    replicas: int
    completion: int | None = None


def places(root: Any, row: PodTemplateRow, entry: Entry) -> tuple[Place, ...] | FieldError:
    """The pods that should exist for one template now, or what keeps them from being counted."""
    if any(look_up(root, resolve(path, entry)[0]) is True for path in row.suspended):
        return ()
    replicas = _replicas(root, row, entry)
    if isinstance(replicas, FieldError):
        return replicas
    indexes = _indexes(root, row, entry)
    if isinstance(indexes, FieldError):
        return indexes
    start = whole_number(root, row.start, entry, 0) if row.start else 0
    if isinstance(start, FieldError):
        return start
    if replicas * len(indexes) > MAX_PODS:
        path = resolve(str(row.replicas), entry)[1] if isinstance(row.replicas, str) else "spec"
        detail = f"must have at most {MAX_PODS} pods"
        return FieldError(type=ErrorType.TOO_MANY, field=path, value=replicas * len(indexes), detail=detail)
    return tuple(
        Place(replica, index, start + replica * len(indexes) + position, replicas, completion)
        for replica in range(replicas)
        for position, (index, completion) in enumerate(indexes)
    )


def whole_number(root: Any, path: str | int, entry: Entry, default: int) -> int | FieldError:
    """The number at a path, the default where there is none, or the error of something that is no count."""
    if isinstance(path, int):
        return path
    steps, place = resolve(path, entry)
    value = look_up(root, steps)
    if value is None:
        return default
    if not isinstance(value, int) or isinstance(value, bool):
        return FieldError(type=ErrorType.TYPE_INVALID, field=place, value=value, detail="must be a whole number")
    if value < 0:
        return FieldError(type=ErrorType.INVALID, field=place, value=value, detail="must be greater than or equal to 0")
    return value


def _replicas(root: Any, row: PodTemplateRow, entry: Entry) -> int | FieldError:
    count = whole_number(root, row.replicas, entry, row.default_replicas)
    least = whole_number(root, row.at_least, entry, 0) if row.at_least else 0
    most = whole_number(root, row.at_most, entry, MAX_PODS) if row.at_most else None
    if isinstance(count, FieldError) or isinstance(least, FieldError):
        return count if isinstance(count, FieldError) else least
    if isinstance(most, FieldError):
        return most
    return max(count, least) if most is None else min(max(count, least), most)


def _indexes(root: Any, row: PodTemplateRow, entry: Entry) -> tuple[tuple[int, int | None], ...] | FieldError:
    """The indexes of the pods of one replica, each with its completion index."""
    if row.job:
        return _job_indexes(root, row, entry)
    size = whole_number(root, row.size, entry, 1)
    if isinstance(size, FieldError):
        return size
    if size > MAX_PODS:
        return FieldError(
            type=ErrorType.TOO_MANY,
            field=resolve(str(row.size), entry)[1],
            value=size,
            detail=f"must have at most {MAX_PODS} pods",
        )
    return tuple((index, None) for index in range(row.first, size))


def _job_indexes(root: Any, row: PodTemplateRow, entry: Entry) -> tuple[tuple[int, int | None], ...] | FieldError:
    """Source: the Job controller. A Job without completions runs as many pods as it has parallelism."""
    steps, path = resolve(row.job, entry)
    spec = mapping(look_up(root, steps))
    parallelism = _count_in(spec, "parallelism", path, 1)
    completions = _count_in(spec, "completions", path, -1)
    if isinstance(parallelism, FieldError):
        return parallelism
    if isinstance(completions, FieldError):
        return completions
    status = mapping(look_up(root, ("status",)) if row.job == "spec" else None)
    if _is_finished(status):
        return ()
    mode = spec.get("completionMode") or row.job_mode
    if parallelism > MAX_PODS:
        detail = f"must have at most {MAX_PODS} pods"
        field = child(path, "parallelism")
        return FieldError(type=ErrorType.TOO_MANY, field=field, value=parallelism, detail=detail)
    if mode == "Indexed":
        total = parallelism if completions < 0 else completions
        left = _left(total, str(status.get("completedIndexes") or ""))
        return tuple((index, index) for index in islice(left, parallelism))
    succeeded = status.get("succeeded")
    succeeded = succeeded if isinstance(succeeded, int) else 0
    if completions >= 0:
        parallelism = min(parallelism, max(0, completions - succeeded))
    elif succeeded:
        parallelism = 0
    return tuple((index, None) for index in range(parallelism))


def _count_in(spec: Any, name: str, path: str, default: int) -> int | FieldError:
    error = whole_number(spec, name, Entry((), "", ""), default)
    return msgspec.structs.replace(error, field=child(path, name)) if isinstance(error, FieldError) else error


def _is_finished(status: Mapping[str, Any]) -> bool:
    conditions = status.get("conditions")
    return any(
        isinstance(condition, Mapping)
        and condition.get("type") in ("Complete", "Failed")
        and condition.get("status") == "True"
        for condition in (conditions if isinstance(conditions, list) else ())
    )


def _left(total: int, completed: str) -> Iterator[int]:
    """Indexes that have not completed; `completed` is written as `0-2,5`."""
    index = 0
    for span in completed.split(","):
        low, _, high = span.partition("-")
        if low.isdecimal() and (high or low).isdecimal():
            yield from range(index, min(int(low), total))
            index = max(index, int(high or low) + 1)
    yield from range(index, total)
