"""What an expression computes with at run time, and what each kind is called.

null, bool, int, double, string and bytes are Python's own values; the kinds that Python lacks are defined here.
Lists are tuples and maps are `Map`s; both are frozen, except for the accumulators of comprehensions, which grow in
place. An error is a value too, a `Failure`: CEL's logic absorbs errors, and most of them are never seen. This module
knows neither functions nor costs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from dravite.api.quantity import Quantity
from dravite.api.semver import Semver
from dravite.cel.ast import Uint

MIN_INT: Final = -(2**63)
MAX_INT: Final = 2**63 - 1
MAX_UINT: Final = 2**64 - 1


class Failure:
    """An error as a value: Kubernetes' text, and the node that it arose at (0 until somebody knows)."""

    __slots__ = ("message", "node")

    def __init__(self, message: str, node: int = 0) -> None:
        self.message = message
        self.node = node

    def __repr__(self) -> str:
        return f"Failure({self.message!r})"


class Halt(Exception):  # noqa: N818 - it ends an evaluation, whatever the expression says about errors
    """The evaluation is over and no logic absorbs it: the cost limit, or what crashes Kubernetes' evaluator."""


class Timestamp(msgspec.Struct, frozen=True):
    """A point in time: nanoseconds since 1970 in UTC, and the offset (in seconds) that it was written with."""

    nanos: int
    zone: int = 0

    def __eq__(self, other: object) -> bool:
        return self.nanos == other.nanos if isinstance(other, Timestamp) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.nanos)


class Duration(msgspec.Struct, frozen=True):
    nanos: int


class TypeValue(msgspec.Struct, frozen=True):
    """A type as a value: what `type(x)` gives."""

    name: str


class Optional:
    """A value that may be missing. `NONE` is the missing one."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __repr__(self) -> str:
        return "NONE" if self is NONE else f"Optional({self.value!r})"


class Joined(tuple[object, ...]):
    """A list made by `+`. It equals other lists by stricter rules than a literal (see `equality`)."""

    __slots__ = ()


class GrowingList(list[object]):
    """The accumulator of a comprehension: `+` extends it in place."""

    __slots__ = ()


class Map:
    """A map: what `key_of` makes of its keys → values, in the order of iteration.

    Attributes:
        entries: never changed after construction, but in a `GrowingMap`.
        fallback: what a lookup of a missing key gives; None where that is an error. Membership and iteration do not
            see it (CEL-12, CEL-13).
        textual: every key, now and by nature of the map, is a string.
    """

    __slots__ = ("entries", "fallback", "textual")

    def __init__(self, entries: Mapping[object, object], *, textual: bool = False, fallback: Map | None = None) -> None:
        self.entries = entries
        self.textual = textual
        self.fallback = fallback

    def __repr__(self) -> str:
        return f"Map({dict(self.entries)!r})"


class GrowingMap(Map):
    """The accumulator of a map comprehension: entries are inserted in place, and its size is not known until then."""

    __slots__ = ("growing",)

    def __init__(self) -> None:
        self.growing: dict[object, object] = {}
        super().__init__(self.growing)


class ComputedQuantity(Quantity):
    """A sum or difference. Kubernetes keeps it in a box of its own, so it equals another quantity on the left only."""

    __slots__ = ()

    @staticmethod
    def holding(quantity: Quantity) -> ComputedQuantity:
        """The same amount in such a box."""
        boxed = ComputedQuantity(quantity.nano, quantity.notation)
        object.__setattr__(boxed, "_form", quantity.form)
        return boxed


class IP(msgspec.Struct, frozen=True):
    """An IP address: its number of bits (32 or 128) and its value."""

    bits: int
    number: int


class CIDR(msgspec.Struct, frozen=True):
    """A network: an address, host bits included, and the length of its prefix."""

    address: IP
    prefix: int


class URL(msgspec.Struct, frozen=True):
    """A parsed URL. `text` is its canonical form, which decides equality."""

    scheme: str
    host: str
    escaped_path: str
    query: str
    text: str


class NamedFormat(msgspec.Struct, frozen=True):
    """One of Kubernetes' named string formats. `cost_size` is the length of the pattern that it is charged for."""

    name: str
    key: str
    cost_size: int


class Message(msgspec.Struct, frozen=True):
    """A protobuf message that is no value of another kind; only `google.protobuf.Empty` is one."""

    type_name: str


