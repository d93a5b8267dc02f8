"""Which of the scored nodes is taken (F10.4).

kube-scheduler makes a binary heap of the nodes by score and takes its root. Nodes with the best score are equal to
it; which of them is the root follows from the order of the list, so the choice is fixed although it looks arbitrary.
"""

from __future__ import annotations

import zlib

from dravite.scheduler.scores import NodeScores


def choose(scores: NodeScores, seed: int = 0) -> int:
    """The place of the node at the root of the heap; the nodes stand in the order in which they were found.

    Parents sift down from the last to the first. A child moves up only if it is strictly better, and the left one wins
    over an equal right one. So a best node rises from the left wherever there is one, and stops for nobody worse.

    Any other seed than 0 takes some other of the nodes with the best score, always the same for the same seed.
    """
    totals = _totals(scores)
    most = max(totals)
    if seed:
        best = (place for place, total in enumerate(totals) if total == most)
        return min(best, key=lambda place: zlib.crc32(f"{seed}/{scores.nodes[place]}".encode()))
    place = 0
    while totals[place] != most:
        left = 2 * place + 1
        place = left if _is_under(totals, left, most) else left + 1
    return place


def tied(scores: NodeScores) -> tuple[str, ...]:
    """The nodes with the best score in their order, where there is more than one; else nothing."""
    totals = _totals(scores)
    most = max(totals)
    nodes = tuple([node for node, total in zip(scores.nodes, totals, strict=True) if total == most])
    return nodes if len(nodes) > 1 else ()


def _totals(scores: NodeScores) -> list[int]:
    return [points.total for points in scores.points]


def _is_under(totals: list[int], place: int, wanted: int) -> bool:
    """Whether a total stands at a place of the heap or below it: one stretch on each level."""
    first = last = place
    while first < len(totals):
        if wanted in totals[first : last + 1]:
            return True
        first, last = 2 * first + 1, 2 * last + 2
    return False
