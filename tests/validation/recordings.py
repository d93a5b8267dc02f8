"""Recorded requests to API servers of three releases, by address."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).parent.parent / "vectors"
RELEASES = ("1.37", "1.36", "1.31")

Key = tuple[str, str, str, str]


def read(path: Path) -> tuple[Mapping[str, Any], ...]:
    return tuple(map(json.loads, gzip.decompress(path.read_bytes()).decode().splitlines()))


@cache
def requests() -> Mapping[Key, tuple[Mapping[str, Any], ...]]:
    """All lines, by release, apiVersion, kind and profile."""
    found: dict[Key, list[Mapping[str, Any]]] = {}
    for release in RELEASES:
        for path in sorted((VECTORS / "validation").glob(f"*{release}.jsonl.gz")):
            for line in read(path):
                if "verb" in line:
                    kind = line.get("endpoint") or line["kind"]
                    found.setdefault((release, line["apiVersion"], kind, line["profile"]), []).append(line)
    return {key: tuple(lines) for key, lines in found.items()}
