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
    over an equal right one. So the best node that comes to the top is the first on the way that looks at a place before
    it looks at the places below, and at those on the left before those on the right.

    Any other seed than 0 takes some other of the nodes with the best score, always the same for the same seed.
    """
    best = _best(scores)
    if seed:
        return min(best, key=lambda place: zlib.crc32(f"{seed}/{scores.nodes[place]}".encode()))
    return 0 if best[0] == 0 else min(best, key=_way)


def tied(scores: NodeScores) -> tuple[str, ...]:
    """The nodes with the best score in their order, where there is more than one; else nothing."""
    best = _best(scores)
    return tuple([scores.nodes[place] for place in best]) if len(best) > 1 else ()


def _best(scores: NodeScores) -> list[int]:
    """The places with the best score."""
    totals = [points.total for points in scores.points]
    most = max(totals)
    return [place for place, total in enumerate(totals) if total == most]


def _way(place: int) -> str:
    """The way from the root to a place, 0 for left and 1 for right: a shorter way comes before those that go on."""
    return f"{place + 1:b}"[1:]
