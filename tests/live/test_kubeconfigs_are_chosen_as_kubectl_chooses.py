"""Which cluster is meant: flags, KUBECONFIG with several files, the default file, the service account of a pod."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from dravite.live import kubeconfig
from dravite.live.faults import ClusterError
from dravite.live.kubeconfig import Choice, find_access
from dravite.live.transport import connect


def config(folder: Path, name: str, **content: Any) -> str:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(yaml.safe_dump({"apiVersion": "v1", "kind": "Config", **content}))
    return str(file)


def cluster(name: str, server: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "cluster": {"server": server, **more}}


def context(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "context": {"cluster": name, **more}}


def test_files_are_merged_and_what_comes_first_counts(tmp_path: Path) -> None:
    one = config(tmp_path, "one", clusters=[cluster("a", "https://first")], contexts=[context("a", namespace="ml")])
    two = config(
        tmp_path,
        "two",
        clusters=[cluster("a", "https://second"), cluster("b", "https://b")],
        contexts=[context("b")],
        **{"current-context": "b"},
    )
    environment = {"KUBECONFIG": os.pathsep.join([one, str(tmp_path / "missing"), two])}
    chosen = find_access(Choice(), environment)
    assert (chosen.context, chosen.server, chosen.namespace) == ("b", "https://b", "default")
    named = find_access(Choice(context="a"), environment)
    assert (named.server, named.namespace) == ("https://first", "ml")


def test_a_flag_says_more_than_the_environment(tmp_path: Path) -> None:
    one = config(
        tmp_path, "one", clusters=[cluster("a", "https://a")], contexts=[context("a")], **{"current-context": "a"}
    )
    assert find_access(Choice(kubeconfig=one), {"KUBECONFIG": "/nowhere"}).server == "https://a"


def test_paths_are_relative_to_the_file_that_says_them(tmp_path: Path) -> None:
    user = {"name": "u", "user": {"client-certificate": "u.crt", "client-key": "/k", "exec": {"command": "./login"}}}
    file = config(
        tmp_path,
        "deep/config",
        clusters=[cluster("a", "https://a", **{"certificate-authority": "ca.crt"})],
        contexts=[context("a", user="u")],
        users=[user],
        **{"current-context": "a"},
    )
    found = find_access(Choice(kubeconfig=file), {})
    deep = tmp_path / "deep"
    assert found.cluster["certificate-authority"] == str(deep / "ca.crt")
    assert found.user["client-certificate"] == str(deep / "u.crt")
    assert found.user["client-key"] == "/k"
    assert Path(found.user["exec"]["command"]) == deep / "login"


def test_a_pod_has_its_service_account(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "token").write_text("t")
    (tmp_path / "namespace").write_text("ml\n")
    monkeypatch.setattr(kubeconfig, "SERVICE_ACCOUNT", str(tmp_path))
    monkeypatch.setattr(kubeconfig, "DEFAULT_FILE", str(tmp_path / "none"))
    found = find_access(Choice(), {"KUBERNETES_SERVICE_HOST": "fd00::1", "KUBERNETES_SERVICE_PORT": "6443"})
    assert (found.context, found.server, found.namespace) == ("in-cluster", "https://[fd00::1]:6443", "ml")
    assert found.user == {"tokenFile": str(tmp_path / "token")}


def test_impersonation_is_sent_along(tmp_path: Path) -> None:
    user = {"token": "t", "as": "system:serviceaccount:ml:train", "as-groups": ["a", "b"]}
    file = config(
        tmp_path,
        "config",
        clusters=[cluster("a", "http://127.0.0.1:1")],
        contexts=[context("a", user="u")],
        users=[{"name": "u", "user": user}],
        **{"current-context": "a"},
    )
    transport = connect(find_access(Choice(kubeconfig=file), {}), 1.0)
    headers = transport._client.headers
    assert headers["Impersonate-User"] == user["as"]
    assert headers.get_list("Impersonate-Group") == user["as-groups"]
    transport.close()


def test_an_authentication_that_nobody_offers_any_more_is_named(tmp_path: Path) -> None:
    file = config(
        tmp_path,
        "config",
        clusters=[cluster("a", "http://127.0.0.1:1")],
        contexts=[context("a", user="u")],
        users=[{"name": "u", "user": {"auth-provider": {"name": "gcp"}}}],
        **{"current-context": "a"},
    )
    with pytest.raises(ClusterError, match="cannot be used: auth-provider not supported"):
        connect(find_access(Choice(kubeconfig=file), {}), 1.0)
