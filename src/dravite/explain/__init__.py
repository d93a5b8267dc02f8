"""Why a pod gets what it gets: `explain` for the whole answer, `glance` for as much as a plan tells.

`explain_group` and `glance_at_group` do the same for a PodGroup. `alike` says which pods share an answer. All else
is loaded when it is first used: most plans have no groups.
"""

from __future__ import annotations

from dravite.explain.alike import alike

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dravite.explain.answer import explain, glance
    from dravite.explain.groups.answer import Depth, Extra, explain_group, glance_at_group
    from dravite.explain.simplify import Detail

_HOMES = {
    "explain": "answer",
    "glance": "answer",
    "Depth": "groups.answer",
    "Extra": "groups.answer",
    "explain_group": "groups.answer",
    "glance_at_group": "groups.answer",
    "Detail": "simplify",
}

__all__ = ["Depth", "Detail", "Extra", "alike", "explain", "explain_group", "glance", "glance_at_group"]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        message = f"module 'dravite.explain' has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module

    found: object = getattr(import_module(f"dravite.explain.{home}"), name)
    globals()[name] = found
    return found
