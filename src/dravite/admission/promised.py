"""ResourceClaimTemplates that the controllers of other kinds make: nobody misses them who waits for such a controller.

A table: the field in which an object of such a kind names the template. Source: the API of the NVIDIA DRA driver.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from dravite.admission.reading import raw_ref
from dravite.api.codec import decode_raw
from dravite.api.document import Document
from dravite.api.meta import ObjectRef

_NAMED_IN: Final[Mapping[tuple[str, str], tuple[str, ...]]] = {
    ("resource.nvidia.com", "ComputeDomain"): ("spec", "channel", "resourceClaimTemplate", "name"),
}


def promised_template(document: Document, namespace: str) -> tuple[ObjectRef, ObjectRef] | None:
    """The template that will be made for an object, and that object; None for objects that promise none."""
    steps = _NAMED_IN.get((document.api_version.partition("/")[0], document.kind))
    if steps is None:
        return None
    found: Any = decode_raw(document)
    for step in steps:
        found = found.get(step) if isinstance(found, dict) else None
    if not isinstance(found, str) or not found:
        return None
    maker = raw_ref(document, document.kind, namespace)
    return ObjectRef("ResourceClaimTemplate", maker.namespace, found), maker
