"""The door of admission: documents → everything that planning needs, typed, checked, each object once.

Objects are taken one by one (`reading`), made unique (`identities`), checked (`validation`, and here what needs other
objects in sight), and sorted by kind. Every fault of every file ends up among the problems; nothing is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar

import msgspec

from dravite.admission.admin_access import UNCHECKED, labelling, why_no_admin_access
from dravite.admission.cross_checks import cross_check
from dravite.admission.groups import made_groups, with_groups
from dravite.admission.identities import each_once, named, with_uid
from dravite.admission.known import Known, once
from dravite.admission.notices import gate_notices, hidden, unknown_version, version_notices
from dravite.admission.pods import Candidate, good, with_priority
from dravite.admission.priorities import priorities
from dravite.admission.problems import in_order, spoils
from dravite.admission.promised import promised_template
from dravite.admission.quotas import raw_quota
from dravite.admission.reading import Taken, faults_of, take
from dravite.admission.runtime_classes import by_name, with_runtime_class
from dravite.admission.skipping import skips_scheduler
from dravite.admission.workload_pods import Made, Surroundings, as_workload, pods_of_workloads
from dravite.admission.workload_pods import Workload as WorkloadDocument
from dravite.api.core_v1 import Namespace, Node, Pod
from dravite.api.defaults import default
from dravite.api.document import Document, Problem
from dravite.api.field import FieldError
from dravite.api.meta import Model, ObjectRef
from dravite.api.node_v1 import RuntimeClass
from dravite.api.policy_v1 import PodDisruptionBudget
from dravite.api.registry import lookup
from dravite.api.releases import Profile
from dravite.api.resource_v1 import (
    DeviceClass,
    DeviceTaintRule,
    ResourceClaim,
    ResourceClaimTemplate,
    ResourceSlice,
)
from dravite.api.scheduling_v1 import PriorityClass
from dravite.api.scheduling_v1beta1 import CompositePodGroup, PodGroup, Workload
from dravite.snapshot.inferred_nodes import infer_nodes
from dravite.snapshot.manifests import Manifests, Place, PlannedPod
from dravite.validation import why_not_create
from dravite.workloads import BUILT_IN, PodTemplates

M = TypeVar("M", bound=Model)

DEFAULT_NAMESPACE: Final = "default"

_PodJudge: TypeAlias = Callable[[Pod], tuple[FieldError, ...]]


class _Sorted(msgspec.Struct):
    """Documents by what becomes of them. Filled once, inside `_sort`."""

    objects: list[Taken]
    workloads: list[WorkloadDocument]
    problems: list[Problem]
    unknown_kinds: dict[str, int]
    quotas: list[Mapping[str, Any]]
    promised: dict[ObjectRef, ObjectRef]


def admit(
    documents: Iterable[Document],
    profile: Profile,
    namespace: str = DEFAULT_NAMESPACE,
    pod_templates: PodTemplates = BUILT_IN,
    known: Known | None = None,
) -> Manifests:
    """All objects of the documents as planning takes them, and everything that is wrong with any of them.

    Args:
        documents: as `sources.read` gives them; later ones are applied after earlier ones.
        profile: the release and its gates.
        namespace: where namespaced objects without a namespace go.
        pod_templates: the kinds that stand for pods.
        known: what was worked out for some of the documents under this profile and namespace; more is added to it.
    """
    documents = tuple(documents)
    found = _sort(documents, once(known, partial(take, profile=profile, namespace=namespace)), namespace, pod_templates)
    check = once(known, partial(_checked, profile=profile))
    checked = _with_admin_access(tuple(map(check, named(found.objects))), profile)
    unique, repeated = each_once(with_groups(checked, profile))
    objects = _Objects(tuple(taken for taken in unique if not any(spoils(problem) for problem in taken.problems)))
    made = pods_of_workloads(found.workloads, objects.surroundings(profile, pod_templates))
    objects = objects.without(made.removed)
    candidates = _candidates(objects, made, once(known, partial(why_not_create, profile=profile)))
    problems = (
        *found.problems,
        *repeated,
        *(problem for taken in unique for problem in taken.problems),
        *made.problems,
        *(problem for candidate in candidates for problem in candidate.problems),
        *version_notices(unique, profile),
        *gate_notices(unique, profile),
        *cross_check(objects.taken),
        *_skipping(candidates, objects.of(ResourceClaim)),
    )
    files = [document.origin.file for document in documents]
    manifests = objects.manifests(tuple(good(candidates)), in_order(problems, files), found.unknown_kinds)
    groups = (*manifests.pod_groups, *made_groups(made.groups, manifests.priority_classes, profile))
    quotas = tuple(found.quotas)
    return msgspec.structs.replace(manifests, quotas=quotas, pod_groups=groups, promised=found.promised)


def _sort(
    documents: tuple[Document, ...],
    take_one: Callable[[Document], Taken | tuple[Problem, ...]],
    namespace: str,
    table: PodTemplates,
) -> _Sorted:
    found = _Sorted([], [], [], {}, [], {})
    for document in documents:
        if not document.body or not document.kind or not document.api_version:
            found.problems.extend(document.problems)
        elif lookup(document.api_version, document.kind) is not None:
            taken = take_one(document)
            if isinstance(taken, Taken):
                found.objects.append(taken)
            else:
                found.problems.extend(taken)
        elif (workload := as_workload(document, namespace, table)) is not None:
            found.workloads.append(workload)
        elif (quota := raw_quota(document, namespace)) is not None:
            found.quotas.append(quota)
            found.problems.extend(document.problems)
        else:
            _leave_aside(document, found, namespace)
    return found


def _leave_aside(document: Document, found: _Sorted, namespace: str) -> None:
    problem = unknown_version(document)
    found.problems.extend(document.problems)
    if problem is not None:
        found.problems.append(problem)
        return
    group = document.api_version.rpartition("/")[0]
    name = f"{document.kind}.{group}" if group else document.kind
    found.unknown_kinds[name] = found.unknown_kinds.get(name, 0) + 1
    promised = promised_template(document, namespace)
    if promised is not None:
        found.promised.setdefault(*promised)


def _checked(taken: Taken, profile: Profile) -> Taken:
    """The object with the faults that its kind's rules find. Pods are checked with those of workloads."""
    if isinstance(taken.object, Pod) or taken.document.stored:
        return taken
    problem = hidden(taken, profile)
    if problem is not None:
        return msgspec.structs.replace(taken, problems=(*taken.problems, problem))
    errors = faults_of(taken, profile)
    if not errors:
        return msgspec.structs.replace(taken, object=default(taken.object, profile))
    return msgspec.structs.replace(taken, problems=(*taken.problems, *taken.subject.errors(errors)))


