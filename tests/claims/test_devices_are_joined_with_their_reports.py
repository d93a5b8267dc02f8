"""Allocated devices and what drivers report: joined by driver, pool, device and share; nothing is left out."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from dravite.cli.claims import run
from dravite.cli.dispatch import UsageError
from dravite.render.ages import age

SHARE = "5b1f6b2e-0000-4000-8000-00000000000{}"
READY = '{type: Ready, status: "%s", lastTransitionTime: "2026-01-31T12:00:00Z", reason: R, message: m}'
CLAIMS = f"""\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: net, namespace: ml}}
spec: {{devices: {{requests: [{{name: nic, exactly: {{deviceClassName: nic, count: 4}}}}]}}}}
status:
  reservedFor: [{{resource: pods, name: p, uid: u}}]
  allocation:
    allocationTimestamp: "2026-01-31T12:00:00Z"
    nodeSelector: {{nodeSelectorTerms: [{{matchFields: [{{key: metadata.name, operator: In, values: [n1]}}]}}]}}
    devices:
      results:
      - {{request: nic, driver: d.example.com, pool: n1, device: nic-0, shareID: {SHARE.format(1)}}}
      - {{request: nic, driver: d.example.com, pool: n1, device: nic-0, shareID: {SHARE.format(2)}}}
      - {{request: nic, driver: d.example.com, pool: n1, device: nic-1}}
      - {{request: nic, driver: d.example.com, pool: n1, device: nic-2}}
  devices:
  - driver: d.example.com
    pool: n1
    device: nic-0
    shareID: {SHARE.format(2)}
    conditions: [{READY % "True"}, {{type: Linked, status: "False", reason: R, message: ""}}]
    networkData: {{interfaceName: net1, ips: [10.0.0.2/24]}}
  - {{driver: d.example.com, pool: n1, device: nic-1, conditions: [{READY % "False"}]}}
  - {{driver: d.example.com, pool: n1, device: nic-2}}
  - {{driver: d.example.com, pool: n1, device: gone, conditions: [{READY % "Unknown"}]}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: idle, namespace: ml}}
spec: {{devices: {{requests: [{{name: nic, exactly: {{deviceClassName: nic}}}}]}}}}
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    (tmp_path / "c.yaml").write_text(CLAIMS)
    return tmp_path


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run(["c.yaml", "--now", "2026-02-03T12:00:00Z", *words]) == 0
    return capsys.readouterr().out


def test_each_device_stands_with_its_report_and_the_counts_add_up(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert answer(capsys) == (
        "ml/net: in use by ml/p on n1\n"
        "  nic           d.example.com/n1/nic-0   no report of the driver\n"
        "  nic           d.example.com/n1/nic-0   ready for 3d\n"
        "  nic           d.example.com/n1/nic-1   not ready for 3d (R: m)\n"
        "  nic           d.example.com/n1/nic-2   reported without a Ready condition\n"
        "  (no device)   d.example.com/n1/gone    readiness unknown for 3d (R: m); the claim does not hold this"
        " device\n"
        "ml/idle: not allocated\n"
        "\n"
        "2 claims, 4 devices: 1 ready, 1 not ready, 1 without a Ready condition and 1 without a report; "
        "1 report about devices that no claim holds.\n"
    )


def test_wide_adds_shares_conditions_and_the_network(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = answer(capsys, "-o", "wide").splitlines()
    assert lines[1].endswith(f"   share {SHARE.format(1)}")
    assert lines[2].endswith(f"share {SHARE.format(2)} Linked=False net1 10.0.0.2/24")


def test_json_has_times_and_no_ages(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document: dict[str, Any] = json.loads(answer(capsys, "-o", "json"))
    net, idle = document["claims"]
    assert (net["state"], net["nodes"], idle["state"]) == ("reserved", ["n1"], "pending")
    told = [(one["device"]["device"], one["readiness"], one["since"], one["allocated"]) for one in net["devices"]]
    assert told == [
        ("nic-0", "no-report", None, True),
        ("nic-0", "ready", "2026-01-31T12:00:00Z", True),
        ("nic-1", "not-ready", "2026-01-31T12:00:00Z", True),
        ("nic-2", "not-told", None, True),
        ("gone", "unknown", "2026-01-31T12:00:00Z", False),
    ]
    assert "3d" not in json.dumps(document["claims"])


def test_a_namespace_can_be_asked_about(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(capsys, "-n", "other") == "No claims, no devices.\n"


def test_a_time_that_is_none_is_a_wrong_question(file: Path) -> None:
    with pytest.raises(UsageError, match="--now takes a time"):
        run(["c.yaml", "--now", "yesterday"])


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0s"),
        (119, "119s"),
        (120, "2m"),
        (185, "3m5s"),
        (600, "10m"),
        (10_800, "3h"),
        (13_500, "3h45m"),
        (172_800, "2d"),
        (187_200, "2d4h"),
        (691_200, "8d"),
        (63_072_000, "2y"),
        (63_158_400, "2y1d"),
        (252_288_000, "8y"),
    ],
)
def test_ages_are_said_as_kubectl_says_them(seconds: int, text: str) -> None:
    then = datetime.fromtimestamp(1_700_000_000, UTC)
    now = datetime.fromtimestamp(1_700_000_000 + seconds, UTC)
    assert age(then.isoformat(), now) == text
