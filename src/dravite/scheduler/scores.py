"""How good each feasible node is for a pod: whole numbers, plugin by plugin, weighted and summed (F10.3).

Only nodes on which the pod fits are scored, and some scores are measured against the best of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias, TypeVar

import msgspec

from dravite.api.core_v1 import Container, Node, Pod
from dravite.scheduler.inter_pod import Neighbourhood, attraction
from dravite.scheduler.node_affinity import preference
from dravite.scheduler.spread_score import spread_scores, spread_wish
from dravite.scheduler.tolerations import DISCOURAGES, Comparisons, untolerated
from dravite.snapshot.node_state import NodePod, NodeState
from dravite.snapshot.requests import CPU, MEMORY

Balance = Literal["improvement", "outcome"]

K = TypeVar("K", bound=Hashable)

BEST: Final = 100

WEIGHTS: Final[Mapping[str, int]] = {
    "TaintToleration": 3,
    "NodeAffinity": 2,
    "NodeResourcesFit": 1,
    "PodTopologySpread": 2,
    "InterPodAffinity": 2,
    "DynamicResources": 2,
    "NodeResourcesBalancedAllocation": 1,
    "ImageLocality": 1,
}

_SMALLEST_IMAGE: Final = 23 * 1024 * 1024
_LARGEST_IMAGE: Final = 1000 * 1024 * 1024


class Points(msgspec.Struct, frozen=True):
    """What a node is given.

    Attributes:
        total: the sum of all points.
        plugins: the points of each plugin that had something to say of any node, weighted.
    """

    total: int
    plugins: Mapping[str, int] = {}


class NodeScores(msgspec.Struct, frozen=True):
    """The scores of nodes in columns, in the order of the nodes: thousands of them share few kinds of points."""

    nodes: tuple[str, ...] = ()
    points: tuple[Points, ...] = ()

    def __len__(self) -> int:
        return len(self.nodes)

    def items(self) -> Iterator[tuple[str, Points]]:
        """Each node with its points."""
        return zip(self.nodes, self.points, strict=True)


NO_SCORES: Final = NodeScores()
"""Where there was no choice."""


class OwnScores(msgspec.Struct, frozen=True):
    """What a node scores by itself, before it is measured against the others."""

    discouraging_taints: int
    preference: int
    least_allocated: int
    balanced_allocation: int
    images: int


class ScoreView(msgspec.Struct, frozen=True):
    """What scoring looks at besides the pod and its candidates.

    Attributes:
        states: all nodes; needed only where spreading scores.
        around: what running pods mean for the pod; None where no pod has a rule about others.
        nodes: how many nodes there are.
        image_spread: on how many nodes each image of a node lies, by name.
        comparisons: whether tolerations may compare numbers.
        balance: whether balance is judged by what the pod changes (observed on 1.36 and 1.37) or by the outcome.
        alternatives: what the chosen alternatives of the claims are worth on each node (SC-2); empty without such.
        known: the own scores of nodes for pods like this one, each with the state that it holds for.
    """

    states: Sequence[NodeState] = ()
    around: Neighbourhood | None = None
    nodes: int = 0
    image_spread: Mapping[str, int] = {}
    comparisons: Comparisons = "off"
    balance: Balance = "improvement"
    alternatives: Sequence[int] = ()
    known: dict[str, tuple[object, OwnScores]] = {}


_Kind: TypeAlias = tuple[OwnScores, int, int, int]
"""All that the points of a node depend on: what it scores by itself, spreading, neighbours, and alternatives."""


def score_nodes(pod: NodePod, states: Sequence[NodeState], view: ScoreView) -> NodeScores:
    """The scores of the nodes of these states."""
    names = [state.name for state in states]
    kept = map(view.known.get, names)
    own = [
        one[1] if one is not None and one[0] is state else _own_scores(pod, state, view)
        for state, one in zip(states, kept, strict=True)
    ]
    spread, neighbours = _spread(pod.pod, states, view), _neighbours(states, view)
    if spread or neighbours or view.alternatives:
        none = [0] * len(states)
        kinds = list(zip(own, spread or none, neighbours or none, view.alternatives or none, strict=True))
        points_of = _points({kind: kind for kind in kinds})
        return NodeScores(tuple(names), tuple([points_of[kind] for kind in kinds]))
    points_by = _points({one: (one, 0, 0, 0) for one in dict.fromkeys(own)})
    return NodeScores(tuple(names), tuple(map(points_by.__getitem__, own)))


def _points(kinds: Mapping[K, _Kind]) -> Mapping[K, Points]:
    """The points of every kind of node that there is."""
    own = [kind[0] for kind in kinds.values()]
    plugins = {
        "TaintToleration": _against_best([one.discouraging_taints for one in own], reverse=True),
        "NodeAffinity": _against_best([one.preference for one in own]),
        "NodeResourcesFit": [one.least_allocated for one in own],
        "PodTopologySpread": [spread for _, spread, _, _ in kinds.values()],
        "InterPodAffinity": [neighbours for _, _, neighbours, _ in kinds.values()],
        "DynamicResources": _against_best([alternatives for *_, alternatives in kinds.values()]),
        "NodeResourcesBalancedAllocation": [one.balanced_allocation for one in own],
        "ImageLocality": [one.images for one in own],
    }
    weighted = {name: [WEIGHTS[name] * score for score in scores] for name, scores in plugins.items() if any(scores)}
    found = [{name: scores[place] for name, scores in weighted.items()} for place in range(len(own))]
    return {key: Points(sum(one.values()), one) for key, one in zip(kinds, found, strict=True)}


def _own_scores(pod: NodePod, state: NodeState, view: ScoreView) -> OwnScores:
    found = OwnScores(
        discouraging_taints=_discouraging(pod.pod, state, view),
        preference=preference(pod.pod, state.name, state.labels),
        least_allocated=least_allocated(pod, state),
        balanced_allocation=balanced_allocation(pod, state, view.balance),
        images=_images(pod.pod, state, view),
    )
    view.known[state.name] = (state, found)
    return found


def least_allocated(pod: NodePod, state: NodeState) -> int:
    """The free share of cpu and memory with the pod there, averaged; containers without requests count (F10.6)."""
    shares = []
    for resource, used, wanted in (
        (CPU, state.scored_cpu, pod.request.sought_cpu),
        (MEMORY, state.scored_memory, pod.request.sought_memory),
    ):
        allocatable = state.allocatable.get(resource, 0)
        if allocatable > 0:
            shares.append(max(0, allocatable - used - wanted) * BEST // allocatable)
    return sum(shares) // len(shares) if shares else 0


def balanced_allocation(pod: NodePod, state: NodeState, balance: Balance = "improvement") -> int:
    """How evenly cpu and memory are used with the pod on the node; pods without requests do not care.

    Judged by `improvement` it is 75 where the pod changes nothing, more where it evens things out, less where it skews.
    """
    wanted = [pod.request.amounts.get(resource, 0) for resource in (CPU, MEMORY)]
    if not any(wanted):
        return 0
    after = _evenness(state, wanted)
    if balance == "outcome":
        return after
    return BEST // 2 + (BEST // 2 + after - _evenness(state, [0, 0])) // 2


def _evenness(state: NodeState, added: Sequence[int]) -> int:
    shares = []
    for resource, units in zip((CPU, MEMORY), added, strict=True):
        allocatable = state.allocatable.get(resource, 0)
        if allocatable > 0:
            shares.append(min(1.0, (state.requested.get(resource, 0) + units) / allocatable))
    deviation = abs((shares[0] - shares[1]) / 2) if len(shares) == 2 else 0.0
    return int((1 - deviation) * BEST)


def _discouraging(pod: Pod, state: NodeState, view: ScoreView) -> int:
    return len(untolerated(state.node.spec.taints, pod.spec.tolerations, DISCOURAGES, view.comparisons))


def _spread(pod: Pod, states: Sequence[NodeState], view: ScoreView) -> list[int]:
    """For each node; empty where the pod wishes nothing."""
    wish = spread_wish(pod)
    return [] if wish is None else list(spread_scores(wish, states, view.states))


def _neighbours(states: Sequence[NodeState], view: ScoreView) -> list[int]:
    """For each node; empty where nobody has a rule about others."""
    if view.around is None or not view.around.attraction:
        return []
    raw = [attraction(view.around, state) for state in states]
    least, most = min(raw), max(raw)
    return [int(BEST * ((value - least) / (most - least))) if most > least else 0 for value in raw]


def _images(pod: Pod, state: NodeState, view: ScoreView) -> int:
    """How much of the pod's images lies on the node already, scaled down for images that few nodes have."""
    images = {name: image.size_bytes for image in state.node.status.images for name in image.names}
    if not images:
        return 0
    containers = (*pod.spec.init_containers, *pod.spec.containers)
    found = sum(_image_worth(container, images, view) for container in containers)
    largest = _LARGEST_IMAGE * len(containers)
    return BEST * (min(max(found, _SMALLEST_IMAGE), largest) - _SMALLEST_IMAGE) // (largest - _SMALLEST_IMAGE)


def _image_worth(container: Container, images: Mapping[str, int], view: ScoreView) -> int:
    name = container.image
    if name.rfind(":") <= name.rfind("/"):
        name += ":latest"
    if name not in images:
        return 0
    return int(images[name] * (view.image_spread.get(name, 1) / view.nodes))


def image_spread(nodes: Iterable[Node]) -> Mapping[str, int]:
    """On how many nodes each image lies."""
    spread: dict[str, int] = {}
    for node in nodes:
        for name in {name for image in node.status.images for name in image.names}:
            spread[name] = spread.get(name, 0) + 1
    return spread


def _against_best(raw: Sequence[int], *, reverse: bool = False) -> list[int]:
    """Scaled so that the highest is 100; `reverse` turns it round, so that the highest is 0."""
    most = max(raw, default=0)
    if most == 0:
        return [BEST if reverse else 0] * len(raw)
    scaled = [BEST * value // most for value in raw]
    return [BEST - value for value in scaled] if reverse else scaled
