"""`dravite convert`: manifests in another version, on stdout or in their files."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from tempfile import NamedTemporaryFile

from dravite.api.convert.documents import known_versions
from dravite.api.document import Problem
from dravite.cli.arguments import input_paths, parse
from dravite.cli.dispatch import UsageError
from dravite.cli.exit_codes import ExitCode, worst
from dravite.cli.extras import need
from dravite.cli.faces import talk
from dravite.render import words
from dravite.render.manuscript import manuscript
from dravite.render.rewriting import Rewritten, Values, rewrite
from dravite.sources import STDIN, read, texts_of

UNPARSED = ("unreadable", "yaml-syntax", "json-syntax")


def run(given: list[str]) -> int:
    """Convert the inputs; 1 where something is lost or stays as it is, 2 where a file cannot be read or parsed."""
    arguments = parse("convert", given)
    targets = chosen_targets(arguments.to)
    in_place = "in_place" in arguments.show
    paths = input_paths(arguments)
    if in_place:
        _why_not_in_place(paths)
    stdin = sys.stdin.buffer.read() if STDIN in paths else b""
    documents = read(paths, stdin)
    texts = texts_of((document.origin.file for document in documents), stdin)
    made = {file: rewrite(file, text, targets, manuscript() or Values()) for file, text in texts.items()}
    unread = (problem for document in documents if document.origin.file not in texts for problem in document.problems)
    problems = (*unread, *(problem for one in made.values() for problem in one.problems))
    if in_place:
        sys.stdout.write("".join(f"{line}\n" for line in _write(made, texts)))
    else:
        sys.stdout.write(_joined(tuple(made.values())))
    talk(problems, arguments)
    return exit_code(problems)


def chosen_targets(versions: Sequence[str]) -> Mapping[str, str]:
    """The version of each group. Raises `UsageError` where one is missing, unknown, or named beside another."""
    if not versions:
        message = "convert needs to know the version to convert to"
        raise UsageError(message, "say --to resource.k8s.io/v1")
    targets: dict[str, str] = {}
    for version in versions:
        if version not in known_versions():
            near = get_close_matches(version, known_versions(), n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known_versions())}"
            message = f"nothing can be converted to {version!r}"
            raise UsageError(message, hint)
        group = version.rpartition("/")[0]
        if targets.setdefault(group, version) != version:
            message = f"--to names two versions of {group}: {targets[group]} and {version}"
            raise UsageError(message, "convert in two runs")
    return targets


def _why_not_in_place(paths: Sequence[str]) -> None:
    """Raises `UsageError` or `NoAnswer` where files cannot be written."""
    if STDIN in paths:
        message = "standard input cannot be written in place"
        raise UsageError(message, "leave --in-place out; the result goes to standard output")
    message = "--in-place needs ruamel.yaml, which is not installed, so that comments stay"
    need("convert", message, installed=manuscript() is not None)


def _joined(made: Sequence[Rewritten]) -> str:
    """The texts of all files as one."""
    return "---\n".join(one.text if one.text.endswith("\n") or not one.text else f"{one.text}\n" for one in made)


def _write(made: Mapping[str, Rewritten], texts: Mapping[str, str]) -> Iterator[str]:
    """Write the files that changed; one line for each, and the sum."""
    changed = {file: one for file, one in made.items() if one.text != texts[file]}
    for file, one in changed.items():
        replace_file(file, one.text)
        yield f"{file}: {words.count(one.converted, 'object')} converted"
    objects = sum(one.converted for one in changed.values())
    files = words.count(len(made), "file")
    yield (
        f"{words.count(objects, 'object')} converted in {len(changed)} of {files}."
        if changed
        else f"Nothing converted in {files}."
    )


def replace_file(file: str, text: str) -> None:
    """Put a text in the place of a file's, at once or not at all; the file keeps its mode."""
    target = os.path.realpath(file)
    with NamedTemporaryFile("wb", dir=os.path.dirname(target), prefix=".dravite-", delete=False) as made:
        made.write(text.encode())
    os.chmod(made.name, os.stat(target).st_mode & 0o7777)
    os.replace(made.name, target)


def exit_code(problems: Sequence[Problem]) -> ExitCode:
    """What is lost is a no; what cannot be read is a bad question."""
    codes = [ExitCode.NO for problem in problems if problem.severity in ("error", "warning")]
    codes += [ExitCode.BAD_INPUT for one in problems if one.severity == "error" and one.type in UNPARSED]
    return worst(*codes)
