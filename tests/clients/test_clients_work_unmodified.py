"""The same steps with each client that is there, and the same outcomes: `programs` holds one program for each.

`make clients` brings the Python clients, and builds the programs with client-go where there is Go.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dravite.api.releases import Profile, profile
from dravite.apiserver import Settings
from dravite.embedded import Running, start

PROGRAMS = Path(__file__).parent / "programs"
WITH_GO = Path(sys.prefix) / "go"
MEDIA_TYPES = ((), ("application/json",), ("application/vnd.kubernetes.protobuf",))
SECONDS = 120

SUITE = """\
created: ExactCount 1
read: True
named: drawn- 11
replaced: y
replaced after a change: 409 Conflict
merge patch: 1
JSON patch: 2
strategic merge patch: c=new d=old
applied: 1
applied by another: 409 Conflict
discovered: v1 True
selected: a
in pages: 101
watched: ADDED w MODIFIED w DELETED w
status: gpu-0
missing: 404 NotFound
there already: 409 AlreadyExists
refused: 422 Invalid spec.devices.requests[0].name
slice: G80
group: 2
priority class: PreemptLowerPriority
deleted only in a dry run: a
left: 0
"""

OPERATOR = """\
counted: 1
ticked: yes
sized: 3
event: Counted a
deletion held up: a
gone: a
"""

DRIVER = """\
published: gpu-01 gpu-01 2 Node
published: gpu-01 gpu-01 3 Node
published: gpu-01 gpu-01 3 Node
refused: Invalid spec.devices[0].name
"""


@pytest.fixture
def running() -> Iterator[Running]:
    made = profile("1.37", "GenericWorkload=true")
    assert isinstance(made, Profile)
    with start(settings=Settings(profile=made)) as found:
        yield found


def outcomes(running: Running, *words: str) -> str:
    """What a program prints against the server."""
    surroundings = {**os.environ, "KUBECONFIG": str(running.kubeconfig), "HOME": str(running.kubeconfig.parent)}
    done = subprocess.run(words, env=surroundings, capture_output=True, text=True, timeout=SECONDS, check=False)  # noqa: S603
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def python(running: Running, program: str, *words: str) -> str:
    return outcomes(running, sys.executable, "-W", "ignore", str(PROGRAMS / program), *words)


@pytest.mark.parametrize("package", ["kubernetes", "kubernetes.aio"])
def test_the_official_client(package: str, running: Running) -> None:
    pytest.importorskip(package)
    assert python(running, "with_official.py", package) == SUITE


def test_lightkube(running: Running) -> None:
    """It discovers nothing: what a server serves is in its models."""
    pytest.importorskip("lightkube.models.resource_v1")
    assert python(running, "with_lightkube.py") == SUITE.replace("discovered: v1 True\n", "")


def test_kr8s(running: Running) -> None:
    pytest.importorskip("kr8s")
    assert python(running, "with_kr8s.py") == SUITE


def test_kopf(running: Running) -> None:
    pytest.importorskip("kopf")
    assert python(running, "with_kopf.py") == OPERATOR


def test_kubectl(running: Running) -> None:
    program = shutil.which("kubectl")
    if program is None:
        pytest.skip("there is no kubectl")
    assert python(running, "with_kubectl.py", program) == SUITE


def go(running: Running, program: str, *words: str) -> str:
    if not (WITH_GO / program).exists():
        pytest.skip("`make clients` builds it where there is Go")
    return outcomes(running, str(WITH_GO / program), *words)


@pytest.mark.parametrize("media_types", MEDIA_TYPES)
def test_client_go(media_types: tuple[str, ...], running: Running) -> None:
    assert go(running, "suite", *media_types) == SUITE


@pytest.mark.parametrize("media_types", MEDIA_TYPES)
def test_the_library_with_which_drivers_publish_slices(media_types: tuple[str, ...], running: Running) -> None:
    assert go(running, "driver", *media_types) == DRIVER
