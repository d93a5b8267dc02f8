"""Documents as they would be if somebody deleted an object or set a field; nothing here is admitted yet.

Objects are found by kind and name in what is written, before anybody looks at their types: a workload of any kind can
be taken out, and any field of it set.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

import msgspec

from dravite.api.codec import decode_raw
from dravite.api.document import Document
from dravite.api.meta import ObjectRef
from dravite.api.registry import known_kind

_PATH: Final = re.compile(r"[^.\[\]]+(?:\.[^.\[\]]+|\[[^\[\]]+\])*")
_STEP: Final = re.compile(r"\.?([^.\[\]]+)|\[([^\[\]]+)\]")


class NotSettable(msgspec.Struct, frozen=True):
    """Why a field cannot be set: what stands at `field`, where the path should have led on."""

    field: str
    why: str


def refs_of_kinds(documents: Iterable[Document], kinds: Collection[str], namespace: str) -> list[ObjectRef]:
    """The objects of some kinds, in their order; `namespace` is that of objects that name none."""
    return [ref for one in documents if one.kind in kinds and (ref := ref_of(one, namespace)) is not None]


def ref_of(document: Document, namespace: str) -> ObjectRef | None:
    """Which object a document is, as far as it says so."""
    raw = decode_raw(document) if document.body else None
    meta = raw.get("metadata") if isinstance(raw, dict) else None
    if not isinstance(meta, dict):
        return None
    name = meta.get("name") or (f"{meta['generateName']}1" if meta.get("generateName") else "")
    info = known_kind(document.api_version.rpartition("/")[0], document.kind)
    wide = info.scope == "Cluster" if info is not None else document.kind.startswith("Cluster")
    return ObjectRef(document.kind, "" if wide else str(meta.get("namespace") or namespace), str(name))


def without(documents: Iterable[Document], gone: Collection[ObjectRef], namespace: str) -> tuple[Document, ...]:
    """The documents without some objects; with a namespace goes everything in it."""
    kinds = {ref.kind for ref in gone}
    spaces = {ref.name for ref in gone if ref.kind == "Namespace"}
    kept = []
    for one in documents:
        ref = ref_of(one, namespace) if spaces or one.kind in kinds else None
        if ref is None or (ref not in gone and ref.namespace not in spaces):
            kept.append(one)
    return tuple(kept)


def with_field(document: Document, path: str, value: Any) -> Document | NotSettable:
    """The document with a field set, or why the path leads nowhere. None takes the field out.

    Maps on the way are made where they are missing; entries of lists must be there, or be the next one.
    """
    raw = decode_raw(document)
    if not _PATH.fullmatch(path):
        return NotSettable(path, "is no path of a field, as in spec.replicas or spec.containers[0].image")
    steps = [step or key for step, key in _STEP.findall(path)]
    fault = _set(raw, steps, value)
    if fault is not None:
        return fault
    try:
        body = msgspec.json.encode(raw)
    except UnicodeEncodeError:
        return NotSettable(path, "cannot be text that is no UTF-8")
    text = document.text or bytes(document.body).decode("utf-8", "replace")
    return msgspec.structs.replace(document, body=body, text=text, letters=(), stored=False)


def _set(root: Any, steps: Sequence[str], value: Any) -> NotSettable | None:
    """Set a value in plain data that belongs to the caller."""
    place = root
    for depth, step in enumerate(steps):
        last = depth == len(steps) - 1
        if isinstance(place, dict):
            key: Any = step
            place.setdefault(key, {})
        elif isinstance(place, list) and step.isdecimal() and int(step) <= len(place):
            key = int(step)
            place.extend([{}] if key == len(place) else [])
        else:
            what = f"a list of {len(place)}" if isinstance(place, list) else repr(place)
            return NotSettable(".".join(steps[:depth]), f"is {what}, and leads to no {step!r}")
        if last and value is None:
            del place[key]
        elif last:
            place[key] = value
        elif place[key] is None:
            place[key] = {}
        place = place[key] if not last else place
    return None
