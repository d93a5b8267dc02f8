"""Credentials that a program hands out: `exec` of a kubeconfig's user, with tokens or client certificates.

Source: the contract of `client.authentication.k8s.io` v1, v1beta1 and v1alpha1.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Generator, Mapping
from typing import Any, Final

import httpx2
import msgspec

from dravite.live.faults import ClusterError
from dravite.live.kubeconfig import Access

_GROUP: Final = "client.authentication.k8s.io"
_VERSIONS: Final = tuple(f"{_GROUP}/{version}" for version in ("v1", "v1beta1", "v1alpha1"))


class Credentials(msgspec.Struct, frozen=True):
    """What the program said."""

    token: str = ""
    certificate: str = ""
    key: str = ""


def ask_plugin(access: Access, environment: Mapping[str, str]) -> Credentials:
    """Run the program of the access's user. Raises `ClusterError` where it gives no credentials."""
    wanted = access.user["exec"]
    version, command = str(wanted.get("apiVersion") or ""), str(wanted.get("command") or "")
    if version not in _VERSIONS:
        message = f"the credential plugin of context {access.context!r} speaks {version or 'no version'}"
        raise ClusterError(message, f"known are {', '.join(_VERSIONS)}")
    answer = _run(access, command, _environment(access, version, environment))
    try:
        status = json.loads(answer)["status"]
        found = Credentials(
            str(status.get("token") or ""),
            str(status.get("clientCertificateData") or ""),
            str(status.get("clientKeyData") or ""),
        )
    except (ValueError, TypeError, KeyError, AttributeError):
        found = Credentials()
    if not found.token and not found.certificate:
        message = f"the credential plugin {command} gave no credentials"
        raise ClusterError(message, f"run it by hand: {' '.join([command, *_arguments(access)])}")
    return found


def _arguments(access: Access) -> list[str]:
    return [str(one) for one in access.user["exec"].get("args") or ()]


def _environment(access: Access, version: str, environment: Mapping[str, str]) -> dict[str, str]:
    wanted = access.user["exec"]
    added = {str(one.get("name")): str(one.get("value") or "") for one in wanted.get("env") or ()}
    spec: dict[str, Any] = {"interactive": sys.stdin.isatty() and wanted.get("interactiveMode") != "Never"}
    if wanted.get("provideClusterInfo"):
        spec["cluster"] = {key: value for key, value in access.cluster.items() if key != "extensions"}
    info = {"apiVersion": version, "kind": "ExecCredential", "spec": spec}
    return {**environment, **added, "KUBERNETES_EXEC_INFO": json.dumps(info)}


def _run(access: Access, command: str, environment: Mapping[str, str]) -> bytes:
    """What the program prints. It may talk to the user meanwhile: its other streams are ours."""
    hint = str(access.user["exec"].get("installHint") or "").strip() or None
    try:
        done = subprocess.run(  # noqa: S603 (the user's kubeconfig names it, as for kubectl)
            [command, *_arguments(access)], env=environment, stdout=subprocess.PIPE, check=False
        )
    except OSError as error:
        message = f"the credential plugin {command} cannot be run: {error.strerror or error}"
        raise ClusterError(message, hint or "install it, or choose another --context") from error
    if done.returncode:
        message = f"the credential plugin {command} failed with code {done.returncode}"
        raise ClusterError(message, hint or "log in again with it")
    return done.stdout


class PluginAuth(httpx2.Auth):
    """Puts the token of a plugin into every request, and asks for another one when the server refuses it."""

    def __init__(self, access: Access, first: Credentials) -> None:
        self._access = access
        self._token = first.token
        self._asking = threading.Lock()

    def auth_flow(self, request: httpx2.Request) -> Generator[httpx2.Request, httpx2.Response, None]:
        used = self._token
        if used:
            request.headers["Authorization"] = f"Bearer {used}"
        response = yield request
        if response.status_code == httpx2.codes.UNAUTHORIZED and used:
            request.headers["Authorization"] = f"Bearer {self._renewed(used)}"
            yield request

    def _renewed(self, refused: str) -> str:
        with self._asking:
            if self._token == refused:
                self._token = ask_plugin(self._access, os.environ).token
            return self._token
