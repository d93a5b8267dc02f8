"""When two reasons are the same: what a reason says once the device, its holders and its amounts are left out."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from dravite.diagnosis.findings import PoolFinding
from dravite.diagnosis.reasons import (
    AttributeMissing,
    CapacityMissing,
    CapacityShort,
    ClaimElsewhere,
    CountersExhausted,
    FeatureOff,
    NodeRejection,
    PolicyViolated,
    PoolsInvalid,
    Rejection,
    ResourceShort,
    SelectorFailed,
    SelectorFalse,
    TaintNotTolerated,
)
from dravite.explain.explanation import DeviceStory, NodeGroup, RequestFinding
from dravite.explain.insights import RefusalGroup

Likeness = tuple[Hashable, ...]


def of_rejection(rejection: Rejection) -> Likeness:
    """Equal for rejections that one line can tell."""
    name = type(rejection).__name__
    match rejection:
        case SelectorFalse(selector=selector):
            return (name, selector)
        case SelectorFailed(selector=selector):
            return (name, selector)
        case TaintNotTolerated(key=key, value=value, effect=effect, rule=rule):
            return (name, key, value, effect, rule)
        case CapacityShort(capacity=capacity, rounded=rounded):
            return (name, capacity, rounded)
        case CapacityMissing(capacity=capacity):
            return (name, capacity)
        case PolicyViolated(capacity=capacity, allowed=allowed):
            return (name, capacity, allowed)
        case CountersExhausted(counter=counter):
            return (name, counter)
        case AttributeMissing(constraint=constraint):
            return (name, constraint)
        case FeatureOff(feature=feature):
            return (name, feature)
        case _:
            return (name,)


def of_reason(reason: NodeRejection) -> Likeness:
    """Equal for node reasons that one line can tell: amounts, pools and the node's name left out."""
    match reason:
        case ResourceShort(resource=resource, requested=requested, resolvable=resolvable):
            return ("ResourceShort", resource, requested, resolvable)
        case PoolsInvalid():
            return ("PoolsInvalid",)
        case ClaimElsewhere(claim=claim):
            return ("ClaimElsewhere", claim)
        case _:
            return (type(reason).__name__, reason)


def of_group(group: NodeGroup) -> Likeness:
    """Equal for nodes that stand in one group."""
    reasons = tuple(of_reason(reason) for reason in group.reasons)
    return (reasons, None if group.devices is None else of_story(group.devices))


def of_story(story: DeviceStory) -> Likeness:
    """Equal for nodes on which the same numbers of devices are refused for the same reasons."""
    requests = tuple(_of_request(request) for request in story.requests)
    pools = tuple(_of_pool(pool) for pool in story.pools)
    return (story.devices_seen, story.hidden, requests, pools, story.clash)


def _of_request(finding: RequestFinding) -> Likeness:
    refusals = tuple((of_rejection(group.reason), len(group.rejections)) for group in finding.refusals)
    return (finding.demand, finding.also, finding.needed, finding.eligible, finding.seen, refusals)


def of_finding(finding: RequestFinding) -> Likeness:
    """Equal for requests of one claim that want as many of the same devices and are refused the same ones."""
    refusals = tuple((of_rejection(group.reason), group.devices) for group in finding.refusals)
    return (finding.entry, finding.needed, finding.eligible_devices, finding.eligible, finding.seen, refusals)


def _of_pool(pool: PoolFinding) -> Likeness:
    return (pool.driver, pool.state, pool.slices_seen, pool.slices_expected, pool.detail.partition(":")[0])


def group_refusals(rejections: Iterable[Rejection]) -> tuple[RefusalGroup, ...]:
    """Rejections of one request by likeness, most devices first, ties in the order of the devices."""
    groups: dict[Likeness, list[Rejection]] = {}
    for rejection in rejections:
        groups.setdefault(of_rejection(rejection), []).append(rejection)
    ordered = sorted(groups.values(), key=lambda alike: -len(alike))
    return tuple(RefusalGroup(rejections=tuple(alike)) for alike in ordered)
