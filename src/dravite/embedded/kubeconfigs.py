"""The file that tells clients where a server is, whom to trust, and what to show."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from dravite.api.yaml_writer import write_yaml
from dravite.embedded.certificates import write_secret

_NAME: Final = "dravite"


def write_kubeconfig(path: Path, url: str, authority: Path | None, tokens: Mapping[str, str]) -> None:
    """Write a kubeconfig that only its owner may read. Without an authority the server speaks plain HTTP.

    `tokens` are those of users, by name; each has a context of that name, and the first has the current one as well.
    """
    cluster: dict[str, Any] = {"server": url}
    if authority is not None:
        cluster["certificate-authority-data"] = base64.b64encode(authority.read_bytes()).decode()
    first = next(iter(tokens))
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": _NAME, "cluster": cluster}],
        "users": [{"name": name, "user": {"token": token} if token else {}} for name, token in tokens.items()],
        "contexts": [
            {"name": context, "context": {"cluster": _NAME, "user": name, "namespace": "default"}}
            for context, name in ((_NAME, first), *((name, name) for name in tokens if name != first))
        ],
        "current-context": _NAME,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    write_secret(path, write_yaml(config).encode())
