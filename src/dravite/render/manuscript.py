"""YAML with its comments: the one place that knows ruamel.yaml, which comes with the extra `convert`."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from dravite.api.convert.reshape import Entry, Keeper, Tree
from dravite.render.rewriting import Manuscript

_ITEM: Final = re.compile(r"^(?P<key>[ ]*)[^\s#-][^\n]*:[ ]*\n(?:[ ]*(?:#[^\n]*)?\n)*(?P<dash>[ ]*)-[ ]", re.MULTILINE)
_NESTED: Final = re.compile(r"^(?P<outer>[ ]*)[^\s#-][^\n]*:[ ]*\n(?P<inner>[ ]+)[^\s#-]", re.MULTILINE)


_INDENT: Final = 2
"""How far a comment moves with its key when that moves one level."""


class _Comments:
    """Moves entries of commented maps with the comments beside and below them."""

    def entries(self, tree: Tree) -> list[Entry]:
        found: Any = tree
        return [Entry(key, value, found.ca.items.get(key)) for key, value in tree.items()]

    def fill(self, tree: Tree, entries: Iterable[Entry]) -> None:
        kept: list[Entry] = list(entries)
        found: Any = tree
        for key in list(tree):
            del tree[key]
        found.ca.items.clear()
        for entry in kept:
            tree[entry.key] = entry.value
            if entry.trivia is not None:
                found.ca.items[entry.key] = entry.trivia

    def inner(self, entry: Entry) -> list[Entry]:
        """A comment between a key and its map goes before the first key of the map."""
        found = self.entries(entry.value)
        above = (entry.trivia or [None] * 4)[3]
        if above and found:
            trivia = list(found[0].trivia or [None] * 4)
            trivia[1] = [*above, *(trivia[1] or [])]
            found[0] = found[0]._replace(trivia=trivia)
        _shift(found, -_INDENT)
        return found

    def new(self, entries: Iterable[Entry]) -> Tree:
        from ruamel.yaml.comments import CommentedMap

        kept = list(entries)
        made: Tree = CommentedMap()
        if not kept:
            made.fa.set_flow_style()  # type: ignore[attr-defined]
        _shift(kept, _INDENT)
        self.fill(made, kept)
        return made


def _shift(entries: Iterable[Entry], by: int) -> None:
    """Move the comments of entries, and of all that is in them, to the right or to the left."""
    pending = [(entry.value, entry.trivia) for entry in entries]
    while pending:
        value, trivia = pending.pop()
        for token in _tokens(trivia):
            token.start_mark.column = max(0, token.start_mark.column + by)
        below = getattr(value, "ca", None)
        if below is None:
            continue
        pending += [(None, trivia) for trivia in (*below.items.values(), below.comment)]
        inner = value.values() if hasattr(value, "values") else value
        pending += [(item, None) for item in inner]


def _tokens(trivia: Any) -> Iterator[Any]:
    """The comments in what ruamel.yaml keeps beside a key: tokens, lists of tokens, and gaps."""
    for one in trivia or ():
        if isinstance(one, list):
            yield from _tokens(one)
        elif one is not None:
            yield one


class Commented:
    """A document with comments, quotes and order, by ruamel.yaml."""

    keeper: Keeper = _Comments()
    keeps_comments = True

    def load(self, text: str) -> Any:
        from ruamel.yaml.error import YAMLError

        try:
            return _yaml(text).load(text)
        except (YAMLError, ValueError):
            return None

    def dump(self, tree: Any, text: str) -> str:
        target = io.StringIO()
        _yaml(text).dump(tree, target)
        made = target.getvalue()
        if "\r\n" in text:
            made = made.replace("\r\n", "\n").replace("\n", "\r\n")
        return made if text.endswith("\n") else made.removesuffix("\n")


def _yaml(text: str) -> Any:
    """A reader and writer that lays out as the text does."""
    from ruamel.yaml import YAML

    text = text.replace("\r\n", "\n")
    yaml = YAML(typ="rt")
    yaml.preserve_quotes = True
    yaml.width = 1 << 20
    item, nested = _ITEM.search(text), _NESTED.search(text)
    offset = len(item["dash"]) - len(item["key"]) if item else 0
    mapping = len(nested["inner"]) - len(nested["outer"]) if nested else 2
    yaml.indent(mapping=max(mapping, 1), sequence=max(offset, 0) + 2, offset=max(offset, 0))
    return yaml


def manuscript() -> Manuscript | None:
    """The one that keeps comments; None where ruamel.yaml is not installed."""
    from importlib.util import find_spec

    is_there = find_spec("ruamel") is not None and find_spec("ruamel.yaml") is not None
    return Commented() if is_there else None
