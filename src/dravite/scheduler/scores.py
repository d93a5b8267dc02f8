"""How good each feasible node is for a pod: whole numbers, plugin by plugin, weighted and summed (F10.3).

Only nodes on which the pod fits are scored, and some scores are measured against the best of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import Final, Literal

import msgspec

from dravite.api.core_v1 import Container, Node, Pod
from dravite.scheduler.inter_pod import Neighbourhood, attraction
from dravite.scheduler.node_affinity import preference
from dravite.scheduler.spread_score import spread_scores, spread_wish
from dravite.scheduler.tolerations import DISCOURAGES, Comparisons, untolerated
from dravite.snapshot.node_state import NodePod, NodeState
from dravite.snapshot.requests import CPU, MEMORY

Balance = Literal["improvement", "outcome"]

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


class NodeScore(msgspec.Struct, frozen=True, gc=False):
    """The score of one node.

    Attributes:
        total: the sum of all points.
        names: the plugins that had something to say of any node.
        points: what each of them gives to this one, weighted.
    """

    node: str
    total: int
    names: tuple[str, ...] = ()
    points: tuple[int, ...] = ()

    @property
    def plugins(self) -> Mapping[str, int]:
        """The points by plugin."""
        return dict(zip(self.names, self.points, strict=True))


class Candidate(msgspec.Struct, frozen=True):
    """A feasible node; `alternatives` is what the chosen alternatives of the claims are worth there (SC-2)."""

    state: NodeState
    alternatives: int = 0


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
        known: the own scores of nodes for pods like this one, each with the state that it holds for.
    """

    states: Sequence[NodeState] = ()
    around: Neighbourhood | None = None
    nodes: int = 0
    image_spread: Mapping[str, int] = {}
    comparisons: Comparisons = "off"
    balance: Balance = "improvement"
    known: dict[str, tuple[object, OwnScores]] = {}


def score_nodes(pod: NodePod, candidates: Sequence[Candidate], view: ScoreView) -> tuple[NodeScore, ...]:
    """The scores of all candidates, in their order."""
    states = [candidate.state for candidate in candidates]
    own = [_own_scores(pod, state, view) for state in states]
    plugins = {
        "TaintToleration": _against_best([one.discouraging_taints for one in own], reverse=True),
        "NodeAffinity": _against_best([one.preference for one in own]),
        "NodeResourcesFit": [one.least_allocated for one in own],
        "PodTopologySpread": _spread(pod.pod, states, view),
        "InterPodAffinity": _neighbours(states, view),
        "DynamicResources": _against_best([candidate.alternatives for candidate in candidates]),
        "NodeResourcesBalancedAllocation": [one.balanced_allocation for one in own],
        "ImageLocality": [one.images for one in own],
    }
    weighted = {name: [WEIGHTS[name] * score for score in scores] for name, scores in plugins.items() if any(scores)}
    names = tuple(weighted)
    rows = zip(*weighted.values(), strict=True) if weighted else repeat(())
    return tuple([NodeScore(state.name, sum(row), names, row) for state, row in zip(states, rows)])  # noqa: B905


def _own_scores(pod: NodePod, state: NodeState, view: ScoreView) -> OwnScores:
    kept = view.known.get(state.name)
    if kept is not None and kept[0] is state:
        return kept[1]
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
        (CPU, state.scored_cpu, pod.request.scored_cpu),
        (MEMORY, state.scored_memory, pod.request.scored_memory),
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
    wish = spread_wish(pod)
    return [0] * len(states) if wish is None else list(spread_scores(wish, states, view.states))


def _neighbours(states: Sequence[NodeState], view: ScoreView) -> list[int]:
    if view.around is None or not view.around.attraction:
        return [0] * len(states)
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
