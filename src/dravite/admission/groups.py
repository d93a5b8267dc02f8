"""What admission does to PodGroups: priority classes become numbers, and references to Workloads are checked in 1.36.

An object that came from a server was checked there, and keeps what it has.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

import msgspec

from dravite.admission.priorities import FORBIDDEN, PREEMPT, Priorities, Refusal, priorities
from dravite.admission.reading import Taken
from dravite.api.releases import Profile
from dravite.api.scheduling_v1 import PriorityClass
from dravite.api.scheduling_v1beta1 import CompositePodGroup, PodGroup, Workload
from dravite.snapshot.snapshot import Key, key_of

AnyGroup: TypeAlias = PodGroup | CompositePodGroup

_NOUNS: Final = {PodGroup: "pod group", CompositePodGroup: "composite pod group"}
_GATES: Final = {PodGroup: "GenericWorkload", CompositePodGroup: "CompositePodGroup"}


def with_groups(objects: tuple[Taken, ...], profile: Profile) -> tuple[Taken, ...]:
    """The objects, with every group as a server stores it or with the reason why it refuses it."""
    if not any(isinstance(taken.object, PodGroup | CompositePodGroup) for taken in objects):
        return objects
    known = priorities(taken.object for taken in objects if isinstance(taken.object, PriorityClass))
    workloads = {key_of(taken.object.metadata): taken.object for taken in objects if isinstance(taken.object, Workload)}
    return tuple(_admitted(taken, known, workloads, profile) for taken in objects)


def _admitted(taken: Taken, known: Priorities, workloads: Mapping[Key, Workload], profile: Profile) -> Taken:
    group = taken.object
    if not isinstance(group, PodGroup | CompositePodGroup):
        return taken
    answer: AnyGroup | Refusal = group
    if not group.metadata.uid:
        answer = _why_no_workload(group, workloads, profile) or answer
    if not isinstance(answer, Refusal) and _resolves(group, profile):
        answer = _resolved(group, known, profile)
    if isinstance(answer, Refusal):
        problem = taken.subject.problem("error", FORBIDDEN, answer.message, answer.field, answer.hint)
        return msgspec.structs.replace(taken, problems=(*taken.problems, problem))
    return msgspec.structs.replace(taken, object=answer)


def _resolves(group: AnyGroup, profile: Profile) -> bool:
    """Whether the server works out priorities of groups at all (5.4)."""
    stored = bool(group.metadata.uid) and group.spec.priority is not None
    return not stored and profile.enabled(_GATES[type(group)]) and profile.enabled("WorkloadAwarePreemption")


def _resolved(group: AnyGroup, known: Priorities, profile: Profile) -> AnyGroup | Refusal:
    spec, noun = group.spec, _NOUNS[type(group)]
    found = known.named(spec.priority_class_name)
    if isinstance(found, Refusal):
        return found
    value = found.value if found else 0
    if spec.priority is not None and spec.priority != value:
        message = (
            f"priority set in the {noun} ({spec.priority}) must match the priority computed ({value}) "
            "based on the priority class set in the spec"
        )
        return Refusal("spec.priority", message, "name a PriorityClass and leave the number out")
    name = found.metadata.name if found else ""
    if not profile.enabled("PodGroupPreemptionPolicy"):
        spec = msgspec.structs.replace(spec, priority=value, priority_class_name=name)
        return msgspec.structs.replace(group, spec=spec)
    policy = (found.preemption_policy if found else None) or PREEMPT
    if spec.preemption_policy is not None and spec.preemption_policy != policy:
        message = (
            f"the string value of PreemptionPolicy ({spec.preemption_policy}) must not be provided in {noun} spec; "
            f"priority admission controller computed {policy} from the given PriorityClass name"
        )
        return Refusal("spec.preemptionPolicy", message, f"say preemptionPolicy: {policy}, as the class does")
    spec = msgspec.structs.replace(spec, priority=value, priority_class_name=name, preemption_policy=policy)
    return msgspec.structs.replace(group, spec=spec)


def _why_no_workload(group: AnyGroup, workloads: Mapping[Key, Workload], profile: Profile) -> Refusal | None:
    """1.36 wants the Workload that a group refers to, and the template in it; newer releases do not look."""
    named = group.spec.workload_ref
    if profile.release != "1.36" or named is None or not profile.enabled("GenericWorkload"):
        return None
    workload = workloads.get((group.metadata.namespace, named.workload_name))
    field = "spec.podGroupTemplateRef.workload"
    if workload is None:
        message = f'PodGroup rejected: Workload "{named.workload_name}" not found'
        return Refusal(f"{field}.workloadName", message, "add the Workload to the input")
    if any(template.name == named.template_name for template in workload.spec.pod_group_templates):
        return None
    message = (
        f'PodGroup rejected: PodGroupTemplate "{named.template_name}" not found in Workload "{named.workload_name}"'
    )
    return Refusal(f"{field}.podGroupTemplateName", message)
