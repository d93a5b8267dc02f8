"""Kubernetes' own words: what kube-scheduler and the claim controller write, to the letter.

It turns typed reasons into the texts of conditions and events and decides nothing. Our own sentences are made
elsewhere; texts of the allocator and of CEL carry Kubernetes' words from birth. Source: observed on 1.37.2 and 1.36.5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from dravite.diagnosis.findings import NodeFinding
from dravite.diagnosis.reasons import (
    AffinityNotMatched,
    ClaimElsewhere,
    ClaimNotReady,
    DevicesShort,
    ExtendedClaimStale,
    MappedClaimTaken,
    NodeNameDiffers,
    NodeRejection,
    NodeTainted,
    NodeUnschedulable,
    NodeUnsuitable,
    PodAffinityViolated,
    PodLevelShort,
    PoolsInvalid,
    PortTaken,
    ResourceShort,
    SpreadViolated,
)

DeallocationRemark = Literal["none", "still-not-schedulable", "nothing-to-deallocate", "deallocated", "deleted"]

UNSCHEDULABLE: Final = "Unschedulable"
SCHEDULER_ERROR: Final = "SchedulerError"
SCHEDULING_GATED: Final = "SchedulingGated"
GATED_MESSAGE: Final = "Scheduling is blocked due to non-empty scheduling gates"
TIME_OF_ATTEMPT: Final = "the time of the attempt"
"""What stands for it where nobody knows it."""

NO_NODES: Final = "no nodes available to schedule pods"
FAILED_CLAIM_CREATION: Final = "FailedResourceClaimCreation"

NOT_HELPFUL: Final = "Preemption is not helpful for scheduling"
NO_VICTIMS: Final = "No preemption victims found for incoming pod"
NEVER_PREEMPTS: Final = "not eligible due to preemptionPolicy=Never."
STILL_TERMINATING: Final = "not eligible due to a terminating pod on the nominated node."
NAMES_CONFLICT: Final = "pod affinity terms conflict"
NO_CLAIM_STATE: Final = "not found"
MUST_BE_REALLOCATED: Final = "resourceclaim must be reallocated"
NEEDS_CLASSIC_GATE: Final = "resourceclaim depends on disabled DRAControlPlaneController feature"
WAITS_FOR_DRIVER: Final = "waiting for resource driver"
WAITS_FOR_INFORMATION: Final = "waiting for resource driver to provide information"
BINDING_TIMED_OUT: Final = "device binding timeout: context deadline exceeded"

GROUP_UNSCHEDULABLE: Final = "pod group is unschedulable"
NO_PLACEMENTS: Final = "no feasible placements found"
NO_GROUP_VICTIMS: Final = "No preemption victims found for incoming preemptor"
ONGOING_PREEMPTION: Final = "ongoing preemption on nominated nodes"
GROUP_CLAIMS_FREED: Final = "deallocation and deletion of ResourceClaims completed"
GROUP_PREEMPTS_AS_ONE: Final = "not eligible due to workload aware preemption enabled"
GROUP_IS_PLACED_AS_ONE: Final = "not eligible due to placement-based pod group scheduling limitation"
NO_PREEMPTION_IN_PLACEMENTS: Final = (
    "workload aware preemption is not supported for pod groups with scheduling constraints"
)
WAITS_FOR_PREEMPTION: Final = "pod group is waiting for preemption to complete"
WAITS_FOR_GANG: Final = (
    "waiting for minCount pods from a gang to be scheduled, "
    "one or more plugins asked to wait and no plugin rejected pod"
)
GANG_TIMED_OUT: Final = (
    "0/1 nodes are available: 1 rejected due to timeout after waiting 5m0s at plugin GangScheduling."
)
GROUP_CLAIM_DEALLOCATED: Final = "deallocation of PodGroup ResourceClaim completed"
GROUP_CLAIM_UNRESERVED: Final = "ResourceClaim unreserved for PodGroup"
NODE_EVICTION: Final = "TaintManagerEviction"
GROUP_CLAIMS_NOT_ASKED: Final = 'error in "DynamicResources" PodGroupPostFilter plugins: not found'

_RUNTIME_ERROR: Final = ": CEL runtime error: "
_ADVICE: Final = ". consider using CEL optional chaining"

_TEXTS: Final[dict[type[NodeRejection], str]] = {
    NodeUnschedulable: "node(s) were unschedulable",
    NodeNameDiffers: "node(s) didn't match the requested node name",
    NodeTainted: "node(s) had untolerated taint(s)",
    PortTaken: "node(s) didn't have free ports for the requested pod ports",
    ClaimElsewhere: "resourceclaim not available on the node",
    ClaimNotReady: "resourceclaim not available on the node",
    ExtendedClaimStale: "cannot schedule extended resource claim",
    PoolsInvalid: "invalid resource pools were encountered",
    DevicesShort: "cannot allocate all claims",
}
_AFFINITY_TEXTS: Final = {
    "affinity": "node(s) didn't match pod affinity rules",
    "anti-affinity": "node(s) didn't match pod anti-affinity rules",
    "existing-anti-affinity": "node(s) didn't satisfy existing pods anti-affinity rules",
}
_UNSUITABLE_TEXTS: Final = {
    "class": "excluded by device class node filter",
    "driver": "resourceclaim cannot be allocated for the node (unsuitable)",
}
_POD_LEVEL_TEXT: Final = "is insufficient to cover the aggregated container and node-allocatable DRA requests"
_MAPPED_TEXTS: Final = {
    "1.36": "is already used by another pod",
    "1.37": "has a mapped device and cannot be shared across pods",
}
_DEALLOCATION_TEXTS: Final[dict[DeallocationRemark, str]] = {
    "still-not-schedulable": "still not schedulable",
    "nothing-to-deallocate": "no new claims to deallocate",
    "deallocated": "deallocation of ResourceClaim completed",
    "deleted": "deletion of ResourceClaim completed",
}


def node_reason(reason: NodeRejection) -> str:
    """What kube-scheduler says of one node, without the count."""
    match reason:
        case AffinityNotMatched(prefiltered=True):
            return "node(s) didn't satisfy plugin(s) [NodeAffinity]"
        case AffinityNotMatched():
            return "node(s) didn't match Pod's node affinity/selector"
        case ResourceShort(resource="pods"):
            return "Too many pods"
        case ResourceShort(resource=resource):
            return f"Insufficient {resource}"
        case SpreadViolated(label_missing=missing):
            return "node(s) didn't match pod topology spread constraints" + (
                " (missing required label)" if missing else ""
            )
        case PodAffinityViolated(rule=rule):
            return _AFFINITY_TEXTS[rule]
        case NodeUnsuitable(by=by):
            return _UNSUITABLE_TEXTS[by]
        case MappedClaimTaken(claim=claim, told=told):
            return f"node allocatable resource claim {claim.name} {_MAPPED_TEXTS[told]}"
        case PodLevelShort(resource=resource):
            return f"pod level request for {resource} {_POD_LEVEL_TEXT}"
        case _:
            return _TEXTS[type(reason)]


def node_texts(finding: NodeFinding, release: str) -> tuple[str, ...]:
    """What is counted for one node: each text once, however many claims or resources stand behind it."""
    if release == "1.31":
        taint = next((reason for reason in finding.reasons if isinstance(reason, NodeTainted)), None)
        if taint is not None:
            return (f"node(s) had untolerated taint {{{taint.key}: {taint.value}}}",)
    return tuple(dict.fromkeys(node_reason(reason) for reason in finding.reasons))


def counted(nodes: int, texts: Mapping[str, int]) -> str:
    """`0/3 nodes are available: 1 Insufficient cpu, 2 …`: how many nodes say each text, sorted as text."""
    reasons = ", ".join(sorted(f"{count} {text}" for text, count in texts.items() if count))
    return _nodes_available(nodes) + (f" {reasons}." if reasons else "")


def held_back_on_its_node(text: str) -> str:
    """The text where the one node that was chosen has to wait for something (1.31)."""
    return counted(1, {text: 1})


def foreign_talk(uid: str, pod: str) -> str:
    """A PodSchedulingContext has the name of the pod `namespace/name`, and is not its own."""
    return f"PodSchedulingContext object with UID {uid} is not owned by Pod {pod}"


def refused_before_filters(nodes: int, text: str) -> str:
    """The text where a pod was refused before any node was looked at (PreFilter)."""
    return f"{_nodes_available(nodes)} {text}."


def after_filters(remark: DeallocationRemark, preemption: str) -> str:
    """What follows the counts: what became of the pod's claims, and of preemption."""
    parts = [_DEALLOCATION_TEXTS[remark]] if remark != "none" else []
    return ", ".join([*parts, f"preemption: {preemption}"])


