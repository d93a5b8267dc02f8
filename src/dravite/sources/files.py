"""Paths → documents: folders with all below them in sorted order, `-` for standard input."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from typing import Final, Literal

from dravite.api.document import Document, Problem
from dravite.api.documents import MAX_JSON, UNREADABLE, split, unreadable, why_no_manifest

STDIN: Final = "-"
STDIN_NAME: Final = "<stdin>"
SUFFIXES: Final = (".yaml", ".yml", ".json")

_REASONS: Final = {
    errno.ENOENT: ("no such file or folder", "check the path"),
    errno.EACCES: ("permission denied", "check who may read it"),
    errno.EPERM: ("permission denied", "check who may read it"),
    errno.ELOOP: ("a link that leads to itself", None),
}


def read(paths: Sequence[str], stdin: bytes = b"") -> tuple[Document, ...]:
    """All objects in the files, folders and standard input that the paths name, in the order given.

    A folder stands for every `.yaml`, `.yml` and `.json` file below it, in sorted order; a file that is named itself
    may have any name. A file that several paths reach is read once.

    Args:
        paths: as the user wrote them; `-` is standard input.
        stdin: what standard input holds.
    """
    seen: set[tuple[int, int]] = set()
    return tuple(document for path in paths for document in _documents(path, stdin, seen))


def _documents(path: str, stdin: bytes, seen: set[tuple[int, int]]) -> Iterator[Document]:
    if path == STDIN:
        yield from _split(STDIN_NAME, stdin)
        return
    try:
        status = os.stat(path)
        faults: list[Document] = []
        files = sorted(_below(path, faults)) if stat.S_ISDIR(status.st_mode) else [path]
    except OSError as error:
        yield _refused(path, error)
        return
    yield from sorted(faults, key=lambda fault: fault.origin.file)
    if not files and not faults:
        hint = f"files in a folder must end in {', '.join(SUFFIXES)}"
        yield unreadable(path, _problem("the folder holds no manifests", hint, "warning"))
    for file in files:
        if file == path:
            yield from _file(file, seen)
        elif not _is_endless(file):
            yield from (_manifest_or_not(document) for document in _file(file, seen))
        else:
            yield unreadable(file, _problem("is no regular file, and is passed over", None, "warning"))


def _is_endless(file: str) -> bool:
    """Whether a file in a folder is a pipe, a socket or a device: reading it could wait for ever."""
    try:
        return not stat.S_ISREG(os.stat(file).st_mode)
    except OSError:
        return False


def _below(folder: str, faults: list[Document]) -> Iterator[str]:
    """The manifests in a folder and in the folders below it; hidden folders are passed over.

    Folders that cannot be looked into go to `faults`.
    """

    def keep(error: OSError) -> None:
        faults.append(_refused(os.fspath(error.filename), error))

    for place, folders, names in os.walk(folder, onerror=keep):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (os.path.join(place, name) for name in names if name.endswith(SUFFIXES))


def _file(path: str, seen: set[tuple[int, int]]) -> Iterator[Document]:
    try:
        status = os.stat(path)
        if (status.st_dev, status.st_ino) in seen:
            return
        seen.add((status.st_dev, status.st_ino))
        if status.st_size > MAX_JSON:
            yield unreadable(path, _problem(f"is too large: {status.st_size >> 20} MiB", None))
            return
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        yield _refused(path, error)
        return
    yield from _split(path, data)


def _manifest_or_not(document: Document) -> Document:
    """A file that a folder happens to hold need not be a manifest: one that does not look like it is passed over."""
    problem = why_no_manifest(document)
    return document if problem is None else unreadable(document.origin.file, problem)


def _split(name: str, data: bytes) -> Iterator[Document]:
    documents = split(name, data)
    if not data.strip():
        yield unreadable(name, _problem("is empty", None, "warning"))
    elif not documents:
        yield unreadable(name, _problem("holds no objects", None, "info"))
    yield from documents


def _refused(path: str, error: OSError) -> Document:
    message, hint = _REASONS.get(error.errno or 0, (error.strerror or str(error), None))
    return unreadable(path, _problem(f"cannot be read: {message}", hint))


def _problem(message: str, hint: str | None, severity: Literal["error", "warning", "info"] = "error") -> Problem:
    return Problem(severity=severity, type=UNREADABLE, message=message, hint=hint)
