"""YAML as kubectl reads it; the values were observed with kubectl 1.32."""

from __future__ import annotations

import msgspec
import pytest

from dravite.api.codec import decode_raw
from dravite.api.documents import split
from dravite.api.yaml_scalars import resolve

HEAD = b"apiVersion: x.example.com/v1\nkind: Foo\n"


def spec_of(text: str) -> object:
    (document,) = split("a.yaml", HEAD + text.encode())
    assert not document.problems
    return msgspec.json.decode(document.body)["spec"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *[(word, True) for word in ("y", "Y", "yes", "on", "ON", "true", "TRUE")],
        *[(word, False) for word in ("n", "N", "no", "Off", "off", "False")],
        *[(word, None) for word in ("", "~", "null", "Null", "NULL")],
        *[(word, word) for word in ("tRUE", "nUll", "12:30:45", "1:30", "2001-01-01", "0o9", "1e", "=", "_1", "1e400")],
        *[(word, 8) for word in ("010", "0o10", "0O10", "08", "0b1000", "0x8", "8.0", "8.", "+8")],
        ("1e3", 1000),
        ("1E3", 1000),
        ("1_000", 1000),
        ("-0x1f", -31),
        ("-0b11", -3),
        ("0_7", 7),
        ("-0", 0),
        ("1e20", 10**20),
        ("1e21", 1e21),
        (".5", 0.5),
        ("1e-3", 0.001),
        ("6e2.1", "6e2.1"),
        ("0x1.8p1", "0x1.8p1"),
        ("18446744073709551615", 2**64 - 1),
        ("18446744073709551616", 2**64),
        ("9" * 100, 1e100),
        ("9" * 5000, "9" * 5000),
        ("0x" + "f" * 17, "0x" + "f" * 17),
    ],
)
def test_a_plain_scalar_has_the_value_that_kubernetes_gives_it(text: str, value: object) -> None:
    found = resolve(text)
    assert found == value
    assert type(found) is type(value)


def test_keys_become_text() -> None:
    assert spec_of("spec: {yes: 1, 5: x, 1.5: z, no: 2}") == {"true": 1, "5": "x", "1.5": "z", "false": 2}


def test_merge_keys_fill_in_what_is_not_written() -> None:
    text = "spec:\n  x: &x {a: 1, b: 2}\n  z: &z {a: 5, c: 6}\n  w:\n    <<: [*x, *z]\n    b: 3\n"
    assert spec_of(text) == {"x": {"a": 1, "b": 2}, "z": {"a": 5, "c": 6}, "w": {"a": 1, "b": 3, "c": 6}}


def test_an_anchor_may_be_given_anew() -> None:
    assert spec_of("spec: {e: &a 1, f: &a 2, g: *a}") == {"e": 1, "f": 2, "g": 2}


def test_tags_are_obeyed() -> None:
    text = 'spec: {a: !foo 5, b: !!int "5", c: !!float 5, d: !!bool "yes", e: !!null "", f: !!str 5, g: !!binary aGk=}'
    assert spec_of(text) == {"a": "5", "b": 5, "c": 5, "d": True, "e": None, "f": "5", "g": "hi"}


def test_a_byte_order_mark_and_utf_16_are_no_trouble() -> None:
    text = "apiVersion: v1\nkind: Foo\n"
    for data in (b"\xef\xbb\xbf" + text.encode(), text.encode("utf-16")):
        (document,) = split("a.yaml", data)
        assert (document.api_version, document.kind, document.problems) == ("v1", "Foo", ())


def test_documents_are_split_at_separators_and_empty_ones_are_passed_over() -> None:
    text = b"---\n# only a comment\n--- # first\nkind: A\napiVersion: v1\n---\n\n---\napiVersion: v1\nkind: B\n...\n"
    assert [(d.kind, d.origin.line) for d in split("a.yaml", text)] == [("A", 4), ("B", 9)]


def test_a_list_counts_as_its_items_each_with_its_line() -> None:
    text = b"apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: A\n\n- kind: B\n  apiVersion: v1\nkind: List\n"
    assert [(d.kind, d.origin.line) for d in split("a.yaml", text)] == [("A", 3), ("B", 6)]


def test_a_typed_list_gives_its_items_their_type() -> None:
    text = b'{"kind":"PodList","apiVersion":"v1","items":[\n{"metadata":{"name":"a"}},\n\n{"metadata":{"name":"b"}}]}'
    found = [(d.api_version, d.kind, d.origin.line) for d in split("a.json", text)]
    assert found == [("v1", "Pod", 2), ("v1", "Pod", 4)]


def test_json_documents_may_follow_one_another() -> None:
    text = b'{"kind":"A","apiVersion":"v1"}\n{"kind":"B","apiVersion":"v1"}\n'
    assert [(d.kind, d.origin.line) for d in split("a.json", text)] == [("A", 1), ("B", 2)]


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        ("{a: y, b: {c: n}}", {"a": "y", "b": {"c": "n"}}),
        ("{x: 1, y: {z: n}}", {"x": 1, "true": {"z": "n"}}),
        ("{a: [y, {b: n}]}", {"a": ["y", {"b": "n"}]}),
    ],
)
def test_lone_letters_are_texts_as_values_and_never_as_keys(spec: str, value: object) -> None:
    (document,) = split("a.yaml", f"apiVersion: x.example.com/v1\nkind: Foo\nspec: {spec}\n".encode())
    assert decode_raw(document)["spec"] == value


def test_a_letter_below_a_key_that_is_here_twice_changes_nothing() -> None:
    text = "apiVersion: x.example.com/v1\nkind: Foo\nspec: {a: {b: y}, a: text}\n"
    (document,) = split("a.yaml", text.encode())
    assert [problem.type for problem in document.problems] == ["FieldValueDuplicate"]
    assert decode_raw(document)["spec"] == {"a": "text"}
