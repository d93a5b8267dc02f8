"""Claims that a quota does not let in: fewer devices, or a number in the place of all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from dravite.admission.quotas import MOST
from dravite.api.meta import ObjectRef
from dravite.api.resource_v1 import ExactDeviceRequest, ResourceClaimTemplate
from dravite.diagnosis.reasons import ConstraintID
from dravite.diagnosis.verdicts import Waiting
from dravite.explain.case import Case
from dravite.explain.diagnose import Diagnosis
from dravite.explain.remedies import advice as a
from dravite.explain.remedies.asking import NODES_ASKED, answers, changed
from dravite.explain.remedies.demands import counted
from dravite.explain.remedies.proposals import Proposal, edit_at, object_of
from dravite.scheduler.devices import DevicesFound
from dravite.snapshot.changes import Change


def ask_for_what_a_quota_allows(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """As many devices as a quota lets in and a node has; a quota counts `All` as the most that a claim can hold."""
    del found
    decision = case.decision.decision
    if not isinstance(decision, Waiting) or decision.reason != "claim-refused":
        return
    for place, asked in _requests(case):
        all_of = asked.allocation_mode == "All"
        possible = _most((MOST if all_of else asked.count) - 1, partial(_would_run, case, place))
        if possible and all_of:
            advice = a.CountInsteadOfAll(ConstraintID(place.object, f"{place.path}.allocationMode"), possible)
            yield Proposal(("count", place), advice, _edit(case, place, possible))
        elif possible:
            lower = a.LowerCount(ConstraintID(place.object, f"{place.path}.count"), asked.count, possible)
            yield Proposal(("count", place), lower, _edit(case, place, possible))


def _requests(case: Case) -> Iterator[tuple[ConstraintID, ExactDeviceRequest]]:
    """The requests in the templates that the pod names, and where they stand."""
    names = (entry.resource_claim_template_name for entry in case.spec.spec.resource_claims)
    for ref in (ObjectRef("ResourceClaimTemplate", case.ref.namespace, name) for name in dict.fromkeys(names) if name):
        template = object_of(case.snapshot, ref)
        requests = template.spec.spec.devices.requests if isinstance(template, ResourceClaimTemplate) else ()
        for i, request in enumerate(requests):
            if request.exactly is not None and not request.first_available:
                yield ConstraintID(ref, f"spec.spec.devices.requests[{i}].exactly"), request.exactly


def _edit(case: Case, place: ConstraintID, count: int) -> tuple[Change, ...]:
    return edit_at(case.snapshot, place, counted(count))


def _would_run(case: Case, place: ConstraintID, count: int) -> bool:
    """Whether the claim is let in then, and one of the first nodes would take the pod."""
    after = changed(case, _edit(case, place, count))
    nodes = case.snapshot.choices[:NODES_ASKED]
    return after.question is not None and any(isinstance(said, DevicesFound) for _, said in answers(after, nodes))


def _most(limit: int, works: Callable[[int], bool]) -> int:
    """The greatest number up to a limit that works, where all smaller ones work as well; 0 if none does."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if works(middle) else (low, middle - 1)
    return low
