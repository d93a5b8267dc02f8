"""Objects of Python clients in place of files: what a program has at hand already, as planning takes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from dravite.admission.admit import admit
from dravite.api.document import Document
from dravite.api.documents import split
from dravite.api.releases import Profile, newest_profile
from dravite.interop import to_plain
from dravite.snapshot.manifests import Manifests


def read_objects(objects: Iterable[object], profile: Profile | None = None, namespace: str = "default") -> Manifests:
    """Objects and lists of any client, models and dicts, as planning takes them.

    As `read_manifests`: faults are in `problems`, whose `file` is `<object 3>` for the third object.

    Args:
        objects: as `dravite.interop.read` takes them.
        profile: the release and its gates, from `planned_profile`; None is the newest.
        namespace: where namespaced objects without a namespace go.

    Raises:
        TypeError: an object can be turned into no dict.
    """
    return admit(_documents(objects), profile or newest_profile(), namespace)


def _documents(objects: Iterable[object]) -> Iterator[Document]:
    for number, obj in enumerate(objects, start=1):
        yield from split(f"<object {number}>", msgspec.json.encode(to_plain(obj), enc_hook=_plain))


def _plain(value: object) -> Any:
    """Mappings that are no dicts, and texts and numbers of derived types."""
    match value:
        case Mapping():
            return dict(value)
        case str():
            return str.__str__(value)
        case int():
            return int(value)
    message = f"cannot be written as JSON: {type(value).__name__}"
    raise TypeError(message)
