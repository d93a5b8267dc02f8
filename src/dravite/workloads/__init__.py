"""Kinds that make pods: where their pod templates stand, and the pods that they stand for."""

from __future__ import annotations

from collections.abc import Iterable

from dravite.api.field import FieldError
from dravite.api.plain import PlainView
from dravite.workloads.acceptance import why_not_accepted
from dravite.workloads.daemons import daemon_nodes, pin_to_node
from dravite.workloads.expansion import ExpandedPod, expand_rows, rows_of, templates
from dravite.workloads.job_groups import Ends, JobGroup, JobRule, in_group, job_group, why_no_gang
from dravite.workloads.known_fields import unknown_fields
from dravite.workloads.outstanding import (
    Outstanding,
    is_ready,
    least_wanted,
    margins,
    outstanding,
    rollout,
    says_no_more,
    surplus,
)
from dravite.workloads.owners import Owned, Owners
from dravite.workloads.rows import BUILT_IN, PodTemplateRow, PodTemplates
from dravite.workloads.train_jobs import expand_train_job, is_train_job
from dravite.workloads.user_rows import parse_pod_templates

__all__ = [
    "BUILT_IN",
    "Ends",
    "ExpandedPod",
    "JobGroup",
    "JobRule",
    "Outstanding",
    "Owned",
    "Owners",
    "PodTemplateRow",
    "PodTemplates",
    "daemon_nodes",
    "expand",
    "in_group",
    "is_ready",
    "job_group",
    "least_wanted",
    "makes_pods",
    "margins",
    "outstanding",
    "parse_pod_templates",
    "pin_to_node",
    "pod_templates",
    "rollout",
    "says_no_more",
    "surplus",
    "unknown_fields",
    "why_no_gang",
    "why_not_accepted",
]


def makes_pods(document: PlainView, table: PodTemplates = BUILT_IN) -> bool:
    """Whether a raw document is of a kind whose pods can be told."""
    return bool(rows_of(document, table)) or is_train_job(document)


def expand(
    document: PlainView, table: PodTemplates = BUILT_IN, others: Iterable[PlainView] = ()
) -> tuple[ExpandedPod, ...] | tuple[FieldError, ...]:
    """The pods that a raw workload asks for, in order, or every reason why they cannot be told.

    `others` are documents that templates may stand in: the runtimes of a TrainJob. No pods are no error: a suspended
    or finished workload has none.
    """
    if is_train_job(document):
        return expand_train_job(document, others, table)
    return expand_rows(document, rows_of(document, table))


def pod_templates(document: PlainView, table: PodTemplates = BUILT_IN) -> tuple[tuple[PlainView, str], ...]:
    """The pod templates of a raw workload with their paths, also of one that makes no pods now."""
    return tuple(templates(document, rows_of(document, table)))
