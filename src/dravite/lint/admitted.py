"""What a server decides with other objects in sight: admin access, plugins, changes of what is stored, warnings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from dravite.admission.admin_access import UNCHECKED, labelling, why_no_admin_access
from dravite.admission.plugins import InSight, changed_by_plugins, why_not_plugins
from dravite.admission.server_warnings import each_owner_once, object_warnings
from dravite.api.core_v1 import Namespace, Node
from dravite.api.document import Problem
from dravite.api.resource_v1 import ResourceClaim, ResourceClaimTemplate
from dravite.api.scheduling_v1 import PriorityClass
from dravite.api.scheduling_v1beta1 import CompositePodGroup, PodGroup
from dravite.lint.finding import finding
from dravite.lint.versions import having
from dravite.lint.world import Item, World
from dravite.validation import why_not_create

REFUSED: Final = "admission-refused"
WARNED: Final = "server-warning"


def of_admission(world: World) -> Iterator[Problem]:
    """Everything that other objects decide, object by object."""
    for item in world.items:
        if not item.around:
            yield from _warnings(item, world)
            yield from _plugins(item, world)
            yield from _update(item, world)
    yield from _admin_access(world)


def _warnings(item: Item, world: World) -> Iterator[Problem]:
    _, twice = each_owner_once(item.object.metadata)
    yield from (finding(item.subject, WARNED, text, "metadata.ownerReferences") for text in twice)
    for text in object_warnings(item.object, world.profile):
        path, _, said = text.partition(": ")
        yield finding(item.subject, WARNED, said, path)


def _plugins(item: Item, world: World) -> Iterator[Problem]:
    """What plugins refuse. Only with the cluster given is it known what they would see."""
    if not item.good or not world.complete:
        return
    in_sight = InSight(
        nodes=tuple(one.object for one in world.beside(Node, item)),
        priority_classes=tuple(
            one.object for one in world.beside(PriorityClass, item) if one.ref != item.ref or one.around
        ),
    )
    if isinstance(item.object, PodGroup | CompositePodGroup) and in_sight.priority_classes:
        changed = changed_by_plugins(item.object, in_sight, world.profile)
        if isinstance(changed, str):
            yield finding(item.subject, REFUSED, changed, "spec.priorityClassName")
    stored = world.stored(item)
    reason = why_not_plugins(item.object, None if stored is None else stored.object, in_sight, world.profile)
    if reason is not None:
        yield finding(item.subject, REFUSED, reason)


def _update(item: Item, world: World) -> Iterator[Problem]:
    """What a server refuses to change in an object that is there already, beside what it would refuse in a new one."""
    stored = world.stored(item)
    if stored is None or stored.object == item.object:
        return
    from dravite.admission.preparation import prepare_update  # only around what is there already
    from dravite.validation import why_not_update

    profile = having(item.ref.kind, world.profile)
    judged, before = item.taken.judged, stored.taken.judged
    known = {(error.type, error.field) for error in why_not_create(judged, profile)}
    errors = why_not_update(prepare_update(judged, before, profile, None), before, profile)
    yield from item.subject.errors(error for error in errors if (error.type, error.field) not in known)


def _admin_access(world: World) -> Iterator[Problem]:
    """Claims and templates that want admin access in a namespace that does not allow it."""
    spaces = {item.ref.name: item.object.metadata.labels for item in world.of(Namespace)}
    for item in (*world.targets(ResourceClaim), *world.targets(ResourceClaimTemplate)):
        answer = why_no_admin_access(item.object, spaces, world.profile)
        if isinstance(answer, str):
            message = f"asks for admin access; whether namespace {answer} allows it cannot be told: it is not here"
            yield finding(item.subject, UNCHECKED, message, "metadata.namespace", "give the cluster with -f")
        elif answer is not None:
            [problem] = item.subject.errors((answer,))
            hint = labelling(item.ref.namespace, spaces[item.ref.namespace], world.profile)
            yield msgspec.structs.replace(problem, hint=hint)
