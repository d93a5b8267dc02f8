"""Whether an answer says what a recorded one says, as far as its README calls that firm."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

_PLACEHOLDER: Final = re.compile(r"<(?:uid|rv)-\d+>|<time>|<hash>")
_DUMPS: Final = re.compile(r"in scheme|Go struct|v1\.|\{|StorageError|registry|goroutine|map\[")
_CURRENT: Final = re.compile(r"too old resource version: \d+ \(\d+\)|, current: \d+")
_AGE: Final = re.compile(r"\d+[smhdy](\d+[smhd])?\Z|<unknown>\Z|<invalid>\Z")


class Likeness:
    """A comparison that goes on from answer to answer; `known` is what placeholders stand for."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}

    def response(self, wanted: Mapping[str, Any], code: int, headers: Mapping[str, str], body: bytes) -> Iterator[str]:
        """How an answer differs from a recorded one."""
        if wanted["code"] != code:
            yield f"code {code}, recorded {wanted['code']}: {body[:300].decode('utf-8', 'replace')}"
            return
        yield from self._headers(wanted.get("headers") or {}, headers)
        if "bodyPrefixHex" in wanted and not body.hex().startswith(wanted["bodyPrefixHex"]):
            yield f"begins with {body[:4].hex()}, recorded {wanted['bodyPrefixHex']}"
        if "text" in wanted and "body" not in wanted:
            yield from self._texts(wanted["text"], body.decode())
        if wanted.get("events"):
            yield from self._bodies(wanted["events"][0], json.loads(body))
        if wanted.get("headers", {}).get("Etag", "").startswith('"'):
            self.known[wanted["headers"]["Etag"]] = headers.get("etag", "")
        if isinstance(wanted.get("body"), dict):
            try:
                found = json.loads(body)
            except ValueError:
                yield f"no JSON: {body[:80]!r}"
                return
            yield from self._bodies(wanted["body"], _cut(wanted["body"], found))

    def watch(self, wanted: Mapping[str, Any], events: list[Any]) -> Iterator[str]:
        """How the events of a watch differ from recorded ones."""
        if wanted["code"] != 200:
            yield f"code 200, recorded {wanted['code']}"
            return
        recorded = wanted.get("events") or []
        if [event["type"] for event in recorded] != [event["type"] for event in events]:
            yield f"events {[event['type'] for event in events]}, recorded {[event['type'] for event in recorded]}"
            return
        for position, (one, other) in enumerate(zip(recorded, events, strict=True)):
            for difference in self._bodies(one["object"], other["object"]):
                yield f"event {position}: {difference}"

    def _headers(self, wanted: Mapping[str, str], headers: Mapping[str, str]) -> Iterator[str]:
        for name in ("Content-Type", "Warning"):
            one, other = wanted.get(name), headers.get(name.lower())
            if name == "Warning" or one is not None:
                one_, other_ = (re.sub(r",\s*", ",", text or "").replace(" ", "") for text in (one, other))
                if not self._says(one_, other_):
                    yield f"header {name}: {other!r}, recorded {one!r}"

    def _texts(self, wanted: str, found: str) -> Iterator[str]:
        if wanted.strip() != found.strip() and not wanted.startswith(("apiVersion", "kind")):
            yield f"text {found[:60]!r}, recorded {wanted[:60]!r}"

    def _bodies(self, wanted: Any, found: Any) -> Iterator[str]:
        if isinstance(wanted, dict) and wanted.get("kind") == "Status" and "code" in wanted:
            yield from self._statuses(wanted, found)
        elif isinstance(wanted, dict) and wanted.get("kind") == "Table":
            yield from self._tables(wanted, found)
        else:
            yield from self._values(wanted, found, "")

    def _statuses(self, wanted: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[str]:
        for name in ("reason", "code", "status"):
            if wanted.get(name) != found.get(name):
                yield f"{name}: {found.get(name)!r}, recorded {wanted.get(name)!r}"
        one, other = wanted.get("details") or {}, found.get("details") or {}
        for name in ("name", "kind", "group"):
            yield from self._values(one.get(name), other.get(name), f"details.{name}")
        recorded, causes = _causes(one), _causes(other)
        if causes != recorded:
            yield f"causes {causes}, recorded {recorded}"
        message = wanted.get("message", "")
        if not _DUMPS.search(message) and not _CURRENT.search(message):
            yield from self._values(message, found.get("message", ""), "message")

    def _tables(self, wanted: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[str]:
        yield from self._values(wanted.get("metadata"), found.get("metadata"), "metadata")
        names = ("name", "type", "format", "priority")
        columns = [
            [{name: column[name] for name in names} for column in item.get("columnDefinitions") or []]
            for item in (wanted, found)
        ]
        if columns[0] != columns[1]:
            yield f"columns {columns[1]}, recorded {columns[0]}"
        rows = wanted.get("rows") or [], found.get("rows") or []
        if len(rows[0]) != len(rows[1]):
            yield f"{len(rows[1])} rows, recorded {len(rows[0])}"
            return
        for position, (one, other) in enumerate(zip(*rows, strict=True)):
            only_cells = isinstance(one, list)
            yield from self._cells(one if only_cells else one["cells"], other["cells"], position)
            if not only_cells:
                yield from self._values(one.get("object"), other.get("object"), f"rows[{position}].object")

    def _cells(self, wanted: list[Any], found: list[Any], row: int) -> Iterator[str]:
        if len(wanted) != len(found):
            yield f"rows[{row}]: {found}, recorded {wanted}"
            return
        for one, other in zip(wanted, found, strict=True):
            ages = isinstance(one, str) and _AGE.match(one) and isinstance(other, str) and _AGE.match(other)
            if one != other and not ages:
                yield f"rows[{row}]: cell {other!r}, recorded {one!r}"

    def _values(self, wanted: Any, found: Any, path: str) -> Iterator[str]:
        if isinstance(wanted, dict) and isinstance(found, dict):
            yield from self._objects(wanted, found, path)
        elif isinstance(wanted, dict) and "$base64json" in wanted and isinstance(found, str):
            return  # what a token says is for servers only
        elif isinstance(wanted, list) and isinstance(found, list):
            if path.endswith("managedFields"):
                wanted, found = sorted(wanted, key=_order), sorted(found, key=_order)
            if len(wanted) != len(found):
                yield f"{path}: {len(found)} items, recorded {len(wanted)}: {json.dumps(found)[:300]}"
                return
            for position, (one, other) in enumerate(zip(wanted, found, strict=True)):
                yield from self._values(one, other, f"{path}[{position}]")
        elif path.endswith("serverAddress"):
            return
        elif isinstance(wanted, str) and isinstance(found, str):
            if not self._says(wanted, found):
                yield f"{path}: {found!r}, recorded {wanted!r} ({_PLACEHOLDER.sub(self._shown, wanted)})"
        elif wanted != found or type(wanted) is not type(found):
            yield f"{path}: {json.dumps(found)[:200]}, recorded {json.dumps(wanted)[:200]}"

    def _objects(self, wanted: Mapping[str, Any], found: Mapping[str, Any], path: str) -> Iterator[str]:
        for name in dict.fromkeys((*wanted, *found)):
            place = f"{path}.{name}" if path else name
            if name not in found:
                yield f"{place} is missing, recorded {json.dumps(wanted[name])[:200]}"
            elif name not in wanted:
                yield f"{place} is {json.dumps(found[name])[:200]}, not recorded"
            else:
                yield from self._values(wanted[name], found[name], place)

    def _says(self, wanted: str, found: str) -> bool:
        """Whether a text is the recorded one; placeholders that are new are learned."""
        names = _PLACEHOLDER.findall(wanted)
        if not names:
            return wanted == found
        pattern = re.escape(wanted)
        for name in names:
            known = self.known.get(name)
            part = r"(\S+?)" if known is None or name == "<hash>" else f"({re.escape(known)})"
            pattern = pattern.replace(re.escape(name), part, 1)
        match = re.fullmatch(pattern, found, re.DOTALL)
        if match is None:
            return False
        for name, value in zip(names, match.groups(), strict=True):
            if name not in ("<time>", "<hash>"):
                self.known.setdefault(name, value)
        return True

    def _shown(self, match: re.Match[str]) -> str:
        return self.known.get(match.group(), match.group())


def _causes(details: Mapping[str, Any]) -> list[tuple[Any, Any]]:
    """The causes of a refusal, each once: a PUT to a server of 1.36 or before names most of them twice."""
    found = {(cause.get("reason"), cause.get("field")) for cause in details.get("causes", [])}
    return sorted(found, key=str)


def _order(entry: Any) -> str:
    names = ("operation", "manager", "apiVersion", "subresource")
    return json.dumps([entry.get(name) for name in names]) if isinstance(entry, dict) else str(entry)


def _cut(wanted: Mapping[str, Any], found: Any) -> Any:
    """Our answer without what recordings were cut of: other groups and kinds, and all of items but their names."""
    match wanted.get("kind"):
        case "APIGroupList":
            names = {group["name"] for group in wanted["groups"]}
            return {**found, "groups": [group for group in found["groups"] if group["name"] in names]}
        case "APIResourceList" if wanted["groupVersion"] == "v1":
            plurals = {item["name"].split("/")[0] for item in wanted["resources"]}
            return {**found, "resources": [one for one in found["resources"] if one["name"].split("/")[0] in plurals]}
        case "APIGroupDiscoveryList":
            names = {item["metadata"].get("name") for item in wanted["items"]}
            return {**found, "items": [item for item in found["items"] if item["metadata"].get("name") in names]}
    if "names" in wanted:
        listed = [item["metadata"]["name"] for item in found["items"]]
        return {**{name: value for name, value in found.items() if name != "items"}, "names": listed}
    if isinstance(wanted.get("paths"), list):
        return {**found, "paths": [path for path in found["paths"] if path in wanted["paths"]]}
    if isinstance(wanted.get("paths"), dict):
        return {**found, "paths": {path: item for path, item in found["paths"].items() if path in wanted["paths"]}}
    return found
