"""The first line of an answer: good on its own, worth pasting into a chat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from dravite.api.meta import DeviceID, ObjectRef
from dravite.diagnosis import verdicts as v
from dravite.explain.explanation import DeviceStory, Explanation, NodeGroup, RequestFinding, is_of_other_class
from dravite.explain.insights import MissingName
from dravite.render import words
from dravite.render.report import State
from dravite.render.view.rejections import device_refusal, node_refusal, pool_fault
from dravite.render.view.sight import Sight, device, full, location, said

GROUPS_TOLD = 3


def state(decision: v.Decision) -> State:
    """The verdict's word."""
    match decision:
        case v.Scheduled():
            return "scheduled"
        case v.Unschedulable():
            return "unschedulable"
        case v.Aborted():
            return "aborted"
        case v.Waiting():
            return "waiting"
        case v.BudgetSpent():
            return "no-answer"
        case unreachable:
            assert_never(unreachable)


def headline(found: Explanation, sight: Sight) -> str:
    """The answer in one sentence."""
    who = full(found.decision.pod)
    if len(found.pods) > 1:
        who += f" and {words.count(len(found.pods) - 1, 'pod')} like it"
    many = len(found.pods) > 1
    match found.decision.decision:
        case v.Scheduled() as placed:
            lacking = [one.entry for one in found.decision.claims if one.allocation is None]
            if lacking:
                return words.stopped(f"{who} is bound to {placed.node} without devices for {words.listed(lacking)}")
            return words.stopped(f"{who} {'run' if many else 'runs'} on {placed.node}{_with(found)}")
        case v.Unschedulable() as no:
            return words.stopped(f"{who} cannot be scheduled: {cause(found, sight) or no.message}")
        case v.Aborted() as ended:
            return words.stopped(f"{who} cannot be scheduled: {ended_by(ended.error)}")
        case v.Waiting() as waits:
            return words.stopped(
                f"{who} {'wait' if many else 'waits'}, unseen by the scheduler: {waiting_for(waits, found, sight)}"
            )
        case v.BudgetSpent() as spent:
            steps = words.count(spent.steps, "step")
            return (
                f"No answer for {who} within the budget: the search for devices on {spent.node} was given up after"
                f" {steps}. There may be a place; --budget raises it."
            )
        case unreachable:
            assert_never(unreachable)


def _with(found: Explanation) -> str:
    decision = found.decision.decision
    home = decision.node if isinstance(decision, v.Scheduled) else None
    got = [
        device(DeviceID(one.driver, one.pool, one.device), home)
        for claim in found.decision.claims
        if claim.allocation is not None
        for one in claim.allocation.devices.results
    ]
    return f" with {words.folded(got, 8)}" if got else ""


def cause(found: Explanation, sight: Sight) -> str:
    """What stands in the way, told for the node that comes closest; empty where there is nothing typed to say."""
    if found.missing:
        return missing(found.missing[0], sight)
    if isinstance(found.decision.decision, v.Unschedulable) and found.decision.decision.held_back is not None:
        return held_back(found.decision.decision.held_back)
    if not found.groups:
        return ""
    group = found.groups[0]
    if group.devices is not None and (len(found.groups) == 1 or _is_near(group.devices)):
        text = _apart(found, group.devices) or short_of_devices(group.devices, group, found.nodes_total)
        others = found.nodes_total - group.size
        other = "the other node" if others == 1 else f"the other {others} nodes"
        return f"{text}; {other} will not do either" if others > 0 else text
    told = "; ".join(f"{nodes_of(group, 3)}: {in_short(group)}" for group in found.groups[:GROUPS_TOLD])
    rest = sum(group.size for group in found.groups[GROUPS_TOLD:])
    more = f"; {words.count(rest, 'more node')} for other reasons" if rest else ""
    if found.nodes_total == 1:
        return f"the only node does not take it: {told}"
    return f"none of {words.count(found.nodes_total, 'node')} takes it: {told}{more}"


