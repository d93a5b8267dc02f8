"""What the alternatives find that a placed pod did not get, on the node where they find most."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from dravite.allocator.problem import Problem
from dravite.explain.case import Case
from dravite.explain.devices.stories import Scene, scene_of, story
from dravite.explain.explanation import MOMENTARY, DeviceStory, RequestFinding
from dravite.explain.notes import FellThrough, Note

MOST_NODES = 200
"""Nodes that are looked at for an alternative at most."""


def fallback_stories(case: Case, notes: tuple[Note, ...]) -> tuple[DeviceStory, ...]:
    """One story per alternative that was passed over: the node that comes closest to it."""
    passed = [name for note in notes if isinstance(note, FellThrough) for name in note.earlier]
    if not passed:
        return ()
    stories = tuple(_stories(case))
    found = (_closest(stories, name) for name in passed)
    return tuple(one for one in found if one is not None)


def _stories(case: Case) -> Iterator[DeviceStory]:
    for state in case.snapshot.states_in_order()[:MOST_NODES]:
        problem = case.problem(state)
        scene = scene_of(problem, state.node) if isinstance(problem, Problem) else None
        if isinstance(scene, Scene):
            yield story(scene, case.entries(), case.resources())


def _closest(stories: tuple[DeviceStory, ...], request: str) -> DeviceStory | None:
    best: tuple[int, DeviceStory, RequestFinding] | None = None
    for one in stories:
        for finding in one.requests:
            if finding.request == request and (best is None or _matching(finding) > best[0]):
                best = (_matching(finding), one, finding)
    if best is None:
        return None
    _, told, finding = best
    return msgspec.structs.replace(told, requests=(finding,))


def _matching(finding: RequestFinding) -> int:
    """Devices that are what the alternative wants, taken or free."""
    taken = sum(len(group.rejections) for group in finding.refusals if isinstance(group.reason, MOMENTARY))
    return finding.eligible + taken
