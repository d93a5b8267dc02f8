"""`python -m conformance check` on all recordings: each is replayed by the release that it is of."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.check import main, recorded_release
from dravite.api.releases import newest_profile

VECTORS = Path(__file__).parent.parent / "vectors"


@pytest.mark.parametrize(
    ("path", "release"),
    [
        ("validation/1.36.jsonl.gz", "1.36"),
        ("validation/gates-turned-off-1.31.jsonl.gz", "1.31"),
        ("controllers/1.31/classic.json.gz", "1.31"),
        ("controllers/claims.json.gz", newest_profile().release),
        ("kubernetes-1.31.2/claims.json.gz", "1.31"),
        ("v11.31/claims.json.gz", newest_profile().release),
    ],
)
def test_names_of_files_and_folders_say_the_release(path: str, release: str) -> None:
    assert recorded_release(Path(path)) == release


def test_kinds_that_one_release_had_are_replayed() -> None:
    [told] = main(["--summary", str(VECTORS / "controllers" / "1.31" / "more.json.gz")])
    assert told.endswith("more.json.gz: 14 of 14 agree")


def test_a_difference_with_a_reason_is_none_to_mend() -> None:
    [told] = main(["--summary", str(VECTORS / "allocator" / "counters.jsonl")])
    assert told.endswith("46 of 48 agree, 2 differ for a reason that is named")
