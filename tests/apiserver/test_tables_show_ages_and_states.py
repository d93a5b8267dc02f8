from __future__ import annotations

import pytest

from dravite.apiserver.tables import age, cells

NOW = "2025-01-10T00:00:00Z"


@pytest.mark.parametrize(
    ("then", "text"),
    [
        ("2025-01-10T00:00:00Z", "0s"),
        ("2025-01-09T23:58:01Z", "119s"),
        ("2025-01-09T23:58:00Z", "2m"),
        ("2025-01-09T23:56:56Z", "3m4s"),
        ("2025-01-09T23:30:00Z", "30m"),
        ("2025-01-09T20:59:00Z", "3h1m"),
        ("2025-01-09T00:00:00Z", "24h"),
        ("2025-01-07T21:00:00Z", "2d3h"),
        ("2024-11-26T00:00:00Z", "45d"),
        ("2022-01-01T00:00:00Z", "3y10d"),
        ("2010-01-10T00:00:00Z", "15y"),
        (None, "<unknown>"),
    ],
)
def test_ages_are_short(then: str | None, text: str) -> None:
    assert age(then, NOW) == text


@pytest.mark.parametrize(
    ("status", "deleted", "state"),
    [
        ({}, False, "pending"),
        ({"allocation": {"devices": {}}}, False, "allocated"),
        ({"allocation": {"devices": {}}, "reservedFor": [{"uid": "u"}]}, False, "allocated,reserved"),
        ({"allocation": {"devices": {}}}, True, "deleted,allocated"),
        ({}, True, "deleted"),
    ],
)
def test_claims_show_their_state(status: dict[str, object], deleted: bool, state: str) -> None:
    meta = {"name": "c", "creationTimestamp": NOW, **({"deletionTimestamp": NOW} if deleted else {})}
    plain = {"apiVersion": "resource.k8s.io/v1", "metadata": meta, "status": status}
    assert cells(plain, "ResourceClaim", NOW) == ["c", state, "0s"]


def test_a_truncated_pool_status_says_so() -> None:
    condition = {"type": "Complete", "status": "True", "lastTransitionTime": "2025-01-09T23:59:50Z"}
    pools = [{"totalDevices": 4, "availableDevices": 1, "allocatedDevices": 2, "unavailableDevices": 1}]
    status = {"poolCount": 3, "pools": pools, "conditions": [condition]}
    plain = {"metadata": {"name": "r"}, "spec": {"driver": "d"}, "status": status}
    assert cells(plain, "ResourcePoolStatusRequest", NOW) == [
        *("r", "d", "4", "1", "2", "1", "0"),
        *(3, "Complete (1/3 pools)", "10s"),
    ]
