"""Objects that are put into the world or taken out of it, and what the scheduler hears of that."""

from __future__ import annotations

import msgspec

from dravite.api.meta import ObjectRef
from dravite.api.resource_v1 import DeviceClass
from dravite.rehearsal.happenings import happenings_of, happenings_without
from dravite.rehearsal.world import World
from dravite.scheduler.extended_resources import offers_after, offers_of
from dravite.snapshot.changes import Editable, RemoveObject, SetObject, with_changes
from dravite.snapshot.snapshot import Snapshot


def put(world: World, obj: Editable, owner: ObjectRef | None = None) -> None:
    """There is an object, or it is another one now."""
    before = world.snapshot
    after = with_changes(before, (SetObject(obj, owner),))
    if isinstance(obj, DeviceClass):
        after = _with_offers(before, after, obj.metadata.name)
    world.change(after, *happenings_of(before, obj))


def take_out(world: World, ref: ObjectRef) -> None:
    """An object that is no pod and that nothing holds is gone."""
    after = with_changes(world.snapshot, (RemoveObject(ref),))
    if ref.kind == "DeviceClass":
        after = _with_offers(world.snapshot, after, ref.name)
    world.change(after, *happenings_without(ref))


def _with_offers(before: Snapshot, after: Snapshot, name: str) -> Snapshot:
    """The snapshot with what is known of a class that has changed."""
    known = before.offers if before.offers is not None else offers_of(before.classes.values())
    offers = offers_after(known, before.classes, before.classes.get(name), after.classes.get(name))
    return msgspec.structs.replace(after, offers=offers)
