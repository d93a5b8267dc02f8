"""Hints: what was planned and works, each in one imperative sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from dravite.api.meta import DeviceID
from dravite.diagnosis.reasons import ConstraintID
from dravite.explain.remedies import advice as a
from dravite.render import words
from dravite.render.report import Hint
from dravite.render.view.sight import Sight, device, devices, full, objects, said, taint


def hint(remedy: a.Remedy, sight: Sight) -> Hint:
    """What to do and what comes of it: `… ; then ml/train runs on gpu-1 with gpu-0`."""
    return Hint(f"{advised(remedy.advice, sight)}: {_outcome(remedy.outcome)}")


def advised(advice: a.Advice, sight: Sight) -> str:
    """What to do, and where the text to change stands."""
    if isinstance(advice, a.Together):
        return ", and ".join(advised(part, sight) for part in advice.parts)
    place = _place(advice, sight)
    return f"{_SENTENCES[type(advice)](advice)}{f' ({place})' if place else ''}"


def _outcome(outcome: a.Outcome) -> str:
    got = [
        device(DeviceID(result.driver, result.pool, result.device), outcome.node)
        for claim in outcome.claims
        if claim.allocation is not None
        for result in claim.allocation.devices.results
    ]
    text = f"then it runs on {outcome.node}" + (f" with {words.folded(got, 6)}" if got else "")
    if outcome.displaced:
        text += f", and {objects(outcome.displaced, 4)} no longer {'does' if len(outcome.displaced) == 1 else 'do'}"
    return text


def _place(value: a.Step, sight: Sight) -> str:
    """Where the text to change stands, for advice that changes a field."""
    for name in ("demand", "selector", "request", "toleration", "constraint", "selection", "entry"):
        asked = getattr(value, name, None)
        if isinstance(asked, ConstraintID):
            return sight.place(asked.object, asked.path)
    match value:
        case a.UseObject():
            return sight.place(value.named_by, value.field)
        case a.TolerateNodeTaint():
            return sight.place(value.pod, "spec.tolerations")
        case a.PinToNode():
            return sight.place(value.pod, "spec.nodeSelector")
        case a.LiftGates():
            return sight.place(value.pod, "spec.schedulingGates")
    return ""


def _lower_count(value: a.LowerCount) -> str:
    return f"ask for {value.possible} in place of {value.asked} {words.bent(value.asked, 'device')}"


def _count_instead(value: a.CountInsteadOfAll) -> str:
    return f"ask for {value.possible} {words.bent(value.possible, 'device')} in place of All"


def _lower_capacity(value: a.LowerCapacity) -> str:
    whole = f", which is {value.asked} without an amount" if value.implied else f" in place of {value.asked}"
    return f"ask for at most {value.possible} of {value.capacity}{whole}"


def _replace_selector(value: a.ReplaceSelector) -> str:
    if value.how == "drop":
        out = "out of the selector" if value.expression else "out, which is the whole selector"
        return f"leave `{value.removed}` {out}"
    why = {
        "guard": "test for presence first",
        "capacity": "it is a capacity, not an attribute",
        "attribute": "it is an attribute, not a capacity",
        "version": "compare with a version",
        "quantity": "compare with a quantity",
        "value": "use the published value",
        "name": "use the published name",
    }[value.how]
    return f"{why}: write `{value.added}` in place of `{value.removed}`"


def _tolerate_device(value: a.TolerateDeviceTaint) -> str:
    return f"tolerate device taint {taint(value.key, value.value, value.effect)} in the request"


def _tolerate_node(value: a.TolerateNodeTaint) -> str:
    how = f'operator: Equal, value: "{value.value}"' if value.value else "operator: Exists"
    return f"add the toleration {{key: {value.key}, {how}, effect: {value.effect}}} to the pod's spec.tolerations"


def _set_effect(value: a.SetTolerationEffect) -> str:
    return f"set effect: {value.effect} in the toleration"


def _drop_constraint(value: a.DropConstraint) -> str:
    return f"leave out the constraint on {value.attribute}, and lose what it is there for"


def _rename_attribute(value: a.RenameAttribute) -> str:
    return f"put {value.published} in place of {value.attribute} in the constraint"


def _match_attribute(value: a.MatchAttribute) -> str:
    return f"add constraint matchAttribute {value.attribute} to {said(value.claim)} (all get {value.value})"


def _use_object(value: a.UseObject) -> str:
    return f"name {value.use.kind} {full(value.use)} in place of {value.missing.name}"


def _copy_object(value: a.CopyObject) -> str:
    where = f"in namespace {value.copy.namespace} too, as in {full(value.existing)}"
    return f"create {value.copy.kind} {value.copy.name} {where}"


def _free(value: a.FreeDevices) -> str:
    if value.pods:
        one = len(value.pods) == 1
        whose = f"{'its' if one else 'their'} {words.bent(len(value.claims), 'claim')} {objects(value.claims)}"
        what = f"{'frees' if len(value.claims) == 1 else 'free'} {devices(value.devices)}"
        return f"end {words.bent(len(value.pods), 'pod')} {objects(value.pods)} ({whose} {what})"
    return f"delete {words.bent(len(value.claims), 'claim')} {objects(value.claims)}, which no pod uses"


def _pin(value: a.PinToNode) -> str:
    return f"keep the pod away from the error with {value.label}: {value.value} in its spec.nodeSelector"


def _drop_selection(value: a.DropNodeSelection) -> str:
    return f"leave {value.key} out of the pod's node selection"


def _replace_selection(value: a.ReplaceNodeSelection) -> str:
    return f"select nodes with {value.added} in place of {value.removed}"


def _lower_resources(value: a.LowerResources) -> str:
    return "ask for at most " + words.listed(
        f"{one.possible} {one.resource} in place of {one.asked}" for one in value.amounts
    )


def _drop_port(value: a.DropHostPort) -> str:
    return f"do without host port {value.port}"


def _relax_spread(value: a.RelaxSpread) -> str:
    return f"set whenUnsatisfiable: ScheduleAnyway in the topology spread over {value.topology_key}"


def _drop_rule(value: a.DropPodRule) -> str:
    rule = "anti-affinity" if "podAntiAffinity" in value.constraint.path else "affinity"
    return f"leave out the pod {rule} over {value.topology_key}, and lose what it is there for"


def _replace_pod_label(value: a.ReplacePodLabel) -> str:
    return f"ask for pods with {value.added} in place of {value.removed} in the pod affinity"


def end_pods(value: a.EndPods) -> str:
    """`end pods ml/a, ml/b`."""
    return f"end {words.bent(len(value.pods), 'pod')} {objects(value.pods)}"


def add_nodes(value: a.AddNodes) -> str:
    """`add 2 nodes like gpu-01`."""
    return f"add {words.count(value.count, 'node')} like {value.like}"


def _lift_gates(value: a.LiftGates) -> str:
    return f"remove {words.bent(len(value.gates), 'scheduling gate')} {words.listed(value.gates)}"


def _create_class(value: a.CreateClass) -> str:
    return f'create DeviceClass {value.device_class} with the selector `device.driver == "{value.device_class}"`'


def _other_source(value: a.NameOtherSource) -> str:
    field = "resourceClaimTemplateName" if value.source.kind == "ResourceClaimTemplate" else "resourceClaimName"
    return f"write {field}: {value.source.name}, since that is a {value.source.kind}"


def _uncordon(value: a.UncordonNode) -> str:
    return f"uncordon node {value.node}"


def _provide(value: a.ProvideResource) -> str:
    return f"set extendedResourceName: {value.resource} on DeviceClass {value.device_class}"


def _implicit(value: a.RequestImplicitResource) -> str:
    return f"request {value.implicit} in place of {value.resource}"


def _share_device(value: a.ShareDevice) -> str:
    whose = f"{devices(value.devices)} (ResourceSlice {value.slice})"
    return f"have the driver publish {whose} with allowMultipleAllocations: true"


def _share_claim(value: a.ShareClaim) -> str:
    return (
        f"make one ResourceClaim {value.claim.name} in place of template {value.template.name} and name it in"
        f" {words.bent(len(value.pods), 'pod')} {words.listed(one.name for one in value.pods)} with resourceClaimName"
    )


def _claim_per_pod(value: a.ClaimPerPod) -> str:
    return (
        f"make a ResourceClaimTemplate of claim {value.claim.name}, so that"
        f" {words.listed(one.name for one in value.pods)} {words.bent(len(value.pods), 'gets')} a claim of"
        f" {'its' if len(value.pods) == 1 else 'their'} own"
    )


def _split(value: a.SplitClaim) -> str:
    counts = words.listed(str(one) for one in value.counts)
    return f"spread request {value.request} over {len(value.counts)} claims of the pod, with {counts} devices"


def _replace_old(value: a.ReplaceOldPods) -> str:
    return f"use strategy Recreate (or maxSurge: 0 with maxUnavailable: 1) for {said(value.workload)}"


_SENTENCES: Final[Mapping[type, Callable[[Any], str]]] = MappingProxyType(
    {
        a.LowerCount: _lower_count,
        a.CountInsteadOfAll: _count_instead,
        a.LowerCapacity: _lower_capacity,
        a.ReplaceSelector: _replace_selector,
        a.TolerateDeviceTaint: _tolerate_device,
        a.TolerateNodeTaint: _tolerate_node,
        a.SetTolerationEffect: _set_effect,
        a.DropConstraint: _drop_constraint,
        a.RenameAttribute: _rename_attribute,
        a.MatchAttribute: _match_attribute,
        a.UseObject: _use_object,
        a.CopyObject: _copy_object,
        a.FreeDevices: _free,
        a.PinToNode: _pin,
        a.DropNodeSelection: _drop_selection,
        a.ReplaceNodeSelection: _replace_selection,
        a.UncordonNode: _uncordon,
        a.LowerResources: _lower_resources,
        a.DropHostPort: _drop_port,
        a.RelaxSpread: _relax_spread,
        a.DropPodRule: _drop_rule,
        a.ReplacePodLabel: _replace_pod_label,
        a.EndPods: end_pods,
        a.AddNodes: add_nodes,
        a.LiftGates: _lift_gates,
        a.CreateClass: _create_class,
        a.NameOtherSource: _other_source,
        a.ProvideResource: _provide,
        a.RequestImplicitResource: _implicit,
        a.ShareDevice: _share_device,
        a.ShareClaim: _share_claim,
        a.ClaimPerPod: _claim_per_pod,
        a.SplitClaim: _split,
        a.ReplaceOldPods: _replace_old,
    }
)
