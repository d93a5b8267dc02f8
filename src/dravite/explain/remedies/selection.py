"""The pod's node selection, written differently: labels that nodes have in the place of those that none has."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

from dravite.api.node_selector import NodeSelectorRequirement
from dravite.diagnosis.reasons import AffinityNotMatched, ConstraintID
from dravite.explain.case import Case
from dravite.explain.diagnose import Diagnosis
from dravite.explain.insights import UnmetLabel
from dravite.explain.nodes.labels import labels_of, near_labels, said
from dravite.explain.objects.editing import GONE
from dravite.explain.remedies import advice as a
from dravite.explain.remedies.proposals import Proposal, edit_pod, value

_LONE_EXPRESSION: Final = re.compile(r"(spec\.affinity\.nodeAffinity\.\w+)\.nodeSelectorTerms\[0\]\.match\w+\[0\]")


def replace_node_selection(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """The nearest value that nodes have, or the nearest label where none has the one that is asked for."""
    for unmet in found.told.unmet:
        if not unmet.near:
            continue
        requirement = NodeSelectorRequirement(key=unmet.key, operator=unmet.operator, values=unmet.values)
        path = unmet.asked_by.path if "matchExpressions" in unmet.asked_by.path else "spec.nodeSelector"
        for wanted, key, use in near_labels(requirement, labels_of(case.snapshot.nodes)):
            advice = a.ReplaceNodeSelection(unmet.asked_by, unmet.key, said(unmet.key, wanted), said(key, use))
            changes = edit_pod(case, path, _with_label(unmet, key, wanted, use))
            yield Proposal(("other label", unmet.asked_by), advice, changes, nodes=_kept_out(found))


def drop_node_selection(case: Case, found: Diagnosis) -> Iterator[Proposal]:
    """Leave out a label that keeps nodes out."""
    for unmet in found.told.unmet:
        changes = edit_pod(case, *_without(case, unmet.asked_by))
        advice = a.DropNodeSelection(unmet.asked_by, unmet.key)
        yield Proposal(("label", unmet.key), advice, changes, nodes=_kept_out(found))


def _kept_out(found: Diagnosis) -> tuple[str, ...]:
    groups = (g for g in found.evidence.groups if any(isinstance(reason, AffinityNotMatched) for reason in g.reasons))
    return tuple(node for group in groups for node in group.nodes)


def _without(case: Case, asked: ConstraintID) -> tuple[str, Callable[[Any], Any]]:
    """An affinity whose only term would be left empty goes as a whole: an empty term matches no node."""
    lone = _LONE_EXPRESSION.fullmatch(asked.path)
    affinity = case.spec.spec.affinity and case.spec.spec.affinity.node_affinity
    if lone and affinity and affinity.required is not None:
        (first, *others) = affinity.required.node_selector_terms
        if not others and len(first.match_expressions) == 1 and not first.match_fields:
            return lone[1], value(None)
    return asked.path, value(GONE)


def _with_label(unmet: UnmetLabel, key: str, wanted: str, use: str) -> Callable[[Any], Any]:
    """The edit of `nodeSelector`, or of one requirement of the affinity."""
    if "matchExpressions" not in unmet.asked_by.path:
        return lambda selector: {
            key if name == unmet.key else name: use if name == unmet.key else text for name, text in selector.items()
        }
    return lambda rule: msgspec.structs.replace(
        rule, key=key, values=tuple(use if text == wanted else text for text in rule.values)
    )
