"""What a server decides about metadata: names, uids, times, generations, and which of them a client may change."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

import msgspec

from dravite.api.meta import Time
from dravite.api.plain import Plain
from dravite.apiserver import statuses
from dravite.apiserver.requests import Target

_LETTERS: Final = "bcdfghjklmnpqrstvwxz2456789"
_LONGEST_PREFIX: Final = 58
OF_DELETION: Final = ("deletionTimestamp", "deletionGracePeriodSeconds")
"""What says that an object is being deleted: no new one says it."""

_KEPT: Final = ("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation")
"""What an update cannot change."""


class Source(msgspec.Struct, frozen=True):
    """Where times and chance come from."""

    now: Callable[[], Time]
    uid: Callable[[], str]
    suffix: Callable[[], str]


def system_source() -> Source:
    """The clock and the dice of the machine."""
    dice = random.Random()  # noqa: S311 (names, no secrets); asking the machine each time would make its threads wait
    return Source(
        lambda: _at(int(time.time())),
        lambda: _uid(dice.getrandbits(128)),
        lambda: "".join(dice.choices(_LETTERS, k=5)),
    )


def _uid(number: int) -> str:
    """A random UUID (RFC 9562, version 4) from a number of 128 bits."""
    digits = f"{number:032x}"
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{'89ab'[number & 3]}{digits[17:20]}-{digits[20:]}"


@lru_cache(maxsize=2)
def _at(seconds: int) -> Time:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def metadata_of(value: Plain) -> Plain:
    """The metadata of a plain object, made where they are missing; wrong types are left for the decoder to refuse."""
    found = value.get("metadata")
    if found is None:
        found = value["metadata"] = {}
    return found if isinstance(found, dict) else {}


def prepare_create(value: Plain, target: Target, source: Source) -> None:
    """Make a plain object a new one, in place: its namespace, name, uid and time."""
    meta = metadata_of(value)
    _place(meta, target)
    prefix = meta.get("generateName")
    if prefix and isinstance(prefix, str) and not meta.get("name"):
        meta["name"] = completed(prefix, source)
    for name in (*OF_DELETION, "selfLink"):
        meta.pop(name, None)
    be_born(meta, source)


def completed(prefix: str, source: Source) -> str:
    """A name that begins as `generateName` says."""
    return prefix[:_LONGEST_PREFIX] + source.suffix()


def be_born(meta: Plain, source: Source) -> None:
    """Give a new object its identity."""
    meta["uid"] = source.uid()
    meta["creationTimestamp"] = source.now()


def prepare_update(value: Plain, old: Plain, target: Target) -> None:
    """Give a plain object what only the server writes, in place. `old` is the stored object."""
    meta = metadata_of(value)
    _place(meta, target)
    meta["name"] = target.name
    for name in _KEPT:
        if old["metadata"].get(name) is None:
            meta.pop(name, None)
        else:
            meta[name] = old["metadata"][name]


def check_name(value: Plain, target: Target) -> None:
    """Refuse an object that names itself otherwise than its URL."""
    name = metadata_of(value).get("name")
    if name and name != target.name:
        message = f"the name of the object ({name}) does not match the name on the URL ({target.name})"
        raise statuses.bad_request(message)


def check_is_named(value: Plain, target: Target) -> None:
    """Refuse an object that does not name itself as its URL does."""
    if not metadata_of(value).get("name"):
        message = f"the name of the object ({target.name} based on URL) was undeterminable: name must be provided"
        raise statuses.bad_request(message)
    check_name(value, target)


def check_namespace(value: Plain, target: Target) -> None:
    """Refuse an object that places itself otherwise than its URL."""
    given = metadata_of(value).get("namespace")
    if target.kind.namespaced and given and given != target.namespace:
        message = "the namespace of the provided object does not match the namespace sent on the request"
        raise statuses.bad_request(message)


def _place(meta: Plain, target: Target) -> None:
    if target.kind.namespaced:
        meta["namespace"] = target.namespace
    else:
        meta.pop("namespace", None)
