"""What is asked about and what stands around it: objects with their places, found by name.

A repository may hold many versions of one object in many folders, so nothing is merged here. A name exists when any
file has it; which of several objects is meant is decided by nearness: the same file, the same folder, what was given
as surroundings, anything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol, TypeVar

import msgspec

from dravite.admission.problems import Subject
from dravite.admission.reading import Taken
from dravite.api.core_v1 import Pod
from dravite.api.document import Document
from dravite.api.meta import Model, ObjectRef
from dravite.api.releases import Profile

M = TypeVar("M", bound=Model)


class Placed(Protocol):
    """Anything that stands in a file, and belongs to what is asked about or to what is around it."""

    @property
    def around(self) -> bool: ...

    @property
    def file(self) -> str: ...


P = TypeVar("P", bound=Placed)


def folder_of(file: str) -> str:
    """The folder that a file stands in, as its path says."""
    return file.rpartition("/")[0]


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """An object of a kind that has a type.

    Attributes:
        around: whether it is surroundings, which are looked at and not spoken of.
        good: whether a server would take it as far as it can be told from the object alone.
    """

    taken: Taken
    around: bool = False
    good: bool = True

    @property
    def object(self) -> Any:
        return self.taken.object

    @property
    def ref(self) -> ObjectRef:
        return self.taken.ref

    @property
    def document(self) -> Document:
        return self.taken.document

    @property
    def file(self) -> str:
        return self.taken.document.origin.file

    @property
    def subject(self) -> Subject:
        return self.taken.subject


class PodItem(msgspec.Struct, frozen=True, kw_only=True):
    """A pod, or a pod template of a workload, which then is the subject."""

    pod: Pod
    subject: Subject
    around: bool = False

    @property
    def file(self) -> str:
        return self.subject.document.origin.file

    @property
    def namespace(self) -> str:
        return self.subject.ref.namespace


class QuotaItem(msgspec.Struct, frozen=True):
    """A ResourceQuota as it is written."""

    raw: Mapping[str, Any]
    file: str
    around: bool = False


class World(msgspec.Struct, frozen=True, dict=True):
    """Everything that was read.

    Attributes:
        items: objects with types, in the order in which they were read.
        pods: pods and pod templates.
        mentioned: objects that are there and cannot be taken: their names exist all the same.
        quotas: in the order in which they were read.
        complete: whether surroundings were given; then what is not here is nowhere.
    """

    profile: Profile
    items: tuple[Item, ...] = ()
    pods: tuple[PodItem, ...] = ()
    mentioned: frozenset[ObjectRef] = frozenset()
    quotas: tuple[QuotaItem, ...] = ()
    complete: bool = False

    @cached_property
    def _by_ref(self) -> Mapping[ObjectRef, Sequence[Item]]:
        found: dict[ObjectRef, list[Item]] = {}
        for item in self.items:
            found.setdefault(item.ref, []).append(item)
        return found

    @cached_property
    def _names(self) -> Mapping[tuple[str, str], Sequence[str]]:
        found: dict[tuple[str, str], dict[str, None]] = {}
        for ref in (*self._by_ref, *sorted(self.mentioned)):
            found.setdefault((ref.kind, ref.namespace), {})[ref.name] = None
        return {key: tuple(names) for key, names in found.items()}

    def has(self, ref: ObjectRef) -> bool:
        """Whether any file has an object of this name."""
        return ref in self._by_ref or ref in self.mentioned

    def names(self, kind: str, namespace: str) -> Sequence[str]:
        """The names of all objects of a kind in a namespace."""
        return self._names.get((kind, namespace), ())

    def namespaces_of(self, kind: str, name: str) -> tuple[str, ...]:
        """Where objects of a kind and name are, sorted."""
        return tuple(sorted(space for (one, space), names in self._names.items() if one == kind and name in names))

    def meant(self, ref: ObjectRef, near: Placed) -> Item | None:
        """The object of a name that is nearest to something, the last one where several are; None without any."""
        found = nearest(self._by_ref.get(ref, ()), near)
        return found[-1] if found else None

    def stored(self, item: Item) -> Item | None:
        """The object of the surroundings whose place an object would take."""
        return next((one for one in self._by_ref.get(item.ref, ()) if one.around), None)

    def targets(self, kind: type[Model]) -> Iterator[Item]:
        """The objects of a type that are asked about."""
        return (item for item in self.of(kind) if not item.around)

    def of(self, kind: type[Model]) -> Sequence[Item]:
        """All objects of a type, in the order in which they were read."""
        return self._by_type.get(kind, ())

    @cached_property
    def _by_type(self) -> Mapping[type[Model], Sequence[Item]]:
        found: dict[type[Model], list[Item]] = {}
        for item in self.items:
            found.setdefault(type(item.object), []).append(item)
        return found

    def beside(self, kind: type[Model], near: Placed) -> tuple[Item, ...]:
        """The good objects of a type that belong to one cluster with something: surroundings, and its own folder.

        Of two objects of one name the one from the folder counts: it is what will be applied.
        """
        key = (kind, folder_of(near.file))
        if key not in self._together:
            found = {item.ref: item for item in self.of(kind) if item.around and item.good}
            found |= {item.ref: item for item in self._by_folder.get(key, ()) if item.good}
            self._together[key] = tuple(found.values())
        return self._together[key]

    @cached_property
    def _together(self) -> dict[tuple[type[Model], str], tuple[Item, ...]]:
        """What `beside` found; a memory only."""
        return {}

    @cached_property
    def _by_folder(self) -> Mapping[tuple[type[Model], str], Sequence[Item]]:
        found: dict[tuple[type[Model], str], list[Item]] = {}
        for item in self.items:
            if not item.around:
                found.setdefault((type(item.object), folder_of(item.file)), []).append(item)
        return found


def nearest(found: Sequence[P], near: Placed) -> Sequence[P]:
    """Those of several things that are nearest to something."""
    if len(found) < 2:
        return found
    rings = (
        lambda one: one.file == near.file,
        lambda one: folder_of(one.file) == folder_of(near.file),
        lambda one: one.around,
    )
    for within in rings:
        inner = [one for one in found if within(one)]
        if inner:
            return inner
    return found


def folders(items: Iterable[P]) -> tuple[P, ...]:
    """The first of the things in each folder."""
    return tuple({folder_of(item.file): item for item in reversed(tuple(items))}.values())[::-1]
