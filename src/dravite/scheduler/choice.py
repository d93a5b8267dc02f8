"""Which of the scored nodes is taken (F10.4).

kube-scheduler makes a binary heap of the nodes by score and takes its root. Nodes with the best score are equal to
it; which of them is the root follows from the order of the list, so the choice is fixed although it looks arbitrary.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from dravite.scheduler.scores import NodeScore


def choose(scores: Sequence[NodeScore], seed: int = 0) -> NodeScore:
    """The root of the heap; `scores` must not be empty and stands in the order in which the nodes were found.

    Any other seed than 0 takes some other of the nodes with the best score, always the same for the same seed.
    """
    first = heap_of(scores)[0]
    if not seed:
        return first
    equal = (score for score in scores if score.total == first.total)
    return min(equal, key=lambda score: zlib.crc32(f"{seed}/{score.node}".encode()))


def tied(scores: Sequence[NodeScore]) -> tuple[str, ...]:
    """The nodes with the best score in their order, where there is more than one; else nothing."""
    best = max(score.total for score in scores)
    names = tuple(score.node for score in scores if score.total == best)
    return names if len(names) > 1 else ()


def heap_of(scores: Sequence[NodeScore]) -> list[NodeScore]:
    """The scores as a heap with the best on top: parents from the last to the first sift down.

    A child moves up only if it is strictly better, and the left child wins over an equal right one.
    """
    heap = list(scores)
    for parent in range(len(heap) // 2 - 1, -1, -1):
        _sift_down(heap, parent)
    return heap


def _sift_down(heap: list[NodeScore], place: int) -> None:
    while (child := 2 * place + 1) < len(heap):
        if child + 1 < len(heap) and heap[child + 1].total > heap[child].total:
            child += 1
        if heap[child].total <= heap[place].total:
            return
        heap[place], heap[child] = heap[child], heap[place]
        place = child
