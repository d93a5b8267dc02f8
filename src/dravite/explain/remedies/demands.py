"""Asking for less, or for something else: counts, tolerations and constraints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from dravite.allocator.demands import Constraint
from dravite.allocator.problem import Problem
from dravite.api.resource_v1 import DeviceConstraint, DeviceToleration
from dravite.diagnosis.reasons import AttributeMissing, ConstraintID, TaintNotTolerated
from dravite.explain import notes as n
from dravite.explain.case import Case
from dravite.explain.diagnose import Diagnosis
from dravite.explain.explanation import NodeGroup, RequestFinding
from dravite.explain.objects.editing import GONE
from dravite.explain.remedies import advice as a
from dravite.explain.remedies.proposals import Proposal, appended, edit_at, notes_of, value


def lower_counts(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """As many devices as the best node has; where a constraint is in the way, as many as hold together."""
    for group in found.evidence.groups:
        for request in _requests(group):
            asked = request.needed or 0
            possible = [request.eligible] if request.missing else []
            possible += [one.largest for one in found.evidence.constraints if group.devices and group.devices.clash]
            for count in possible:
                if 0 < count < asked:
                    changes = edit_at(case.snapshot, request.demand, value(count))
                    advice = a.LowerCount(request.demand, asked, count)
                    yield Proposal(("count", request.demand), advice, changes, nodes=group.nodes)


def count_instead_of_all(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """A number of devices in the place of `All`, where some of them can be had."""
    for group in found.evidence.groups:
        for request in _requests(group):
            if request.needed is None and request.missing and request.eligible:
                place = ConstraintID(request.demand.object, request.demand.path.rpartition(".")[0])
                changes = edit_at(case.snapshot, place, counted(request.eligible))
                advice = a.CountInsteadOfAll(request.demand, request.eligible)
                yield Proposal(("count", request.demand), advice, changes, nodes=group.nodes)


def counted(count: int) -> Callable[[Any], Any]:
    """An edit of a request (or alternative) from `All` to a number."""
    return lambda wanted: msgspec.structs.replace(wanted, allocation_mode="ExactCount", count=count)


def tolerate_device_taints(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """A toleration for each taint that keeps a request from devices."""
    for group in found.evidence.groups:
        for request in _requests(group):
            for refusal in request.refusals:
                taint = refusal.reason
                if isinstance(taint, TaintNotTolerated):
                    place = ConstraintID(request.demand.object, f"{request.demand.path.rpartition('.')[0]}.tolerations")
                    toleration = DeviceToleration(
                        key=taint.key,
                        operator="Equal" if taint.value else "Exists",
                        value=taint.value,
                        effect=taint.effect,
                    )
                    advice = a.TolerateDeviceTaint(place, taint.key, taint.value, taint.effect)
                    changes = edit_at(case.snapshot, place, appended(toleration))
                    yield Proposal(("taint", place, taint.key, taint.effect), advice, changes, nodes=group.nodes)


def rename_attributes(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """Another attribute in a constraint: one that the devices publish."""
    for name in found.evidence.names:
        if name.asked_by.path.endswith("Attribute"):
            wrong = f"{name.path.domain}/{name.path.name}"
            for near in name.near:
                right = f"{near.domain}/{near.name}"
                changes = edit_at(case.snapshot, name.asked_by, value(right))
                yield Proposal(("constraint", name.asked_by), a.RenameAttribute(name.asked_by, wrong, right), changes)


def drop_constraints(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """Leave out a constraint that is part of a clash, or that names an attribute which devices lack."""
    for constraint in _constraints_in_the_way(case, found):
        place = ConstraintID(constraint.id.object, constraint.id.path.rpartition(".")[0])
        advice = a.DropConstraint(constraint.id, constraint.attribute)
        yield Proposal(("drop", place), advice, edit_at(case.snapshot, place, value(GONE)))


def _constraints_in_the_way(case: Case, found: Diagnosis) -> tuple[Constraint, ...]:
    wanted: set[ConstraintID] = set()
    for group in found.evidence.groups:
        if group.devices is not None and group.devices.clash is not None:
            wanted.update(group.devices.clash.core)
        for request in _requests(group):
            reasons = (refusal.reason for refusal in request.refusals)
            wanted.update(reason.constraint for reason in reasons if isinstance(reason, AttributeMissing))
    node = next((g.devices.node for g in found.evidence.groups if g.devices is not None), None)
    problem = case.problem(case.snapshot.state(node)) if node is not None else None
    claims = problem.claims if isinstance(problem, Problem) else ()
    return tuple(one for claim in claims for one in claim.constraints if one.id in wanted)


def match_attributes(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """Ask for one value of an attribute that differs among the devices of a claim."""
    for note in notes_of(found, n.AttributeDiffers):
        prefix = "spec.spec" if note.claim.kind == "ResourceClaimTemplate" else "spec"
        place = ConstraintID(note.claim, f"{prefix}.devices.constraints")
        changes = edit_at(case.snapshot, place, appended(DeviceConstraint(match_attribute=note.attribute)))
        yield Proposal(("match", note.attribute), a.MatchAttribute(note.claim, note.attribute, ""), changes)


def set_effects(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """Name the effect in a toleration that eviction does not count."""
    for note in notes_of(found, n.ToleratedButEvicted):
        place = ConstraintID(note.toleration.object, f"{note.toleration.path}.effect")
        changes = edit_at(case.snapshot, place, value("NoExecute"))
        yield Proposal(("effect", place), a.SetTolerationEffect(note.toleration, "NoExecute"), changes)


def _requests(group: NodeGroup) -> tuple[RequestFinding, ...]:
    return group.devices.requests if group.devices is not None else ()
