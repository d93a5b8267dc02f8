"""`exec` in a kubeconfig: tokens from a program, asked again when the server refuses the old one."""

from __future__ import annotations

import stat
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.console_blocks import run
from tests.live.server import TOKEN, ApiServer


def plugin(folder: Path, code: str) -> str:
    """A program that a kubeconfig may name."""
    file = folder / "login"
    file.write_text(f"#!{sys.executable}\nimport json, os, sys\n{code}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return str(file)


def with_plugin(api: ApiServer, folder: Path, **wanted: Any) -> str:
    kubeconfig = api.kubeconfig(folder)
    content = yaml.safe_load(Path(kubeconfig).read_text())
    content["users"][0]["user"] = {"exec": {"apiVersion": "client.authentication.k8s.io/v1", **wanted}}
    Path(kubeconfig).write_text(yaml.safe_dump(content))
    return kubeconfig


GOOD = f'print(json.dumps({{"kind": "ExecCredential", "status": {{"token": "{TOKEN}"}}}}))'


@pytest.mark.parametrize("version", ["v1", "v1beta1", "v1alpha1"])
def test_a_token_is_asked_for(api: ApiServer, tmp_path: Path, version: str) -> None:
    wanted = {"apiVersion": f"client.authentication.k8s.io/{version}", "command": plugin(tmp_path, GOOD)}
    assert run(f"dravite pools --kubeconfig {with_plugin(api, tmp_path, **wanted)}", tmp_path)[1] == 0


def test_the_plugin_knows_what_it_is_asked_for(api: ApiServer, tmp_path: Path) -> None:
    code = (
        'info = json.loads(os.environ["KUBERNETES_EXEC_INFO"])\n'
        'good = info["spec"]["cluster"]["server"].startswith("http")\n'
        'good = good and os.environ["WHO"] == "me" and sys.argv[1] == "x"\n'
        f'print(json.dumps({{"status": {{"token": "{TOKEN}" if good else "bad"}}}}))'
    )
    wanted = {
        "command": plugin(tmp_path, code),
        "args": ["x"],
        "env": [{"name": "WHO", "value": "me"}],
        "provideClusterInfo": True,
    }
    assert run(f"dravite pools --kubeconfig {with_plugin(api, tmp_path, **wanted)}", tmp_path)[1] == 0


def test_an_expired_token_is_replaced(api: ApiServer, tmp_path: Path) -> None:
    code = (
        f'used = os.path.exists("{tmp_path}/used"); open("{tmp_path}/used", "w").close()\n'
        f'print(json.dumps({{"status": {{"token": "{TOKEN}" if used else "expired"}}}}))'
    )
    kubeconfig = with_plugin(api, tmp_path, command=plugin(tmp_path, code))
    assert run(f"dravite pools --kubeconfig {kubeconfig}", tmp_path)[1] == 0


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("sys.exit(4)", "failed with code 4\nhint: get it from example.com"),
        ("print('no json')", "gave no credentials\nhint: run it by hand: "),
        ("print(json.dumps({'status': {}}))", "gave no credentials"),
    ],
)
def test_a_plugin_that_fails_is_named(api: ApiServer, tmp_path: Path, code: str, says: str) -> None:
    kubeconfig = with_plugin(api, tmp_path, command=plugin(tmp_path, code), installHint="get it from example.com")
    told, exit_code = run(f"dravite pools --kubeconfig {kubeconfig}", tmp_path)
    assert "error: the credential plugin " in told
    assert says in told
    assert exit_code == 3


def test_a_plugin_that_is_not_there_is_named(api: ApiServer, tmp_path: Path) -> None:
    kubeconfig = with_plugin(api, tmp_path, command="no-such-login", installHint="get it from example.com")
    told, code = run(f"dravite pools --kubeconfig {kubeconfig}", tmp_path)
    assert "no-such-login cannot be run: No such file or directory\nhint: get it from example.com" in told
    assert code == 3


def test_an_unknown_language_is_named(api: ApiServer, tmp_path: Path) -> None:
    kubeconfig = with_plugin(api, tmp_path, apiVersion="example.com/v1", command="x")
    told, code = run(f"dravite pools --kubeconfig {kubeconfig}", tmp_path)
    assert "speaks example.com/v1\nhint: known are client.authentication.k8s.io/v1" in told
    assert code == 3