def _with_admin_access(objects: tuple[Taken, ...], profile: Profile) -> tuple[Taken, ...]:
    namespaces = {
        taken.ref.name: taken.object.metadata.labels for taken in objects if isinstance(taken.object, Namespace)
    }
    return tuple(_admin_checked(taken, namespaces, profile) for taken in objects)


def _admin_checked(taken: Taken, namespaces: Mapping[str, Mapping[str, str]], profile: Profile) -> Taken:
    if not isinstance(taken.object, ResourceClaim | ResourceClaimTemplate):
        return taken
    answer = why_no_admin_access(taken.object, namespaces, profile)
    if answer is None:
        return taken
    if isinstance(answer, str):
        message = f"asks for admin access; whether namespace {answer} allows it cannot be told: it is not in the input"
        problems: tuple[Problem, ...] = (taken.subject.problem("info", UNCHECKED, message, "metadata.namespace"),)
    else:
        hint = labelling(taken.ref.namespace, namespaces[taken.ref.namespace], profile)
        problems = tuple(msgspec.structs.replace(one, hint=hint) for one in taken.subject.errors((answer,)))
    return msgspec.structs.replace(taken, problems=(*taken.problems, *problems))


class _Objects(msgspec.Struct, frozen=True):
    """The good objects, by kind."""

    taken: tuple[Taken, ...]

    def of(self, kind: type[M]) -> tuple[M, ...]:
        """All objects of a type, in input order, with uids."""
        return tuple(
            with_uid(taken.object, taken.info.kind)  # type: ignore[misc]
            for taken in self.taken
            if type(taken.object) is kind
        )

    def surroundings(self, profile: Profile, table: PodTemplates) -> Surroundings:
        """What workloads must know of the rest. Nodes that nobody gave are inferred, as planning does."""
        pods = self.of(Pod)
        nodes = self.of(Node) or infer_nodes(self.of(ResourceSlice), self.of(ResourceClaim), pods)
        return Surroundings(pods, nodes, self.of(PodGroup), profile, table)

    def without(self, pods: frozenset[ObjectRef]) -> _Objects:
        """The objects but for some pods, and the claims that are gone with them."""
        if not pods:
            return self
        return _Objects(tuple(taken for taken in self.taken if taken.ref not in pods and not _goes_with(taken, pods)))

    def manifests(
        self, pods: tuple[Candidate, ...], problems: tuple[Problem, ...], unknown_kinds: Mapping[str, int]
    ) -> Manifests:
        """Everything that planning takes."""
        places = {taken.ref: Place(taken.document) for taken in self.taken}
        places |= {pod.ref: pod.place for pod in pods}
        return Manifests(
            nodes=self.of(Node),
            slices=self.of(ResourceSlice),
            classes=self.of(DeviceClass),
            claims=self.of(ResourceClaim),
            templates=self.of(ResourceClaimTemplate),
            taint_rules=self.of(DeviceTaintRule),
            pods=tuple(pod.planned for pod in pods),
            priority_classes=self.of(PriorityClass),
            namespaces=self.of(Namespace),
            workloads=self.of(Workload),
            pod_groups=self.of(PodGroup),
            composite_pod_groups=self.of(CompositePodGroup),
            budgets=self.of(PodDisruptionBudget),
            origins={ref: place.document.origin for ref, place in places.items()},
            places=places,
            problems=problems,
            unknown_kinds=unknown_kinds,
        )


