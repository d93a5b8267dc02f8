"""What the value of an expression becomes outside of CEL: a bool for a selector, a value for a derived attribute.

A value that cannot become it is answered with Kubernetes' sentence, which names the conversion as its evaluator sees
it. The same sentences serve message literals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from dravite.api.quantity import Quantity
from dravite.api.semver import Semver
from dravite.cel.ast import Uint
from dravite.cel.values import (
    CIDR,
    IP,
    LISTS,
    NONE,
    URL,
    ComputedQuantity,
    Duration,
    Failure,
    Joined,
    Map,
    Message,
    NamedFormat,
    Optional,
    Timestamp,
    TypeValue,
    type_name,
)

Scalar = bool | int | str | Semver
AttributeValue = Scalar | tuple[Scalar, ...]

_QUOTED_KINDS: Final[Mapping[type, str]] = {
    type(None): "'null_type'",
    bool: "bool",
    float: "Double",
    bytes: "Bytes",
    Duration: "'Duration'",
    Timestamp: "'Timestamp'",
    Quantity: "'Quantity'",
    ComputedQuantity: "'Quantity'",
    Semver: "'Semver'",
    IP: "'IP'",
    CIDR: "'CIDR'",
    URL: "'URL'",
    NamedFormat: "'Format'",
    Message: "'*dynamicpb.Message'",
}
_SCALARS: Final = (bool, int, str, Semver)
_ELEMENT_KINDS: Final[Mapping[type, str]] = {bool: "bool", int: "int", str: "string", Semver: "semver"}
_NATIVE_NAMES: Final[Mapping[type, str]] = {
    bool: "bool",
    int: "int64",
    Uint: "uint64",
    float: "float64",
    str: "string",
    bytes: "[]uint8",
    type(None): "structpb.NullValue",
    Duration: "time.Duration",
    Timestamp: "time.Time",
    Quantity: "*resource.Quantity",
    ComputedQuantity: "*resource.Quantity",
    Semver: "semver.Version",
    IP: "netip.Addr",
    CIDR: "netip.Prefix",
    URL: "*url.URL",
    NamedFormat: "cel.Format",
    tuple: "[]ref.Val",
    Joined: "[]interface {}",
    Map: "map[ref.Val]ref.Val",
    Message: "*dynamicpb.Message",
}


def unconvertible(value: object, target: str) -> str:
    """Why a value cannot become something of the `target` type."""
    if isinstance(value, Optional):
        return "optional.none() dereference" if value is NONE else unconvertible(value.value, target)
    if isinstance(value, str):
        return f"unsupported native conversion from string to '{target}'"
    if type(value) is int or isinstance(value, Uint):
        return f"unsupported type conversion from '{type_name(value)}' to {target}"
    if isinstance(value, TypeValue):
        return "type conversion not supported for 'type'"
    kind = _QUOTED_KINDS.get(type(value), "list" if isinstance(value, LISTS) else "map")
    return f"type conversion error from {kind} to '{target}'"


def as_bool(value: object) -> bool | Failure:
    """The answer of a selector."""
    inner = _bare(value)
    if type(inner) is bool:
        return inner
    reason = unconvertible(value, "bool")
    return Failure(f"CEL result of type {type_name(value)} could not be converted to bool: {reason}")


def as_attribute_value(value: object) -> AttributeValue | Failure:
    """The value of a derived attribute: what attributes may hold, or a list of that."""
    inner = _bare(value)
    if isinstance(inner, _SCALARS):
        return inner
    if isinstance(value, LISTS):
        return _attribute_list([_bare(element) for element in value])
    return Failure(f"unsupported CEL return type: {_native_name(inner)}")


def _bare(value: object) -> object:
    """The value without the optional around it; a type is its name."""
    while isinstance(value, Optional) and value is not NONE:
        value = value.value
    return value.name if isinstance(value, TypeValue) else value


def _attribute_list(elements: Sequence[object]) -> tuple[Scalar, ...] | Failure:
    if not elements:
        return ()
    kind = type(elements[0])
    known = _ELEMENT_KINDS.get(kind)
    if known is None:
        return Failure(f"unsupported list element type: {_native_name(elements[0])}")
    for index, element in enumerate(elements):
        if type(element) is not kind:
            return Failure(f"expected list element at index {index} to be {known}, got {_native_name(element)}")
    return tuple(elements)  # type: ignore[arg-type]


def _native_name(value: object) -> str:
    """The name of the type that holds the value in Kubernetes, outside of CEL."""
    if isinstance(value, Map) and value.textual:
        amounts = value.entries and all(isinstance(inner, Quantity) for inner in value.entries.values())
        return "map[string]cel.Quantity" if amounts else "map[string]interface {}"
    return "<nil>" if value is NONE else _NATIVE_NAMES[type(value)]