def as_good(tied: Sequence[str], taken: str | None) -> str:
    """What depends on chance: the others among nodes or domains that were equally good; empty where none was."""
    others = [one for one in tied if one != taken]
    if not others:
        return ""
    verb = words.bent(len(others), "is")
    return f"{words.folded(others, 4)} {verb} as good: Kubernetes leaves it to chance, and --seed takes another."


def held_back(held: v.HeldBack) -> str:
    """`pod group ml/train does not fit as a whole, although n-1 would take it`."""
    noun = "composite pod group" if held.group.kind == "CompositePodGroup" else "pod group"
    text = f"{noun} {full(held.group)} does not fit as a whole"
    return f"{text}, although {held.node} would take it" if held.node else f"{text}, so it was not tried any more"


def _apart(found: Explanation, story: DeviceStory) -> str:
    """What one constraint wants and how much of it can be had, where it alone is in the way; else nothing."""
    if len(found.constraints) != 1 or story.clash is None or story.missing or story.node != found.constraints[0].node:
        return ""
    constraint = found.constraints[0]
    total = sum(number for _, number in constraint.needed)
    if constraint.largest >= total:
        return ""
    wanted = words.listed(
        f"{words.count(number, 'device')} of request {request}" for request, number in constraint.needed
    )
    value = "one value" if constraint.kind == "matchAttribute" else "different values"
    return (
        f"{constraint.kind} {constraint.attribute} wants {value} for {wanted}, and on {story.node} at most"
        f" {constraint.largest} of {total} hold together"
    )


def _is_near(story: DeviceStory) -> bool:
    """Whether a node has anything that one could ask for."""
    return bool(story.pools) or story.clash is not None or any(finding.of_class for finding in story.requests)


def nodes_of(group: NodeGroup, most: int | None) -> str:
    """`gpu-01 to gpu-08 and 4 more`: all nodes of a group, some of them by name."""
    return words.folded(group.nodes, most) + (f" and {group.folded} more" if group.folded else "")


def why_refused(group: NodeGroup, between: str) -> str:
    """The reasons of nodes without a story of devices; whose amounts they are, where those of others differ."""
    text = between.join(node_refusal(reason) for reason in group.reasons)
    return text if group.same_amounts else f"{text} ({group.nodes[0]})"


def in_short(group: NodeGroup) -> str:
    """Why these nodes will not do, in half a sentence."""
    story = group.devices
    if story is None:
        return why_refused(group, ", ")
    short = [asked_of(one) for one in story.requests if one.missing]
    return f"no devices for {words.listed(short)}" if short else "no devices for all requests together"


def short_of_devices(story: DeviceStory, group: NodeGroup, total: int) -> str:
    """`request vfs needs 2 devices and 1 of 3 on n-1 will do`, or whatever else is short there."""
    short = [finding for finding in story.requests if finding.missing]
    if story.pools and story.devices_seen == 0:
        pool = story.pools[0]
        return f"pool {pool.pool} of {pool.driver} is {pool_fault(pool)}"
    if short and (story.clash is None or story.missing):
        return request_short(_best_alternative(short), story, group, total)
    if story.clash is not None:
        return f"the devices of {story.node} can serve each demand alone, but not all of them together"
    return f"no devices for it on {nodes_of(group, 4)}"


def _best_alternative(short: Sequence[RequestFinding]) -> RequestFinding:
    """The first request that is short; of its alternatives, the one that would be nearest if nothing were in use."""
    first = short[0]
    parent = (first.entry, first.request.partition("/")[0])
    alternatives = [one for one in short if (one.entry, one.request.partition("/")[0]) == parent]
    return min(alternatives, key=lambda one: (one.lacking, one.missing))


