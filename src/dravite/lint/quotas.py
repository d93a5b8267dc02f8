"""Claims that the quotas of their namespace do not allow: those that are there now, and those that a template makes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from dravite.api.document import Problem
from dravite.api.meta import ObjectMeta
from dravite.api.resource_v1 import DeviceClass, ResourceClaim, ResourceClaimTemplate
from dravite.lint.claims import spec_of
from dravite.lint.finding import finding
from dravite.lint.world import Item, World, folder_of

EXCEEDED: Final = "quota-exceeded"


def of_quotas(world: World) -> Iterator[Problem]:
    """Each claim beside what the cluster has, and each template alone: one claim of it must fit at least."""
    if not world.quotas:
        return
    for item in world.targets(ResourceClaim):
        if world.stored(item) is None:
            held = [one.object for one in world.beside(ResourceClaim, item) if one.around]
            yield from _exceeded(world, item, item.object, held)
    for item in world.targets(ResourceClaimTemplate):
        claim = ResourceClaim(
            metadata=ObjectMeta(name=item.ref.name, namespace=item.ref.namespace), spec=item.object.spec.spec
        )
        yield from _exceeded(world, item, claim, None)


def _exceeded(world: World, item: Item, claim: ResourceClaim, held: list[ResourceClaim] | None) -> Iterator[Problem]:
    near = [one for one in world.quotas if one.around or folder_of(one.file) == folder_of(item.file)]
    if not near:
        return
    from dravite.lifecycle.claim_quotas import open_books  # few inputs have quotas

    quotas = [one.raw if held is not None else _unused(one.raw) for one in near]
    classes = [one.object for one in world.beside(DeviceClass, item)]
    refusal = open_books(quotas, held or (), classes, world.profile).why_not(claim)
    if refusal is not None:
        spec, path = spec_of(item)
        wanted = [one for request in spec.devices.requests for one in (request.exactly, *request.first_available)]
        takes_all = any(one is not None and one.allocation_mode == "All" for one in wanted)
        hint = (
            "a request for all devices counts as 32, whatever there is: ask for an exact count" if takes_all else None
        )
        yield finding(item.subject, EXCEEDED, refusal, f"{path}.devices.requests", hint)


def _unused(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """The quota as if nothing were taken of it yet."""
    status = raw.get("status")
    kept = {"hard": status["hard"]} if isinstance(status, Mapping) and "hard" in status else {}
    return {**raw, "status": kept}