class _KindKey:
    """The key of a bool or a double, which Python would mistake for an int."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return type(other) is _KindKey and type(other.value) is type(self.value) and other.value == self.value

    def __hash__(self) -> int:
        return hash((_KindKey, self.value))


class _IdentityKey(_KindKey):
    """The key of a value that is only equal to itself."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _IdentityKey) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


NONE: Final = Optional(None)
EMPTY_MAP: Final = Map({}, textual=True)
LISTS: Final = (tuple, list)
_SIZED: Final = (str, bytes, tuple, list)
UNHASHABLE: Final = {bytes: "types.Bytes", Semver: "cel.Semver"}

_HASHED_KINDS: Final = frozenset({Timestamp, Duration, TypeValue, IP, CIDR})

_TYPE_NAMES: Final[Mapping[type, str]] = {
    type(None): "null_type",
    bool: "bool",
    int: "int",
    Uint: "uint",
    float: "double",
    str: "string",
    bytes: "bytes",
    tuple: "list",
    Joined: "list",
    GrowingList: "list",
    Map: "map",
    GrowingMap: "map",
    Timestamp: "google.protobuf.Timestamp",
    Duration: "google.protobuf.Duration",
    TypeValue: "type",
    Optional: "optional_type",
    Quantity: "kubernetes.Quantity",
    ComputedQuantity: "kubernetes.Quantity",
    Semver: "kubernetes.Semver",
    IP: "net.IP",
    CIDR: "net.CIDR",
    URL: "kubernetes.URL",
    NamedFormat: "kubernetes.NamedFormat",
    Message: "google.protobuf.Empty",
    Failure: "error",
}

_HOST_NAMES: Final[Mapping[type, str]] = {
    type(None): "types.Null",
    bool: "types.Bool",
    int: "types.Int",
    Uint: "types.Uint",
    float: "types.Double",
    str: "types.String",
    bytes: "types.Bytes",
    tuple: "*types.baseList",
    Joined: "*types.concatList",
    GrowingList: "*types.mutableList",
    Map: "*types.baseMap",
    GrowingMap: "*types.mutableMap",
    Timestamp: "types.Timestamp",
    Duration: "types.Duration",
    TypeValue: "*types.Type",
    Optional: "*types.Optional",
    Quantity: "cel.Quantity",
    ComputedQuantity: "*cel.Quantity",
    Semver: "cel.Semver",
    IP: "cel.IP",
    CIDR: "cel.CIDR",
    URL: "cel.URL",
    NamedFormat: "cel.Format",
    Message: "*types.protoObj",
    Failure: "*types.Err",
}


def type_name(value: object) -> str:
    """The name of the value's type, as messages and `type()` give it."""
    return _TYPE_NAMES[type(value)]


def kinds_of(name: str) -> frozenset[type]:
    """The Python types of the values whose type has this name."""
    return frozenset(kind for kind, known in _TYPE_NAMES.items() if known == name)


def host_name(value: object) -> str:
    """The name that a few messages use instead: that of the type which holds the value in Kubernetes."""
    return _HOST_NAMES[type(value)]


def size_of(value: object) -> int:
    """The size that costs are counted from: 1 for everything without a size, an optional value included."""
    kind = type(value)
    if kind is str or isinstance(value, _SIZED):
        return len(value)  # type: ignore[arg-type]
    if isinstance(value, Map):
        return 0 if kind is GrowingMap else len(value.entries)
    if isinstance(value, IP):
        return value.bits // 8
    return -(-value.prefix // 8) if isinstance(value, CIDR) else 1


def key_of(value: object) -> object:
    """What a map's entries are indexed by.

    Raises:
        Halt: the value cannot be a key; Kubernetes' evaluator crashes on it.
    """
    kind = type(value)
    if kind is str or kind is int or kind is Uint:
        return value
    if kind is bool or kind is float:
        return _KindKey(value)
    if kind in UNHASHABLE:
        message = f"internal error: runtime error: hash of unhashable type {UNHASHABLE[kind]}"
        raise Halt(message)
    if kind in _HASHED_KINDS or value is None:
        return value
    return _IdentityKey(value)


def key_value(key: object) -> object:
    """The value that a key was made of."""
    return key.value if isinstance(key, _KindKey) else key
