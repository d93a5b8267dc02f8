"""Objects that differ in nothing but their metadata, and in selectors that the rules cannot tell apart: what became of
the rest of the first one becomes of the others'.

Names, labels and annotations are checked, and owned by whoever sent them, as those of any object are. Metadata that
say more are judged with all the rest.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import Final, NamedTuple

import msgspec

from dravite.api.codec import encode
from dravite.api.json_text import doubled_keys
from dravite.api.meta import ObjectMeta
from dravite.apiserver.field_sets import FieldSet, difference
from dravite.apiserver.managed_fields import Owned, Owner, read_owners, write_owners
from dravite.cel.representatives import representative
from dravite.store import Record
from dravite.validation.metadata import annotations_of, labels_of

TIME: Final = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_EXPRESSION: Final = re.compile(rb'(?<="expression":)\s*("(?:[^"\\]|\\.)*")')
_METADATA: Final = "f:metadata"


class _Simple(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """All that metadata may say here."""

    name: str = ""
    generate_name: str = ""
    namespace: str = ""
    labels: dict[str, str] = {}
    annotations: dict[str, str] = {}


class _MetadataAlone(msgspec.Struct):
    metadata: msgspec.Raw


_METADATA_ALONE: Final = msgspec.json.Decoder(_MetadataAlone)
_SIMPLE: Final = msgspec.json.Decoder(_Simple)


class Parts(msgspec.Struct, frozen=True):
    """The text of an object taken apart.

    Attributes:
        rest: what is before and after the metadata, with representatives for expressions.
        expressions: those that were there, as they are written. No two are the same; where some are, none is taken out.
    """

    meta: bytes
    rest: tuple[bytes, bytes]
    expressions: tuple[bytes, ...] = ()


class Own(msgspec.Struct, frozen=True):
    """What a member of a family has for itself."""

    meta: ObjectMeta
    expressions: tuple[bytes, ...]


class Family(msgspec.Struct, frozen=True):
    """What the objects of a family have in common: their text before the metadata and after them, in pieces between
    expressions; what its owner has of it, and what their clients were warned of.
    """

    before: bytes
    after: tuple[bytes, ...]
    owner: Owner
    fields: FieldSet
    generation: int
    warnings: tuple[str, ...]

    def filled(self, own: Own, name: str, uid: str, time: str, revision: int) -> bytes:
        """The text of a member."""
        written = encode(msgspec.structs.replace(own.meta, name=name, generation=self.generation))
        said = difference({"metadata": {}}, {"metadata": msgspec.json.decode(written)}, "").added
        fields = self.fields | said
        owners = {"managedFields": write_owners({self.owner: Owned(fields, time)})} if fields else {}
        born = {"uid": uid, "creationTimestamp": time, **owners, "resourceVersion": str(revision)}
        rest = chain.from_iterable(zip(own.expressions, self.after[1:], strict=True))
        return b"".join((self.before, written[:-1], b",", msgspec.json.encode(born)[1:], self.after[0], *rest))


def simple_metadata(meta: bytes, namespace: str) -> ObjectMeta | None:
    """The metadata of an object to be created in a namespace; None where they say more than is judged here."""
    if doubled_keys(meta):
        return None
    try:
        said = _SIMPLE.decode(meta)
    except msgspec.DecodeError:
        return None
    if said.namespace not in ("", namespace):
        return None
    return ObjectMeta(
        name=said.name,
        generate_name=said.generate_name,
        namespace=namespace,
        labels=said.labels,
        annotations=said.annotations,
    )


def are_good(meta: ObjectMeta) -> bool:
    """Whether labels and annotations keep all rules."""
    return next(labels_of(meta, ""), None) is None and next(annotations_of(meta, ""), None) is None


def family_of(record: Record, body: bytes, warnings: tuple[str, ...]) -> Family | None:
    """The family of an object that was made of a body; None where there might be more to it."""
    sent, kept = parts_of(body), _cut(record.body)
    if sent is None or kept is None or any(time not in body for time in TIME.findall(kept.before + kept.after)):
        return None
    pieces = _EXPRESSION.split(kept.after) if sent.expressions else [kept.after]
    if tuple(pieces[1::2]) != sent.expressions:
        return None
    meta = msgspec.json.decode(kept.meta)
    owners = read_owners(meta.get("managedFields"))
    if len(owners) != 1:
        return None
    [(owner, owned)] = owners.items()
    fields = frozenset(path for path in owned.fields if path[0] != _METADATA)
    return Family(kept.before, tuple(pieces[::2]), owner, fields, meta.get("generation", 0), warnings)


def parts_of(text: bytes) -> Parts | None:
    """The text of an object taken apart; None where it has no metadata, or says the same elsewhere too."""
    cut = _cut(text)
    if cut is None:
        return None
    expressions: list[bytes] = []

    def stand_in(match: re.Match[bytes]) -> bytes:
        expressions.append(match[1])
        return _representative(match[1])

    rest = (_EXPRESSION.sub(stand_in, cut.before), _EXPRESSION.sub(stand_in, cut.after))
    if len(set(expressions)) < len(expressions):
        return Parts(cut.meta, (cut.before, cut.after))
    return Parts(cut.meta, rest, tuple(expressions))


class _Cut(NamedTuple):
    before: bytes
    meta: bytes
    after: bytes


def _cut(text: bytes) -> _Cut | None:
    """The text of an object before, in and after its metadata."""
    try:
        meta = bytes(_METADATA_ALONE.decode(text).metadata)
    except msgspec.DecodeError:
        return None
    before, _, after = text.partition(meta)
    return None if meta in after else _Cut(before, meta, after)


def _representative(written: bytes) -> bytes:
    """What stands for an expression, both in JSON; itself where it is not written as it will be kept."""
    try:
        expression = msgspec.json.decode(written)
    except msgspec.DecodeError:
        return written
    is_kept_so = msgspec.json.encode(expression) == written
    return msgspec.json.encode(representative(expression)) if is_kept_so else written
