"""A server in memory with some controllers, in a time that passes only when a test says so."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any

import msgspec

from dravite.api.plain import Plain
from dravite.api.releases import Profile
from dravite.apiserver import ApiServer, Settings
from dravite.apiserver.metadata import Source
from dravite.controllers.client import Answer, Call
from dravite.controllers.runner import Controller, Runner
from dravite.embedded.in_process import InProcess
from dravite.lifecycle.instants import text_of
from dravite.store import Store

BEGIN = 1_767_398_400.0
"""2026-01-03T00:00:00Z."""


class World:
    """Ask the server for things, and let controllers act and time pass."""

    def __init__(self, profile: Profile, *makers: Callable[[Profile], Controller]) -> None:
        self.now = BEGIN
        numbers = count(1)
        source = Source(lambda: text_of(self.now), lambda: f"uid-{next(numbers)}", lambda: f"{next(numbers):05}")
        self.server = ApiServer(Store(), Settings(profile=profile, source=source))
        self.profile = profile
        self.begin(*makers)

    def begin(self, *makers: Callable[[Profile], Controller]) -> None:
        """Start these controllers, instead of those that there were, on what is there."""
        self.client = InProcess(self.server)
        self.runner = Runner(self.client, [make(self.profile) for make in makers], lambda: self.now)
        self.settle()

    def settle(self) -> None:
        """Let the controllers do all that is to be done at this moment."""
        for _ in range(1000):
            if not self.runner.step():
                return
        raise AssertionError("the controllers do not come to rest")

    def wait(self, seconds: float) -> None:
        """Let time pass, with all that happens in it."""
        end = self.now + seconds
        self.settle()
        while (time := self.runner.next_time()) is not None and time <= end:
            self.now = max(self.now, time)
            self.settle()
        self.now = end
        self.settle()

    def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None, **more: Any) -> Answer:
        answer = self.client.ask(Call(method=method, path=path, body=body or {}, **more))
        assert answer.is_yes, answer.body
        return answer

    def apply(self, *objects: Plain) -> None:
        """Make objects, with their status, and let the controllers act."""
        for obj in objects:
            path = self._path(obj)
            made = self.ask("POST", path, obj)
            if "status" in obj:
                body = {**made.body, "status": obj["status"]}
                self.ask("PUT", f"{path}/{obj['metadata']['name']}/status", body)
        self.settle()

    def patch(self, kind: str, name: str, patch: Plain, part: str = "", namespace: str = "default") -> None:
        path = self._of(kind).path(namespace, name, part)
        self.ask("PATCH", path, patch, media="application/merge-patch+json")
        self.settle()

    def delete(self, kind: str, name: str, policy: str = "Background", namespace: str = "default") -> None:
        self.ask("DELETE", self._of(kind).path(namespace, name), {"propagationPolicy": policy})
        self.settle()

    def get(self, kind: str, name: str, namespace: str = "default") -> Plain | None:
        """An object as controllers see it; None where there is none."""
        resource = self._of(kind)
        answer = self.client.ask(
            Call(method="GET", path=resource.path(namespace if resource.namespaced else "", name), body={})
        )
        return dict(answer.body) if answer.is_yes else None

    def all(self, kind: str) -> Sequence[Plain]:
        """The objects of a kind, by namespace and name."""
        body = self.ask("GET", self._of(kind).path("")).body
        return tuple(msgspec.json.decode(msgspec.json.encode(body))["items"])

    def names(self, kind: str) -> list[str]:
        return [one["metadata"]["name"] for one in self.all(kind)]

    def events(self) -> list[tuple[str, str, str]]:
        """Reason, object and message of each event."""
        found = ((one["reason"], one["involvedObject"], one["message"]) for one in self.all("Event"))
        return [(reason, f"{about['kind']} {about['name']}", message) for reason, about, message in found]

    def _of(self, kind: str) -> Any:
        return next(one for one in self.client.resources() if one.kind == kind)

    def _path(self, obj: Plain) -> str:
        resource = self._of(obj["kind"])
        namespace = obj["metadata"].get("namespace", "default" if resource.namespaced else "")
        return str(resource.path(namespace)).replace(resource.api_version, obj["apiVersion"])
