"""Objects that differ in nothing but their names: what became of the first one becomes of the others.

Who creates many objects sends one body again and again. Where nothing that decides about it has changed, the answer
is known but for name, uid, revision and times, and the object is cast instead of judged.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Any, Final, Generic, Literal, TypeVar

import msgspec

from dravite.admission.plugins import DECLARED
from dravite.api.releases import Profile
from dravite.apiserver import media
from dravite.apiserver.families import TIME, Family, Own, are_good, family_of, parts_of, simple_metadata
from dravite.apiserver.requests import Request, Target
from dravite.store import Record

T = TypeVar("T")
Slot = Literal["name", "uid", "time", "revision"]

_KINDS: Final = frozenset({"DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice"})
"""Kinds about which nothing decides but the body and the namespace."""

_NAME: Final = re.compile(r"[a-z]([-a-z0-9]{0,60}[a-z0-9])?")
"""Names that every rule for names takes."""

_TEXT: Final = re.compile(rb'"(\w+)":"([^"\\]*)"')
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
        common: who asks for what, where and how.
        body: all of it but the name.
        stamp: the revision of the namespace that decided.
        name: the name that it gives, or what the name is to begin with.
        is_whole: whether the name is whole.
    """

    common: tuple[Any, ...]
    namespace: str
    body: tuple[bytes, ...]
    stamp: int
    name: str
    is_whole: bool


class Mould(msgspec.Struct, frozen=True):
    """An object with gaps: pieces of its text, what comes after each, and what its clients were warned of."""

    pieces: tuple[bytes, ...]
    slots: tuple[Slot, ...]
    warnings: tuple[str, ...]

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


class Casting(msgspec.Struct, frozen=True):
    """How a new object gets its text, of name, uid, time and revision, and what its client is warned of."""

    filled: Callable[[str, str, str, int], bytes]
    warnings: tuple[str, ...]


class Moulds:
    """The moulds and families of one server: those that were used last. `used` counts how often."""

    def __init__(self) -> None:
        self.used = 0
        self._moulds: _Recent[Mould] = _Recent()
        self._families: _Recent[Family] = _Recent()

    def find(self, cast: Cast, body: bytes) -> Casting | None:
        """How to make what a request asks for, if that is known and nothing that decided has changed."""
        found = self._cast(cast) or self._born(cast, body)
        self.used += found is not None
        return found

    def _cast(self, cast: Cast) -> Casting | None:
        mould = self._moulds.get((cast.common, cast.body), cast.stamp)
        return None if mould is None else Casting(mould.filled, mould.warnings)

    def _born(self, cast: Cast, body: bytes) -> Casting | None:
        parts = parts_of(body) if self._families else None
        family = None if parts is None else self._families.get((cast.common, parts.rest), cast.stamp)
        meta = None if parts is None or family is None else simple_metadata(parts.meta, cast.namespace)
        if parts is None or family is None or meta is None or not are_good(meta):
            return None
        return Casting(partial(family.filled, Own(meta, parts.expressions)), family.warnings)

    def keep(self, cast: Cast, record: Record, body: bytes, warnings: tuple[str, ...]) -> None:
        """Remember a body, and when it comes again make a mould of the object; none where that would not be sure."""
        key = (cast.common, cast.body)
        self._moulds.keep(key, cast.stamp, lambda: _mould_of(record, body, warnings))
        parts = parts_of(body)
        if parts is not None and simple_metadata(parts.meta, cast.namespace) is not None:
            key = (cast.common, parts.rest)
            self._families.keep(key, cast.stamp, lambda: family_of(record, body, warnings))


class _Recent(Generic[T]):
    """What was used last, by a key and the stamp that it had."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[Any, ...], tuple[int, T | None]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._known)

    def get(self, key: tuple[Any, ...], stamp: int) -> T | None:
        kept, found = self._known.get(key, (stamp, None))
        if found is None or kept != stamp:
            return None
        self._known.move_to_end(key)
        return found

    def keep(self, key: tuple[Any, ...], stamp: int, make: Callable[[], T | None]) -> None:
        """Remember that a key came, and, when it did before, what is made for it."""
        self._known[key] = (stamp, make() if key in self._known else None)
        self._known.move_to_end(key)
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
    if meta.name and meta.generate_name:
        return None  # the prefix is judged too, and a name that is taken is told otherwise
    wanted = (headers.get("user-agent"), headers.get("accept"), *request.query.items())
    common = (target.kind, target.namespace, wanted)
    if not meta.name:
        is_sure = _NAME.fullmatch(meta.generate_name.rstrip("-")) is not None
        parts: tuple[bytes, ...] = (request.body,)
        return Cast(common, target.namespace, parts, stamp, meta.generate_name, is_whole=False) if is_sure else None
    parts = tuple(request.body.split(b'"%b"' % meta.name.encode()))
    if len(parts) != 2 or not _NAME.fullmatch(meta.name):
        return None
    return Cast(common, target.namespace, parts, stamp, meta.name, is_whole=True)


def _mould_of(record: Record, body: bytes, warnings: tuple[str, ...]) -> Mould | None:
    """The text of an object, cut where others differ; None where a value of it might stand for something else."""
    meta = msgspec.json.decode(record.body)["metadata"]
    created = meta["creationTimestamp"].encode()
    times = {time for time in TIME.findall(record.body) if time not in body}
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
    return Mould((*pieces, record.body[begin:]), tuple(slots), warnings)
