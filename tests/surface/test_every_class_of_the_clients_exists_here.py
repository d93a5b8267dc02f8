"""The one family against published clients: every class and field, its wire name, and whether it is required."""

from __future__ import annotations

import re
from importlib import import_module

import msgspec
import pytest
from client_tables import RELEASES, Field, lightkube, newest_lightkube, official

from dravite.api.meta import Model
from dravite.api.required_fields import required_fields

OURS = re.compile(r"(resource|scheduling)_v")
MODULES = [(release, module) for release in RELEASES for module in sorted({key[0] for key in lightkube(release)})]
OFFICIAL = re.compile(r"(V\d(?:(?:alpha|beta)\d)?)(\w+)")


def model(module: str, name: str) -> type[Model]:
    home = import_module(f"dravite.api.{module}")
    assert name in home.__all__
    found = getattr(home, name)
    assert issubclass(found, Model)
    return found


def fields(model: type[Model]) -> set[str]:
    return {field.encode_name for field in msgspec.structs.fields(model)}


def required(model: type[Model]) -> set[str]:
    return {field.encode_name for field in msgspec.structs.fields(model) if field.name in required_fields(model)}


def missing(theirs: tuple[Field, ...], ours: type[Model]) -> set[str]:
    return {field.wire for field in theirs} - fields(ours)


@pytest.mark.parametrize(("release", "module"), [place for place in MODULES if OURS.match(place[1])])
def test_every_class_and_field_of_a_release_exists(release: str, module: str) -> None:
    table = {name: theirs for (home, name), theirs in lightkube(release).items() if home == module}
    lacking = {
        name: missing(theirs, model(module, name)) for name, theirs in table.items() if not isinstance(theirs, str)
    }
    empty = {name: fields(model(module, name)) for name, theirs in table.items() if isinstance(theirs, str)}
    assert {name: names for name, names in (lacking | empty).items() if names} == {}


def test_a_class_requires_what_its_newest_release_requires() -> None:
    for (module, name), theirs in newest_lightkube().items():
        if OURS.match(module) and not isinstance(theirs, str):
            assert required(model(module, name)) == {field.wire for field in theirs if field.required}, name


def home(name: str) -> tuple[str, str] | None:
    """The module and the name here of a class of the official client; None for those of other groups."""
    if name == "ResourceV1ResourceClaim":
        return "resource_v1", "ResourceClaim"
    match = OFFICIAL.fullmatch(name)
    assert match is not None
    homes = [(f"{group}_{match.group(1).lower()}", match.group(2)) for group in ("resource", "scheduling")]
    return next((place for place in homes if place in newest_lightkube()), None)


def test_every_class_and_field_of_the_official_client_exists() -> None:
    compared = 0
    for name, theirs in official().items():
        place = home(name)
        if place is not None:
            ours = model(*place)
            compared += 1
            assert missing(theirs, ours) == set(), name
            assert required(ours) == {field.wire for field in theirs if field.required}, name
    assert compared == 217


def test_the_other_classes_of_the_official_client_belong_to_other_groups() -> None:
    elsewhere = [name.removeprefix("V1") for name in official() if home(name) is None]
    assert elsewhere == [
        "Condition",
        "ListMeta",
        "ManagedFieldsEntry",
        "NodeSelector",
        "NodeSelectorRequirement",
        "NodeSelectorTerm",
        "ObjectMeta",
        "OwnerReference",
        "ShardInfo",
    ]
