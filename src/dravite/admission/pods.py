"""Pods as planning takes them: with a uid, a priority, and their problems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from dravite.admission.identities import with_uid
from dravite.admission.priorities import FORBIDDEN, Priorities, Refusal
from dravite.admission.problems import Subject, spoils
from dravite.api.core_v1 import Pod
from dravite.api.document import Problem
from dravite.api.meta import ObjectRef
from dravite.snapshot.manifests import Place, PlannedPod


class Candidate(msgspec.Struct, frozen=True):
    """A pod that may be planned, where it stands, and what is known to be wrong with it."""

    planned: PlannedPod
    subject: Subject
    problems: tuple[Problem, ...] = ()

    @property
    def ref(self) -> ObjectRef:
        """The identity of the pod; problems speak of the object that it was made from."""
        meta = self.planned.pod.metadata
        return ObjectRef("Pod", meta.namespace, meta.name)

    @property
    def place(self) -> Place:
        return Place(self.subject.document, self.subject.prefix)


def with_priority(candidate: Candidate, known: Priorities) -> Candidate:
    """The pod with its priority, or with the reason why admission refuses it."""
    planned = candidate.planned
    pod = known.resolve(planned.pod)
    if isinstance(pod, Refusal):
        problem = candidate.subject.problem("error", FORBIDDEN, pod.message, pod.field, pod.hint)
        return msgspec.structs.replace(candidate, problems=(*candidate.problems, problem))
    stored = with_uid(pod, "Pod")
    assert isinstance(stored, Pod)  # noqa: S101 (`replace` keeps the type)
    return msgspec.structs.replace(candidate, planned=msgspec.structs.replace(planned, pod=stored))


def good(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """Those that would not be refused."""
    return (one for one in candidates if not any(spoils(problem) for problem in one.problems))
