"""The texts of files that were read already, for what is not in their objects: comments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dravite.sources.files import STDIN_NAME


def texts_of(files: Iterable[str], stdin: bytes = b"") -> Mapping[str, str]:
    """The texts of files by name, without those that cannot be read any more; what is not UTF-8 becomes U+FFFD."""
    texts: dict[str, str] = {}
    for file in dict.fromkeys(files):
        try:
            data = stdin if file == STDIN_NAME else _data(file)
        except OSError:
            continue
        texts[file] = data.decode("utf-8", "replace")
    return texts


def _data(file: str) -> bytes:
    with open(file, "rb") as opened:
        return opened.read()
