"""The places in a device that expressions read."""

from __future__ import annotations

from typing import Final

from dravite.cel.ast import Call, Constant, Expr, Ident, Select
from dravite.snapshot.device_paths import DevicePath

_MAPS: Final = frozenset({"attributes", "capacity"})
_INDEX: Final = frozenset({"_[_]", "_[?_]", "_?._"})


def path_of(expression: Expr) -> DevicePath | None:
    """The place that an expression reads, if reading one place is all it does; a default (`orValue`) is ignored."""
    match expression:
        case Call(function="orValue", target=target) if target is not None:
            return path_of(target)
        case Call(function="value", target=target, args=()) if target is not None:
            return path_of(target)
        case Select(operand=operand, field=field):
            return _step(operand, field)
        case Call(function=function, args=(operand, Constant(value=str(key)))) if function in _INDEX:
            return _step(operand, key)
    return None


def _step(operand: Expr, name: str) -> DevicePath | None:
    if isinstance(operand, Ident):
        return DevicePath(name) if operand.name == "device" else None
    outer = path_of(operand)
    if outer is None or outer.root not in _MAPS or outer.name:
        return None
    return DevicePath(outer.root, outer.domain, name) if outer.domain else DevicePath(outer.root, name)
