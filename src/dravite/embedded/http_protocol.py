"""What speaks HTTP for a control plane: connections that lose no time where uvicorn is as they know it, or its own."""

from __future__ import annotations

import asyncio
import inspect
from typing import Final, Literal

_HOOK: Final = "_start_asgi_task"
_CONNECTION: Final = frozenset({"cycle", "flow", "transport"})
_CYCLE: Final = frozenset(
    {
        *("body", "default_headers", "disconnected", "keep_alive"),
        *("message_event", "on_response", "response_complete", "scope"),
    }
)


def http_protocol() -> type[asyncio.Protocol] | Literal["auto"]:
    """The class of connections for `uvicorn.Config(http=…)`; "auto" where those of uvicorn are of another make.

    `connections.Connection` builds on what uvicorn promises nobody. Without it answers are the same, and slower.
    """
    try:
        from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

        from dravite.embedded.connections import Connection
    except ImportError:
        return "auto"
    return Connection if is_known(HttpToolsProtocol, RequestResponseCycle) else "auto"


def is_known(protocol: type, cycle: type) -> bool:
    """Whether a protocol of uvicorn has the hook, and it and its exchanges the fields, that `Connection` works with."""
    hook = getattr(protocol, _HOOK, None)
    if hook is None or tuple(inspect.signature(hook).parameters) != ("self", "cycle", "app"):
        return False
    return _fields(protocol) >= _CONNECTION and _fields(cycle) >= _CYCLE


def _fields(owner: type) -> frozenset[str]:
    """The names that `__init__` mentions; those of fields that it sets are among them."""
    made = inspect.getattr_static(owner, "__init__")
    return frozenset(made.__code__.co_names) if inspect.isfunction(made) else frozenset()
