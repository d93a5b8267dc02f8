"""`dravite snapshot --live`: what planning reads of a running cluster, as a file that gives the same answers later."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Final

from dravite.api.document import Problem
from dravite.api.plain import PlainView
from dravite.api.yaml_writer import write_documents
from dravite.cli.arguments import Arguments
from dravite.cli.control_plane import control_plane
from dravite.cli.exit_codes import ExitCode
from dravite.cli.faces import talk
from dravite.cli.flags import ANONYMIZE
from dravite.cli.live_session import Session
from dravite.cli.workload_kinds import known_kinds
from dravite.diagnosis.observations import ListRefused
from dravite.live.profiles import Planned, Wish, planned_for
from dravite.live.reading import Reading
from dravite.live.trimming import trimmed
from dravite.render.view.live import observations
from dravite.sources import STDIN, read

MOST_YAML: Final = 1 << 20
"""Bytes of JSON beyond which a dump is JSON: YAML of that size takes long to write and to read."""


def live_dump(arguments: Arguments) -> int:
    """Print the dump; what it rests on and what it lacks goes to stderr."""
    paths = (*arguments.paths, *arguments.words)
    files = read(paths, sys.stdin.buffer.read() if STDIN in paths else b"")
    with Session.open(arguments, files, known_kinds(())) as session:
        reading = session.read()
        problems = [problem for document in files for problem in document.problems]
        objects = [trimmed(one) for one in (*reading.documents, *files) if one.body]
        objects = [*_profile(reading), *_shared(objects, arguments)]
        sys.stdout.write(written(objects))
        sys.stderr.write("".join(f"note: {note}\n" for note in observations(reading.observations)))
        talk(problems, arguments)
        return _code(problems, reading)


def _profile(reading: Reading) -> list[PlainView]:
    """The release and gates of the cluster, so that the dump is answered for as the cluster was."""
    found = planned_for(reading.server, reading.gates, reading.lists, Wish())
    return [control_plane(found.profile)] if isinstance(found, Planned) else []


def _shared(objects: Sequence[PlainView], arguments: Arguments) -> Sequence[PlainView]:
    if ANONYMIZE.key not in arguments.show:
        return objects
    from dravite.render.anonymous import anonymous

    return anonymous([dict(one) for one in objects])


def written(objects: Sequence[PlainView]) -> str:
    """The objects as YAML, or where they are many as JSON, which is YAML too, one object a line."""
    lines = [json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in objects]
    if sum(map(len, lines)) <= MOST_YAML:
        return write_documents(tuple(objects))
    return '{"apiVersion":"v1","kind":"List","items":[\n' + ",\n".join(lines) + "\n]}\n"


def _code(problems: Sequence[Problem], reading: Reading) -> ExitCode:
    if any(problem.severity == "error" for problem in problems):
        return ExitCode.BAD_INPUT
    refused = any(isinstance(one, ListRefused) for one in reading.observations)
    return ExitCode.NO if refused else ExitCode.YES
