"""The official client's model classes, under its names: `from dravite.compat import kubernetes as client`.

Constructors take keywords in either spelling and check them, attributes are checked when they are set, and `to_dict`,
`to_json`, `from_dict` and `from_json` do what they do there. What differs on purpose: errors are `ValidationError`
of this package, with the same types and locations; times are read by the rules of RFC 3339 and a little more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dravite.compat.kubernetes.classes import make_classes
from dravite.compat.kubernetes.faults import ValidationError

_CLASSES = make_classes()
globals().update(_CLASSES)
__all__ = ["ValidationError", *sorted(_CLASSES)]

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
