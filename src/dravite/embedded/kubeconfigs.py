"""The file that tells clients where a server is, whom to trust, and what to show."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any, Final

from dravite.api.yaml_writer import write_yaml
from dravite.embedded.certificates import write_secret

_NAME: Final = "dravite"


def write_kubeconfig(path: Path, url: str, authority: Path | None, token: str) -> None:
    """Write a kubeconfig that only its owner may read. Without an authority the server speaks plain HTTP."""
    cluster: dict[str, Any] = {"server": url}
    if authority is not None:
        cluster["certificate-authority-data"] = base64.b64encode(authority.read_bytes()).decode()
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": _NAME, "cluster": cluster}],
        "users": [{"name": "admin", "user": {"token": token} if token else {}}],
        "contexts": [{"name": _NAME, "context": {"cluster": _NAME, "user": "admin", "namespace": "default"}}],
        "current-context": _NAME,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    write_secret(path, write_yaml(config).encode())
