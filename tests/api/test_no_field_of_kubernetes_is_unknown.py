"""What `kubectl get -o yaml` prints is never called unknown: each field of Kubernetes is read, or passed over."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dravite.api.meta import Model
from dravite.api.registry import KINDS
from dravite.api.shapes import Shape, is_known_elsewhere, shape_of
from dravite.apiserver.protobuf import message_types, type_name

TYPES = [
    (type_name(info.api_version(version), info.kind), model) for info in KINDS for version, model in info.types.items()
]
"""Every version of every kind, under the name that Kubernetes' own tables have for it."""


@pytest.mark.parametrize(("message", "model"), [pair for pair in TYPES if pair[0] in message_types()])
def test_every_field_of_a_type_is_read_or_passed_over(message: str, model: type[Model]) -> None:
    assert sorted(unknown(shape_of(model), message, set())) == []


def test_most_types_are_looked_at() -> None:
    assert sum(message in message_types() for message, _ in TYPES) > 25


def unknown(shape: Shape, message: str, seen: set[str]) -> Iterator[str]:
    """The fields that Kubernetes' message has, here or further below, and our type does not know of."""
    if message in seen or shape.word != "object":
        return
    seen.add(message)
    for field in message_types().get(message, {}).values():
        inner = shape.fields.get(field.name)
        if not field.name:
            yield from unknown(shape, field.code, seen)
        elif inner is not None:
            yield from unknown(innermost(inner), field.code, seen)
        elif not is_known_elsewhere(shape, field.name):
            yield f"{message}.{field.name}"


def innermost(shape: Shape) -> Shape:
    """What a list or a map holds, or the shape itself."""
    return shape if shape.item is None else innermost(shape.item)
