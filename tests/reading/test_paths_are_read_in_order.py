"""Files, folders and standard input."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dravite.sources import read
from dravite.sources.manifests import read_manifests

FOO = b"apiVersion: v1\nkind: %s\n"


def write(folder: Path, **files: bytes) -> None:
    for name, data in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def test_a_folder_is_read_with_all_below_it_in_sorted_order(tmp_path: Path) -> None:
    write(tmp_path, b_yaml=FOO % b"B", a__z_yml=FOO % b"A", c_json=b'{"apiVersion":"v1","kind":"C"}', d_txt=b"no")
    write(tmp_path / ".git", x_yaml=FOO % b"Hidden")
    documents = read([str(tmp_path)])
    assert [(d.kind, Path(d.origin.file).name) for d in documents] == [("A", "z.yml"), ("B", "b.yaml"), ("C", "c.json")]


def test_paths_are_read_in_the_order_given_and_once(tmp_path: Path) -> None:
    write(tmp_path, a_yaml=FOO % b"A", b_yaml=FOO % b"B")
    documents = read([str(tmp_path / "b.yaml"), "-", str(tmp_path)], FOO % b"In")
    assert [(d.kind, d.origin.file.rpartition("/")[2]) for d in documents] == [
        ("B", "b.yaml"),
        ("In", "<stdin>"),
        ("A", "a.yaml"),
    ]


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    write(tmp_path, e_yaml=b"", b_yaml=FOO % b"B")
    paths = [str(tmp_path / name) for name in ("none.yaml", "empty", "e.yaml", "b.yaml/x", "b.yaml")]
    found = [(p.severity, p.message) for d in read([*paths, "-"]) for p in d.problems]
    assert found == [
        ("error", "cannot be read: no such file or folder"),
        ("warning", "the folder holds no manifests"),
        ("warning", "is empty"),
        ("error", "cannot be read: Not a directory"),
        ("warning", "is empty"),
    ]


def test_a_file_in_a_folder_that_is_no_manifest_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path, package_json=b'{"name": "x"}', values_yaml=b"a: 1\n", half_yaml=b"kind: Foo\n", b_yaml=FOO % b"B")
    found = [(p.severity, p.type, Path(p.file or "").name) for d in read([str(tmp_path)]) for p in d.problems]
    assert found == [
        ("error", "FieldValueRequired", "half.yaml"),
        ("info", "not-a-manifest", "package.json"),
        ("info", "not-a-manifest", "values.yaml"),
    ]
    named = [p.severity for d in read([str(tmp_path / "values.yaml")]) for p in d.problems]
    assert named == ["error", "error"]


def test_a_list_without_items_is_no_fault(tmp_path: Path) -> None:
    write(tmp_path, a_yaml=b"apiVersion: v1\nkind: List\nitems: []\n", b_yaml=b"# nothing here\n")
    assert [(p.severity, p.message) for d in read([str(tmp_path)]) for p in d.problems] == [
        ("info", "holds no objects"),
        ("info", "holds no objects"),
    ]


def test_a_pipe_in_a_folder_is_passed_over(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    (document,) = read([str(tmp_path)])
    assert [(p.severity, p.message) for p in document.problems] == [
        ("warning", "is no regular file, and is passed over")
    ]


@pytest.mark.skipif(os.geteuid() == 0, reason="everything is open to root")
def test_a_folder_that_cannot_be_looked_into_is_said(tmp_path: Path) -> None:
    write(tmp_path, **{"a.yaml": b"apiVersion: v1\nkind: A\n"})
    (tmp_path / "closed").mkdir(mode=0)
    first, second = read([str(tmp_path)])
    assert first.problems[0].message == "cannot be read: permission denied"
    assert second.kind == "A"


def test_a_single_path_is_a_path_and_no_row_of_letters(tmp_path: Path) -> None:
    (tmp_path / "pod.yaml").write_text(
        "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, image: i}]}}"
    )
    assert [one.pod.metadata.name for one in read_manifests(str(tmp_path)).pods] == ["p"]
