"""Why one device, or one node, is refused: half a sentence each, to stand beside the names."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from dravite.diagnosis import reasons as no
from dravite.diagnosis.findings import PoolFinding
from dravite.explain.explanation import RequestFinding, is_of_other_class
from dravite.render import words
from dravite.render.view.sight import Sight, full, said, taint

_OfClaim: TypeAlias = (
    no.ClaimElsewhere | no.ClaimNotReady | no.ExtendedClaimStale | no.NodeUnsuitable | no.MappedClaimTaken
)


def device_refusal(reason: no.Rejection) -> str:
    """What is wrong with a device: `in use`, `memory: 8Gi left, 10Gi needed`."""
    match reason:
        case no.SelectorFalse():
            return _selector_false(reason)
        case no.InUse():
            return "in use" if reason.holder is None else f"in use by claim {full(reason.holder)}"
        case no.TaintNotTolerated():
            by = f" of DeviceTaintRule {reason.rule}" if reason.rule else ""
            return f"device taint {taint(reason.key, reason.value, reason.effect)}{by} is not tolerated by the request"
        case no.CapacityMissing():
            return f"without capacity {reason.capacity}"
        case no.CapacityShort():
            return _capacity_short(reason)
        case no.PolicyViolated():
            return f"{reason.capacity}: {reason.requested} asked, its request policy allows at most {reason.allowed}"
        case no.CountersExhausted():
            return _counters(reason)
        case no.GroupsIncompatible():
            return f"counter set {reason.counter_set} is used by devices of other compatibility groups"
        case no.SelectorFailed():
            return f"cannot be judged: {reason.error.partition(chr(10))[0]}"
        case no.AttributeMissing():
            return f"without attribute {reason.attribute}, which {kind_of_constraint(reason)} demands"
        case no.WrongNode():
            return "cannot be reached from the node"
        case no.FeatureOff():
            return f"{reason.feature} is needed, which is off in this release"
        case unreachable:
            assert_never(unreachable)


def kind_of_constraint(reason: no.AttributeMissing) -> str:
    return "distinctAttribute" if reason.constraint.path.endswith("distinctAttribute") else "matchAttribute"


def asked_by(finding: RequestFinding) -> str:
    """`request gpu`, `requests a and b`, or the extended resource that a request stands for."""
    if finding.resource:
        return finding.resource
    return f"{words.bent(1 + len(finding.also), 'request')} {words.listed((finding.request, *finding.also))}"


def refusal_place(reason: no.Rejection, sight: Sight) -> str:
    """Where the demand stands that refuses a device, for demands that have a place of their own."""
    asked = getattr(reason, "selector", None) or getattr(reason, "constraint", None)
    return sight.place(asked.object, asked.path) if isinstance(asked, no.ConstraintID) else ""


def _selector_false(reason: no.SelectorFalse) -> str:
    if is_of_other_class(reason):
        return f"not of class {reason.selector.object.name}"
    seen = ", ".join(_seen(one) for one in reason.seen)
    return f"the selector is false{f': {seen}' if seen else ''}"


def _seen(one: no.SeenValue) -> str:
    name = one.path.rpartition(".")[2]
    return f"no {name}" if one.value is None else f"{name} is {one.value}"


def _capacity_short(reason: no.CapacityShort) -> str:
    asked = f" ({reason.requested} asked)" if reason.requested not in (None, reason.rounded) else ""
    left = f"{reason.available} left of {reason.value}" if reason.available != reason.value else f"has {reason.value}"
    held = f", shared with {words.listed(said(one) for one in reason.holders)}" if reason.holders else ""
    return f"{reason.capacity}: {left}, {reason.rounded} needed{asked}{held}"


def _counters(reason: no.CountersExhausted) -> str:
    counter = f"counter {reason.counter} of {reason.counter_set}: {reason.needed} needed, {reason.available} left"
    if not reason.holders:
        return counter
    takers = words.listed(f"{one.device} ({full(claim)})" if claim else one.device for one, claim in reason.holders[:4])
    more = f" and {len(reason.holders) - 4} more" if len(reason.holders) > 4 else ""
    return f"{counter}, taken by {takers}{more}"


def node_refusal(reason: no.NodeRejection) -> str:
    """What is wrong with a node for this pod."""
    match reason:
        case no.NodeTainted():
            return f"node taint {taint(reason.key, reason.value, reason.effect)} is not tolerated by the pod"
        case no.NodeUnschedulable():
            return "cordoned (spec.unschedulable)"
        case no.NodeNameDiffers():
            return f"the pod is bound to {reason.wanted} (spec.nodeName)"
        case no.AffinityNotMatched():
            return "the pod's node selector or node affinity does not allow it"
        case no.ResourceShort():
            return _resource_short(reason)
        case no.PodLevelShort():
            return f"{reason.resource}: the pod as a whole requests less than its containers and claims take"
        case no.PortTaken():
            return f"host port {reason.port}/{reason.protocol} is taken"
        case no.SpreadViolated():
            why = "the node lacks the label" if reason.label_missing else "the skew would be too large"
            return f"topology spread over {reason.topology_key}: {why}"
        case no.PodAffinityViolated():
            return _pod_affinity(reason)
        case no.PoolsInvalid():
            return f"no devices, and invalid pools: {', '.join(f'{driver}/{pool}' for driver, pool in reason.pools)}"
        case no.DevicesShort():
            return "the claims find no devices here"
        case of_claim:
            return f"claim {full(of_claim.claim)}{_claim_refusal(of_claim)}"


def _claim_refusal(reason: _OfClaim) -> str:
    """What is wrong with a node because of a claim that the pod has; goes on after the claim's name."""
    match reason:
        case no.ClaimElsewhere():
            return " is allocated for other nodes" + (f" (on {reason.node})" if reason.node else "")
        case no.ClaimNotReady():
            return f": binding {reason.device} failed ({reason.reason})"
        case no.ExtendedClaimStale():
            return " for extended resources is left over from an earlier attempt"
        case no.NodeUnsuitable():
            return f": {'its device class' if reason.by == 'class' else 'its driver'} rules the node out"
        case no.MappedClaimTaken():
            return " stands for resources of its node, and another pod has it"
        case unreachable:
            assert_never(unreachable)


