"""lightkube's model classes, under the names of its modules: `from dravite.compat.lightkube.models import resource_v1`.

They are msgspec Structs, as lightkube's are: positional arguments in its order (what is required first, then what is
not, each by name), names as on the wire, no checks in constructors, maps of objects as plain dicts, times as
`datetime`, quantities as text. Where a release dropped a class, it is here as the last release had it. The modules
can be had from this package too.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from dravite.compat.family import MODULES


def __getattr__(name: str) -> ModuleType:
    if name in (*MODULES, "core_v1", "meta_v1"):
        return import_module(f"dravite.compat.lightkube.models.{name}")
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)
