"""What is known of an expression before any device is seen.

Kubernetes works out constant parts when it makes a program: literals, lists and maps of constants, conversions of
constants. A fault in such a part is a compile error, whether the part would be reached or not. Constant parts cost
nothing at run time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dravite.cel.ast import Call, Comprehension, Constant, Expr, Ident, ListExpr, MapExpr, Uint, children
from dravite.cel.check import Checked
from dravite.cel.declarations import overloads
from dravite.cel.values import Failure, Halt, Map, TypeValue, host_name, key_of, type_name

_CONVERSIONS: Final = frozenset(
    {"bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"}
)
_PATTERN_FUNCTIONS: Final = frozenset({"matches", "find", "findAll"})
_INDEXING: Final = frozenset({"_[_]", "_[?_]"})
_KEY_TYPES: Final = (str, bool, int, Uint, float)
_VALUE_TYPE_NAMES: Final = frozenset(
    {
        *("bool", "bytes", "double", "google.protobuf.Duration", "google.protobuf.Empty", "int", "list", "map"),
        "google.protobuf.Struct.FieldsEntry",
        *("net.CIDR", "net.IP", "null_type", "optional_type", "string", "google.protobuf.Timestamp", "type", "uint"),
    }
)
"""Types that can be used as values; the checker knows more."""


class _Unknown:
    """The value of everything that depends on the device or costs something."""


_UNKNOWN: Final = _Unknown()


class _Broken(Exception):  # noqa: N818 - it never leaves this module
    """A constant part that has no value."""


def fold(checked: Checked) -> Mapping[int, object] | str:
    """The values of all constant parts, by node; or why one of them has none."""
    folder = _Folder(checked)
    try:
        folder.visit(checked.tree)
    except (_Broken, Halt) as broken:
        return f"program instantiation failed: {broken}"
    return folder.values


class _Folder:
    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self.values: dict[int, object] = {}

    def visit(self, node: Expr) -> object:
        value = self.value(node)
        if value is not _UNKNOWN:
            self.values[node.id] = value
        return value

    def value(self, node: Expr) -> object:
        match node:
            case Constant():
                return node.value
            case Ident():
                return self.name(node)
            case Call():
                return self.call(node)
            case ListExpr():
                elements = [self.visit(element) for element in node.elements]
                return _UNKNOWN if _UNKNOWN in elements or node.optional else tuple(elements)
            case MapExpr():
                return self.map_literal(node)
            case Comprehension():
                for part in (node.accu_init, node.iter_range, node.loop_condition, node.loop_step, node.result):
                    self.visit(part)
            case _:
                for part in children(node):
                    self.visit(part)
        return _UNKNOWN

    def name(self, node: Ident) -> object:
        """The value of a name. Where a type is wanted, even a variable counts as the name of one."""
        if self.checked.types[node.id].kind != "type":
            return self.checked.constants.get(node.id, _UNKNOWN)
        if node.name not in _VALUE_TYPE_NAMES:
            message = f"reference to undefined type: {node.name}"
            raise _Broken(message)
        return TypeValue(node.name)

    def map_literal(self, node: MapExpr) -> object:
        entries = [(self.visit(entry.key), self.visit(entry.value)) for entry in node.entries]
        if any(_UNKNOWN in entry for entry in entries) or any(entry.optional for entry in node.entries):
            return _UNKNOWN
        return Map({key_of(key): value for key, value in entries})

    def call(self, node: Call) -> object:
        operands = [self.visit(operand) for operand in children(node)]
        function = node.function
        if function in _INDEXING:
            _check_key(operands[1])
        elif function in _PATTERN_FUNCTIONS and len(operands) > 1:
            _check_pattern(operands[1])
        elif function in _CONVERSIONS and len(operands) == 1 and operands[0] is not _UNKNOWN:
            converted = convert(function, operands[0])
            if isinstance(converted, Failure):
                raise _Broken(converted.message)
            return converted
        elif function == "@in" and operands[1] == () and self.checked.overloads[node.id] == ("in_list",):
            return False
        return _UNKNOWN


def _check_key(key: object) -> None:
    if key is not _UNKNOWN and not isinstance(key, _KEY_TYPES):
        message = f"invalid qualifier type: {host_name(key)}"
        raise _Broken(message)


def _check_pattern(pattern: object) -> None:
    if isinstance(pattern, str):
        from dravite.cel.library.patterns import PatternError, compile_pattern

        try:
            compile_pattern(pattern)
        except PatternError as error:
            raise _Broken(str(error)) from None


def convert(function: str, value: object) -> object:
    """What a conversion (`int`, `duration`, `dyn` …) makes of a constant; a `Failure` where it makes nothing."""
    if function == "dyn":
        return value
    kind = type_name(value)
    if function == "type":
        return TypeValue(kind)
    from dravite.cel.library.conversions import OVERLOADS

    for overload in overloads(function) or ():
        if overload.args[0].name == kind:
            return OVERLOADS[overload.id](value)
    return Failure(f"no such overload: {function}({kind})")
