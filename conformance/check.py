"""Replaying recordings: `check [--kubernetes RELEASE] [--summary] FILE|FOLDER…`.

What a recording is of is seen from its shape. Files and lines without a recording that can be replayed are passed
over. Each difference is a line; with `--summary` there is one line per file or folder of scenarios instead. Unless one
is given, the release is that in the name of the file or of its folder, or else the newest.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

from dravite.api.releases import newest_profile

SHAPES: Final[Mapping[str, str]] = {
    "question": "conformance.cel",
    "scenario": "conformance.allocate",
    "verb": "conformance.validate_check",
    "readIn": "conformance.conversions",
    "gates now": "conformance.gates_off",
}
"""The field that tells what a line is a recording of, and the module whose `differences` replays it."""

_WHOLE: Final = (".json", ".json.gz")
"""Files that are one JSON value: transcripts of requests, where they are any recording at all."""

OF_SERVERS: Final = frozenset({"verb", "readIn", "gates now"})
"""Recordings of an API server, whose release matters."""

_RELEASE: Final = re.compile(r"(?<![\d.])1\.\d\d(?!\d)")

Differences = Callable[[Mapping[str, Any]], list[str]]


class Tally(NamedTuple):
    """What came of one file: how many recordings agree, of how many, and what differs; `named` do so for a reason."""

    agree: int
    total: int
    lines: tuple[str, ...]
    named: int = 0


def main(arguments: Sequence[str]) -> Iterator[str]:
    """The differences, or the summary. Ends with exit code 1 if anything differs."""
    options = _options(arguments)
    differ = False
    for path in (found for given in options.paths for found in _recordings(Path(given))):
        release = options.kubernetes or recorded_release(path)
        tally = _replay_folder(path, release) if path.is_dir() else _replay_file(path, release)
        if not tally.total:
            continue
        differ = differ or tally.agree + tally.named < tally.total
        if options.summary:
            named = f", {tally.named} differ for a reason that is named" if tally.named else ""
            yield f"{path}: {tally.agree} of {tally.total} agree{named}"
        else:
            yield from (f"{path}: {line}" for line in tally.lines)
    if differ:
        raise SystemExit(1)


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="conformance check")
    parser.add_argument("--kubernetes", metavar="RELEASE", help="the release that was recorded")
    parser.add_argument("--summary", action="store_true", help="one line per file")
    parser.add_argument("paths", nargs="+", metavar="FILE|FOLDER")
    return parser.parse_args(arguments)


def recorded_release(path: Path) -> str:
    """The release that a file, or else its folder, is called after; the newest one where neither names any."""
    found = _RELEASE.search(path.name) or _RELEASE.search(path.parent.name)
    return found[0] if found else newest_profile().release


def _recordings(path: Path) -> Iterator[Path]:
    """Files of lines, and folders that are one recording each, in alphabetical order."""
    if path.is_file() or (path / "expected.json").is_file():
        yield path
        return
    for inner in sorted(path.iterdir()):
        if inner.is_dir() or _has_lines(inner) or inner.name.endswith(_WHOLE):
            yield from _recordings(inner)


def _has_lines(path: Path) -> bool:
    return path.name.endswith((".jsonl", ".jsonl.gz"))


def _replay_file(path: Path, release: str) -> Tally:
    if path.name.endswith(_WHOLE):
        return _replay_transcript(path, release)
    return _replay_lines(path, release)


def _replay_lines(path: Path, release: str) -> Tally:
    """Questions and answers, one a line."""
    from conformance.exceptions import OF_ALLOCATIONS

    agree, total, named = 0, 0, 0
    lines: list[str] = []
    for number, vector in _vectors(path):
        compare = _comparison(vector, release)
        if compare is None:
            continue
        name = str(vector.get("name", ""))
        found, reason = compare(vector), OF_ALLOCATIONS.get(name)
        total += 1
        agree += not found
        named += bool(found and reason)
        told = [reason] if found and reason else found
        lines += [f"{number}: {name}: {line}" for line in told]
    return Tally(agree, total, tuple(lines), named)


def _replay_transcript(path: Path, release: str) -> Tally:
    """Requests that build on each other, played against a server of ours; or what controllers made of a cluster."""
    from conformance.controllers import is_scenarios
    from conformance.exceptions import EXCEPTIONS
    from conformance.transcripts import Recorded, is_transcript, replay

    data = path.read_bytes()
    recording = json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)
    if is_scenarios(recording):
        return _replay_scenarios(recording, release)
    if not is_transcript(recording):
        return Tally(0, 0, ())
    steps = tuple(replay(recording, Recorded(release, "default" not in path.name)))
    lines, named = [], 0
    for number, step in enumerate(steps):
        reason = EXCEPTIONS.get(step.what)
        named += bool(step.differences and reason)
        told = (reason,) if step.differences and reason else step.differences
        lines += [f"{number}: {step.what}: {line}" for line in told]
    return Tally(sum(1 for step in steps if not step.differences), len(steps), tuple(lines), named)


def _replay_scenarios(scenarios: Sequence[Mapping[str, Any]], release: str) -> Tally:
    """Clusters of ours with all controllers, in a time that passes at once."""
    from conformance.controllers import replay
    from conformance.exceptions import OF_CONTROLLERS

    lines, agree, named = [], 0, 0
    for scenario in scenarios:
        found = replay(scenario, release)
        reason = OF_CONTROLLERS.get((release, scenario["name"]))
        agree += not found
        named += bool(found and reason)
        told = (reason,) if found and reason else found
        lines += [f"{scenario['name']}: {line}" for line in told]
    return Tally(agree, len(scenarios), tuple(lines), named)


def _vectors(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    if not _has_lines(path):
        return
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            vector = json.loads(line) if line.strip() else None
            if isinstance(vector, dict) and ("expected" in vector or "readIn" in vector or "gates now" in vector):
                yield number, vector


def _comparison(vector: Mapping[str, Any], release: str) -> Differences | None:
    """How to replay a line, or None where that is not known (yet)."""
    shape = next((field for field in SHAPES if field in vector), None)
    if shape is None or find_spec(SHAPES[shape]) is None:
        return None
    found = import_module(SHAPES[shape]).differences
    return partial(found, release=release) if shape in OF_SERVERS else found


def _replay_folder(folder: Path, release: str) -> Tally:
    """A scheduling scenario, rehearsed and on a server."""
    from conformance.scenario import is_scenario, read_scenario
    from conformance.schedule import play
    from conformance.schedule_check import differences
    from conformance.served import is_servable, on_server

    if not is_scenario(folder):
        return Tally(0, 0, ())
    scenario = read_scenario(folder, release)
    told = play(scenario)
    found = differences(scenario, told)
    if not found and is_servable(scenario):
        found = [f"on a server: {line}" for line in differences(scenario, on_server(scenario, told))]
    return Tally(int(not found), 1, tuple(found))
