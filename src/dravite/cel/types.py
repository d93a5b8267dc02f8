"""The types of expressions, and how people read and write them.

A type is a kind, a name and parameters. Two of CEL's own habits live here: a type has one name in signatures and
messages (`duration`) and another one at run time (`google.protobuf.Duration`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final, Literal

import msgspec

from dravite.cel.ast import Uint

Kind = Literal[
    "any", "bool", "bytes", "double", "duration", "dyn", "error", "int", "list", "map", "null", "opaque", "param",
    "string", "struct", "timestamp", "type", "uint",
]  # fmt: skip


class Type(msgspec.Struct, frozen=True):
    """One type. `name` is the run-time name; `nullable` marks Protobuf's wrappers, which also take null."""

    kind: Kind
    name: str
    params: tuple[Type, ...] = ()
    nullable: bool = False

    @property
    def text(self) -> str:
        """The type as it stands in a program's output type: `map(string, dyn)`, `null_type`, `wrapper(int)`."""
        if self.kind == "param":
            return f"<{self.name}>"
        name = f"wrapper({self.name})" if self.nullable else self.name
        return f"{name}({', '.join([p.text for p in self.params])})" if self.params else name

    @property
    def label(self) -> str:
        """The type as messages of the type checker have it: `duration`, `null`, `!error!`."""
        if self.kind in _LABELS:
            return _LABELS[self.kind]
        if not self.params:
            return f"wrapper({self.name})" if self.nullable else self.name
        return f"{self.name}({', '.join([p.label for p in self.params])})"


_LABELS: Final = {
    "any": "any",
    "duration": "duration",
    "error": "!error!",
    "null": "null",
    "timestamp": "timestamp",
}

DYN: Final = Type("dyn", "dyn")
ANY: Final = Type("any", "google.protobuf.Any")
BOOL: Final = Type("bool", "bool")
BYTES: Final = Type("bytes", "bytes")
DOUBLE: Final = Type("double", "double")
DURATION: Final = Type("duration", "google.protobuf.Duration")
ERROR: Final = Type("error", "error")
INT: Final = Type("int", "int")
NULL: Final = Type("null", "null_type")
STRING: Final = Type("string", "string")
TIMESTAMP: Final = Type("timestamp", "google.protobuf.Timestamp")
TYPE: Final = Type("type", "type")
UINT: Final = Type("uint", "uint")
QUANTITY: Final = Type("struct", "kubernetes.Quantity")
SEMVER: Final = Type("struct", "kubernetes.Semver")
URL: Final = Type("struct", "kubernetes.URL")
FORMAT: Final = Type("struct", "kubernetes.NamedFormat")
DEVICE: Final = Type("struct", "kubernetes.DRADevice")
IP: Final = Type("opaque", "net.IP")
CIDR: Final = Type("opaque", "net.CIDR")

_SIMPLE: Final = {
    t.label: t
    for t in (DYN, ANY, BOOL, BYTES, DOUBLE, DURATION, ERROR, INT, NULL, STRING, TIMESTAMP, TYPE, UINT, IP, CIDR)
}
_WORD: Final = re.compile(r"\s*([\w.]+|[(),])")


_LITERAL_TYPES: Final[Mapping[type, Type]] = {
    bool: BOOL,
    bytes: BYTES,
    float: DOUBLE,
    int: INT,
    type(None): NULL,
    str: STRING,
    Uint: UINT,
}


def literal_type(value: object) -> Type:
    """The type of a literal's value."""
    return _LITERAL_TYPES[type(value)]


def list_of(element: Type) -> Type:
    return Type("list", "list", (element,))


def map_of(key: Type, value: Type) -> Type:
    return Type("map", "map", (key, value))


def optional_of(value: Type) -> Type:
    return Type("opaque", "optional_type", (value,))


def type_of(value: Type) -> Type:
    return Type("type", "type", (value,))


def param(name: str) -> Type:
    return Type("param", name)


def is_dyn(t: Type) -> bool:
    return t.kind in ("dyn", "any")


def is_optional(t: Type) -> bool:
    return t.kind == "opaque" and t.name == "optional_type"


def unwrap_optional(t: Type) -> Type:
    """The type inside an optional; any other type is itself."""
    return t.params[0] if is_optional(t) else t


def same(first: Type, second: Type) -> bool:
    """Exactly the same type; a wrapper is the same as what it wraps."""
    if first is second:
        return True
    if first.kind != second.kind or first.name != second.name or len(first.params) != len(second.params):
        return False
    return all(same(a, b) for a, b in zip(first.params, second.params, strict=True))


@cache
def read_type(text: str) -> Type:
    """The type that a signature means: `map(string, list(A))`; single capitals are type parameters."""
    words = _WORD.findall(text)
    found, rest = _read(words)
    if rest:
        message = f"not a type: {text!r}"
        raise ValueError(message)
    return found


def _read(words: list[str]) -> tuple[Type, list[str]]:
    name, rest = words[0], words[1:]
    params: list[Type] = []
    if rest and rest[0] == "(":
        rest = rest[1:]
        while rest[0] != ")":
            one, rest = _read(rest)
            params.append(one)
            if rest[0] == ",":
                rest = rest[1:]
        rest = rest[1:]
    return _named(name, tuple(params)), rest


def _named(name: str, params: tuple[Type, ...]) -> Type:
    match name, params:
        case "list", (element,):
            return list_of(element)
        case "map", (key, value):
            return map_of(key, value)
        case "type", (value,):
            return type_of(value)
        case "optional_type", (value,):
            return optional_of(value)
    if len(name) == 1 and name.isupper():
        return param(name)
    return _SIMPLE.get(name) or Type("struct", name)
