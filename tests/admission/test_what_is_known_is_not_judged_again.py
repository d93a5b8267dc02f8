"""Admitting documents once more beside others judges only the others, and comes to what it would come to anyway."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from dravite.admission.admit import admit
from dravite.admission.known import Known
from dravite.api.document import Document
from dravite.api.documents import split
from dravite.sources import read
from tests.clusters import release

EXAMPLES = Path(__file__).parents[2] / "examples"
MORE = b"""\
apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: maintenance}
spec: {deviceSelector: {}, taint: {key: example.com/maintenance, effect: Whatever}}
---
apiVersion: v1
kind: Pod
metadata: {name: eval, namespace: ml}
spec: {containers: [{name: main, image: ""}]}
"""


def documents() -> tuple[Document, ...]:
    return read([str(EXAMPLES / "cluster"), str(EXAMPLES / "jobs")])


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[Document]:
    """The documents that are taken in, in order."""
    module: Any = sys.modules["dravite.admission.admit"]
    seen: list[Document] = []
    take = module.take
    monkeypatch.setattr(module, "take", lambda one, **given: seen.append(one) or take(one, **given))
    return seen


def test_only_new_documents_are_taken_in(taken: list[Document]) -> None:
    known, given, more = Known(), documents(), split("more.yaml", MORE)
    admit(given, release(), known=known)
    before = len(taken)
    admit((*given, *more), release(), known=known)
    assert before > 10
    assert taken[before:] == list(more)


def test_the_answer_is_the_one_of_nobody_who_knows_anything() -> None:
    known, given, more = Known(), documents(), split("more.yaml", MORE)
    admit(given, release(), known=known)
    again, anew = (admit((*given, *more), release(), known=one) for one in (known, None))
    assert [one.object for one in again.problems] == ["DeviceTaintRule maintenance", "Pod ml/eval"]
    assert again == anew
