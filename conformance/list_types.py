"""Makes the table of list types from what servers say of themselves: `list_types OPENAPI_V2.json… > FILE`.

Of definitions that are in several documents, those of the first one count. A line is a type and its fields that are
merged by more than their names, each as name and traits: `map=KEYS` a list of items with keys, `set` a list in which
each value is once, `atomic` one value, `merge` or `merge=KEY` what a strategic merge goes by, `replace` and
`retainKeys` what else it may do. A type that is one value by itself has the field `.`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from conformance.protobuf_fields import FOLDERS

_NAME: Final = re.compile(r"io\.k8s\.(?:api|apimachinery\.pkg\.apis)\.(\w+)\.(\w+)\.(\w+)")
_KNOWN: Final = {folder.removeprefix("pkg/apis/") for folder in FOLDERS}


def main(arguments: Sequence[str]) -> Iterator[str]:
    seen: set[str] = set()
    for argument in arguments:
        for full, definition in json.loads(Path(argument).read_text())["definitions"].items():
            found = _NAME.fullmatch(full)
            package = f"{found[1]}/{found[2]}" if found else ""
            if found is None or package not in _KNOWN or (name := f"{package}.{found[3]}") in seen:
                continue
            seen.add(name)
            fields = list(_fields(definition))
            if fields:
                yield " ".join((name, *fields))


def _fields(definition: Mapping[str, Any]) -> Iterator[str]:
    if definition.get("x-kubernetes-map-type") == "atomic":
        yield ".:atomic"
    for name, schema in sorted(definition.get("properties", {}).items()):
        traits = ",".join(_traits(schema))
        if traits:
            yield f"{name}:{traits}"


def _traits(schema: Mapping[str, Any]) -> Iterator[str]:
    match schema.get("x-kubernetes-list-type"):
        case "map":
            yield "map=" + "+".join(schema["x-kubernetes-list-map-keys"])
        case "set":
            yield "set"
    if schema.get("x-kubernetes-map-type") == "atomic":
        yield "atomic"
    key = schema.get("x-kubernetes-patch-merge-key", "")
    for strategy in filter(None, schema.get("x-kubernetes-patch-strategy", "").split(",")):
        yield f"merge={key}" if strategy == "merge" and key else strategy