def request_short(finding: RequestFinding, story: DeviceStory, group: NodeGroup, total: int) -> str:
    where = words.listed(group.nodes) if group.size <= 3 else f"each of {words.count(group.size, 'node')}"
    asked = asked_of(finding)
    if finding.needed is None:
        wants = f"{asked} asks for all devices"
        return f"{wants}, and {where} has none that match" if finding.eligible == 0 else f"{wants} of {where}"
    needs = f"{asked} needs {words.count(finding.needed, 'device')}"
    seen = finding.of_class
    if seen == 0:
        return f"{needs}, and {where} {words.bent(group.size if group.size <= 3 else 1, 'has')} none"
    if finding.eligible == 0 and seen == 1:
        return f"{needs}, and the only one on {where} will not do{_one_reason(finding)}"
    if finding.eligible == 0:
        return f"{needs}, and none of {seen} on {where} will do{_one_reason(finding)}"
    if finding.eligible == seen:
        return f"{needs}, and {where} {words.bent(group.size if group.size <= 3 else 1, 'has')} only {seen}"
    if group.size == 1 and total > 1:
        return f"{needs}, and {where} comes closest with {finding.eligible} of {seen}"
    return f"{needs}, and {finding.eligible} of {seen} on {where} will do"


def asked_of(finding: RequestFinding) -> str:
    """`request gpu of claim ml/two`; an extended resource is the pod's own, whose name was said before."""
    return finding.resource or f"request {finding.request} of {said(finding.claim)}"


def _one_reason(finding: RequestFinding) -> str:
    """What is wrong with all devices, where it is one and the same thing."""
    wrong = {
        device_refusal(one) for group in finding.refusals for one in group.rejections if not is_of_other_class(one)
    }
    return f" ({wrong.pop()})" if len(wrong) == 1 else ""


def missing(name: MissingName, sight: Sight) -> str:
    """`ResourceClaim backend-net does not exist in namespace apps`, and why not where its own text is to blame."""
    where = f" in namespace {name.missing.namespace}" if name.missing.namespace else ""
    refused = sight.refused.get(str(name.missing))
    more = f", since a server would refuse it ({location(refused.file, refused.line)})" if refused else ""
    if name.promised_by is not None:
        more = f" yet: it is made for {said(name.promised_by)}"
    return f"{name.missing.kind} {name.missing.name} does not exist{where}{more}"


def ended_by(error: v.AttemptError) -> str:
    """What ended an attempt: the device and the error's own first words."""
    on = f" on device {error.device}" if error.device else ""
    whose = f" of request {error.request}" if error.request else ""
    match error.kind:
        case "selector-runtime":
            return f"a selector{whose} cannot be evaluated{on}, and that ends the attempt"
        case "selector-compile":
            return f"a selector{whose} does not compile, and that ends the attempt"
        case "limit":
            return f"{_claim(error.claim)} asks for more devices than one claim may hold"
        case "all-pool":
            return f"a pool is being updated, and request {error.request} asks for all devices; that ends the attempt"
        case "reservation":
            fault = error.message.partition(" is invalid: ")[2] or error.message
            return f"{_claim(error.claim)} cannot be reserved for it: {fault}"
        case "extended-resource":
            return "its node serves its extended resources itself, and beside claims that ends the binding in an error"
        case "group":
            return f"its group cannot be scheduled: {error.message}"
        case _:
            return f"the attempt ends in an error{on}: {error.message}"


def _claim(claim: ObjectRef | None) -> str:
    return said(claim) if claim else "a claim"


def waiting_for(waits: v.Waiting, found: Explanation, sight: Sight) -> str:
    """What a pod waits for that never reaches the scheduler."""
    if found.missing:
        return missing(found.missing[0], sight)
    if waits.missing:
        return f"{waits.missing[0].missing} does not exist"
    texts = {
        "claim-refused": "admission refuses to create a claim for it",
        "claim-deleting": "a claim that it names is being deleted",
        "claim-not-owned": "a claim with the name of its generated claim belongs to somebody else",
        "scheduling-gate": "it has scheduling gates",
        "other-scheduler": "it is for another scheduler",
        "group-missing": "its pod group does not exist",
        "group-incomplete": "its pod group does not have enough members yet",
        "group-gated": "other pods of its group are not ready",
        "unknown-claim-source": "an entry of spec.resourceClaims names neither a claim nor a template",
    }
    text = texts.get(waits.reason, waits.reason)
    return f"{text} ({waits.detail})" if waits.detail else text
