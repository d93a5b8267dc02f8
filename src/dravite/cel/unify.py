"""When one type may stand for another.

Type parameters are solved on the way: `Bindings` says what each of them stands for so far. The functions that start
with `try_` leave the bindings they get alone and answer with new ones. Source: the type rules of the CEL language
definition, with the leniency of Kubernetes' checker (null goes with every object; `dyn` and errors with everything).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from dravite.cel.types import DYN, Type, is_dyn, same

Bindings: TypeAlias = dict[str, Type]

_NULLABLE = frozenset({"opaque", "struct", "any", "duration", "timestamp"})
_NESTING = frozenset({"opaque", "list", "map"})


def try_assign(bindings: Bindings, first: Type, second: Type) -> Bindings | None:
    """The bindings under which `first` and `second` agree, or None."""
    trial = dict(bindings)
    return trial if _agree(trial, first, second) else None


def try_assign_all(bindings: Bindings, first: Sequence[Type], second: Sequence[Type]) -> Bindings | None:
    """As `try_assign`, for two lists of types of one length."""
    if len(first) != len(second):
        return None
    trial = dict(bindings)
    return trial if _all_agree(trial, first, second) else None


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


def _all_agree(bindings: Bindings, first: Sequence[Type], second: Sequence[Type]) -> bool:
    return len(first) == len(second) and all(_agree(bindings, a, b) for a, b in zip(first, second, strict=True))


def _agree(bindings: Bindings, first: Type, second: Type) -> bool:
    kind1, kind2 = first.kind, second.kind
    if kind2 == "param":
        valid, known = _bind(bindings, first, second)
        if valid or known:
            return valid
    if kind1 == "param":
        return _bind(bindings, second, first)[0]
    if kind1 in ("dyn", "any", "error") or kind2 in ("dyn", "any", "error"):
        return True
    if kind1 == "null":
        return _takes_null(second)
    if kind2 == "null":
        return _takes_null(first)
    if kind1 == "type":
        return kind2 == "type"
    if kind1 in _NESTING:
        return kind1 == kind2 and first.name == second.name and _all_agree(bindings, first.params, second.params)
    return kind1 == kind2 and first.name == second.name


def _takes_null(t: Type) -> bool:
    return t.kind in _NULLABLE or t.kind == "null" or t.nullable


def _bind(bindings: Bindings, value: Type, variable: Type) -> tuple[bool, bool]:
    """Let `variable` stand for `value`: whether it can, and whether it already stood for something."""
    if value.kind == "param" and value.name == variable.name:
        return True, True
    known = bindings.get(variable.name)
    if known is not None:
        if same(value, known):
            return True, True
        if not _agree(bindings, value, known):
            return False, True
        general = more_general(value, known)
        if _absent(bindings, variable, general):
            bindings[variable.name] = general
        return True, True
    if _absent(bindings, variable, value):
        bindings[variable.name] = value
        return True, False
    return False, False


def _absent(bindings: Bindings, variable: Type, within: Type) -> bool:
    """Whether the variable does not occur within a type, directly or through bindings."""
    if within.kind == "param":
        if within.name == variable.name:
            return False
        bound = bindings.get(within.name)
        return bound is None or _absent(bindings, variable, bound)
    return all(_absent(bindings, variable, p) for p in within.params)
