"""What a release knows of a type is what the clients that were published for it know."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from dravite.api.field_history import absent_fields, shape_in
from dravite.api.meta import Model
from dravite.api.resource_v1 import Device
from tests.surface.client_tables import RELEASES, Field, lightkube

GROUPS = ("resource_", "scheduling_")


def known(release: str) -> list[tuple[str, type[Model], tuple[Field, ...]]]:
    """The classes of our groups that a client had, with ours of the same name."""
    found = []
    for (module, name), fields in lightkube(release).items():
        if module.startswith(GROUPS) and not isinstance(fields, str):
            ours: Any = getattr(importlib.import_module(f"dravite.api.{module}"), name, None)
            if isinstance(ours, type) and issubclass(ours, Model):
                found.append((f"{module}.{name}", ours, fields))
    return found


@pytest.mark.parametrize("release", RELEASES)
def test_a_release_knows_the_fields_that_its_clients_have(release: str) -> None:
    short = release.rpartition(".")[0]
    classes = known(release)
    assert len(classes) > 30
    for name, ours, fields in classes:
        assert set(shape_in(ours, short).fields) == {field.wire for field in fields}, name


def test_a_field_is_absent_before_its_release_and_after_its_last_one() -> None:
    name = "nodeAllocatableResourceMappings"
    absent = [release for release in ("1.35", "1.36", "1.37") if name in absent_fields(release).get(Device, ())]
    assert absent == ["1.35", "1.37"]
