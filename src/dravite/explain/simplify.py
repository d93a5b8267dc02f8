"""From one reason per node to as few as tell the same: named rewrites, applied in a fixed order.

Each rewrite takes the groups of an explanation and gives groups that say no less about why the pod is where it is;
the sizes of the groups add up to the same number of nodes before and after.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final, TypeAlias

import msgspec

from dravite.explain.explanation import DeviceStory, NodeGroup, RequestFinding
from dravite.explain.likeness import Likeness, of_finding, of_group

Groups: TypeAlias = tuple[NodeGroup, ...]
Rewrite: TypeAlias = Callable[[Groups], Groups]

NODES_LISTED: Final = 8


class Detail(Enum):
    """How much to tell: `FOLDED` lists the first nodes of a long group, `ALL` lists every node."""

    FOLDED = "folded"
    ALL = "all"


def group_equal_nodes(groups: Groups) -> Groups:
    """Nodes with equal reasons become one group, told by its first node; groups keep their order."""
    alike: dict[Likeness, list[NodeGroup]] = {}
    for group in groups:
        alike.setdefault(of_group(group), []).append(group)
    return tuple(_merged(members) for members in alike.values())


def _merged(groups: list[NodeGroup]) -> NodeGroup:
    if len(groups) == 1:
        return groups[0]
    return msgspec.structs.replace(
        groups[0],
        nodes=tuple(node for group in groups for node in group.nodes),
        devices_seen=sum(group.devices_seen for group in groups),
        folded=sum(group.folded for group in groups),
        same_amounts=all(group.same_amounts and group.reasons == groups[0].reasons for group in groups),
    )


def nearest_first(groups: Groups) -> Groups:
    """Nodes that lack devices come first, the fewest missing devices at the top; all others keep their order.

    Of nodes that miss as many, those come first that would miss fewer if nothing were in use, then those that have
    devices of the classes that are asked for, or pools that may hold some.
    """
    return tuple(sorted(groups, key=_distance))


def _distance(group: NodeGroup) -> tuple[bool, int, int, bool, bool, int]:
    story = group.devices
    if story is None:
        return (True, 0, 0, False, False, 0)
    some = bool(story.of_class or story.pools)
    return (False, story.missing, story.lacking, not some, bool(story.pools), -story.of_class)


def drop_implied(groups: Groups) -> Groups:
    """Where a request misses devices by itself, requests that miss none and the clash say nothing more."""
    return tuple(group if group.devices is None else _without_implied(group, group.devices) for group in groups)


def _without_implied(group: NodeGroup, story: DeviceStory) -> NodeGroup:
    short = _short_requests(story.requests)
    if not short:
        return group
    told = tuple(finding for finding in story.requests if _parent(finding) in short)
    return msgspec.structs.replace(group, devices=msgspec.structs.replace(story, requests=told, clash=None))


def _short_requests(findings: tuple[RequestFinding, ...]) -> frozenset[tuple[str, str]]:
    """Requests that miss devices whichever alternative is taken."""
    fewest: dict[tuple[str, str], int] = {}
    for finding in findings:
        parent = _parent(finding)
        fewest[parent] = min(fewest.get(parent, finding.missing), finding.missing)
    return frozenset(parent for parent, missing in fewest.items() if missing)


def _parent(finding: RequestFinding) -> tuple[str, str]:
    return (finding.entry, finding.request.partition("/")[0])


def group_equal_requests(groups: Groups) -> Groups:
    """Requests of one claim that find the very same are told as one; alternatives are told one by one."""
    return tuple(group if group.devices is None else _with_fewer_requests(group, group.devices) for group in groups)


def _with_fewer_requests(group: NodeGroup, story: DeviceStory) -> NodeGroup:
    alike: dict[Likeness, list[RequestFinding]] = {}
    for finding in story.requests:
        key = of_finding(finding) if "/" not in finding.request else (finding.entry, finding.request)
        alike.setdefault(key, []).append(finding)
    told = tuple(
        msgspec.structs.replace(first, also=(*first.also, *(one.request for one in others)))
        for first, *others in alike.values()
    )
    return msgspec.structs.replace(group, devices=msgspec.structs.replace(story, requests=told))


def fold_long_tail(groups: Groups) -> Groups:
    """A long list of nodes ends after the first few, with the number of the others."""
    return tuple(_folded(group) if len(group.nodes) > NODES_LISTED else group for group in groups)


def _folded(group: NodeGroup) -> NodeGroup:
    more = len(group.nodes) - NODES_LISTED
    return msgspec.structs.replace(group, nodes=group.nodes[:NODES_LISTED], folded=group.folded + more)


REWRITES: Final[tuple[Rewrite, ...]] = (
    group_equal_nodes,
    nearest_first,
    drop_implied,
    group_equal_requests,
    group_equal_nodes,
    fold_long_tail,
)
"""The order matters: what is dropped may make groups equal, and what is folded must be grouped before."""


def simplify(groups: Groups, detail: Detail = Detail.FOLDED) -> Groups:
    """All rewrites in their order; `ALL` leaves out the folding."""
    for rewrite in REWRITES:
        if detail is Detail.ALL and rewrite is fold_long_tail:
            continue
        groups = rewrite(groups)
    return groups