def _goes_with(taken: Taken, pods: frozenset[ObjectRef]) -> bool:
    """Whether an object is a claim that was made for one of the pods."""
    return isinstance(taken.object, ResourceClaim) and any(
        ObjectRef(owner.kind, taken.ref.namespace, owner.name) in pods
        for owner in taken.object.metadata.owner_references
        if owner.controller
    )


def _candidates(objects: _Objects, made: Made, judge: _PodJudge) -> tuple[Candidate, ...]:
    """Pods that were read, then those that workloads stand for, with their priorities and faults."""
    read = (
        Candidate(PlannedPod(taken.object, inferred=_is_named_by_us(taken.object)), taken.subject)
        for taken in objects.taken
        if isinstance(taken.object, Pod)
    )
    known, runtimes = priorities(objects.of(PriorityClass)), by_name(objects.of(RuntimeClass))
    checked = (_pod_checked(one, judge) for one in (*read, *made.candidates))
    return tuple(one if _is_stored(one) else with_priority(with_runtime_class(one, runtimes), known) for one in checked)


def _skipping(candidates: Iterable[Candidate], claims: Iterable[ResourceClaim]) -> Iterator[Problem]:
    """Pods that are to be planned and never pass the scheduler."""
    known = {(claim.metadata.namespace, claim.metadata.name): claim for claim in claims}

    def claim_of(namespace: str, name: str) -> ResourceClaim | None:
        return known.get((namespace, name))

    for one in candidates:
        if one.planned.pod.spec.node_name:
            yield from skips_scheduler(one.planned.pod, one.subject, partial(claim_of, one.ref.namespace))


def _is_named_by_us(pod: Pod) -> bool:
    """Whether a server would draw part of the name. One that has a uid has its name from a server."""
    return bool(pod.metadata.generate_name) and not pod.metadata.uid


def _is_stored(candidate: Candidate) -> bool:
    """Whether a server made the pod what it is; the template of one that is yet to be made may be stored too."""
    return candidate.subject.document.stored and candidate.planned.owner is None


def _pod_checked(candidate: Candidate, judge: _PodJudge) -> Candidate:
    if _is_stored(candidate) or any(spoils(problem) for problem in candidate.problems):
        return candidate
    errors = judge(candidate.planned.pod)
    problems = (*candidate.problems, *candidate.subject.errors(errors))
    return msgspec.structs.replace(candidate, problems=problems)
