"""Pods tied to the nodes on which all of them fit, as advice: kube-scheduler does not find that by itself."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from dravite.api.core_v1 import Affinity, NodeAffinity, Pod
from dravite.api.meta import ObjectRef
from dravite.api.node_selector import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from dravite.explain.groups.explanation import CreateInOrder, PlaceByHand
from dravite.explain.groups.other_ways import Found
from dravite.snapshot.changes import SetObject
from dravite.snapshot.pod_edits import unmake_claims
from dravite.snapshot.snapshot import Snapshot


def placed_by_hand(
    snapshot: Snapshot, found: Found
) -> Iterator[tuple[PlaceByHand | CreateInOrder, tuple[SetObject, ...]]]:
    """What was found as advice: pods tied to their nodes, and where that is not enough created in that order too.

    The order of pods that a workload makes is nobody's to choose.
    """
    nodes = tuple((ObjectRef("Pod", *key), node) for key, node in found.placed)
    if not nodes:
        return
    unmade = unmake_claims(snapshot)
    pods = [(unmade.pods[key], node) for key, node in found.placed]
    tied = [SetObject(_tied(planned.pod, node), planned.owner) for planned, node in pods]
    yield PlaceByHand(nodes), tuple(tied)
    if all(planned.owner is None for planned, _ in pods):
        made = (_created(_tied(planned.pod, node), turn) for turn, (planned, node) in enumerate(pods))
        yield CreateInOrder(nodes), tuple(map(SetObject, made))


def _created(pod: Pod, turn: int) -> Pod:
    """The pod as the one that was created so many seconds after the first, before all others."""
    stamp = f"1970-01-01T{turn // 3600:02}:{turn // 60 % 60:02}:{turn % 60:02}Z"
    return msgspec.structs.replace(pod, metadata=msgspec.structs.replace(pod.metadata, creation_timestamp=stamp))


def _tied(pod: Pod, node: str) -> Pod:
    """The pod with the node as the only one that it may go to."""
    rule = NodeSelectorRequirement(key="metadata.name", operator="In", values=(node,))
    affinity = pod.spec.affinity or Affinity()
    rules = affinity.node_affinity or NodeAffinity()
    terms = rules.required.node_selector_terms if rules.required is not None else (NodeSelectorTerm(),)
    tied = tuple(msgspec.structs.replace(term, match_fields=(*term.match_fields, rule)) for term in terms)
    rules = msgspec.structs.replace(rules, required=NodeSelector(node_selector_terms=tied))
    spec = msgspec.structs.replace(pod.spec, affinity=msgspec.structs.replace(affinity, node_affinity=rules))
    return msgspec.structs.replace(pod, spec=spec)
