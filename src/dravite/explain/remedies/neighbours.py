"""Rules of a pod about other pods: near some, away from others, spread among all. They are rules of its workload."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from dravite.api.core_v1 import PodAffinityTerm
from dravite.api.node_selector import NodeSelectorRequirement
from dravite.diagnosis.reasons import ConstraintID, PodAffinityViolated, SpreadViolated
from dravite.explain.case import Case
from dravite.explain.diagnose import Diagnosis
from dravite.explain.nodes.labels import labels_of, near_labels, said
from dravite.explain.objects.editing import GONE
from dravite.explain.remedies import advice as a
from dravite.explain.remedies.proposals import Proposal, edit_workload, value
from dravite.snapshot.manifests import PlannedPod


def mend_pod_rules(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """The nearest label that pods have, in an affinity that means none."""
    for path, term, nodes in _terms(case, found, "podAffinity"):
        labels = labels_of(planned.pod for planned in _pods_meant(case, term))
        for key, wanted in term.label_selector.match_labels.items() if term.label_selector is not None else ():
            rule = NodeSelectorRequirement(key=key, operator="In", values=(wanted,))
            for _, other, use in near_labels(rule, labels):
                place = ConstraintID(case.ref, f"{path}.labelSelector.matchLabels")
                advice = a.ReplacePodLabel(place, said(key, wanted), said(other, use))
                changes, replanned = edit_workload(case, place.path, _relabelled(key, other, use))
                yield Proposal(("pod label", place), advice, changes, replanned, nodes)


def relax_spread(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """Let a topology spread constraint be a wish."""
    for key, nodes in _by_topology(found, SpreadViolated):
        for i, constraint in enumerate(case.spec.spec.topology_spread_constraints):
            if (constraint.topology_key, constraint.when_unsatisfiable) == (key, "DoNotSchedule"):
                path = f"spec.topologySpreadConstraints[{i}].whenUnsatisfiable"
                advice = a.RelaxSpread(ConstraintID(case.ref, path), key)
                changes, replanned = edit_workload(case, path, value("ScheduleAnyway"))
                yield Proposal(("spread", path), advice, changes, replanned, nodes)


def drop_pod_rules(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """Leave out what the pod demands of its neighbours."""
    for field in ("podAffinity", "podAntiAffinity"):
        for path, term, nodes in _terms(case, found, field):
            advice = a.DropPodRule(ConstraintID(case.ref, path), term.topology_key)
            changes, replanned = edit_workload(case, path, value(GONE))
            yield Proposal(("rule", path), advice, changes, replanned, nodes)


def _terms(case: Case, found: Diagnosis, field: str) -> Iterator[tuple[str, PodAffinityTerm, tuple[str, ...]]]:
    """The required terms of the pod that may keep it out: where they stand, and the nodes that they keep it out of."""
    affinity = case.spec.spec.affinity
    near, apart = (affinity.pod_affinity, affinity.pod_anti_affinity) if affinity is not None else (None, None)
    rules = near if field == "podAffinity" else apart
    for key, nodes in _by_topology(found, PodAffinityViolated):
        for i, term in enumerate(rules.required if rules is not None else ()):
            if term.topology_key == key:
                yield f"spec.affinity.{field}.requiredDuringSchedulingIgnoredDuringExecution[{i}]", term, nodes


def _by_topology(
    found: Diagnosis, kind: type[SpreadViolated | PodAffinityViolated]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The keys of rules between pods that keep the pod out, each with the nodes that it keeps it out of."""
    nodes: dict[str, list[str]] = {}
    for group in found.evidence.groups:
        for reason in group.reasons:
            if isinstance(reason, kind):
                nodes.setdefault(reason.topology_key, []).extend(group.nodes)
    return ((key, tuple(names)) for key, names in nodes.items())


def _pods_meant(case: Case, term: PodAffinityTerm) -> Iterator[PlannedPod]:
    """The pods on nodes in the namespaces that a term names."""
    namespaces = term.namespaces or (case.ref.namespace,)
    for key, planned in case.snapshot.pods.items():
        if key[0] in namespaces and planned.pod.spec.node_name:
            yield planned


def _relabelled(key: str, other: str, use: str) -> Callable[[Any], Any]:
    return lambda labels: {
        other if name == key else name: use if name == key else text for name, text in labels.items()
    }
