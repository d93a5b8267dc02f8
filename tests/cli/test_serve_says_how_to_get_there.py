"""`dravite serve` as a process: two lines on stdout, a server behind them, and a quiet end."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from dravite.cli.arguments import parse
from dravite.cli.serve import work_of
from dravite.embedded import Habits

CLASS = """
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: c.example.com}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: a, namespace: team, uid: 11111111-2222-3333-4444-555555555555}
status: {reservedFor: [{resource: pods, name: p, uid: u}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: broken}
spec: {driver: a_b}
"""


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "dravite", "serve", *arguments]


def test_it_serves_what_it_loads_and_ends_quietly(tmp_path: Path) -> None:
    (tmp_path / "objects.yaml").write_text(CLASS)
    kubeconfig = tmp_path / "kubeconfig"
    given = command("--http", "--kubeconfig", str(kubeconfig), "--load", str(tmp_path / "objects.yaml"))
    with subprocess.Popen(given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:  # noqa: S603
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == f"export KUBECONFIG={kubeconfig}\n"
        ready = re.fullmatch(r"Kubernetes 1\.37 is ready at (http://\S+); Ctrl-C ends it\n", process.stdout.readline())
        assert ready is not None
        with urllib.request.urlopen(f"{ready[1]}/apis/resource.k8s.io/v1/deviceclasses") as answer:  # noqa: S310
            assert [item["metadata"]["name"] for item in json.load(answer)["items"]] == ["c.example.com"]
        with urllib.request.urlopen(f"{ready[1]}/apis/resource.k8s.io/v1/resourceclaims") as answer:  # noqa: S310
            assert [item["metadata"]["namespace"] for item in json.load(answer)["items"]] == ["team"]
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        told = process.stderr.read()
    assert re.search(r"warning: \S+objects.yaml:\d+: ResourceSlice broken was not loaded: .*spec.driver", told)


def test_data_are_copied_by_one_command(tmp_path: Path) -> None:
    from dravite.store import Key, Store

    with Store.open(str(tmp_path / "data")) as store:
        store.put(Key("x", "", "y"), b"{}", 0)
    given = command("--data", str(tmp_path / "data"), "--backup", str(tmp_path / "copy"))
    assert subprocess.run(given, check=False).returncode == 0  # noqa: S603
    with Store.open(str(tmp_path / "copy")) as copy:
        assert copy.revision == 1


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (("--port", "x"), 2, "--port takes a number from 0 to 65535"),
        (("--backup", "b"), 2, "--backup needs --data"),
        (("--feature-gates", "Nothing=true"), 2, "unrecognized feature gate: Nothing"),
        (("--data", "/dev/null/x"), 3, ""),
        (("--host", "192.0.2.1"), 3, "hint: say --host 127.0.0.1, or another address of this machine"),
        (("--load", "no/such/folder"), 2, "no/such/folder cannot be loaded: no such file or folder"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(arguments: tuple[str, ...], code: int, text: str) -> None:
    done = subprocess.run(command(*arguments), capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == code, done.stderr
    assert text in done.stderr
    assert "Traceback" not in done.stderr


def test_data_of_another_release_are_left_alone(tmp_path: Path) -> None:
    from dravite.api.releases import Profile, profile
    from dravite.apiserver import ApiServer, Settings
    from dravite.store import Store

    older = profile("1.34")
    assert isinstance(older, Profile)
    with Store.open(str(tmp_path / "data")) as store:
        ApiServer(store, Settings(profile=older))
    given = command("--data", str(tmp_path / "data"), "--port", "0")
    answer = subprocess.run(given, check=False, capture_output=True, text=True)  # noqa: S603
    assert answer.returncode == 3
    assert "kept by Kubernetes 1.34, which 1.37 does not read" in answer.stderr
    assert "--kubernetes 1.34 serves it" in answer.stderr


def test_an_audit_log_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    given = command("--audit-log", str(tmp_path / "no" / "such" / "file"))
    answer = subprocess.run(given, check=False, capture_output=True, text=True)  # noqa: S603
    assert answer.returncode == 3
    assert "cannot be written: No such file or directory" in answer.stderr


@pytest.mark.parametrize(
    ("arguments", "kubelets"),
    [
        ((), None),
        (("--full-grace",), None),
        (("--simulate-nodes",), Habits(pod_seconds=10, longest_grace=1)),
        (("--simulate-nodes", "--full-grace"), Habits(pod_seconds=10, longest_grace=None)),
        (("--simulate-nodes", "--pod-seconds", "60"), Habits(pod_seconds=60, longest_grace=1)),
    ],
)
def test_stand_ins_for_kubelets_behave_as_they_are_told(arguments: tuple[str, ...], kubelets: Habits | None) -> None:
    assert work_of(parse("serve", list(arguments))).kubelets == kubelets
