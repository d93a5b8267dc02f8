"""Notes: what people get wrong about the objects at hand, one sentence or two each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from dravite.explain import notes as n
from dravite.render import words
from dravite.render.view.sight import devices, full, said, taint


def note(value: n.Note) -> str:
    """The sentence of a note."""
    return _SENTENCES[type(value)](value)


def sentences(values: Iterable[n.Note]) -> tuple[str, ...]:
    """The notes in their order, those about claims of one template said once."""
    told: dict[object, list[n.Note]] = {}
    for value in values:
        told.setdefault(value.template if isinstance(value, n.ClaimEach) else value, []).append(value)
    return tuple(words.sentence(_one(values)) for values in told.values())


def _one(values: Sequence[n.Note]) -> str:
    each = [value for value in values if isinstance(value, n.ClaimEach)]
    return claim_each(each) if each else note(values[0])


def _error_ends(value: n.ErrorEndsAttempt) -> str:
    text = "an error ends the attempt on every node"
    if value.device:
        text = "an error on one device ends the attempt on every node; it is not a mismatch of that device alone"
    if value.would_do:
        text += f". {words.folded(value.would_do, 6)} could run the pod, and it is not placed all the same"
    return text


def _error_since(value: n.ErrorIsNodeOnlySince) -> str:
    nodes = words.folded(value.nodes, 6)
    text = f"up to this release the error ends the whole attempt; from {value.release} on it rules out only {nodes}"
    if value.would_do:
        text += f", and the pod would run on {words.folded(value.would_do, 6)}"
    return text


def _claim_each(value: n.ClaimEach) -> str:
    return claim_each((value,))


def claim_each(values: Sequence[n.ClaimEach]) -> str:
    """One note for all the pods that have claims of one template."""
    pods = words.listed(full(value.pod) for value in values)
    many = [one for value in values for one in value.devices]
    has, its = words.bent(len(values), "has"), "its" if len(values) == 1 else "their"
    claims = f"{its} own {words.bent(len(values), 'claim')} from template {values[0].template.name}"
    return (
        f"a template makes one claim per pod: {words.bent(len(values), 'pod')} {pods} {has} {devices(many)} through"
        f" {claims}, and this pod would need a claim (and devices) of its own"
    )


def _opaque(value: n.OpaqueConfig) -> str:
    return (
        f"the configuration for {value.driver} in {said(value.claim)} ({value.field}) is opaque to the scheduler: it"
        " acts among the users of one claim and cannot make a device serve two claims"
    )


def _not_shareable(value: n.NotShareable) -> str:
    is_are, it = words.bent(len(value.devices), "is"), words.bent(len(value.devices), "it")
    device = words.bent(len(value.devices), "device")
    goes = "goes" if len(value.devices) == 1 else "each go"
    text = (
        f"{device} {devices(value.devices)} {is_are} published without allowMultipleAllocations"
        f" (ResourceSlice {value.slice}), so {it} {goes} to one claim as a whole"
    )
    if value.capacity_asked:
        text += "; the capacity in the request only checks that a device is big enough, and nothing of it is shared"
    return text


def _claim_limit(value: n.ClaimLimit) -> str:
    return (
        f"one claim holds at most {value.limit} devices, and {said(value.claim)} asks for {value.asked}."
        f" {value.free} matching {words.bent(value.free, 'device')} {words.bent(value.free, 'is')} free on one node,"
        " so more hardware does not help"
    )


def _one_device(value: n.OneDevicePerAmount) -> str:
    return (
        f"an amount of {value.capacity} comes from one device: the largest has {value.largest} left; the"
        f" {value.total} that all of them have together {words.bent(1, 'is')} no use to one request"
    )


def _takes_whole(value: n.TakesWholeDevice) -> str:
    names = words.listed(value.capacities)
    return (
        f"request {value.request} of {said(value.claim)} says no amount of {names}, so it takes all that the device has"
        " of it, although the device is there for several claims (allowMultipleAllocations); an amount under"
        " capacity.requests leaves the rest to others"
    )


def _all_reachable(value: n.AllTakesReachable) -> str:
    text = (
        f"request {value.request} asks for All, which means every matching device that {value.node} reaches:"
        f" {words.count(value.taken, 'device')} of pool {words.listed(value.pools)}"
    )
    if value.elsewhere:
        text += f"; the other {words.count(value.elsewhere, 'matching device')} belong to pools that it does not reach"
    return text


def _all_every(value: n.AllNeedsEvery) -> str:
    return f"request {value.request} asks for All: at least one matching device must exist, and none may be in use"


def _one_allocation(value: n.ClaimIsOneAllocation) -> str:
    text = f"one claim is one allocation: {said(value.claim)}"
    text += f" has {devices(value.devices, value.node)}" if value.devices else " is allocated"
    if value.node:
        text += f" on {value.node} and can only be used there"
    if value.pods:
        text += f"; {words.listed(said(one) for one in value.pods)} {words.bent(len(value.pods), 'has')} it reserved"
    return text + ". Free devices of other nodes are no part of it"


def _never_preempted(value: n.NeverPreempted) -> str:
    holders = words.listed(f"{full(pod)} (priority {priority})" for pod, priority in value.holders)
    return (
        f"the scheduler does not preempt pods for their devices, so priority {value.priority} does not help against"
        f" {holders}: such a refusal counts as one that preemption cannot resolve"
    )


def _node_taint(value: n.NodeTaintIsNotDeviceTaint) -> str:
    return (
        f"tolerations in a claim are about device taints; {taint(value.key, value.value, value.effect)} is a taint of"
        f" node {words.folded(value.nodes, 6)} and needs a toleration in the pod's spec.tolerations"
    )


def _device_taint(value: n.DeviceTaintIsNotNodeTaint) -> str:
    return (
        f"tolerations of a pod are about node taints; {taint(value.key, value.value, value.effect)} is a taint of"
        f" {words.bent(len(value.devices), 'device')} {devices(value.devices)} and needs a toleration in the request of"
        " the claim"
    )


def _publish_nothing(value: n.NodesPublishNothing) -> str:
    whose = f" of {words.listed(value.drivers, 'or')}" if value.drivers else ""
    text = f"no ResourceSlice{whose} exists for {words.folded(value.nodes, 8)}"
    if value.empty:
        text = f"no ResourceSlice{whose} lists a device for {words.folded(value.nodes, 8)}"
        text += f"; for {words.folded(value.empty, 8)} there is one that is empty, so the driver runs and finds nothing"
    if value.publishing:
        there = words.listed(f"{node} ({words.count(number, 'device')})" for node, number in value.publishing[:6])
        text += f", while there are slices for {there}"
    if value.labels:
        labels = words.bent(len(value.labels), "label")
        text += f". Nodes that publish carry the {labels} {words.listed(value.labels)}, which the others lack"
    if value.unknown:
        nodes, are = words.bent(len(value.unknown), "node"), words.bent(len(value.unknown), "is")
        text += f". There are slices for {nodes} {words.folded(value.unknown, 6)}, which {are} not there"
    if value.selecting:
        slices = words.bent(len(value.selecting), "ResourceSlice")
        text += f". No node fits the node selector of {slices} {words.folded(value.selecting, 6)}"
    return text


def _no_driver(value: n.NoSuchDriver) -> str:
    text = f"no ResourceSlice of driver {value.driver} exists either, so the object alone would not help"
    return text + (f"; devices are published by {words.listed(value.drivers)}" if value.drivers else "")


def _surges(value: n.RolloutSurges) -> str:
    has = words.bent(len(value.old_pods), "has")
    return (
        f"a RollingUpdate of {said(value.workload)} starts new pods before it ends old ones (maxSurge), so it needs"
        f" devices for both for a moment; {words.listed(full(one) for one in value.old_pods)} {has}"
        f" {devices(value.devices)}. Strategy Recreate, or maxSurge: 0, ends the old one first"
    )


def _not_mapped(value: n.ResourceNotMapped) -> str:
    text = f"no node offers {value.resource}, and no DeviceClass has it as its extendedResourceName"
    if value.classes:
        text += f"; {words.listed(f'class {one}' for one in value.classes)} could"
    return f"{text}. Did you mean {words.listed(value.near, 'or')}?" if value.near else text


def _two_books(value: n.TwoBooks) -> str:
    now = f", now {devices(value.allocated_now, value.node)}" if value.allocated_now else ""
    plugin = f"{value.used} of {value.allocatable} {value.resource} of a device plugin used"
    claims = f"{value.taken} of {words.count(value.devices, 'device')} of driver {value.driver} allocated{now}"
    return (
        f"node {value.node} keeps two books: {plugin}, and {claims}. Nothing says which are the same hardware, so two"
        " programs may get one device; run only one of the two on a node"
    )


def _for_a_while(value: n.ToleratedForAWhile) -> str:
    since = f" ({value.since})" if value.since else ""
    return (
        f"the pod is placed and evicted after a while: device {value.device.device} has the taint"
        f" {taint(value.key, value.value, 'NoExecute')}, and the toleration ends {value.seconds} s after the taint was"
        f" added{since}; if that is over, the pod is evicted at once"
    )


def _evicted(value: n.ToleratedButEvicted) -> str:
    return (
        f"the pod is placed and then evicted at once: device {value.device.device} has the taint"
        f" {taint(value.key, value.value, 'NoExecute')}, which scheduling counts as tolerated because the toleration"
        " names no effect, while eviction only counts tolerations that say effect: NoExecute"
    )


def _differs(value: n.AttributeDiffers) -> str:
    sides = words.listed(f"{taken} on {devices(many)}" for taken, many in value.values)
    return (
        f"the devices differ in {value.attribute}: {sides}. Each request takes the first device that fits, and nothing"
        f" in {said(value.claim)} asks for one value; matchAttribute {value.attribute} does"
    )


def _fell_through(value: n.FellThrough) -> str:
    return (
        f"request {value.request} got its alternative {value.chosen}, because {words.listed(value.earlier)} cannot be"
        " had on the chosen node; alternatives are tried in their order on each node"
    )


def _namespace(value: n.NamespaceBound) -> str:
    return (
        f"a pod can only use claims and templates of its own namespace, which is {value.missing.namespace}:"
        f" {words.listed(full(one) for one in value.elsewhere)} cannot be used from there"
    )


def _read_once(value: n.TemplateReadOnce) -> str:
    return "a template is read when a claim is made from it: claims that exist live on without it, new pods do not"


def _all_counts(value: n.AllCountsAsMost) -> str:
    return (
        f"request {value.request} of {said(value.template)} asks for all devices (allocationMode: All), which a quota"
        f" counts as {value.counted}, the most that a claim can hold, however many there are; an exact count is charged"
        " as it is"
    )


def _no_condition(value: n.NoConditionYet) -> str:
    return "the scheduler does not even try such a pod: it has no PodScheduled condition and no FailedScheduling event"


def _pools_unusable(value: n.PoolsUnusable) -> str:
    listed = words.count(value.devices, "device")
    what = {
        "incomplete": "until all its slices of the newest generation are there",
        "invalid": "until its slices agree with each other",
    }[value.state]
    return (
        f"nothing is taken from {value.state} pool {value.pool} of {value.driver} {what}, however free its"
        f" {listed} {'looks' if value.devices == 1 else 'look'}"
    )


_SENTENCES: Final[Mapping[type, Callable[[Any], str]]] = MappingProxyType(
    {
        n.ErrorEndsAttempt: _error_ends,
        n.ErrorIsNodeOnlySince: _error_since,
        n.ClaimEach: _claim_each,
        n.OpaqueConfig: _opaque,
        n.NotShareable: _not_shareable,
        n.ClaimLimit: _claim_limit,
        n.TakesWholeDevice: _takes_whole,
        n.OneDevicePerAmount: _one_device,
        n.AllTakesReachable: _all_reachable,
        n.AllNeedsEvery: _all_every,
        n.ClaimIsOneAllocation: _one_allocation,
        n.NeverPreempted: _never_preempted,
        n.NodeTaintIsNotDeviceTaint: _node_taint,
        n.DeviceTaintIsNotNodeTaint: _device_taint,
        n.NodesPublishNothing: _publish_nothing,
        n.NoSuchDriver: _no_driver,
        n.RolloutSurges: _surges,
        n.ResourceNotMapped: _not_mapped,
        n.TwoBooks: _two_books,
        n.ToleratedButEvicted: _evicted,
        n.ToleratedForAWhile: _for_a_while,
        n.AttributeDiffers: _differs,
        n.FellThrough: _fell_through,
        n.NamespaceBound: _namespace,
        n.TemplateReadOnce: _read_once,
        n.AllCountsAsMost: _all_counts,
        n.NoConditionYet: _no_condition,
        n.PoolsUnusable: _pools_unusable,
    }
)