def preempting(node: str, victims: int) -> str:
    """The preemption part where pods have to go."""
    return f"found a potential placement for pod on node {node}, preempting {victims} victims"


def minimum_out_of_reach(minimum: int, placed: int, remaining: int) -> str:
    """Even if all others found a place, a gang would be too small."""
    return f"minCount ({minimum}) cannot be satisfied: {placed} scheduled, {remaining} remaining"


def minimum_not_reached(minimum: int, placed: int, remaining: int) -> str:
    """A gang is still too small, and others may find a place."""
    return f"minCount ({minimum}) is not yet satisfied: {placed} scheduled, {remaining} remaining"


def no_placement(placements: int, first: str) -> str:
    """No placement takes the group; `first` is what one of them said."""
    return f"0/{placements} placements are available, first placement status: {first}"


def no_domain(found: tuple[str, ...]) -> str:
    """The members that run are in no common domain: one has none, or two differ (as `topology.domain_of` gives it)."""
    what = "no topology domain found for pod" if len(found) == 1 else "more than 1 domain found for pod group:"
    return f"cannot determine domain for already scheduled pods: {what} {', '.join(found)}"


def other_pod_failed(message: str) -> str:
    """An error of one pod ends the attempt of its group."""
    return f"failed to schedule other pod from a pod group: {message}"


