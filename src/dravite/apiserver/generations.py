"""The generation of kinds that are kept as they come: 1 at first, and one more whenever other things are wanted."""

from __future__ import annotations

from typing import Final

from dravite.api.plain import Plain
from dravite.api.releases import Profile
from dravite.apiserver.kinds import Kind
from dravite.apiserver.plain_defaults import TEMPLATES

_WITHOUT: Final = frozenset({"", "coordination.k8s.io", "node.k8s.io", "rbac.authorization.k8s.io"})
"""Groups whose kinds have none, but for pods since 1.33."""

_NOT_WANTED: Final = ("apiVersion", "kind", "metadata")


def count(plain: Plain, old: Plain | None, kind: Kind, profile: Profile) -> None:
    """Write the generation of an object that is made, or changed from `old`, in place."""
    if kind.group in _WITHOUT and not (kind.kind == "Pod" and profile.is_at_least("1.33")):
        return
    if kind.kind == "DaemonSet":
        _count_templates(plain, old)
    before = 0 if old is None else old["metadata"].get("generation") or 0
    if old is None or _wanted(plain, kind) != _wanted(old, kind):
        plain["metadata"]["generation"] = before + 1


def _count_templates(plain: Plain, old: Plain | None) -> None:
    """Count the templates of a daemon set, for clients of long ago."""
    before = 0 if old is None else int((old["metadata"].get("annotations") or {}).get(TEMPLATES, 0))
    is_new = old is None or plain["spec"].get("template") != old["spec"].get("template")
    annotations = plain["metadata"].get("annotations") or {}
    plain["metadata"]["annotations"] = {**annotations, TEMPLATES: str(before + is_new)}


def _wanted(plain: Plain, kind: Kind) -> Plain:
    told = (*_NOT_WANTED, "status") if kind.status else _NOT_WANTED
    return {name: value for name, value in plain.items() if name not in told}