def _resource_short(reason: no.ResourceShort) -> str:
    if reason.allocatable == "0":
        return f"{reason.resource}: {reason.requested} requested, and the node offers none"
    return f"{reason.resource}: {reason.requested} requested, {reason.used} of {reason.allocatable} used"


def _pod_affinity(reason: no.PodAffinityViolated) -> str:
    match reason.rule:
        case "affinity":
            return f"no pod that the pod's affinity asks for is there ({reason.topology_key})"
        case "anti-affinity":
            return f"the pod's own anti-affinity refuses it ({reason.topology_key})"
        case _:
            return f"the anti-affinity of a pod that runs there refuses it ({reason.topology_key})"


def pool_fault(found: PoolFinding) -> str:
    """`incomplete: 1 of 2 slices of generation 3`, or what makes it invalid."""
    if found.state == "incomplete":
        slices = words.bent(found.slices_expected, "slice")
        return f"incomplete: {found.slices_seen} of {found.slices_expected} {slices} at generation {found.generation}"
    if found.state == "obsolete":
        return f"obsolete: generation {found.generation} is not the newest"
    kind, *names = found.detail.split(":")
    match kind, names:
        case "duplicate-device", [name]:
            return f"invalid: device {name} is listed twice"
        case "duplicate-counter-set", [name]:
            return f"invalid: counter set {name} is defined twice"
        case "unknown-counter-set", [name, counters]:
            return f"invalid: device {name} consumes from counter set {counters}, which no slice of the pool defines"
        case "unknown-counter", [name, counters, counter]:
            return f"invalid: device {name} consumes counter {counter} of {counters}, which the set does not have"
        case _:
            return f"invalid: {found.detail}" if found.detail else "invalid"
