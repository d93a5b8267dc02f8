"""What is supposed to be different, as values: for telling it, in the order in which it was said."""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

from dravite.api.meta import DeviceID, ObjectRef

MOST_NODES: Final = 10_000
"""How many nodes may be added at once: more are hardly meant."""


class Applied(msgspec.Struct, frozen=True, tag=True):
    """An object is applied; `replaces` is whether one of that name is there already."""

    object: ObjectRef
    replaces: bool = False


class Deleted(msgspec.Struct, frozen=True, tag=True):
    """An object is deleted, with what belongs to it."""

    object: ObjectRef


class FieldSet(msgspec.Struct, frozen=True, tag=True):
    """A field of an object gets another value, here as JSON; `null` takes it out."""

    object: ObjectRef
    field: str
    value: str


class NodesAdded(msgspec.Struct, frozen=True, tag=True):
    """Nodes like one that is there are added, each with the slices that are its own."""

    like: str
    nodes: tuple[str, ...]


class DevicesAdded(msgspec.Struct, frozen=True, tag=True):
    """Devices like one that is there are added to its ResourceSlice, under these names."""

    like: DeviceID
    devices: tuple[str, ...]


class Cordoned(msgspec.Struct, frozen=True, tag=True):
    """A node takes no more pods."""

    node: str


class Uncordoned(msgspec.Struct, frozen=True, tag=True):
    """A node takes pods again."""

    node: str


class Drained(msgspec.Struct, frozen=True, tag=True):
    """A node takes no more pods, and those on it are evicted."""

    node: str


class ReleaseChanged(msgspec.Struct, frozen=True, tag=True):
    """The control plane is another one: its release, and the gates that are on or off in it and were not before."""

    before: str
    after: str
    gates_on: tuple[str, ...] = ()
    gates_off: tuple[str, ...] = ()


Supposed: TypeAlias = (
    Applied | Deleted | FieldSet | NodesAdded | DevicesAdded | Cordoned | Uncordoned | Drained | ReleaseChanged
)
