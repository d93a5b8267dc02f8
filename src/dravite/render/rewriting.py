"""A file's text with its objects in another version, changed no more than it must be.

Where only the apiVersion changes, one word of the text does. Where the shape changes the document is written from its
tree: with comments and spelling where ruamel.yaml is there, else from its plain values. Every result is read again and
compared with the typed conversion; what differs is written from the type.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any, Final, Protocol

import msgspec

from dravite.admission.reading import raw_ref
from dravite.api.codec import Decoded, decode, encode
from dravite.api.convert import to_hub
from dravite.api.convert.documents import Conversion, convert_document, loss_problems
from dravite.api.convert.reshape import Keeper, Plain, Tree, changes_shape, reshape
from dravite.api.document import Document, Problem
from dravite.api.documents import split, why_no_manifest
from dravite.api.json_text import looks_like_json, plain_json, split_stream
from dravite.api.yaml_text import read_documents
from dravite.api.yaml_writer import write_yaml

WRITTEN_ANEW: Final = "written-anew"
_MANUAL: Final = 256 << 10
"""Nobody writes a longer document by hand, and to keep its comments would take a minute for each megabyte."""
_SEPARATOR: Final = re.compile(r"^---(?:[ \t].*)?\r?\n?", re.MULTILINE)
_STEP: Final = re.compile(r"\[([^\]]*)\]|([^.\[\]]+)")


class Manuscript(Protocol):
    """A document as a tree that can be written again."""

    keeper: Keeper
    keeps_comments: bool

    def load(self, text: str) -> Any:
        """The tree of a text; None where this one cannot read it."""

    def dump(self, tree: Any, text: str) -> str:
        """The tree as text, laid out like the text that it came from."""


class Values:
    """Plain values: order of keys, and nothing else, is kept."""

    keeper: Keeper = Plain()
    keeps_comments = False

    def load(self, text: str) -> Any:
        found = [document.value for document in read_documents(text)]
        return found[0] if len(found) == 1 else None

    def dump(self, tree: Any, text: str) -> str:
        del text
        return write_yaml(tree)


class Rewritten(msgspec.Struct, frozen=True):
    """A text after the conversion.

    Attributes:
        text: all of it, also what did not change.
        converted: how many objects changed their version.
        problems: what was lost, and what stays as it was.
    """

    text: str
    converted: int = 0
    problems: tuple[Problem, ...] = ()


def rewrite(file: str, text: str, targets: Mapping[str, str], manuscript: Manuscript) -> Rewritten:
    """The text with every object of the groups in `targets` in the version that stands there."""
    if looks_like_json(text.encode()):
        return _rewrite_json(file, text, targets)
    parts, line = [], 1
    for chunk in _chunks(text):
        parts.append(_rewrite_chunk((file, line), chunk, targets, manuscript) if chunk.strip() else Rewritten(chunk))
        line += chunk.count("\n")
    return Rewritten(
        "".join(part.text for part in parts),
        sum(part.converted for part in parts),
        tuple(problem for part in parts for problem in part.problems),
    )


def _chunks(text: str) -> Iterator[str]:
    """Documents and the separator lines between them; joined they are the text."""
    start = 0
    for separator in _SEPARATOR.finditer(text):
        yield text[start : separator.start()]
        yield separator.group()
        start = separator.end()
    yield text[start:]


class _Work(msgspec.Struct, frozen=True):
    """The objects of one chunk, in order, with what is to become of each."""

    documents: tuple[Document, ...]
    plans: tuple[Conversion | None, ...]
    problems: tuple[Problem, ...]

    @property
    def converted(self) -> int:
        return sum(plan is not None for plan in self.plans)


def _work(file: str, text: str, targets: Mapping[str, str]) -> _Work:
    documents = split(file, text.encode())
    plans: list[Conversion | None] = []
    problems: list[Problem] = []
    for document in documents:
        broken = any(problem.severity == "error" for problem in document.problems)
        found = None if broken or not document.body else convert_document(document, targets)
        told = loss_problems(document, found) if isinstance(found, Conversion) else found or ()
        told = (*told, *(document.problems if broken and why_no_manifest(document) is None else ()))
        problems += (msgspec.structs.replace(problem, object=_named(document)) for problem in told)
        plans.append(found if isinstance(found, Conversion) else None)
    return _Work(documents, tuple(plans), tuple(problems))


def _named(document: Document) -> str:
    return str(raw_ref(document, document.kind)) if document.kind else ""


def _rewrite_chunk(place: tuple[str, int], text: str, targets: Mapping[str, str], manuscript: Manuscript) -> Rewritten:
    if text.startswith("---"):
        return Rewritten(text)
    work = _work(place[0], text, targets)
    problems = tuple(_moved(problem, place[1]) for problem in work.problems)
    if not work.converted:
        return Rewritten(text, 0, problems)
    hint = None if manuscript.keeps_comments or len(text) > _MANUAL else "pip install 'dravite[convert]' keeps them"
    if len(text) > _MANUAL:
        manuscript = Values()
    for attempt in (_word_by_word, _tree_by_tree):
        changed = attempt(text, work, manuscript)
        if changed is not None and _says_the_same(changed, work):
            anew = () if attempt is _word_by_word or manuscript.keeps_comments else _anew(text, place, hint)
            return Rewritten(changed, work.converted, (*problems, *anew))
    return Rewritten(_typed(work), work.converted, (*problems, *_anew(text, place, hint)))


def _moved(problem: Problem, first: int) -> Problem:
    return msgspec.structs.replace(problem, line=(problem.line or 1) + first - 1)


def _anew(text: str, place: tuple[str, int], hint: str | None) -> tuple[Problem, ...]:
    if "#" not in text:
        return ()
    message = "the document was written anew: its comments are gone"
    file, line = place
    return (Problem(severity="warning", type=WRITTEN_ANEW, message=message, file=file, line=line, hint=hint),)


def _says_the_same(text: str, work: _Work) -> bool:
    """Whether the text reads as what the typed conversion makes of it."""
    documents = split("", text.encode())
    if len(documents) != len(work.documents):
        return False
    for document, before, plan in zip(documents, work.documents, work.plans, strict=True):
        if plan is None:
            if bytes(document.body) != bytes(before.body):
                return False
            continue
        found = decode(document) if document.api_version == plan.target else None
        if not isinstance(found, Decoded) or to_hub(found.object).object != to_hub(plan.object).object:
            return False
    return True


def _word_by_word(text: str, work: _Work, manuscript: Manuscript) -> str | None:
    """The text with other apiVersions; None where more than that changes."""
    del manuscript
    plans = [plan for plan in work.plans if plan is not None]
    if any(plan.losses or changes_shape(plan.info.kind, plan.source, plan.target) for plan in plans):
        return None
    return "\n".join(_renamed(text, work))


def _renamed(text: str, work: _Work) -> list[str]:
    """The lines of the text with other apiVersions, where these stand on lines of their own."""
    lines = text.split("\n")
    for document, plan in zip(work.documents, work.plans, strict=True):
        number = (document.line_of("apiVersion") or 1) - 1
        if plan is not None and lines[number].count(plan.source) == 1:
            lines[number] = lines[number].replace(plan.source, plan.target)
    return lines


def _tree_by_tree(text: str, work: _Work, manuscript: Manuscript) -> str | None:
    """The text from its tree, in which things were moved; None where the tree cannot be had."""
    text = "\n".join(_renamed(text, work))
    tree = manuscript.load(text)
    if tree is None:
        return None
    _change([tree], work, manuscript.keeper)
    return manuscript.dump(tree, text)


def _change(trees: list[Any], work: _Work, keeper: Keeper) -> None:
    moved: set[int] = set()
    nodes = [node for tree in trees for node in _objects(tree)]
    for node, plan in zip(nodes, work.plans, strict=False):
        if plan is not None and id(node) not in moved:
            moved.add(id(node))
            typeless = "kind" not in node
            node.setdefault("kind", plan.info.kind)
            reshape(node, plan.info.kind, (plan.source, plan.target), keeper)
            _drop_lost(node, plan)
            if typeless:  # an item of a list that gives it its kind
                del node["kind"]
    for tree in trees:
        _retype_lists(tree, work)


def _objects(tree: Any) -> Iterator[Any]:
    """The objects of a document, and what stands in the place of one: itself, or the items of a list."""
    items = tree.get("items") if isinstance(tree, MutableMapping) else None
    if isinstance(items, list) and str(tree.get("kind") or "").endswith("List"):
        for item in items:
            yield from _objects(item)
    else:
        yield tree


def _retype_lists(tree: Any, work: _Work) -> None:
    """A list of one kind names the version of its items."""
    versions = {plan.source: plan.target for plan in work.plans if plan is not None}
    if isinstance(tree, MutableMapping) and str(tree.get("kind") or "").endswith("List"):
        tree["apiVersion"] = versions.get(tree.get("apiVersion", ""), tree.get("apiVersion"))


def _drop_lost(node: Tree, plan: Conversion) -> None:
    """Take out what the target does not know, but for fields that no version knows."""
    plain = {**json.loads(json.dumps(node, default=str)), "apiVersion": plan.target, "kind": plan.info.kind}
    [document] = split("", msgspec.json.encode(plain))
    found = decode(document)
    for field in found.unknown if isinstance(found, Decoded) else ():
        if field.name not in plan.unknown:
            _remove(node, [key or name for key, name in _STEP.findall(field.path)])


def _remove(tree: Any, steps: list[str]) -> None:
    """Remove the entry at a path, whose names may hold dots."""
    for length in range(1, len(steps) + 1):
        key = ".".join(steps[:length])
        if isinstance(tree, list) and key.isdecimal() and int(key) < len(tree):
            return _remove(tree[int(key)], steps[length:])
        if isinstance(tree, MutableMapping) and key in tree:
            if length == len(steps):
                del tree[key]
                return None
            return _remove(tree[key], steps[length:])
    return None


def _typed(work: _Work) -> str:
    """The objects as their types write them."""
    parts = []
    for document, plan in zip(work.documents, work.plans, strict=True):
        plain = plain_json(document.body if plan is None else encode(plan.object))
        parts.append(write_yaml(plain))
    return "---\n".join(parts)


def _rewrite_json(file: str, text: str, targets: Mapping[str, str]) -> Rewritten:
    work = _work(file, text, targets)
    if not work.converted:
        return Rewritten(text, 0, work.problems)
    changed = _word_by_word(text, work, Values())
    if changed is None or not _says_the_same(changed, work):
        values, broken = split_stream(text.encode())
        if broken is not None:
            return Rewritten(text, 0, work.problems)
        trees = [json.loads(bytes(value.body)) for value in values]
        _change(trees, work, Plain())
        indent = re.search(r"\n([ \t]+)", text)
        written = (json.dumps(tree, indent=indent.group(1) if indent else None, ensure_ascii=False) for tree in trees)
        changed = "\n".join(written) + ("\n" if text.endswith("\n") else "")
    return Rewritten(changed, work.converted, work.problems)
