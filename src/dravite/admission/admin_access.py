"""Whether a namespace allows admin access to devices: what claims and templates are checked for when they are made."""

from __future__ import annotations

from collections.abc import Mapping

from dravite.api.field import ErrorType, FieldError
from dravite.api.releases import Profile
from dravite.api.resource_v1 import ResourceClaim, ResourceClaimTemplate

UNCHECKED = "admin-access-unchecked"
_LABEL_OF_1_33 = "resource.k8s.io/admin-access"


def label_key(profile: Profile) -> str:
    """The label of the namespace. 1.33 had another one, 1.32 had none (5.5)."""
    if not profile.is_at_least("1.33"):
        return ""
    return "resource.kubernetes.io/admin-access" if profile.is_at_least("1.34") else _LABEL_OF_1_33


def labelling(namespace: str, labels: Mapping[str, str], profile: Profile) -> str:
    """How to give a namespace the label, and what is wrong with the one that it has."""
    key = label_key(profile)
    more = f" ({_LABEL_OF_1_33} is the label of 1.33)" if _LABEL_OF_1_33 in labels and key != _LABEL_OF_1_33 else ""
    overwrite = f' --overwrite (it is "{labels[key]}")' if key in labels else ""
    return f"kubectl label namespace {namespace} {key}=true{overwrite}{more}"


def admin_request(obj: ResourceClaim | ResourceClaimTemplate) -> int | None:
    """The position of the first request that wants admin access; None where no request does."""
    spec = obj.spec.spec if isinstance(obj, ResourceClaimTemplate) else obj.spec
    for position, request in enumerate(spec.devices.requests):
        if request.exactly is not None and request.exactly.admin_access:
            return position
    return None


def why_no_admin_access(
    obj: ResourceClaim | ResourceClaimTemplate, namespaces: Mapping[str, Mapping[str, str]], profile: Profile
) -> FieldError | str | None:
    """Why the object would be refused; the name of its namespace if that is not known; None if all is well.

    An object that came from a server was checked there.
    """
    position, key = admin_request(obj), label_key(profile)
    if position is None or not key or obj.metadata.uid:
        return None
    labels = namespaces.get(obj.metadata.namespace)
    if labels is None:
        return obj.metadata.namespace
    return None if labels.get(key) == "true" else _refused(f"spec.devices.requests[{position}].adminAccess", key)


def why_no_admin_result(
    new: ResourceClaim, old: ResourceClaim, namespaces: Mapping[str, Mapping[str, str]], profile: Profile
) -> FieldError | None:
    """Why a new allocation may not grant admin access, or None. What was granted before stays granted.

    A namespace that is not known has no labels.
    """
    position, key = _admin_result(new), label_key(profile)
    if position is None or not key or _admin_result(old) is not None:
        return None
    if namespaces.get(new.metadata.namespace, {}).get(key) == "true":
        return None
    return _refused(f"status.allocation.devices.results[{position}].adminAccess", key)


def _admin_result(claim: ResourceClaim) -> int | None:
    results = claim.status.allocation.devices.results if claim.status.allocation is not None else ()
    return next((position for position, result in enumerate(results) if result.admin_access), None)


def _refused(path: str, key: str) -> FieldError:
    detail = f"admin access to devices requires the `{key}: true` label on the containing namespace"
    return FieldError(type=ErrorType.FORBIDDEN, field=path, detail=detail, origin="5.5")
