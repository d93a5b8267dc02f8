"""Whether the pods of a gang would fit in any way at all: a search that goes back, within bounds.

kube-scheduler places one pod after the other and never goes back. Here every order of the pods and every node for each
of them is tried. Devices are still those that the allocator finds first on a node.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from dravite.api.core_v1 import Affinity, NodeAffinity, Pod
from dravite.api.meta import ObjectRef
from dravite.api.node_selector import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from dravite.explain.groups.explanation import CreateInOrder, OtherWays, PlaceByHand
from dravite.explain.groups.trials import STEPS, queue_of
from dravite.scheduler.binding import reserve
from dravite.scheduler.group_status import Told
from dravite.scheduler.memory import pod_shape
from dravite.scheduler.node_choice import Chosen, Limits, choose_node
from dravite.scheduler.placements import placements_of
from dravite.snapshot.changes import SetObject
from dravite.snapshot.groups import Group, placed_members
from dravite.snapshot.node_state import NodeState
from dravite.snapshot.snapshot import Key, Snapshot

MOST_QUESTIONS: Final = 20_000
"""How many nodes are asked before the search is given up."""


class Found(NamedTuple):
    """What the search came to: pods with their nodes in the order in which they have to be placed."""

    outcome: OtherWays
    placed: tuple[tuple[Key, str], ...] = ()


def search_other_ways(snapshot: Snapshot, root: Group) -> Found:
    """Nodes for as many pods as a PodGroup needs. Composite groups are not searched."""
    placements = placements_of(snapshot, root)
    if root.is_composite or isinstance(placements, Told):
        return Found("not-searched")
    needed = max(1, (root.minimum or 1) - len(placed_members(snapshot, root.key)))
    pods = queue_of(snapshot, root).get(root.key, ())
    if len(pods) < needed:
        return Found("none")
    search = _Search(snapshot, needed)
    for placement in placements:
        found = search.place(snapshot, placement.nodes, pods, ())
        if found is not None:
            return Found("found", found)
    return Found("none" if search.left > 0 else "given-up")


class _Search:
    """One search; alive only inside `search_other_ways`."""

    def __init__(self, start: Snapshot, needed: int) -> None:
        self.start = start
        self.needed = needed
        self.left = MOST_QUESTIONS

    def place(
        self, snapshot: Snapshot, nodes: Sequence[str], pods: Sequence[Key], placed: tuple[tuple[Key, str], ...]
    ) -> tuple[tuple[Key, str], ...] | None:
        """The pods with their nodes, or None."""
        if len(placed) == self.needed:
            return placed
        for pod in self._different_pods(pods):
            for node in self._different_nodes(snapshot, nodes, pod, placed):
                after = self._with_pod(snapshot, pod, node)
                if after is None:
                    continue
                rest = tuple(one for one in pods if one != pod)
                found = self.place(after, nodes, rest, (*placed, (pod, node)))
                if found is not None:
                    return found
        return None

    def _with_pod(self, snapshot: Snapshot, pod: Key, node: str) -> Snapshot | None:
        if self.left <= 0:
            return None
        self.left -= 1
        planned = snapshot.pods[pod]
        choice = choose_node(msgspec.structs.replace(snapshot, placement=(node,)), planned, Limits(budget=STEPS))
        return snapshot.assume(reserve(snapshot, planned.pod, choice)) if isinstance(choice, Chosen) else None

    def _different_pods(self, pods: Sequence[Key]) -> Iterator[Key]:
        """The pods, but of those that ask for the same only the first."""
        seen: set[Hashable] = set()
        for pod in pods:
            kind = self._kind_of_pod(pod)
            if kind not in seen:
                seen.add(kind)
                yield pod

    def _kind_of_pod(self, pod: Key) -> Hashable:
        spec = self.start.pods[pod].pod
        claims = (
            (one.name, one.resource_claim_name, one.resource_claim_template_name) for one in spec.spec.resource_claims
        )
        return (pod_shape(spec), tuple(sorted(spec.metadata.labels.items())), tuple(claims))

    def _different_nodes(
        self, snapshot: Snapshot, nodes: Sequence[str], pod: Key, placed: Sequence[tuple[Key, str]]
    ) -> Iterator[str]:
        """The nodes, but of those that are empty and alike only the first, and none that an equal pod has gone past."""
        start = 0
        if placed and self._kind_of_pod(placed[-1][0]) == self._kind_of_pod(pod):
            start = nodes.index(placed[-1][1])
        seen: set[tuple[object, ...]] = set()
        for name in nodes[start:]:
            kind = _kind_of_node(snapshot, snapshot.states[name])
            if kind is None or kind not in seen:
                if kind is not None:
                    seen.add(kind)
                yield name


def _kind_of_node(snapshot: Snapshot, state: NodeState) -> tuple[object, ...] | None:
    """What an empty node without devices is like; None for any other."""
    if state.pods or snapshot.inventory.index.candidates(state.node):
        return None
    labels = tuple(sorted((key, value) for key, value in state.labels.items() if value != state.name))
    return (tuple(sorted(state.allocatable.items())), labels, state.node.spec)


def placed_by_hand(
    snapshot: Snapshot, found: Found
) -> Iterator[tuple[PlaceByHand | CreateInOrder, tuple[SetObject, ...]]]:
    """What was found as advice: pods tied to their nodes, and where that is not enough created in that order too."""
    nodes = tuple((ObjectRef("Pod", *key), node) for key, node in found.placed)
    if not nodes:
        return
    tied = [_tied(snapshot.pods[key].pod, node) for key, node in found.placed]
    yield PlaceByHand(nodes), tuple(map(SetObject, tied))
    if all(snapshot.pods[key].owner is None for key, _ in found.placed):
        yield CreateInOrder(nodes), tuple(SetObject(_created(pod, turn)) for turn, pod in enumerate(tied))


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
