"""What controllers need of an API server: to hear of every change, and to ask for one. Everything is a plain value.

A server in this process and one far away both serve as `ApiClient`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec


class Resource(msgspec.Struct, frozen=True):
    """A kind as a server serves it, in the version in which controllers read and write it."""

    group: str
    version: str
    kind: str
    plural: str
    namespaced: bool
    has_status: bool = False

    @property
    def api_version(self) -> str:
        return f"{self.group}/{self.version}" if self.group else self.version

    def path(self, namespace: str, name: str = "", part: str = "") -> str:
        """Where a collection, an object or a part of one is asked for."""
        root = f"/apis/{self.api_version}" if self.group else f"/api/{self.version}"
        space = f"/namespaces/{namespace}" if self.namespaced and namespace else ""
        return "/".join(filter(None, (f"{root}{space}/{self.plural}", name, part)))


class Change(msgspec.Struct, frozen=True):
    """An object as it is now, or that it is gone.

    Attributes:
        revision: grows with every change of the server.
        body: the object as JSON in the version of the resource; as it was last where it is gone.
    """

    resource: Resource
    namespace: str
    name: str
    revision: int
    body: bytes
    is_gone: bool = False


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """A request."""

    method: str
    path: str
    body: Mapping[str, Any]
    query: Mapping[str, str] = {}
    media: str = "application/json"
    manager: str = "dravite"


class Answer(msgspec.Struct, frozen=True):
    """What a server answers: the object as it is now, or a Status."""

    code: int
    body: Mapping[str, Any]

    @property
    def is_yes(self) -> bool:
        return self.code < 300


class ApiClient(Protocol):
    """A server, to a controller."""

    def resources(self) -> Sequence[Resource]:
        """What is served, each kind once; may grow."""

    def changes(self) -> Sequence[Change]:
        """What has changed since the last call, oldest first; at first all that there is. Never waits."""

    def ask(self, call: Call) -> Answer:
        """The answer to a request."""
