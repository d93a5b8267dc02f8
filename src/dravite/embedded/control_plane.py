"""Starting and stopping a control plane: its data, its port, its certificates, and the kubeconfig that leads to it."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import shutil
import socket
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self

import msgspec
import uvicorn

from dravite.apiserver import Access, ApiServer, Application, Conduct, Settings
from dravite.apiserver.identity import ADMIN, User
from dravite.embedded.certificates import certificates_in
from dravite.embedded.control_loop import ControlLoop, Work
from dravite.embedded.http_protocol import http_protocol
from dravite.embedded.kubeconfigs import write_kubeconfig
from dravite.store import Store

_HOSTS: Final = ("127.0.0.1", "::1", "localhost")
_BACKLOG: Final = 2048
_START_SECONDS: Final = 30.0
_STOP_SECONDS: Final = 5.0


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where a control plane lives.

    Attributes:
        data: its folder; None for memory only.
        port: 0 for any free one.
        kubeconfig: where the file for clients goes; None for the data folder, or a temporary one.
        plain: whether it speaks HTTP and asks for no token, instead of HTTPS with one.
        audit: the file that gets a line about each request; None for no such.
        users: who has a token and a context in the kubeconfig, besides the administrator.
    """

    data: Path | None = None
    host: str = "127.0.0.1"
    port: int = 0
    kubeconfig: Path | None = None
    plain: bool = False
    audit: Path | None = None
    users: tuple[User, ...] = ()


class ControlPlane:
    """An API server that is ready to be served. Close it when it is no longer served.

    Raises:
        JournalError: the data folder cannot be used.
        OtherReleaseError: it belongs to another release.
        OSError: the port cannot be had, or the audit log cannot be written.
    """

    def __init__(self, place: Place, settings: Settings, work: Work | None = None) -> None:
        self.settings = settings
        self._work = work or Work()
        self._temporary = None if place.data is not None else Path(tempfile.mkdtemp(prefix="dravite-"))
        self._folder = place.data or self._temporary or Path()
        self._store = Store() if place.data is None else Store.open(str(place.data))
        self._audit: IO[bytes] | None = None
        try:
            self._audit = None if place.audit is None else place.audit.open("ab", buffering=0)
            self._socket = _bound(place)
            self._certificates = None if place.plain else certificates_in(self._folder, _hosts(place))
            self.server = ApiServer(self._store, self._with_key(settings))
            self._users = {} if place.plain else {secrets.token_urlsafe(32): user for user in (ADMIN, *place.users)}
            self.token = next(iter(self._users), "")
            self.url = _url(place, self._socket)
            self.kubeconfig = place.kubeconfig or self._folder / "kubeconfig"
            tokens = {user.name: token for token, user in self._users.items()} or {ADMIN.name: ""}
            write_kubeconfig(self.kubeconfig, self.url, self._authority, tokens)
        except BaseException:
            self._let_go()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Write what is not yet written, and give up port and folder."""
        self._socket.close()
        self._let_go()

    def uvicorn(self, ready: Callable[[], None]) -> _Announcing:
        """The HTTP server of this control plane; `ready` is called once it answers."""
        access = Access(self._users, None, self.server.user_of) if self._users else Access()
        tls: dict[str, Any] = {}
        if self._certificates is not None:
            tls = {"ssl_certfile": self._certificates.certificate, "ssl_keyfile": self._certificates.key}
        config = uvicorn.Config(
            Application(self.server, access, Conduct(audit=self._audit.write if self._audit else None)),
            log_level="error",
            access_log=False,
            lifespan="on",
            http=http_protocol(),
            ws="none",
            backlog=_BACKLOG,
            timeout_graceful_shutdown=1,
            server_header=False,
            proxy_headers=False,
            **tls,
        )
        return _Announcing(config, ready, ControlLoop(self.server, self._work) if self._work.controllers else None)

    def serve(self, ready: Callable[[], None]) -> None:
        """Serve until the process is told to stop. Raises what a controller fails with, which ends it too."""
        server = self.uvicorn(ready)
        server.run(sockets=[self._socket])
        server.check()

    @property
    def sockets(self) -> list[socket.socket]:
        return [self._socket]

    def _with_key(self, settings: Settings) -> Settings:
        """The settings with a key for tokens that stays the same as long as the data folder does."""
        if self._certificates is None:
            return settings
        key = hashlib.sha256(b"tokens of service accounts" + self._certificates.key.read_bytes()).digest()
        return msgspec.structs.replace(settings, key=key)

    @property
    def _authority(self) -> Path | None:
        return self._certificates.authority if self._certificates is not None else None

    def _let_go(self) -> None:
        self._store.close()
        if self._audit is not None:
            self._audit.close()
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)


class Running:
    """A control plane in a thread of its own, which answers from the beginning; `stop` ends it.

    Raises:
        TimeoutError: it did not come to answer in half a minute; nothing of it is left.
    """

    def __init__(self, plane: ControlPlane) -> None:
        self.plane = plane
        ready = threading.Event()
        self._uvicorn = plane.uvicorn(ready.set)
        self._thread = threading.Thread(target=self._run, name="dravite-apiserver", daemon=True)
        self._thread.start()
        if not ready.wait(_START_SECONDS):
            self.stop()
            message = f"the control plane did not answer within {_START_SECONDS:g} seconds"
            raise TimeoutError(message)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.stop()

    @property
    def url(self) -> str:
        return self.plane.url

    @property
    def kubeconfig(self) -> Path:
        return self.plane.kubeconfig

    def stop(self) -> None:
        """End all requests, and let go of everything. Raises what a controller had failed with."""
        self._uvicorn.should_exit = True
        self._thread.join(_STOP_SECONDS)
        self.plane.close()
        self._uvicorn.check()

    def _run(self) -> None:
        loop_factory = self._uvicorn.config.get_loop_factory()
        with asyncio.Runner(loop_factory=loop_factory) as runner:
            runner.run(self._uvicorn.serve(sockets=self.plane.sockets))


def start(place: Place | None = None, settings: Settings | None = None, work: Work | None = None) -> Running:
    """A control plane that answers by the time this returns; unless told otherwise, its controllers work."""
    return Running(ControlPlane(place or Place(), settings or Settings(), work))


class _Announcing(uvicorn.Server):
    """uvicorn, which says when it is ready, and between start and end lets controllers work."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], loop: ControlLoop | None) -> None:
        super().__init__(config)
        self._ready = ready
        self._loop = loop

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()
            if self._loop is not None:
                self._loop.start(asyncio.get_running_loop(), self._end)

    def check(self) -> None:
        """Once all is over: raises what a controller failed with, where one did."""
        if self._loop is not None and self._loop.fault is not None:
            raise self._loop.fault

    def _end(self) -> None:
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._loop is not None:
            await asyncio.to_thread(self._loop.stop)
        await super().shutdown(sockets)


def _bound(place: Place) -> socket.socket:
    family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((place.host, place.port))
    except OSError:
        made.close()
        raise
    return made


def _hosts(place: Place) -> tuple[str, ...]:
    return _HOSTS if place.host in _HOSTS else (*_HOSTS, place.host)


def _url(place: Place, bound: socket.socket) -> str:
    host = f"[{place.host}]" if ":" in place.host else place.host
    return f"{'http' if place.plain else 'https'}://{host}:{bound.getsockname()[1]}"
