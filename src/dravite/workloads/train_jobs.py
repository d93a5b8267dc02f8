"""TrainJob: its templates stand in a runtime, another object, which it adjusts.

The runtime holds a JobSet; the TrainJob decides on the number of nodes, the resources of each, and where they may run.
Source: Kubeflow Trainer.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from dravite.api.field import ErrorType, FieldError
from dravite.api.meta import ObjectRef
from dravite.api.plain import Plain, PlainView
from dravite.workloads.expansion import ExpandedPod, expand_rows, group_of, reference
from dravite.workloads.raw_paths import listed, mapping
from dravite.workloads.rows import PodTemplates

GROUP: Final = "trainer.kubeflow.org"
KIND: Final = "TrainJob"

_STEP: Final = "trainer.kubeflow.org/trainjob-ancestor-step"
_MERGED: Final = ("nodeSelector", "affinity")
_APPENDED: Final = ("tolerations", "schedulingGates")


def is_train_job(document: PlainView) -> bool:
    return document.get("kind") == KIND and group_of(document) == GROUP


def expand_train_job(
    document: PlainView, others: Iterable[PlainView], table: PodTemplates
) -> tuple[ExpandedPod, ...] | tuple[FieldError, ...]:
    """The pods of a TrainJob, made from the runtime that it names; its template paths lie in the runtime."""
    runtime = _runtime(document, others)
    if isinstance(runtime, FieldError):
        return (runtime,)
    made = expand_rows(_job_set(document, runtime), table["jobset.x-k8s.io", "JobSet"])
    return tuple(_renamed(item, document, runtime) for item in made)  # type: ignore[return-value]


def _renamed(item: ExpandedPod | FieldError, document: PlainView, runtime: PlainView) -> ExpandedPod | FieldError:
    if isinstance(item, FieldError):
        return msgspec.structs.replace(item, field="spec.runtimeRef", detail=f"{item.field}: {item.detail}")
    return msgspec.structs.replace(
        item,
        owner=reference(document),
        template_owner=reference(runtime),
        template_path=f"spec.template.{item.template_path}",
    )


def _runtime(document: PlainView, others: Iterable[PlainView]) -> PlainView | FieldError:
    wanted = mapping(mapping(document.get("spec")).get("runtimeRef"))
    kind = str(wanted.get("kind") or "ClusterTrainingRuntime")
    namespace = "" if kind == "ClusterTrainingRuntime" else reference(document).namespace
    ref = ObjectRef(kind, namespace, str(wanted.get("name") or ""))
    for other in others:
        if reference(other) == ref and group_of(other) == GROUP:
            return other
    detail = f"the pod templates of a TrainJob stand in its runtime, and {ref} was not read"
    return FieldError(type=ErrorType.NOT_FOUND, field="spec.runtimeRef.name", value=ref.name, detail=detail)


def _job_set(document: PlainView, runtime: PlainView) -> PlainView:
    """The JobSet that the trainer makes; it has the TrainJob's name and stands in for it as the pods' owner."""
    spec, runtime_spec = mapping(document.get("spec")), mapping(runtime.get("spec"))
    trainer = mapping(spec.get("trainer"))
    nodes = trainer.get("numNodes") or mapping(runtime_spec.get("mlPolicy")).get("numNodes") or 1
    template = mapping(mapping(runtime_spec.get("template")).get("spec"))
    jobs = [_replicated_job(mapping(job), nodes, trainer, spec) for job in listed(template.get("replicatedJobs"))]
    return {
        "apiVersion": document.get("apiVersion"),
        "kind": document.get("kind"),
        "metadata": document.get("metadata"),
        "spec": {"replicatedJobs": jobs, "suspend": spec.get("suspend")},
    }


def _replicated_job(job: PlainView, nodes: Any, trainer: PlainView, spec: PlainView) -> PlainView:
    template = mapping(job.get("template"))
    job_spec = mapping(template.get("spec"))
    pod_template = mapping(job_spec.get("template"))
    pod_spec = dict(mapping(pod_template.get("spec")))
    labels = mapping(mapping(template.get("metadata")).get("labels"))
    counts: Plain = {}
    if labels.get(_STEP) == "trainer" or job.get("name") == "node":
        counts = {"parallelism": nodes, "completions": nodes}
        pod_spec["containers"] = [_container(mapping(item), trainer) for item in listed(pod_spec.get("containers"))]
    for patch in _patches(spec, str(job.get("name") or "")):
        pod_spec = _patched(pod_spec, patch)
    made_spec = {**job_spec, **counts, "template": {**pod_template, "spec": pod_spec}}
    return {**job, "replicas": 1, "template": {**template, "spec": made_spec}}


def _container(container: PlainView, trainer: PlainView) -> PlainView:
    if container.get("name") != "node":
        return container
    changed = {"image": trainer.get("image"), "resources": trainer.get("resourcesPerNode")}
    return {**container, **{name: value for name, value in changed.items() if value is not None}}


def _patches(spec: PlainView, job_name: str) -> Iterable[PlainView]:
    """Changes of the pod spec of one job: `runtimePatches`, or `podTemplateOverrides` as they were called before."""
    for override in listed(spec.get("podTemplateOverrides")):
        targets = [mapping(target).get("name") for target in listed(mapping(override).get("targetJobs"))]
        if job_name in targets:
            yield mapping(mapping(override).get("spec"))
    for patch in listed(spec.get("runtimePatches")):
        patched: Any = patch
        for step in ("trainingRuntimeSpec", "template", "spec"):
            patched = mapping(mapping(patched).get(step))
        for job in listed(patched.get("replicatedJobs")):
            if mapping(job).get("name") == job_name:
                inner: Any = job
                for step in ("template", "spec", "template", "spec"):
                    inner = mapping(mapping(inner).get(step))
                yield inner


def _patched(pod_spec: PlainView, patch: PlainView) -> Plain:
    merged = {name: {**mapping(pod_spec.get(name)), **mapping(patch[name])} for name in _MERGED if name in patch}
    grown = {name: [*listed(pod_spec.get(name)), *listed(patch[name])] for name in _APPENDED if name in patch}
    return {**pod_spec, **merged, **grown}
