"""The rights that a write to the status of a claim needs beside those to the status endpoint (5.6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from dravite.api.field import FieldError
from dravite.api.meta import Model
from dravite.api.resource_v1 import AllocatedDeviceStatus, ResourceClaim
from dravite.apiserver import statuses
from dravite.apiserver.backend import Backend
from dravite.apiserver.requests import Request, Target
from dravite.apiserver.rights import Wish, may, why_not

_GATE: Final = "DRAResourceClaimGranularStatusAuthorization"
_VERBS: Final = {"PUT": "update", "PATCH": "patch"}
_NAME: Final = "metadata.name"


def why_no_right(
    backend: Backend, target: Target, request: Request, claims: tuple[Model | None, Model | None]
) -> Iterator[FieldError]:
    """Why a user may not change the status of a claim so; `claims` are the claim before and after."""
    old, new = claims
    if not isinstance(old, ResourceClaim) or not isinstance(new, ResourceClaim) or not backend.profile.enabled(_GATE):
        return
    verb = _VERBS.get(request.method, "update")
    before, after = old.status, new.status
    if (before.allocation, before.reserved_for) != (after.allocation, after.reserved_for):
        wish = Wish(verb=verb, group=target.kind.group, resource="resourceclaims/binding")
        if not may(backend, request.user, wish):
            needs = f'resource="resourceclaims/binding", verb="{verb}"'
            detail = f"changing status.allocation or status.reservedFor requires {needs} permission: "
            yield statuses.forbidden_field("status.allocation", detail + why_not(request.user, wish))
    is_deallocated = before.allocation is not None and after.allocation is None
    if not (is_deallocated and not after.devices):
        yield from _devices(backend, target, request, (old, new))


def _devices(
    backend: Backend, target: Target, request: Request, claims: tuple[ResourceClaim, ResourceClaim]
) -> Iterator[FieldError]:
    verb = _VERBS.get(request.method, "update")
    for driver in _changed_drivers(*claims):
        wish = Wish(
            verb=f"arbitrary-node:{verb}",
            group=target.kind.group,
            resource="resourceclaims/driver",
            namespace=target.namespace,
            name=driver,
        )
        is_near = request.user.node != "" and _only_node(claims[1]) == request.user.node
        nearby = msgspec.structs.replace(wish, verb=f"associated-node:{verb}")
        if not may(backend, request.user, wish) and not (is_near and may(backend, request.user, nearby)):
            words = f"[arbitrary-node:{verb}]"
            needs = f'resource="resourceclaims/driver", verb="{words}"'
            detail = f"changing status.devices requires {needs} permission: {why_not(request.user, wish)}"
            yield statuses.forbidden_field("status.devices", detail)


def _changed_drivers(old: ResourceClaim, new: ResourceClaim) -> tuple[str, ...]:
    """The drivers of devices whose status came, went or changed, sorted."""
    before, after = _by_device(old), _by_device(new)
    changed = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
    return tuple(sorted({driver for driver, *_ in changed}))


def _by_device(claim: ResourceClaim) -> dict[tuple[str, str, str, str], AllocatedDeviceStatus]:
    devices = claim.status.devices
    return {(item.driver, item.pool, item.device, str(item.share_id or "")): item for item in devices}


def _only_node(claim: ResourceClaim) -> str:
    """The node that an allocation is for, where its selector names one and says nothing else."""
    allocation = claim.status.allocation
    terms = allocation.node_selector.node_selector_terms if allocation and allocation.node_selector else ()
    if len(terms) != 1 or terms[0].match_expressions or len(terms[0].match_fields) != 1:
        return ""
    rule = terms[0].match_fields[0]
    is_name = rule.key == _NAME and rule.operator == "In" and len(rule.values) == 1
    return rule.values[0] if is_name else ""
