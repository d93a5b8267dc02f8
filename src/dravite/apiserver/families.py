"""Objects that differ in nothing but their metadata: what became of the rest of the first one becomes of the others'.

Names, labels and annotations are checked, and owned by whoever sent them, as those of any object are. Metadata that
say more are judged with all the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from dravite.api.codec import encode
from dravite.api.json_text import doubled_keys
from dravite.api.meta import ObjectMeta
from dravite.apiserver.field_sets import FieldSet, difference
from dravite.apiserver.managed_fields import Owned, Owner, read_owners, write_owners
from dravite.store import Record
from dravite.validation.metadata import annotations_of, labels_of

TIME: Final = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_METADATA: Final = "f:metadata"


class _Simple(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """All that metadata may say here."""

    name: str = ""
    generate_name: str = ""
    namespace: str = ""
    labels: dict[str, str] = {}
    annotations: dict[str, str] = {}


class _Parts(msgspec.Struct):
    metadata: msgspec.Raw


_PARTS: Final = msgspec.json.Decoder(_Parts)
_SIMPLE: Final = msgspec.json.Decoder(_Simple)


class Member(msgspec.Struct, frozen=True):
    """A body taken apart: the text before and after its metadata, and metadata that keep the rules."""

    rest: tuple[bytes, bytes]
    meta: ObjectMeta


class Family(msgspec.Struct, frozen=True):
    """What the objects of a family have in common: their text but for the metadata, what its owner has of it, and what
    their clients were warned of.
    """

    rest: tuple[bytes, bytes]
    owner: Owner
    fields: FieldSet
    generation: int
    warnings: tuple[str, ...]

    def filled(self, meta: ObjectMeta, name: str, uid: str, time: str, revision: int) -> bytes:
        """The text of a member with this metadata."""
        written = encode(msgspec.structs.replace(meta, name=name, generation=self.generation))
        said = difference({"metadata": {}}, {"metadata": msgspec.json.decode(written)}, "").added
        owners = write_owners({self.owner: Owned(self.fields | said, time)})
        born = {"uid": uid, "creationTimestamp": time, "managedFields": owners, "resourceVersion": str(revision)}
        before, after = self.rest
        return b"".join((before, written[:-1], b",", msgspec.json.encode(born)[1:], after))


def member_of(body: bytes, namespace: str) -> Member | None:
    """A body to be created in a namespace as a member of its family; None where it may have none."""
    split = _split(body)
    if split is None or doubled_keys(split[1]):
        return None
    try:
        said = _SIMPLE.decode(split[1])
    except msgspec.DecodeError:
        return None
    if said.namespace not in ("", namespace):
        return None
    meta = ObjectMeta(
        name=said.name,
        generate_name=said.generate_name,
        namespace=namespace,
        labels=said.labels,
        annotations=said.annotations,
    )
    is_good = next(_faults(meta), None) is None
    return Member((split[0], split[2]), meta) if is_good else None


def family_of(record: Record, body: bytes, warnings: tuple[str, ...]) -> Family | None:
    """The family of an object that was made of a body; None where there might be more to it."""
    split = _split(record.body)
    if split is None or any(time not in body for time in TIME.findall(split[0] + split[2])):
        return None
    meta = msgspec.json.decode(split[1])
    owners = read_owners(meta.get("managedFields"))
    if len(owners) != 1:
        return None
    [(owner, owned)] = owners.items()
    fields = frozenset(path for path in owned.fields if path[0] != _METADATA)
    return Family((split[0], split[2]), owner, fields, meta.get("generation", 0), warnings)


def _split(text: bytes) -> tuple[bytes, bytes, bytes] | None:
    """The text of an object before, in and after its metadata."""
    try:
        meta = bytes(_PARTS.decode(text).metadata)
    except msgspec.DecodeError:
        return None
    parts = text.split(meta)
    return (parts[0], meta, parts[1]) if len(parts) == 2 else None


def _faults(meta: ObjectMeta) -> Iterator[object]:
    yield from labels_of(meta, "")
    yield from annotations_of(meta, "")
