"""Questions to an API server and its answers, as bytes: GET, and lines that keep coming. Nothing else can be sent.

`Transport` is all that the rest of this package sees of the network.
"""

from __future__ import annotations

import os
import ssl
import time
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final, Protocol

import httpx2
import msgspec
from lightkube.config.client_adapter import ConnectionParams
from lightkube.config.kubeconfig import SingleConfig
from lightkube.config.models import Cluster, Context, FileStr, User
from lightkube.core.exceptions import ConfigError

from dravite import __version__
from dravite.live.connections import Connections
from dravite.live.exec_plugins import PluginAuth, ask_plugin
from dravite.live.faults import ClusterError
from dravite.live.kubeconfig import Access
from dravite.live.network_faults import cluster_error

CONNECT: Final = 10.0
"""Seconds to wait for a connection."""

PATIENCE: Final = 8
"""How many times its time-out a whole answer may take, when it comes in drops."""

JSON: Final = "application/json"
_LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")

Query = Mapping[str, str]


class Reply(msgspec.Struct, frozen=True):
    """An answer as it came, whatever its code."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport(Protocol):
    """A way to ask one API server. Safe for threads."""

    def get(self, path: str, query: Query, accept: str = JSON) -> Reply:
        """The whole answer. Raises `ClusterError` where none comes."""

    def lines(self, path: str, query: Query, silence: float) -> AbstractContextManager[tuple[int, Iterator[bytes]]]:
        """The code and the lines of an answer as they come; `silence` is how long none may come.

        Raises `ClusterError` where the connection breaks, also while the lines are read.
        """

    def close(self) -> None:
        """Break off every answer that is still coming; whoever asks after that has a `ClusterError`."""


def connect(access: Access, timeout: float) -> HttpTransport:
    """A transport for an access; nothing is sent yet. Raises `ClusterError` where the access is broken.

    Args:
        timeout: seconds of silence after which an answer is given up.
    """
    try:
        client = httpx2.Client(**_client_settings(access, timeout))
    except (ConfigError, ValueError, OSError, AssertionError, msgspec.ValidationError, httpx2.InvalidURL) as error:
        message = f"context {access.context!r} cannot be used: {error}"
        raise ClusterError(message, "`kubectl config view` shows it") from error
    return HttpTransport(client, access, timeout)


def _client_settings(access: Access, timeout: float) -> dict[str, Any]:
    config = SingleConfig(
        context_name=access.context,
        context=Context(cluster=access.context),
        cluster=msgspec.convert(access.cluster, Cluster),
        user=msgspec.convert(access.user, User),
    )
    patience = httpx2.Timeout(timeout, connect=min(timeout, CONNECT))
    proxy = access.cluster.get("proxy-url") or None
    settings = ConnectionParams(timeout=patience, proxy=proxy).httpx_params(config)
    if access.user.get("exec"):
        settings["auth"] = _plugin_auth(access, settings["verify"])
    settings["headers"] = _headers(access)
    return settings


def _plugin_auth(access: Access, context: ssl.SSLContext) -> PluginAuth:
    found = ask_plugin(access, os.environ)
    if found.certificate:
        certificate, key = (FileStr(b64encode(text.encode()).decode()) for text in (found.certificate, found.key))
        context.load_cert_chain(certificate, key)
    return PluginAuth(access, found)


def _headers(access: Access) -> list[tuple[str, str]]:
    """Who asks, and as whom. Packing costs more than it saves on the way to the same machine."""
    user = access.user
    host = httpx2.URL(access.server).host
    headers = [
        ("User-Agent", f"dravite/{__version__}"),
        ("Accept-Encoding", "identity" if host in _LOOPBACK else "gzip"),
    ]
    if user.get("as"):
        headers.append(("Impersonate-User", str(user["as"])))
    if user.get("as-uid"):
        headers.append(("Impersonate-Uid", str(user["as-uid"])))
    headers += [("Impersonate-Group", str(group)) for group in user.get("as-groups") or ()]
    for name, values in (user.get("as-user-extra") or {}).items():
        headers += [(f"Impersonate-Extra-{name}", str(value)) for value in values]
    return headers


class HttpTransport:
    """The transport of a kubeconfig, over lightkube's client."""

    def __init__(self, client: httpx2.Client, access: Access, timeout: float) -> None:
        self._client = client
        self._connections = Connections(client)
        self._access = access
        self._timeout = timeout
        name = access.cluster.get("tls-server-name")
        self._extensions = {"trace": self._connections.trace, **({"sni_hostname": str(name)} if name else {})}

    def get(self, path: str, query: Query, accept: str = JSON) -> Reply:
        """The whole answer; one that comes in drops for too long is given up as well."""
        with self._asking(path):
            request = self._request(path, query, accept, self._client.timeout)
            response = self._client.send(request, stream=True)
            try:
                body = self._whole(response)
            finally:
                response.close()
            return Reply(response.status_code, response.headers, body)

    def _whole(self, response: httpx2.Response) -> bytes:
        parts: list[bytes] = []
        until = time.monotonic() + PATIENCE * self._timeout
        for part in response.iter_bytes():
            parts.append(part)
            if time.monotonic() > until:
                message = "the answer comes too slowly"
                raise httpx2.ReadTimeout(message, request=response.request)
        return b"".join(parts)

    @contextmanager
    def lines(self, path: str, query: Query, silence: float) -> Iterator[tuple[int, Iterator[bytes]]]:
        """The lines of a watch, each as soon as it is whole."""
        with self._asking(path):
            patience = httpx2.Timeout(silence, connect=min(self._timeout, CONNECT))
            response = self._client.send(self._request(path, query, JSON, patience), stream=True)
            try:
                yield response.status_code, _lines(response.iter_bytes())
            finally:
                response.close()

    def close(self) -> None:
        """Break off every answer that is still coming."""
        self._connections.close()

    def _request(self, path: str, query: Query, accept: str, timeout: httpx2.Timeout) -> httpx2.Request:
        return self._client.build_request(
            "GET",
            path.lstrip("/"),
            params=dict(query),
            headers={"Accept": accept},
            timeout=timeout,
            extensions=dict(self._extensions),
        )

    @contextmanager
    def _asking(self, path: str) -> Iterator[None]:
        try:
            with self._connections.inside():
                yield
        except (httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL, ConfigError, OSError) as error:
            raise cluster_error(error, self._access, path) from error


def _lines(parts: Iterator[bytes]) -> Iterator[bytes]:
    rest = b""
    for part in parts:
        *whole, rest = (rest + part).split(b"\n")
        yield from whole
    if rest:
        yield rest
