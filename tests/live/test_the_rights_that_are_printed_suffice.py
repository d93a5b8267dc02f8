"""Whoever has the rights that `dravite rbac` prints, and no others, is answered in full."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from dravite.apiserver import Settings
from dravite.apiserver.identity import User
from dravite.embedded import ControlPlane, Place, Running, Work
from dravite.embedded.loading import load
from dravite.live.wanted import COMMANDS
from dravite.sources import read
from tests.console_blocks import run
from tests.live.server import EXAMPLES

LINES = {
    "plan": "-A",
    "explain": "-n ml pod/train-big",
    "what-if": "-A --cordon cpu-01",
    "pools": "",
    "claims": "-A",
    "lint": "",
    "snapshot": "",
}


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with a user for each command, who has the rights for it."""
    folder = tmp_path_factory.mktemp("serving")
    for command in COMMANDS:
        role, _ = run(f"dravite rbac {command}", EXAMPLES)
        (folder / f"{command}.yaml").write_text(f"{role.partition('# for one user')[0]}---\n{bound(command)}")
    users = tuple(User(command) for command in COMMANDS)
    plane = ControlPlane(
        Place(kubeconfig=folder / "kubeconfig", users=users),
        Settings(controls_access=True),
        Work(controllers=False),
    )
    paths = [str(EXAMPLES / "cluster"), str(EXAMPLES / "jobs"), *(str(folder / f"{one}.yaml") for one in COMMANDS)]
    assert not list(load(plane.server, read(paths), "default"))
    with Running(plane) as running:
        yield running


def bound(command: str) -> str:
    role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": f"dravite-{command}"}
    user = {"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": command}
    head = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": command}}
    return json.dumps({**head, "roleRef": role, "subjects": [user]})


def asked(serving: Running, command: str, user: str) -> tuple[str, int]:
    return run(f"dravite {command} --live --context {user} {LINES[command]}", Path.cwd(), str(serving.kubeconfig))


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_is_missing_in_the_answer(serving: Running, command: str) -> None:
    told, code = asked(serving, command, command)
    assert "not yours to list" not in told
    assert "cannot be read (" not in told
    assert code in (0, 1)


def test_others_rights_are_not_enough(serving: Running) -> None:
    told, code = asked(serving, "plan", "pools")
    assert told.startswith("error: no answer without deviceclasses.resource.k8s.io")
    assert code == 3
