"""Why no node will do: the reasons of all nodes, grouped, and what the devices of those that lack devices say.

Everything is asked anew: the stories of the nodes, the verdicts of the selectors, the minimal clash where each request
by itself would find enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from dravite.allocator.problem import Problem
from dravite.diagnosis.findings import NodeFinding, PoolFinding
from dravite.diagnosis.reasons import DevicesShort, PoolsInvalid
from dravite.explain.case import Case
from dravite.explain.devices.amounts import Amounts
from dravite.explain.devices.clashes import clash_on
from dravite.explain.devices.grouping import constraint_insights
from dravite.explain.devices.holders import InTheWay
from dravite.explain.devices.stories import Scene, scene_of, story
from dravite.explain.explanation import DeviceStory, NearestMiss, NodeGroup, RequestFinding
from dravite.explain.insights import AmountInsight, ConstraintInsight, Holding, NameInsight, SelectorInsight
from dravite.explain.selectors.published import Located
from dravite.explain.selectors.told import selectors_and_names
from dravite.explain.simplify import Groups, drop_implied, group_equal_nodes, nearest_first

CLASHES = 3
"""Groups of nodes for which a clash is worked out, nearest first."""


class Evidence(msgspec.Struct, frozen=True):
    """What the nodes say. `groups` are not folded yet; `lacking` are the devices of the nodes that lack devices."""

    groups: Groups = ()
    nearest: NearestMiss | None = None
    selectors: tuple[SelectorInsight, ...] = ()
    names: tuple[NameInsight, ...] = ()
    constraints: tuple[ConstraintInsight, ...] = ()
    amounts: tuple[AmountInsight, ...] = ()
    pools: tuple[PoolFinding, ...] = ()
    holdings: tuple[Holding, ...] = ()
    lacking: tuple[Located, ...] = ()


def evidence(case: Case, findings: Sequence[NodeFinding]) -> Evidence:
    """Everything that can be said about nodes that refused a pod."""
    scenes = _scenes(case, findings)
    entries = case.entries()
    stories = {node: story(scene, entries, case.resources()) for node, scene in scenes.items()}
    raw = tuple(_group(finding, stories.get(finding.node)) for finding in findings)
    groups = nearest_first(group_equal_nodes(raw))
    groups, constraints = _with_clashes(groups, scenes)
    groups = group_equal_nodes(drop_implied(groups))
    told = {_key(request) for group in groups if group.devices for request in group.devices.requests}
    lacking = _devices(scenes.values())
    problem = next((scene.problem for scene in scenes.values()), None)
    selectors, names = selectors_and_names(problem, entries, told, _told_findings(stories, told), lacking)
    amounts, holdings = _amounts_and_holdings(case, stories, told)
    return Evidence(
        groups=groups,
        nearest=_nearest(groups),
        selectors=selectors,
        names=names,
        constraints=constraints,
        amounts=amounts,
        pools=tuple(dict.fromkeys(pool for told_story in stories.values() for pool in told_story.pools)),
        holdings=holdings,
        lacking=lacking,
    )


def _scenes(case: Case, findings: Iterable[NodeFinding]) -> dict[str, Scene]:
    """The nodes that lack devices, in their order, each with what it was asked."""
    scenes: dict[str, Scene] = {}
    for finding in findings:
        if any(isinstance(reason, DevicesShort | PoolsInvalid) for reason in finding.reasons):
            state = case.snapshot.state(finding.node)
            problem = case.problem(state)
            scene = scene_of(problem, state.node) if isinstance(problem, Problem) else None
            if isinstance(scene, Scene):
                scenes[finding.node] = scene
    return scenes


def _group(finding: NodeFinding, told: DeviceStory | None) -> NodeGroup:
    seen = 0 if told is None else told.devices_seen
    return NodeGroup(nodes=(finding.node,), reasons=finding.reasons, devices=told, devices_seen=seen)


def _with_clashes(groups: Groups, scenes: dict[str, Scene]) -> tuple[Groups, tuple[ConstraintInsight, ...]]:
    """The groups with a clash where no request by itself misses devices; the first few only."""
    told: list[NodeGroup] = []
    constraints: list[ConstraintInsight] = []
    asked = 0
    for group in groups:
        if group.devices is not None and not group.devices.missing and asked < CLASHES:
            asked += 1
            scene = scenes[group.devices.node]
            core = clash_on(scene.problem, scene.node)
            if core is not None:
                constraints += [] if constraints else constraint_insights(scene, core.clash)
                devices = msgspec.structs.replace(group.devices, clash=core.clash)
                group = msgspec.structs.replace(group, devices=devices)
        told.append(group)
    return tuple(told), tuple(constraints)


def _nearest(groups: Groups) -> NearestMiss | None:
    first = next((group.devices for group in groups if group.devices is not None), None)
    if first is None:
        return None
    needed: dict[tuple[str, str], int] = {}
    for finding in first.requests:
        needed.setdefault((finding.entry, finding.request.partition("/")[0]), finding.needed or finding.seen)
    return NearestMiss(node=first.node, missing=first.missing, needed=sum(needed.values()))


def _devices(scenes: Iterable[Scene]) -> tuple[Located, ...]:
    """Every device once, with the first node that sees it."""
    found: dict[object, Located] = {}
    for scene in scenes:
        for device in scene.now.devices.devices:
            if device.id not in found:
                found[device.id] = Located(scene.now.devices.node, device)
    return tuple(found.values())


def _told_findings(stories: dict[str, DeviceStory], told: set[tuple[str, str]]) -> list[RequestFinding]:
    return [f for one in stories.values() for f in one.requests if _key(f) in told]


def _amounts_and_holdings(
    case: Case, stories: dict[str, DeviceStory], told: set[tuple[str, str]]
) -> tuple[tuple[AmountInsight, ...], tuple[Holding, ...]]:
    amounts = Amounts()
    holders = InTheWay(case.plan.start, case.snapshot)
    for node, one in stories.items():
        for finding in one.requests:
            if _key(finding) in told:
                rejections = [rejection for group in finding.refusals for rejection in group.rejections]
                amounts.add(finding.request, rejections)
                holders.add(node, rejections)
    return amounts.all(), holders.all()


def _key(finding: RequestFinding) -> tuple[str, str]:
    return (finding.entry, finding.request)
