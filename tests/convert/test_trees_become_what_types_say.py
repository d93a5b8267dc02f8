"""Moving a tree gives the same object as converting the typed one: over every accepted object that was recorded."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dravite.api.codec import Decoded, decode_plain
from dravite.api.convert import from_hub, to_hub
from dravite.api.convert.reshape import Plain, reshape
from dravite.api.registry import lookup

VECTORS = Path(__file__).parents[1] / "vectors" / "validation"


def accepted() -> Iterator[dict[str, Any]]:
    for file in sorted(VECTORS.glob("1.*.jsonl.gz")):
        for line in gzip.decompress(file.read_bytes()).decode().splitlines():
            vector = json.loads(line) if line and not line.startswith("#") else {}
            raw = vector.get("object")
            if isinstance(raw, dict) and vector.get("expected", {}).get("code") == 201 and "$repeat" not in line:
                yield raw


def test_every_recorded_object_in_every_other_version() -> None:
    compared: Counter[tuple[str, str, str]] = Counter()
    for raw in accepted():
        info = lookup(raw.get("apiVersion", ""), raw.get("kind", ""))
        model = info.type_of(raw["apiVersion"]) if info else None
        if info is None or model is None:
            continue
        found = decode_plain(raw, model)
        if not isinstance(found, Decoded) or found.unknown:
            continue
        hub = to_hub(found.object)
        for version in info.types:
            target = info.api_version(version)
            wanted = from_hub(hub.object, target)
            if hub.losses or wanted.losses:
                continue
            tree = json.loads(json.dumps(raw))
            reshape(tree, info.kind, (raw["apiVersion"], target), Plain())
            made = decode_plain(tree, info.types[version])
            assert isinstance(made, Decoded), tree
            assert to_hub(made.object).object == to_hub(wanted.object).object, (target, raw)
            compared[info.kind, raw["apiVersion"], target] += 1
    assert sum(compared.values()) > 1000
    assert len(compared) > 30
