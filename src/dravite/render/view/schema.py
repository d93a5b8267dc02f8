"""A field's meaning for the terminal: a head, sentences, and a row for each field that is in it."""

from __future__ import annotations

from collections.abc import Iterator

from dravite.render import words
from dravite.render.report import Block, Row
from dravite.schema import FieldMeaning


def field_blocks(found: FieldMeaning) -> tuple[Block, ...]:
    """What `dravite schema KIND.path` prints."""
    fields = tuple(
        Row((one.name, one.takes + (", required" if one.required else ""), one.meaning)) for one in found.fields
    )
    parts = (Block(sentence) for sentence in _sentences(found))
    return (Block(_head(found)), *parts, *((Block("Fields:", fields),) if fields else ()))


def _head(found: FieldMeaning) -> str:
    required = ", required" if found.required else ""
    return f"{found.path} ({found.api_version}): {found.takes}{required}"


def _sentences(found: FieldMeaning) -> Iterator[str]:
    yield found.meaning or found.type_meaning
    if found.meaning and found.type_meaning and found.type_meaning != found.meaning:
        yield found.type_meaning
    if found.words:
        quoted = words.listed((f'"{word}"' for word in found.words), "or")
        yield f"It takes {quoted}."
    if found.gates:
        yield f"It exists only where the gate {words.listed(found.gates)} is on; else a server drops it without a word."
