"""The generation of kinds that are kept as they come: 1 at first, and one more whenever other things are wanted."""

from __future__ import annotations

from typing import Final

from dravite.api.plain import Plain
from dravite.apiserver.kinds import Kind

_WITHOUT: Final = frozenset({"", "coordination.k8s.io", "rbac.authorization.k8s.io"})
"""Groups whose kinds have none."""

_NOT_WANTED: Final = ("apiVersion", "kind", "metadata")


def count(plain: Plain, old: Plain | None, kind: Kind) -> None:
    """Write the generation of an object that is made, or changed from `old`, in place."""
    if kind.group in _WITHOUT:
        return
    before = 0 if old is None else old["metadata"].get("generation") or 0
    if old is None or _wanted(plain, kind) != _wanted(old, kind):
        plain["metadata"]["generation"] = before + 1


def _wanted(plain: Plain, kind: Kind) -> Plain:
    told = (*_NOT_WANTED, "status") if kind.status else _NOT_WANTED
    return {name: value for name, value in plain.items() if name not in told}
