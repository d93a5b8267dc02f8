"""Tokens, token files, passwords and client certificates, inside the kubeconfig and beside it."""

from __future__ import annotations

import base64
import ssl
from pathlib import Path
from typing import Any

import yaml

from tests.console_blocks import run
from tests.live.certificates import encoded, serving_tls
from tests.live.server import TOKEN, ApiServer


def as_user(api: ApiServer, folder: Path, user: dict[str, Any], **cluster: Any) -> tuple[str, int]:
    kubeconfig = Path(api.kubeconfig(folder, **cluster))
    content = yaml.safe_load(kubeconfig.read_text())
    content["users"][0]["user"] = user
    kubeconfig.write_text(yaml.safe_dump(content))
    return run(f"dravite pools --kubeconfig {kubeconfig}", folder)


def test_a_token_in_a_file(api: ApiServer, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(f"{TOKEN}\n")
    assert as_user(api, tmp_path, {"tokenFile": "token"})[1] == 0


def test_a_name_and_a_password(api: ApiServer, tmp_path: Path) -> None:
    api.credentials = "Basic " + base64.b64encode(b"me:word").decode()
    assert as_user(api, tmp_path, {"username": "me", "password": "word"})[1] == 0
    assert as_user(api, tmp_path, {"username": "me", "password": "other"})[1] == 3


def test_nobody_where_nobody_needs_to_be_known(api: ApiServer, tmp_path: Path) -> None:
    api.credentials = None
    assert as_user(api, tmp_path, {})[1] == 0


def test_a_client_certificate_in_files_or_inside(tmp_path: Path) -> None:
    with serving_tls(tmp_path, ssl.CERT_REQUIRED) as api:
        api.credentials = None
        authority = {"certificate-authority-data": encoded(str(tmp_path / "tls.crt"))}
        files = {"client-certificate": "tls.crt", "client-key": "tls.key"}
        assert as_user(api, tmp_path, files, **authority)[1] == 0
        inside = {f"{key}-data": encoded(str(tmp_path / name)) for key, name in files.items()}
        assert as_user(api, tmp_path, inside, **authority)[1] == 0
        told, code = as_user(api, tmp_path, {}, **authority)
        assert "the client certificate may be missing, wrong or expired" in told
        assert code == 3
