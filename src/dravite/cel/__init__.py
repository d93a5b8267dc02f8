"""CEL as Kubernetes speaks it, for the selectors and derived attributes of devices.

Compile once, evaluate per device. The names are loaded when they are first used.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dravite.cel.compile import Program, compile_derived_attribute, compile_selector
    from dravite.cel.environment import STORED, Environment, new_environment
    from dravite.cel.errors import CelError

_HOMES = {
    "compile_selector": "compile",
    "compile_derived_attribute": "compile",
    "Program": "compile",
    "CelError": "errors",
    "Environment": "environment",
    "STORED": "environment",
    "new_environment": "environment",
}

__all__ = [
    "STORED",
    "CelError",
    "Environment",
    "Program",
    "compile_derived_attribute",
    "compile_selector",
    "new_environment",
]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        message = f"module 'dravite.cel' has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module

    found: object = getattr(import_module(f"dravite.cel.{home}"), name)
    globals()[name] = found
    return found
