"""Broken input: one message each, with file, line and what to do; the rest is read all the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dravite.api.document import Problem
from dravite.api.documents import MAX_YAML, split

HEAD = "apiVersion: v1\nkind: Foo\n"


def problems_of(data: str | bytes, file: str = "a.yaml") -> list[Problem]:
    raw = data.encode() if isinstance(data, str) else data
    return [problem for document in split(file, raw) for problem in document.problems]


@pytest.mark.parametrize(
    ("data", "line", "words", "hint"),
    [
        ('a: "x\n', 1, "unexpected end", "cut off"),
        (HEAD + "a: [1,\n", 3, "did not find expected node content", "cut off"),
        (HEAD + "a:\n\tb: 1\n", 4, "cannot start any token", "not with tabs"),
        (HEAD + "a: b: c\n", 3, "mapping values are not allowed", "quotes"),
        (HEAD + "a: *nope\n", 3, "unknown anchor 'nope'", "`---`"),
        (HEAD + "a: &a\n  b: *a\n", 4, "contains itself", "write the value out"),
        (HEAD + "a: {b: 1, c: 2, b: 3}\n", 3, "the key 'b' is here twice, first on line 3", "keep one"),
        (HEAD + "~: 1\n", 3, "null cannot be a key", "quotes"),
        (HEAD + "a: {{ .Values.a }}\n", 3, "a list or mapping cannot be a key", "`helm template`"),
        (HEAD + "{{- if .Values.a }}\na: b\n", 4, "cannot be read as YAML", "`helm template`"),
        (HEAD + "a: .inf\n", 3, "not a number that JSON can hold", None),
        (HEAD + "--- {b: 1}\n", 3, "nothing may follow", "line of its own"),
        ("hello\n", 1, "is no Kubernetes object", None),
        ("- a\n- b\n", 1, "is no Kubernetes object", None),
        ("kind: Foo\n", 1, "`apiVersion` is missing", None),
        ("apiVersion: v1\nkind: 5\n", 1, "`kind` must be a text", None),
        (b"\x7fELF\0\0", None, "binary", "YAML or JSON"),
        (b"\x1f\x8b\x08\0abc", None, "binary", "gzip"),
        ('{"apiVersion":"v1",\n"kind":"Foo"', 2, "cannot be read as JSON", "cut off"),
        ('{"apiVersion":"v1",\n"kind":"Foo",}', 2, "cannot be read as JSON", "no comma"),
        ('{"apiVersion":"v1","kind":"Foo",\n"a":1,\n"a":2}', 3, "the key 'a' is here twice", "keep one"),
    ],
)
def test_a_fault_is_said_with_its_line_and_a_remedy(
    data: str | bytes, line: int | None, words: str, hint: str | None
) -> None:
    (problem,) = problems_of(data)
    assert problem.severity == "error"
    assert (problem.file, problem.line) == ("a.yaml", line)
    assert words in problem.message
    assert (hint is None and problem.hint is None) or (hint is not None and hint in (problem.hint or ""))


def test_a_huge_yaml_file_is_refused_with_a_way_out() -> None:
    (problem,) = problems_of(HEAD.encode() + b"#" * MAX_YAML)
    assert problem.message == "is too large for YAML: 64 MiB"
    assert problem.hint == "use JSON: kubectl get -o json"


def test_an_alias_bomb_is_refused() -> None:
    lines = ["a: &a [x,x,x,x,x,x,x,x,x,x]"]
    lines += [f"{b}: &{b} [{','.join(['*' + a] * 10)}]" for a, b in zip("abcdef", "bcdefg", strict=True)]
    (problem,) = problems_of(HEAD + "\n".join(lines))
    assert "excessive aliasing" in problem.message


def test_a_deep_text_is_refused() -> None:
    for text in ("a: " + "[" * 500 + "]" * 500, "[" * 100_000, '{"a":' * 50_000):
        assert any("nest" in problem.message for problem in problems_of(HEAD + text if text[0] == "a" else text))


def test_a_broken_document_does_not_hide_the_others() -> None:
    documents = split("a.yaml", f"{HEAD}a: [\n---\n{HEAD}---\n{HEAD}b: {{\n".encode())
    assert [bool(document.problems) for document in documents] == [True, False, True]


def test_all_faults_of_a_document_are_said_at_once() -> None:
    found = problems_of(HEAD + "a: {x: 1, x: 2}\nb: *c\nkind: Bar\n")
    assert [problem.line for problem in found] == [3, 4, 5]


def test_a_fault_inside_a_list_belongs_to_its_item() -> None:
    text = (
        f"kind: List\nitems:\n- {HEAD.replace(chr(10), chr(10) + '  ')}a: 1\n  a: 2\n- 5\n- kind: B\n  apiVersion: v1\n"
    )
    documents = split("a.yaml", text.encode())
    assert [(d.kind, [(p.field, p.line) for p in d.problems]) for d in documents] == [
        ("Foo", [("a", 6)]),
        ("", [(None, 7)]),
        ("B", []),
    ]


@pytest.mark.parametrize("text", ["apiVersion: v1\nkind: List\nitems: foo\n", '{"kind": "List", "items": {"a": 1}}'])
def test_a_list_whose_items_are_no_list_is_a_fault(text: str) -> None:
    (problem,) = problems_of(text)
    assert (problem.severity, problem.field) == ("error", "items")


@pytest.mark.parametrize("text", ["apiVersion: v1\nkind: List\nitems:\n", '{"kind": "List", "items": null}'])
def test_a_list_of_nothing_is_no_fault(text: str) -> None:
    assert problems_of(text) == []


def test_a_few_odd_bytes_are_a_warning() -> None:
    documents = split("a.yaml", HEAD.encode() + b"# caf\xe9\na: 1\n")
    assert documents[0].kind == "Foo"
    assert [(p.severity, p.line) for d in documents for p in d.problems] == [("warning", 3)]


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_arbitrary_bytes_never_raise(data: bytes) -> None:
    split("x", data)


@settings(deadline=None)
@given(st.text(alphabet="{}[]:,\"'-&*! \n\tab01#|>%?~<", max_size=80))
def test_yaml_like_text_never_raises(text: str) -> None:
    for document in split("x", text.encode()):
        document.line_of("a.b[0].c")
