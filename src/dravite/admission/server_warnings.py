"""What a client is warned of although its request may be accepted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from dravite.api.meta import Model, ObjectMeta
from dravite.api.releases import Profile
from dravite.api.resource_v1 import ResourceSlice

MOST: Final = 4_096
"""With how many characters of warnings a server stops."""


def told(warnings: Iterable[str]) -> tuple[str, ...]:
    """The warnings that reach a client: none after those that have too many characters together."""
    kept: list[str] = []
    length = 0
    for text in warnings:
        if length > MOST:
            break
        kept.append(text)
        length += len(text)
    return tuple(kept)


def each_owner_once(meta: ObjectMeta) -> tuple[ObjectMeta, tuple[str, ...]]:
    """Metadata in which no owner is there twice, and the warning about it."""
    owners = tuple(dict.fromkeys(meta.owner_references))
    if len(owners) == len(meta.owner_references):
        return meta, ()
    left = list(meta.owner_references)
    for owner in owners:
        left.remove(owner)
    warning = (
        ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may "
        "reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: "
        f"{', '.join(owner.uid for owner in left)}"
    )
    return msgspec.structs.replace(meta, owner_references=owners), (warning,)


def object_warnings(obj: Model, profile: Profile) -> Iterator[str]:
    """What is said of a good object of some kind."""
    if not isinstance(obj, ResourceSlice) or not profile.is_at_least("1.34"):
        return
    driver = obj.spec.driver
    if driver != driver.lower():
        shown = json.dumps(driver, ensure_ascii=False)
        yield f"spec.driver: driver names should be lowercase; {shown} contains uppercase characters"
