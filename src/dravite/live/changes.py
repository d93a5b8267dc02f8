"""Whether a change of an object can change an answer: compared is what planning reads, without what moves by itself.

Nodes report every few seconds, pods go through phases, controllers count; none of that matters here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from dravite.api.codec import Decoded, decode, decode_raw
from dravite.api.core_v1 import Node, Pod
from dravite.api.meta import Model, ObjectMeta
from dravite.api.registry import lookup
from dravite.live.lists import Item
from dravite.snapshot.snapshot import is_finished

_SCHEDULED: Final = "PodScheduled"
_COUNTED: Final[Mapping[str, tuple[str, ...]]] = {
    "Job": ("succeeded", "completedIndexes", "conditions"),
    "ResourceQuota": ("hard", "used"),
}
"""What of the status of kinds without a type decides something: how many pods a Job still makes, what is used up."""


def matters(before: Item | None, after: Item | None) -> bool:
    """Whether an answer may change when an object appears, changes or goes."""
    if before is None or after is None:
        return before is not after
    if before.revision and before.revision == after.revision:
        return False
    return view(before) != view(after)


def view(item: Item) -> object:
    """The object as far as answers depend on it, to be compared with another view of it."""
    document = item.document
    if lookup(document.api_version, document.kind) is None:
        return _raw_view(decode_raw(document))
    decoded = decode(document)
    return _typed_view(decoded.object) if isinstance(decoded, Decoded) else document.body


def _typed_view(obj: Model) -> object:
    metadata: ObjectMeta = obj.metadata  # type: ignore[attr-defined]
    still = msgspec.structs.replace(metadata, resource_version="", generation=0, annotations={})
    obj = msgspec.structs.replace(obj, metadata=still)
    part = _PARTS.get(type(obj))
    return part(obj) if part else obj


def _pod_view(pod: Any) -> object:
    conditions = tuple(
        msgspec.structs.replace(one, last_probe_time=None) for one in pod.status.conditions if one.type == _SCHEDULED
    )
    return (
        is_finished(pod),
        msgspec.structs.replace(
            pod, status=msgspec.structs.replace(pod.status, phase="", start_time=None, conditions=conditions)
        ),
    )


def _node_view(node: Any) -> object:
    return msgspec.structs.replace(node, status=msgspec.structs.replace(node.status, conditions=()))


_PARTS: Final[Mapping[type, Callable[[Any], object]]] = {Pod: _pod_view, Node: _node_view}


def _raw_view(raw: Any) -> object:
    if not isinstance(raw, dict):
        return raw
    metadata, status = raw.get("metadata") or {}, raw.get("status") or {}
    return (
        raw.get("spec"),
        metadata.get("ownerReferences"),
        metadata.get("deletionTimestamp"),
        {key: status.get(key) for key in _COUNTED.get(str(raw.get("kind")), ())},
    )
