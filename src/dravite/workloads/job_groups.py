"""The group that the Job controller makes for the pods of a Job, where it does (E8.4 to E8.7).

It stays raw, in the shape of scheduling.k8s.io/v1beta1. Names are drawn by the controller; here a stand-in ends them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from dravite.api.field import ErrorType, FieldError
from dravite.api.plain import PlainView
from dravite.workloads.expansion import ExpandedPod, reference
from dravite.workloads.raw_paths import listed, mapping

DRAWN: Final = "xxxxx"
VERSION: Final = "scheduling.k8s.io/v1beta1"

JobRule = Literal["indexed-gangs", "every-job"]
"""1.36 makes a gang of Jobs that are indexed and run all at once; since 1.37 every Job has a group of some policy."""

_COPIED: Final = ("schedulingConstraints", "disruptionMode", "resourceClaims")


class Ends(msgspec.Struct, frozen=True):
    """What the drawn names of a Job's Workload and PodGroup end with."""

    workload: str = DRAWN
    pod_group: str = DRAWN


class JobGroup(msgspec.Struct, frozen=True):
    """The PodGroup of a Job, and the Workload that it refers to; `name` is what its pods refer to."""

    name: str
    pod_group: PlainView
    workload: PlainView


STAND_INS: Final = Ends()


def job_group(job: PlainView, rule: JobRule, ends: Ends = STAND_INS) -> JobGroup | FieldError | None:
    """The group that is made for a Job, what its scheduling asks wrongly, or None where none is made."""
    spec = mapping(job.get("spec"))
    template = mapping(mapping(spec.get("template")).get("spec"))
    if template.get("schedulingGroup") or _has_parent(job):
        return None
    if rule == "indexed-gangs":
        count = spec.get("parallelism")
        gang = spec.get("completionMode") == "Indexed" and isinstance(count, int) and count == spec.get("completions")
        is_gang = gang and isinstance(count, int) and count > 1
        return _group(job, {"schedulingPolicy": {"gang": {"minCount": count}}}, ends) if is_gang else None
    policy = _policy(spec)
    if isinstance(policy, FieldError):
        return policy
    scheduling = mapping(spec.get("scheduling"))
    copied = {name: scheduling[name] for name in _COPIED if scheduling.get(name)}
    return _group(job, {"schedulingPolicy": policy, **copied}, ends)


def why_no_gang(job: PlainView) -> FieldError | None:
    """What a Job's scheduling asks wrongly, if something (E8.5)."""
    policy = _policy(mapping(job.get("spec")))
    return policy if isinstance(policy, FieldError) else None


def in_group(pod: ExpandedPod, group: str) -> ExpandedPod:
    """The pod as a member of a group."""
    spec = {**mapping(pod.pod.get("spec")), "schedulingGroup": {"podGroupName": group}}
    return msgspec.structs.replace(pod, pod={**pod.pod, "spec": spec})


def _policy(spec: PlainView) -> PlainView | FieldError:
    gang = mapping(mapping(spec.get("scheduling")).get("schedulingPolicy")).get("gang")
    if not isinstance(gang, Mapping):
        return {"basic": {}}
    given = spec.get("parallelism")
    parallelism = given if isinstance(given, int) else 1
    minimum = gang.get("minCount", max(1, parallelism))
    if isinstance(minimum, int) and minimum > parallelism:
        return FieldError(
            type=ErrorType.INVALID,
            field="spec.scheduling.schedulingPolicy.gang.minCount",
            value=minimum,
            detail=f"must not be greater than parallelism ({parallelism})",
        )
    return {"gang": {"minCount": minimum}}


def _has_parent(job: PlainView) -> bool:
    owners = mapping(job.get("metadata")).get("ownerReferences")
    return any(isinstance(owner, Mapping) and owner.get("controller") for owner in listed(owners))


def _group(job: PlainView, spec: PlainView, ends: Ends) -> JobGroup:
    ref = reference(job)
    workload, template = f"{ref.name}-{ends.workload}", f"{ref.name}-pgt-0"
    name = f"{workload}-{template}-{ends.pod_group}"
    uid = mapping(job.get("metadata")).get("uid")
    owner = {"apiVersion": "batch/v1", "kind": "Job", "name": ref.name, "uid": uid, "controller": True}
    by_job = {**owner, "blockOwnerDeletion": True}
    by_workload = {"apiVersion": VERSION, "kind": "Workload", "name": workload, "uid": f"<uid of Workload {workload}>"}
    space = {"namespace": ref.namespace}
    pod_group = {
        "apiVersion": VERSION,
        "kind": "PodGroup",
        "metadata": {"name": name, **space, "ownerReferences": [by_job, by_workload]},
        "spec": {"workloadRef": {"workloadName": workload, "templateName": template}, **spec},
    }
    made = {
        "apiVersion": VERSION,
        "kind": "Workload",
        "metadata": {"name": workload, **space, "ownerReferences": [by_job]},
        "spec": {
            "controllerRef": {"apiGroup": "batch", "kind": "Job", "name": ref.name},
            "podGroupTemplates": [{"name": template, **spec}],
        },
    }
    return JobGroup(name, pod_group, made)
