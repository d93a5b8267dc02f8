"""CEL as Kubernetes speaks it, for the selectors and derived attributes of devices.

Compile once, evaluate per device. The names are loaded when they are first used.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dravite.cel.compile import Program, compile_derived_attribute, compile_selector
    from dravite.cel.device import Activation, activate
    from dravite.cel.environment import OLDEST, STORED, Environment, new_environment
    from dravite.cel.errors import CelError
    from dravite.cel.evaluate import (
        COST_LIMIT,
        Result,
        Verdict,
        evaluate_derived_attribute,
        evaluate_selector,
        run,
        with_hint,
    )

_HOMES = {
    "compile_selector": "compile",
    "compile_derived_attribute": "compile",
    "Program": "compile",
    "CelError": "errors",
    "Environment": "environment",
    "OLDEST": "environment",
    "STORED": "environment",
    "new_environment": "environment",
    "Activation": "device",
    "activate": "device",
    "COST_LIMIT": "evaluate",
    "Result": "evaluate",
    "Verdict": "evaluate",
    "evaluate_derived_attribute": "evaluate",
    "evaluate_selector": "evaluate",
    "run": "evaluate",
    "with_hint": "evaluate",
}

__all__ = [
    "COST_LIMIT",
    "OLDEST",
    "STORED",
    "Activation",
    "CelError",
    "Environment",
    "Program",
    "Result",
    "Verdict",
    "activate",
    "compile_derived_attribute",
    "compile_selector",
    "evaluate_derived_attribute",
    "evaluate_selector",
    "new_environment",
    "run",
    "with_hint",
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
