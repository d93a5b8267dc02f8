"""Nodes that could be let in, kept out or added, and gates before all nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from dravite.api.core_v1 import Toleration
from dravite.diagnosis.reasons import (
    DevicesShort,
    NodeRejection,
    NodeTainted,
    NodeUnschedulable,
)
from dravite.explain import notes as n
from dravite.explain.case import Case
from dravite.explain.diagnose import Diagnosis
from dravite.explain.explanation import NodeGroup
from dravite.explain.remedies import advice as a
from dravite.explain.remedies.proposals import Proposal, appended, edit_pod, notes_of, value
from dravite.scheduler.refusing_nodes import is_resolvable
from dravite.snapshot.changes import OF_CONDITIONS, AddNodes, Cordon, RemoveObject, copied_names

HOSTNAME: Final = "kubernetes.io/hostname"
CORDONED_TRIED: Final = 3
COPIES_TRIED: Final = 2


def tolerate_node_taints(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """A toleration of the pod for each taint that keeps nodes out; none for what says that a node is not well."""
    for group in found.evidence.groups:
        for taint in group.reasons:
            if isinstance(taint, NodeTainted) and not taint.key.startswith(OF_CONDITIONS):
                toleration = Toleration(
                    key=taint.key,
                    operator="Equal" if taint.value else "Exists",
                    value=taint.value,
                    effect=taint.effect,
                )
                advice = a.TolerateNodeTaint(case.ref, taint.key, taint.value, taint.effect)
                changes = edit_pod(case, "spec.tolerations", appended(toleration))
                yield Proposal(("taint", taint.key, taint.effect), advice, changes, nodes=group.nodes)


def uncordon(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """Let one of the nodes take pods again that are cordoned."""
    del case
    groups = (group for group in found.evidence.groups if any(isinstance(r, NodeUnschedulable) for r in group.reasons))
    for node in islice((node for group in groups for node in group.nodes), CORDONED_TRIED):
        yield Proposal(("uncordon",), a.UncordonNode(node), (Cordon(node, lifted=True),), nodes=(node,))


def add_a_node(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """Another node like one that lacks nothing but room, and room beside other pods."""
    groups = (group for group in found.evidence.groups if all(map(is_resolvable, group.reasons)) and group.reasons)
    yield from _copies(case, groups)


def add_a_node_with_devices(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """Another node like one whose devices would do if nobody had them, or that is cordoned or not well."""
    groups = found.evidence.groups
    yield from _copies(case, (group for group in groups if all(_is_of_the_moment(group, one) for one in group.reasons)))


def _copies(case: Case, groups: Iterable[NodeGroup]) -> Iterator[Proposal]:
    for node in islice((node for group in groups for node in group.nodes[:1]), COPIES_TRIED):
        copies = copied_names(node, 1, frozenset(case.snapshot.order))
        yield Proposal(("node",), a.AddNodes(node, 1), (AddNodes(node),), nodes=copies)


def _is_of_the_moment(group: NodeGroup, reason: NodeRejection) -> bool:
    """Whether a new node of the kind would not give the reason."""
    match reason:
        case NodeTainted(key=key):
            return key.startswith(OF_CONDITIONS)
        case DevicesShort():
            return group.devices is not None and not group.devices.lacking
        case _:
            return isinstance(reason, NodeUnschedulable) or is_resolvable(reason)


def lift_gates(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """The pod without its scheduling gates."""
    del found
    gates = tuple(gate.name for gate in case.spec.spec.scheduling_gates)
    if gates:
        changes = edit_pod(case, "spec.schedulingGates", value(()))
        yield Proposal(("gates",), a.LiftGates(case.ref, gates), changes)


def pin_to_node(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """Keep the pod on a node where the attempt does not meet its error."""
    for note in found.told.notes:
        if isinstance(note, n.ErrorEndsAttempt | n.ErrorIsNodeOnlySince):
            for node in note.would_do[:1]:
                hostname = case.snapshot.state(node).labels.get(HOSTNAME)
                if hostname is not None:
                    changes = edit_pod(case, f"spec.nodeSelector[{HOSTNAME}]", value(hostname))
                    yield Proposal(("pin",), a.PinToNode(case.ref, HOSTNAME, hostname), changes)


def replace_old_pods(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """Let a rollout end its old pods first."""
    del case
    for note in notes_of(found, n.RolloutSurges):
        changes = tuple(RemoveObject(pod) for pod in note.old_pods)
        yield Proposal(("rollout",), a.ReplaceOldPods(note.workload, note.old_pods), changes)
