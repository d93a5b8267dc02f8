"""What a ResourceQuota counts of objects of these groups, and when it refuses one (5.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

import msgspec

from dravite.admission.identities import metadata_of
from dravite.api import resource_v1, resource_v1alpha3
from dravite.api.codec import decode_raw
from dravite.api.core_v1 import Pod
from dravite.api.document import Document
from dravite.api.meta import Model, ObjectMeta, controller_of
from dravite.api.quantity import Quantity, QuantityError
from dravite.api.registry import KindInfo
from dravite.api.releases import Profile
from dravite.snapshot.requests import pod_request

AnyClaim: TypeAlias = resource_v1.ResourceClaim | resource_v1alpha3.ResourceClaim
Request: TypeAlias = resource_v1.ExactDeviceRequest | resource_v1.DeviceSubRequest | resource_v1alpha3.DeviceRequest

DEVICES: Final = ".deviceclass.resource.k8s.io/devices"
MOST: Final = 32
"""What a request for all devices counts as, whatever it would find."""

_REQUESTS: Final = "requests."
_IMPLICIT: Final = "requests.deviceclass.resource.kubernetes.io/"
_FOR_PODS: Final = "resource.kubernetes.io/extended-resource-claim"


class Quota(msgspec.Struct, frozen=True, kw_only=True):
    """A ResourceQuota, as far as admission looks at it: amounts are those of its status.

    Attributes:
        scoped: whether it has scopes; such a quota counts pods alone.
    """

    namespace: str
    name: str
    hard: Mapping[str, Quantity]
    used: Mapping[str, Quantity]
    scoped: bool = False


class Counting(msgspec.Struct, frozen=True, kw_only=True):
    """The quotas of a cluster, and what they count by.

    Attributes:
        quotas: of any namespace.
        pods: owners of claims that the scheduler makes for them; what these pods were counted for is not counted again.
        extended_resources: by class, the name under which pods ask for its devices.
    """

    quotas: tuple[Quota, ...] = ()
    pods: tuple[Pod, ...] = ()
    extended_resources: Mapping[str, str] = {}


def raw_quota(document: Document, namespace: str) -> Mapping[str, Any] | None:
    """The ResourceQuota of a document as it is written, with a namespace; None for a document of another kind."""
    if (document.api_version, document.kind) != ("v1", "ResourceQuota"):
        return None
    raw = decode_raw(document)
    meta = _inner(raw, "metadata") if isinstance(raw, Mapping) else {}
    return {**raw, "metadata": {**meta, "namespace": meta.get("namespace") or namespace}} if meta else None


def written_quota(raw: Mapping[str, Any], used: Mapping[str, Quantity]) -> Quota:
    """The quota of an object that may never have met a server: what it allows is in its spec until a status says so.

    `used` is what is taken while no status says it; what neither says is nothing.
    """
    stored = read_quota(raw)
    hard = stored.hard or dict(_amounts(_inner(_inner(raw, "spec"), "hard")))
    known = stored.used or used
    return msgspec.structs.replace(stored, hard=hard, used={name: known.get(name, Quantity.of(0)) for name in hard})


def read_quota(raw: Mapping[str, Any]) -> Quota:
    """The quota of an object as it is written; what is no amount is passed over."""
    meta, spec, status = (_inner(raw, name) for name in ("metadata", "spec", "status"))
    return Quota(
        namespace=str(meta.get("namespace") or ""),
        name=str(meta.get("name") or ""),
        hard=dict(_amounts(_inner(status, "hard"))),
        used=dict(_amounts(_inner(status, "used"))),
        scoped=bool(spec.get("scopes") or spec.get("scopeSelector")),
    )


def why_not_quota(obj: Model, info: KindInfo, counting: Counting, profile: Profile) -> str | None:
    """The sentence with which a quota of the namespace refuses an object that is created, or None."""
    space = metadata_of(obj).namespace
    quotas = sorted((one for one in counting.quotas if one.namespace == space), key=lambda one: one.name)
    if not quotas or info.scope == "Cluster":
        return None
    usage = usage_of(obj, info, counting, profile)
    counted = _Counted(f"count/{info.plural}.{info.group}", counting.extended_resources, profile)
    refusals = (_why_exceeded(quota, usage, counted) for quota in quotas)
    return next((refusal for refusal in refusals if refusal is not None), None)


def usage_of(obj: Model, info: KindInfo, counting: Counting, profile: Profile) -> Mapping[str, int]:
    """What an object counts as, by the names that quotas have."""
    usage = {f"count/{info.plural}.{info.group}": 1}
    if not isinstance(obj, AnyClaim):
        return usage
    devices = device_usage(obj)
    usage |= {name + DEVICES: count for name, count in devices.items()}
    if profile.enabled("DRAExtendedResource"):
        paid = _paid_by_pod(obj, counting.pods)
        for name, count in _extended(devices, counting.extended_resources):
            if count > paid.get(name, 0):
                usage[name] = count - paid.get(name, 0)
    return usage


def device_usage(claim: AnyClaim) -> Mapping[str, int]:
    """How many devices of each class a claim counts as: the most that any choice among alternatives may take."""
    total: dict[str, int] = {}
    for alternatives in _choices(claim):
        most: dict[str, int] = {}
        for request in alternatives:
            name = request.device_class_name
            most[name] = max(most.get(name, 0), _count(request))
        for name, count in most.items():
            total[name] = total.get(name, 0) + count
    return total


def _choices(claim: AnyClaim) -> Iterator[tuple[Request, ...]]:
    for request in claim.spec.devices.requests:
        if isinstance(request, resource_v1alpha3.DeviceRequest):
            yield (request,)
        elif request.first_available:
            yield request.first_available
        elif request.exactly is not None:
            yield (request.exactly,)


def _count(request: Request) -> int:
    if request.allocation_mode == "ExactCount":
        return request.count or 0
    return MOST if request.allocation_mode == "All" else 0


def _extended(devices: Mapping[str, int], names: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """The same devices by the names under which pods ask for them; of classes with one name the last counts."""
    for device_class, count in devices.items():
        yield _IMPLICIT + device_class, count
        if names.get(device_class):
            yield _REQUESTS + names[device_class], count


def _paid_by_pod(claim: AnyClaim, pods: Iterable[Pod]) -> Mapping[str, int]:
    """What was counted for the pod already for which the scheduler made the claim."""
    pod = next((pod for pod in pods if _is_made_for(pod, claim.metadata)), None)
    if pod is None:
        return {}
    return {_REQUESTS + name: amount for name, amount in pod_request(pod).amounts.items()}


def _is_made_for(pod: Pod, meta: ObjectMeta) -> bool:
    owner = controller_of(meta)
    status = pod.status.extended_resource_claim_status
    return (
        meta.annotations.get(_FOR_PODS) == "true"
        and owner is not None
        and (owner.api_version, owner.kind, owner.name) == ("v1", "Pod", pod.metadata.name)
        and owner.uid == pod.metadata.uid
        and meta.namespace == pod.metadata.namespace
        and (status is None or status.resource_claim_name == meta.name)
    )


class _Counted(msgspec.Struct, frozen=True):
    """Which names of a quota concern a kind."""

    count: str
    extended_resources: Mapping[str, str]
    profile: Profile

    def concerns(self, name: str) -> bool:
        if name == self.count:
            return True
        if self.count != "count/resourceclaims.resource.k8s.io":
            return False
        if name.endswith(DEVICES):
            return True
        if not self.profile.enabled("DRAExtendedResource"):
            return False
        if name.startswith(_IMPLICIT):
            return bool(self.extended_resources.get(name.removeprefix(_IMPLICIT)))
        return name.startswith(_REQUESTS) and name.removeprefix(_REQUESTS) in self.extended_resources.values()


def _why_exceeded(quota: Quota, usage: Mapping[str, int], counted: _Counted) -> str | None:
    concerned = sorted(filter(counted.concerns, quota.hard))
    if quota.scoped or not concerned:
        return None
    if any(name not in quota.used for name in concerned):
        return f"status unknown for quota: {quota.name}, resources: {','.join(concerned)}"
    asked = {name: Quantity.of(count) for name, count in usage.items() if name in quota.hard and count}
    none = Quantity.of(0)
    over = [name for name in asked if asked[name].nano + quota.used.get(name, none).nano > quota.hard[name].nano]
    if not over:
        return None
    asked_text, used_text, hard_text = (_listed(amounts, over) for amounts in (asked, quota.used, quota.hard))
    return f"exceeded quota: {quota.name}, requested: {asked_text}, used: {used_text}, limited: {hard_text}"


def _listed(amounts: Mapping[str, Quantity], names: Iterable[str]) -> str:
    return ",".join(f"{name}={amounts[name].text}" for name in sorted(names) if name in amounts)


def _inner(raw: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = raw.get(name)
    return found if isinstance(found, Mapping) else {}


def _amounts(raw: Mapping[str, Any]) -> Iterator[tuple[str, Quantity]]:
    for name, value in raw.items():
        try:
            yield name, Quantity.parse(str(value))
        except QuantityError:
            continue
