"""The Workload and the PodGroup that the Job controller makes before the first pod of a Job (E8.4 to E8.7)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from dravite.api.plain import PlainView
from dravite.api.releases import Profile
from dravite.diagnosis import upstream_controllers as words
from dravite.lifecycle.jobs import has_ended
from dravite.lifecycle.turns import Told, Turn, is_going
from dravite.snapshot.generated_names import safe_hash
from dravite.workloads import Ends, JobGroup, job_group
from dravite.workloads.raw_paths import look_up, mapping


class Grouping(msgspec.Struct, frozen=True):
    """What groups the pods of a Job.

    Attributes:
        name: the PodGroup that they are to name; empty for none.
        first: what must be made before any pod; None where everything is there.
    """

    name: str = ""
    first: Turn | None = None


def grouping(
    job: PlainView, workloads: Sequence[PlainView], groups: Sequence[PlainView], profile: Profile, *, has_pods: bool
) -> Grouping:
    """The group of a Job, given the Workloads and PodGroups that it controls already.

    Where there are several nobody can tell which one is meant. Where there are pods, or will be none, it is too late.
    """
    if not profile.enabled("WorkloadWithJob") or len(workloads) > 1 or len(groups) > 1:
        return Grouping()
    if groups:
        return Grouping(str(groups[0]["metadata"]["name"]))
    newest = profile.is_at_least("1.37")
    uid = job["metadata"].get("uid")
    ends = Ends(safe_hash([uid]), safe_hash([uid, "pgt-0"]))
    found = job_group(job, "every-job" if newest else "indexed-gangs", ends)
    if has_pods or is_going(job) or has_ended(job) or not isinstance(found, JobGroup):
        return Grouping()
    name = str(job["metadata"]["name"])
    if not workloads:
        told = Told("WorkloadCreated", words.group_created("Workload", found.workload["metadata"]["name"], name))
        return Grouping(first=Turn(make=(found.workload,), told=(told,)))
    made = _of_workload(found, workloads[0])
    text = words.group_created("PodGroup", made["metadata"]["name"], name)
    return Grouping(first=Turn(make=(made,), told=(Told("PodGroupCreated", text),) if newest else ()))


def _of_workload(found: JobGroup, workload: PlainView) -> PlainView:
    """The PodGroup for the first template of a Workload that is there, whoever named that."""
    meta = mapping(workload["metadata"])
    template = look_up(workload, ("spec", "podGroupTemplates", 0, "name"))
    by_job, by_workload = found.pod_group["metadata"]["ownerReferences"]
    owners = [by_job, {**by_workload, "name": meta["name"], "uid": meta["uid"]}]
    reference = {"workloadName": meta["name"], "templateName": template}
    metadata = {**found.pod_group["metadata"], "ownerReferences": owners}
    return {**found.pod_group, "metadata": metadata, "spec": {**found.pod_group["spec"], "workloadRef": reference}}
