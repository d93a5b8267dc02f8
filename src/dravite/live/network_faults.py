"""What went wrong between here and the API server, in one sentence, with what to do.

It sorts the exceptions of the HTTP library by what a user can change: name, address, TLS, patience.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator
from typing import Final

import httpx2

from dravite.live.faults import ClusterError
from dravite.live.kubeconfig import Access

_OTHER: Final = "see whether `kubectl get --raw /version` answers; another cluster is chosen with --context"
_SLOW: Final = "the server may be overloaded or half-dead; --request-timeout SECONDS waits longer"
_PLAIN: Final = "the server speaks plain HTTP there, or something between here and it does"


def cluster_error(error: Exception, access: Access, path: str) -> ClusterError:
    """The fault that an exception of the HTTP library stands for; `path` is what was asked."""
    causes = list(_causes(error))
    where = f"{access.server} (context {access.context!r})"
    for kinds, sentence in _SENTENCES:
        found = next((one for one in causes if isinstance(one, kinds)), None)
        if found is not None:
            message, hint = sentence(found)
            return ClusterError(f"{where} {message}", hint)
    return ClusterError(f"{where} does not answer to {path}: {_said(error)}", _OTHER)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The exception and what it was raised from, innermost first."""
    chain: list[BaseException] = []
    while error is not None and error not in chain:
        chain.append(error)
        error = error.__cause__ or error.__context__
    return reversed(chain)


def _said(error: BaseException) -> str:
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__


def _untrusted(error: BaseException) -> tuple[str, str]:
    reason = getattr(error, "verify_message", "") or _said(error)
    hint = "the kubeconfig's certificate-authority must be the one that signed it; check the address and the clock too"
    return f"has a certificate that is not trusted: {reason}", hint


def _tls(error: BaseException) -> tuple[str, str]:
    text = _said(error)
    if "WRONG_VERSION_NUMBER" in text or "HTTP_REQUEST" in text:
        return "does not speak TLS", f"{_PLAIN}: check the port and the scheme of the server"
    if "ALERT" in text.upper():
        return f"refused the TLS handshake: {text}", "the client certificate may be missing, wrong or expired"
    return f"cannot be spoken to over TLS: {text}", "check the port and the certificates of the kubeconfig"


def _refused(error: BaseException) -> tuple[str, str]:
    del error
    return "cannot be reached: connection refused", "is the cluster up, and is this its port? " + _OTHER


def _unknown_host(error: BaseException) -> tuple[str, str]:
    return f"cannot be reached: {_said(error)}", "its name cannot be resolved: check the server's address and the VPN"


def _no_connection(error: BaseException) -> tuple[str, str]:
    del error
    return "cannot be reached: no connection in time", "check the address, the network and the VPN; " + _OTHER


def _too_slow(error: BaseException) -> tuple[str, str]:
    if "slowly" in _said(error):
        return "answers too slowly", _SLOW
    return "took the connection and does not answer", _SLOW


def _broke_off(error: BaseException) -> tuple[str, str]:
    return f"broke the connection off: {_said(error)}", f"try again; {_OTHER}"


_SENTENCES: Final[tuple[tuple[tuple[type[BaseException], ...], Callable[[BaseException], tuple[str, str]]], ...]] = (
    ((ssl.SSLCertVerificationError,), _untrusted),
    ((ssl.SSLError,), _tls),
    ((httpx2.ConnectTimeout, httpx2.PoolTimeout), _no_connection),
    ((httpx2.TimeoutException,), _too_slow),
    ((ConnectionRefusedError,), _refused),
    ((socket.gaierror,), _unknown_host),
    ((httpx2.RemoteProtocolError, httpx2.ReadError, httpx2.WriteError, ConnectionResetError), _broke_off),
)
"""By what the innermost cause is; the first that fits."""
