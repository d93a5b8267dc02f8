"""What admission does to PodGroups: priority classes become numbers, and references to Workloads are checked in 1.36.

An object that came from a server was checked there, and keeps what it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from dravite.admission.identities import with_uid
from dravite.admission.priorities import FORBIDDEN, AnyGroup, Priorities, Refusal, priorities
from dravite.admission.reading import Taken
from dravite.api.releases import Profile
from dravite.api.scheduling_v1 import PriorityClass
from dravite.api.scheduling_v1beta1 import CompositePodGroup, PodGroup, Workload
from dravite.snapshot.snapshot import Key, key_of

_GATES: Final = {PodGroup: "GenericWorkload", CompositePodGroup: "CompositePodGroup"}


def with_groups(objects: tuple[Taken, ...], profile: Profile) -> tuple[Taken, ...]:
    """The objects, with every group as a server stores it or with the reason why it refuses it."""
    if not any(isinstance(taken.object, PodGroup | CompositePodGroup) for taken in objects):
        return objects
    known = priorities(taken.object for taken in objects if isinstance(taken.object, PriorityClass))
    workloads = {key_of(taken.object.metadata): taken.object for taken in objects if isinstance(taken.object, Workload)}
    return tuple(_admitted(taken, known, workloads, profile) for taken in objects)


def made_groups(groups: Iterable[PodGroup], classes: Iterable[PriorityClass], profile: Profile) -> Iterator[PodGroup]:
    """Groups that controllers make, as a server stores them. They name no priority class, so none is refused."""
    known = priorities(classes)
    for group in groups:
        found = known.resolve_group(group, profile) if _resolves(group, profile) else group
        stored = with_uid(found, "PodGroup") if isinstance(found, PodGroup) else group
        yield stored if isinstance(stored, PodGroup) else group


def _admitted(taken: Taken, known: Priorities, workloads: Mapping[Key, Workload], profile: Profile) -> Taken:
    group = taken.object
    if not isinstance(group, PodGroup | CompositePodGroup):
        return taken
    answer: AnyGroup | Refusal = group
    if not group.metadata.uid:
        answer = _why_no_workload(group, workloads, profile) or answer
    if not isinstance(answer, Refusal) and _resolves(group, profile):
        answer = known.resolve_group(group, profile)
    if isinstance(answer, Refusal):
        problem = taken.subject.problem("error", FORBIDDEN, answer.message, answer.field, answer.hint)
        return msgspec.structs.replace(taken, problems=(*taken.problems, problem))
    return msgspec.structs.replace(taken, object=answer)


def _resolves(group: PodGroup | CompositePodGroup, profile: Profile) -> bool:
    """Whether the server works out priorities of groups at all (5.4)."""
    stored = bool(group.metadata.uid) and group.spec.priority is not None
    return not stored and profile.enabled(_GATES[type(group)]) and profile.enabled("WorkloadAwarePreemption")


def _why_no_workload(
    group: PodGroup | CompositePodGroup, workloads: Mapping[Key, Workload], profile: Profile
) -> Refusal | None:
    """1.36 wants the Workload that a group refers to, and the template in it; newer releases do not look."""
    named = group.spec.workload_ref
    if profile.release != "1.36" or named is None or not profile.enabled("GenericWorkload"):
        return None
    from dravite.admission.plugins import missing_template

    workload = workloads.get((group.metadata.namespace, named.workload_name))
    return missing_template(named.workload_name, named.template_name, workload)
