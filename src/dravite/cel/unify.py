"""When one type may stand for another.

Type parameters are solved on the way. Source: the type rules of the CEL language
definition, with the leniency of Kubernetes' checker (null goes with every object; `dyn` and errors with everything).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from dravite.cel.declarations import Overload
from dravite.cel.types import DYN, Type, is_dyn, param, same

Bindings: TypeAlias = dict[str, Type]

_NULLABLE = frozenset({"opaque", "struct", "any", "duration", "timestamp"})
_NESTING = frozenset({"opaque", "list", "map"})
_ANYTHING = frozenset({"dyn", "any", "error"})


class Unifier:
    """What the type parameters of one tree stand for, as far as it has been read."""

    def __init__(self) -> None:
        self.bindings: Bindings = {}
        self._variables = 0
        self._undo: list[tuple[str, Type | None]] = []

    def fresh(self) -> Type:
        """A type parameter that stands for nothing yet."""
        self._variables += 1
        return param(f"_var{self._variables - 1}")

    def assign(self, first: Type, second: Type) -> bool:
        """Whether two types agree. If they do, what that says about type parameters is kept."""
        return self._settle(self._agree(first, second))

    def fit(self, overload: Overload, given: Sequence[Type]) -> Type | None:
        """The result type of an overload for these arguments, or None where it does not fit."""
        args, result = overload.args, overload.result
        if overload.params:
            fresh = {name: self.fresh() for name in overload.params}
            args = tuple([substitute(fresh, arg) for arg in args])
            result = substitute(fresh, result)
        if not self._settle(self._all_agree(given, args)):
            return None
        return substitute(self.bindings, result)

    def _settle(self, agreed: bool) -> bool:  # noqa: FBT001 - the answer, not a switch
        """Forget what was learned on the way to a no."""
        if not agreed:
            for name, before in reversed(self._undo):
                if before is None:
                    del self.bindings[name]
                else:
                    self.bindings[name] = before
        self._undo.clear()
        return agreed

    def _all_agree(self, first: Sequence[Type], second: Sequence[Type]) -> bool:
        if len(first) != len(second):
            return False
        return all(self._agree(a, b) for a, b in zip(first, second, strict=True))

    def _agree(self, first: Type, second: Type) -> bool:
        kind1, kind2 = first.kind, second.kind
        if kind2 == "param":
            valid, known = self._bind(first, second)
            if valid or known:
                return valid
        if kind1 == "param":
            return self._bind(second, first)[0]
        if kind1 in _ANYTHING or kind2 in _ANYTHING:
            return True
        if kind1 == "null" or kind2 == "null":
            return _takes_null(second if kind1 == "null" else first)
        if kind1 == "type":
            return kind2 == "type"
        if kind1 != kind2 or first.name != second.name:
            return False
        return kind1 not in _NESTING or self._all_agree(first.params, second.params)

    def _bind(self, value: Type, variable: Type) -> tuple[bool, bool]:
        """Let `variable` stand for `value`: whether it can, and whether it already stood for something."""
        if value.kind == "param" and value.name == variable.name:
            return True, True
        known = self.bindings.get(variable.name)
        if known is None:
            can = self._absent(variable, value)
            if can:
                self._stand_for(variable, value)
            return can, False
        if same(value, known):
            return True, True
        if not self._agree(value, known):
            return False, True
        general = more_general(value, known)
        if self._absent(variable, general):
            self._stand_for(variable, general)
        return True, True

    def _stand_for(self, variable: Type, value: Type) -> None:
        self._undo.append((variable.name, self.bindings.get(variable.name)))
        self.bindings[variable.name] = value

    def _absent(self, variable: Type, within: Type) -> bool:
        """Whether the variable does not occur within a type, directly or through bindings."""
        if within.kind == "param":
            if within.name == variable.name:
                return False
            bound = self.bindings.get(within.name)
            return bound is None or self._absent(variable, bound)
        return all(self._absent(variable, p) for p in within.params)


def substitute(bindings: Bindings, t: Type, *, unbound_as_dyn: bool = False) -> Type:
    """The type with every known parameter replaced, and the others left, or made `dyn`."""
    kind = t.kind
    if kind == "param":
        bound = bindings.get(t.name)
        if bound is not None:
            return substitute(bindings, bound, unbound_as_dyn=unbound_as_dyn)
        return DYN if unbound_as_dyn else t
    if not t.params:
        return t
    params = tuple([substitute(bindings, p, unbound_as_dyn=unbound_as_dyn) for p in t.params])
    return Type(kind, t.name, params)


def more_general(first: Type, second: Type) -> Type:
    """The less specific of two types that are known to agree."""
    return first if _no_more_specific(first, second) else second


def _no_more_specific(first: Type, second: Type) -> bool:
    if is_dyn(first) or first.kind == "param":
        return True
    if is_dyn(second) or second.kind == "param" or first.kind != second.kind:
        return False
    match first.kind:
        case "opaque" if first.name != second.name or len(first.params) != len(second.params):
            return False
        case "opaque" | "list" | "map":
            pairs = zip(first.params, second.params, strict=True)
            return all(_no_more_specific(a, b) for a, b in pairs)
        case "type":
            return True
        case _:
            return same(first, second)


def _takes_null(t: Type) -> bool:
    return t.kind in _NULLABLE or t.kind == "null" or t.nullable
