"""What an API server would refuse to create, to update, or to take as a status.

Pure functions, one module for each kind or group of fields. Each gives every `FieldError`, in the server's order and
words. Rules that Kubernetes declares in its types are marked, because a server lists them last. Rules about changes
are loaded when they are first used: plans have none.
"""

from __future__ import annotations

from dravite.validation.create import why_not_create

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dravite.validation.update import why_not_update, why_not_update_status

__all__ = ["why_not_create", "why_not_update", "why_not_update_status"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        message = f"module 'dravite.validation' has no attribute {name!r}"
        raise AttributeError(message)
    from dravite.validation import update

    found: object = getattr(update, name)
    globals()[name] = found
    return found
