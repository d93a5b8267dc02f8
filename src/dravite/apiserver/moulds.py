"""Objects that differ in nothing but their names: what became of the first one becomes of the others.

Who creates many objects sends one body again and again. Where nothing that decides about it has changed, the answer
is known but for name, uid, revision and times, and the object is cast instead of judged.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from typing import Any, Final, Literal

import msgspec

from dravite.admission.plugins import DECLARED
from dravite.api.releases import Profile
from dravite.apiserver import media
from dravite.apiserver.requests import Request, Target
from dravite.store import Record

Slot = Literal["name", "uid", "time", "revision"]

_KINDS: Final = frozenset({"DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice"})
"""Kinds about which nothing decides but the body and the namespace."""

_NAME: Final = re.compile(r"[a-z]([-a-z0-9]{0,60}[a-z0-9])?")
"""Names that every rule for names takes."""

_TEXT: Final = re.compile(rb'"(\w+)":"([^"\\]*)"')
_TIME: Final = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_MOST: Final = 256
_LARGEST: Final = 16 << 10
_JSON: Final = (None, media.JSON)


class _Meta(msgspec.Struct, rename="camel"):
    name: str = ""
    generate_name: str = ""


class _Named(msgspec.Struct):
    metadata: _Meta


_NAMES: Final = msgspec.json.Decoder(_Named)


class Cast(msgspec.Struct, frozen=True):
    """A request to create, as far as it is like others.

    Attributes:
        key: all of it but the name.
        stamp: the revision of the namespace that decided.
        name: the name that it gives, or what the name is to begin with.
        is_whole: whether the name is whole.
    """

    key: tuple[Any, ...]
    stamp: int
    name: str
    is_whole: bool


class Mould(msgspec.Struct, frozen=True):
    """An object with gaps: pieces of its text, what comes after each, and what its clients were warned of."""

    pieces: tuple[bytes, ...]
    slots: tuple[Slot, ...]
    stamp: int
    warnings: tuple[str, ...] = ()

    def filled(self, name: str, uid: str, time: str, revision: int) -> bytes:
        """The text of another object."""
        values: dict[Slot, bytes] = {
            "name": name.encode(),
            "uid": uid.encode(),
            "time": time.encode(),
            "revision": str(revision).encode(),
        }
        parts = [self.pieces[0]]
        for slot, piece in zip(self.slots, self.pieces[1:], strict=True):
            parts += (values[slot], piece)
        return b"".join(parts)


class Moulds:
    """The moulds of one server: those that were used last. `used` counts how often."""

    def __init__(self) -> None:
        self.used = 0
        self._known: OrderedDict[tuple[Any, ...], Mould | None] = OrderedDict()

    def find(self, cast: Cast) -> Mould | None:
        """The mould for a request, if nothing that decided has changed."""
        found = self._known.get(cast.key)
        if found is None or found.stamp != cast.stamp:
            return None
        self._known.move_to_end(cast.key)
        self.used += 1
        return found

    def keep(self, cast: Cast, record: Record, body: bytes, warnings: tuple[str, ...]) -> None:
        """Remember a body, and when it comes again make a mould of the object; none where that would not be sure."""
        pieces = _pieces(record, body) if cast.key in self._known else None
        self._known[cast.key] = None if pieces is None else Mould(*pieces, cast.stamp, warnings)
        self._known.move_to_end(cast.key)
        if len(self._known) > _MOST:
            self._known.popitem(last=False)


def cast_of(target: Target, request: Request, profile: Profile, stamp: int) -> Cast | None:
    """What a request has in common with others; None where each is judged by itself."""
    if target.kind.kind not in _KINDS or target.version != target.kind.hub or len(request.body) > _LARGEST:
        return None
    if target.kind.kind == "ResourceSlice" and profile.enabled(DECLARED):
        return None
    headers = request.headers
    if headers.get("content-type") not in _JSON:
        return None
    try:
        meta = _NAMES.decode(request.body).metadata
    except (msgspec.DecodeError, RecursionError):
        return None
    wanted = (headers.get("user-agent"), headers.get("accept"), *request.query.items())
    common = (target.kind, target.namespace, wanted)
    if not meta.name:
        is_sure = _NAME.fullmatch(meta.generate_name.rstrip("-")) is not None
        return Cast((*common, request.body), stamp, meta.generate_name, is_whole=False) if is_sure else None
    parts = request.body.split(b'"%b"' % meta.name.encode())
    if len(parts) != 2 or not _NAME.fullmatch(meta.name):
        return None
    return Cast((*common, *parts), stamp, meta.name, is_whole=True)


def _pieces(record: Record, body: bytes) -> tuple[tuple[bytes, ...], tuple[Slot, ...]] | None:
    """The text of an object, cut where others differ; None where a value of it might stand for something else."""
    meta = msgspec.json.decode(record.body)["metadata"]
    created = meta["creationTimestamp"].encode()
    times = {time for time in _TIME.findall(record.body) if time not in body}
    if times != {created} or record.body.count(b'"%b"' % record.key.name.encode()) != 1:
        return None  # sent by the client, or a second began meanwhile
    own: dict[tuple[bytes, bytes], Slot] = {
        (b"name", record.key.name.encode()): "name",
        (b"uid", meta["uid"].encode()): "uid",
        (b"resourceVersion", b"%d" % record.revision): "revision",
    }
    pieces, slots, begin = [], [], 0
    for match in _TEXT.finditer(record.body):
        slot: Slot | None = "time" if match[2] == created else own.get((match[1], match[2]))
        if slot is not None:
            slots.append(slot)
            pieces.append(record.body[begin : match.start(2)])
            begin = match.end(2)
    if any(slots.count(slot) != 1 for slot in own.values()):
        return None
    return (*pieces, record.body[begin:]), tuple(slots)
