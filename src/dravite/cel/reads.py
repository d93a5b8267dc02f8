"""Which parts of a device the answer of an expression can depend on.

Devices that agree in these parts get the same answer, so one evaluation serves all of them. The analysis follows names
through `cel.bind`, constant keys through indexing, presence tests and `in`, and takes the whole map for everything
else. It may name too much, never too little. (A device with an unreadable attribute breaks every expression; who uses
this must look for those first.)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from dravite.cel.ast import Call, Comprehension, Constant, Expr, Ident, Select, children
from dravite.cel.check import Checked
from dravite.cel.cost import is_bind

Part: TypeAlias = tuple[str, ...]
"""A path into the device: a field, then for maps the domain, then the name. The empty path is the whole device."""

_MAPS: Final = frozenset({"attributes", "capacity"})
_VALUE_DEPTH: Final = 3
_INDEXING: Final = frozenset({"_[_]", "_[?_]", "_?._"})


def device_reads(checked: Checked, constants: Mapping[int, object]) -> frozenset[Part] | None:
    """The parts that are read; None when the device is looked at as a whole.

    A part that is a domain or all of a map stands for everything in it, and for which names there are.
    """
    reader = _Reader(constants)
    reader.use(reader.visit(checked.tree))
    return None if () in reader.used else frozenset(reader.used)


class _Reader:
    def __init__(self, constants: Mapping[int, object]) -> None:
        self.constants = constants
        self.used: set[Part] = set()
        self.variables: dict[str, list[Part | None]] = {}

    def use(self, part: Part | None) -> None:
        """The value of a part matters."""
        if part is not None:
            self.used.add(part)

    def visit(self, node: Expr) -> Part | None:
        """The part of the device that a node stands for; None for any other value, whose parts are then used."""
        match node:
            case Ident():
                return self.name(node)
            case Select():
                part = self.step(self.visit(node.operand), node.field)
                if not node.test_only:
                    return part
                self.use(part)
                return None
            case Call() if node.function in _INDEXING:
                return self.index(node)
            case Call(function="@in"):
                self.membership(node)
                return None
            case Call(function="dyn"):
                return self.visit(node.args[0])
            case Comprehension() if is_bind(node):
                return self.bind(node)
            case Comprehension():
                self.loop(node)
                return None
        for child in children(node):
            self.use(self.visit(child))
        return None

    def name(self, node: Ident) -> Part | None:
        local = self.variables.get(node.name)
        if local:
            return local[-1]
        return () if node.name.removeprefix(".") == "device" else None

    def step(self, part: Part | None, key: str) -> Part | None:
        """One level down. Below a value there are no parts."""
        if part is None:
            return None
        if len(part) == _VALUE_DEPTH or (part and part[0] not in _MAPS):
            self.use(part)
            return None
        return (*part, key)

    def key(self, node: Expr) -> str | None:
        value = node.value if isinstance(node, Constant) else self.constants.get(node.id)
        return value if isinstance(value, str) else None

    def index(self, node: Call) -> Part | None:
        part = self.visit(node.args[0])
        key = self.key(node.args[1])
        if key is not None:
            return self.step(part, key)
        self.use(part)
        self.use(self.visit(node.args[1]))
        return None

    def membership(self, node: Call) -> None:
        key, part = self.key(node.args[0]), self.visit(node.args[1])
        if key is not None:
            self.use(self.step(part, key))
            return
        self.use(part)
        self.use(self.visit(node.args[0]))

    def bind(self, node: Comprehension) -> Part | None:
        self.push(node.accu_var, self.visit(node.accu_init))
        result = self.visit(node.result)
        self.variables[node.accu_var].pop()
        return result

    def loop(self, node: Comprehension) -> None:
        self.use(self.visit(node.iter_range))
        self.use(self.visit(node.accu_init))
        names = [node.accu_var, node.iter_var, *([node.iter_var2] if node.iter_var2 else [])]
        for name in names:
            self.push(name, None)
        for part in (node.loop_condition, node.loop_step):
            self.use(self.visit(part))
        for name in names[1:]:
            self.variables[name].pop()
        self.use(self.visit(node.result))
        self.variables[node.accu_var].pop()

    def push(self, name: str, part: Part | None) -> None:
        self.variables.setdefault(name, []).append(part)