def allocated_elsewhere(claim: str) -> str:
    """Two pods of a group had found devices for the claim `namespace/name`, and the other one was first."""
    return f"claim {claim} got allocated elsewhere in the meantime"


def child_failed(message: str) -> str:
    """An error of one group ends the attempt of the composite group above it."""
    return f"composite pod group evaluation failed due to child error: {message}"


def group_preemption(text: str) -> str:
    """What preemption for a group as a whole came to."""
    return f"pod group preemption: {text}"


def group_preemption_error(message: str) -> str:
    """Preemption for a group ended in an error."""
    return f'error in "DefaultPreemption" PodGroupPostFilter plugins: {message}'


def preempting_for_group(victims: int) -> str:
    """The preemption part where pods go for a group."""
    return f"found a placement for podgroup, preempting {victims} victims"


def filter_error(message: str) -> str:
    """The attempt ended in an error while a node was filtered."""
    return f'running "DynamicResources" filter plugin: {message}'


def selector_error_of_1_36(message: str, device: str) -> str:
    """A selector that fails on a device, as releases before 1.37 tell it: neither the device nor what would help."""
    place, _, fault = message.partition(_RUNTIME_ERROR)
    return f"{place.removesuffix(f' on device {device}')}{_RUNTIME_ERROR}{fault.partition(_ADVICE)[0]}"


def pre_filter_error(message: str) -> str:
    """The attempt ended in an error before any node was looked at."""
    return f'running PreFilter plugin "DynamicResources": {message}'


def binding_failed(claim: str, reason: str, message: str) -> str:
    """A device of the claim reports that it cannot be made ready."""
    return f'device binding failed: claim={claim}, reason={reason}, message="{message}"'


def claim_vanished(claim: str) -> str:
    """The claim `namespace/name` is gone while its devices are made ready."""
    return f'could not find ResourceClaim "{claim}"'


def nothing_mapped(pod: str) -> str:
    """No request of a claim stands behind the extended resources of the pod `namespace/name`."""
    return f"nil or empty request mappings, no update of pod {pod} ExtendedResourceClaimStatus"


def skipped(namespace: str, name: str) -> str:
    """A pod came up that is being deleted."""
    return f"skip schedule deleting pod: {namespace}/{name}"


def pre_bind_error(message: str) -> str:
    """The attempt ended in an error after a node was chosen."""
    return f'running PreBind plugin "DynamicResources": {message}'


def class_missing(request: str, device_class: str) -> str:
    """A class is not there; `request` is `gpu`, or `gpu/large` for an alternative."""
    return f"request {request}: device class {device_class} does not exist"


def alternatives_disabled(claim: str, request: str) -> str:
    """`firstAvailable` is used and the gate is off; `claim` is `namespace/name`."""
    return f"resource claim {claim}, request {request}: has subrequests, but the DRAPrioritizedList feature is disabled"


def unknown_request(claim: str, request: str) -> str:
    """A request of a kind that the scheduler does not know; `claim` is `namespace/name`."""
    return f"resource claim {claim}, request {request}: unknown request type"


def unsupported_request(request: str) -> str:
    """A request without a class."""
    return f"request {request}: unsupported request type"


def template_missing(entry: str, template: str, kind: str = "PodResourceClaim") -> str:
    """The claim controller's event on a pod or group whose template is not there (A2.8)."""
    return (
        f'{kind} {entry}: resource claim template "{template}": '
        f'resourceclaimtemplate.resource.k8s.io "{template}" not found'
    )


def claim_refused(entry: str, claim: str, refusal: str) -> str:
    """The claim controller's event on a pod whose claim admission refuses (A2.8)."""
    return (
        f"PodResourceClaim {entry}: create ResourceClaim : "
        f'resourceclaims.resource.k8s.io "{claim}" is forbidden: {refusal}'
    )


def _nodes_available(nodes: int) -> str:
    return f"0/{nodes} nodes are available:"
