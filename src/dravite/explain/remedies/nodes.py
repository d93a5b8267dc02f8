"""Nodes that could be let in, or kept out, and devices that could be freed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from dravite.api.core_v1 import Toleration
from dravite.api.meta import ObjectRef
from dravite.diagnosis.reasons import ConstraintID, NodeTainted, NodeUnschedulable
from dravite.explain import notes as n
from dravite.explain.case import Case
from dravite.explain.diagnose import Diagnosis
from dravite.explain.insights import Holding
from dravite.explain.objects.editing import GONE, edited
from dravite.explain.remedies import advice as a
from dravite.explain.remedies.proposals import Proposal, appended, edit_at, notes_of, pod_of, value
from dravite.snapshot.changes import Cordon, RemoveObject, SetObject

HOSTNAME = "kubernetes.io/hostname"
HOLDERS_TRIED = 3
CORDONED_TRIED = 3


def tolerate_node_taints(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """A toleration of the pod for each taint that keeps nodes out."""
    for group in found.evidence.groups:
        for taint in group.reasons:
            if isinstance(taint, NodeTainted):
                toleration = Toleration(
                    key=taint.key,
                    operator="Equal" if taint.value else "Exists",
                    value=taint.value,
                    effect=taint.effect,
                )
                place = ConstraintID(case.ref, "spec.tolerations")
                advice = a.TolerateNodeTaint(case.ref, taint.key, taint.value, taint.effect)
                changes = edit_at(case.snapshot, place, appended(toleration))
                yield Proposal(("taint", taint.key, taint.effect), advice, changes)


def drop_node_selection(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """Leave out a label that keeps nodes out."""
    for unmet in found.told.unmet:
        changes = edit_at(case.snapshot, unmet.asked_by, value(GONE))
        yield Proposal(("label", unmet.key), a.DropNodeSelection(unmet.asked_by, unmet.key), changes)


def uncordon(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """Let one of the nodes take pods again that are cordoned."""
    del case
    groups = (group for group in found.evidence.groups if any(isinstance(r, NodeUnschedulable) for r in group.reasons))
    for node in islice((node for group in groups for node in group.nodes), CORDONED_TRIED):
        yield Proposal(("uncordon",), a.UncordonNode(node), (Cordon(node, lifted=True),))


def pin_to_node(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """Keep the pod on a node where the attempt does not meet its error."""
    for note in found.told.notes:
        if isinstance(note, n.ErrorEndsAttempt | n.ErrorIsNodeOnlySince):
            for node in note.would_do[:1]:
                hostname = case.snapshot.state(node).labels.get(HOSTNAME)
                if hostname is not None:
                    pod = edited(pod_of(case), f"spec.nodeSelector[{HOSTNAME}]", value(hostname))
                    yield Proposal(("pin",), a.PinToNode(case.ref, HOSTNAME, hostname), (SetObject(pod),))


def replace_old_pods(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """Let a rollout end its old pods first."""
    del case
    for note in notes_of(found, n.RolloutSurges):
        changes = tuple(RemoveObject(pod) for pod in note.old_pods)
        yield Proposal(("rollout",), a.ReplaceOldPods(note.workload, note.old_pods), changes)


def free_devices(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """End whoever holds devices in the way: one holder by itself, the nearest node's first, then all of that node's."""
    nearest = found.evidence.nearest
    others = [h for h in found.evidence.holdings if not _is_own(case, h)]
    holdings = sorted(others, key=lambda h: nearest is None or h.node != nearest.node)
    for holding in islice(_one_per_user(holdings), HOLDERS_TRIED):
        yield _freeing(case, [h for h in holdings if h.pods == holding.pods and h.claim == holding.claim])
    on_nearest = [h for h in holdings if nearest is not None and h.node == nearest.node]
    if len({(h.claim, h.pods) for h in on_nearest}) > 1:
        yield _freeing(case, on_nearest)


def _is_own(case: Case, holding: Holding) -> bool:
    return case.ref in holding.pods


def _one_per_user(holdings: list[Holding]) -> Iterator[Holding]:
    seen = set()
    for holding in holdings:
        if (holding.claim, holding.pods) not in seen and holding.claim is not None:
            seen.add((holding.claim, holding.pods))
            yield holding


def _freeing(case: Case, holdings: list[Holding]) -> Proposal:
    """End the pods; a claim that no pod uses is deleted."""
    del case
    pods = tuple(dict.fromkeys(pod for h in holdings for pod in h.pods))
    claims = tuple(dict.fromkeys(h.claim for h in holdings if h.claim is not None))
    idle = [h.claim for h in holdings if not h.pods and h.claim is not None]
    gone: tuple[ObjectRef, ...] = (*pods, *dict.fromkeys(idle))
    devices = tuple(dict.fromkeys(h.device for h in holdings))
    return Proposal(("free",), a.FreeDevices(pods, claims, devices), tuple(RemoveObject(one) for one in gone))
