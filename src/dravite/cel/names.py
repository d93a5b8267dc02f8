"""What a name stands for: a variable of a loop, the device, a type, the value of an enum."""

from __future__ import annotations

from collections.abc import Mapping

from dravite.cel.ast import Expr, Ident, Select
from dravite.cel.messages import ENUM_VALUES, TYPE_NAMES, VARIABLES
from dravite.cel.types import DEVICE, INT, Type, type_of


class Names:
    """The names in scope at one place of a tree.

    `constants` gathers the names that stand for a value, by the number of their node.
    """

    def __init__(self) -> None:
        self.constants: dict[int, object] = {}
        self._scopes: list[Mapping[str, Type]] = []

    def enter(self, variables: Mapping[str, Type]) -> None:
        self._scopes.append(variables)

    def leave(self) -> None:
        self._scopes.pop()

    def resolve(self, number: int, name: str) -> tuple[str, Type] | None:
        """The settled form of a name and its type; None where nothing has that name.

        A leading dot asks for the global name. It stays only where a variable would be meant otherwise.
        """
        plain = name.removeprefix(".")
        local = self._local(plain)
        if local is not None and plain == name:
            return name, local
        found = self._global(number, plain)
        if found is None:
            return None
        return plain if local is None else f".{plain}", found

    def resolve_qualified(self, number: int, name: str) -> tuple[str, Type] | None:
        """As `resolve`, for `a.b.c`: a variable `a` makes it a selection and no name."""
        if self._local(name.split(".", 1)[0]) is not None:
            return None
        plain = name.removeprefix(".")
        found = self._global(number, plain)
        return None if found is None else (plain, found)

    def _local(self, name: str) -> Type | None:
        for scope in reversed(self._scopes):
            if name in scope:
                return scope[name]
        return None

    def _global(self, number: int, name: str) -> Type | None:
        if name == "device":
            return DEVICE
        named = message_type(name)
        if named is not None:
            self.constants[number] = named
            return type_of(named)
        if name in ENUM_VALUES:
            self.constants[number] = ENUM_VALUES[name]
            return INT
        return None


def message_type(name: str) -> Type | None:
    """The type that a qualified name means."""
    return DEVICE if name == DEVICE.name else TYPE_NAMES.get(name) or VARIABLES.get(name)


def dotted_name(node: Expr) -> str | None:
    """The name `a.b.c` that a chain of plain selections spells, or None."""
    words: list[str] = []
    while isinstance(node, Select) and not node.test_only:
        words.append(node.field)
        node = node.operand
    if not isinstance(node, Ident):
        return None
    return ".".join((node.name, *reversed(words)))
