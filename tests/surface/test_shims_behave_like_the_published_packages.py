"""`dravite.compat` against the packages themselves, on generated values. Needs requirements-clients.txt."""

from __future__ import annotations

import keyword
import re
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dravite.compat import kubernetes as ours
from dravite.compat.family import ClientClass, ClientType, classes_of, newest_classes
from dravite.compat.kubernetes.classes import attribute_name, class_name

official = pytest.importorskip("kubernetes.client")
pydantic = pytest.importorskip("pydantic")
pytest.importorskip("lightkube.models.resource_v1")

CLASSES = [client for client in newest_classes() if client.fields]
TIMES = ("2026-01-31T12:00:00Z", "2026-01-31T12:00:00.25+02:00", "2026-01-31")
GOOD: dict[str, Any] = {
    "text": st.sampled_from(("", "a", "é")),
    "quantity": st.sampled_from(("1Gi", "5")),
    "integer": st.integers(-2, 1 << 40),
    "bool": st.booleans(),
    "time": st.sampled_from(TIMES),
    "raw": st.sampled_from(({}, {"a": [1, None]}, {"b": {"c": None}})),
}
BAD = st.sampled_from((None, 1, 1.5, True, "x", b"x", [], [1], (), {}, {"x": 1}, {1: "a"}, [None]))
RUN = settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))


class Made(msgspec.Struct, frozen=True):
    """An object of a class, to be made in whichever package is asked."""

    name: str
    given: dict[str, Any]


@st.composite
def value(draw: st.DrawFn, kind: ClientType, objects: bool) -> Any:
    if draw(st.integers(0, 24)) == 0:
        return draw(BAD)
    if kind.word == "list" and kind.item is not None:
        return draw(st.lists(value(kind.item, objects), max_size=2))
    if kind.word == "map" and kind.item is not None:
        return draw(st.dictionaries(st.sampled_from(("a", "b.c/d")), value(kind.item, objects), max_size=2))
    if kind.name:
        inner = draw(fields(classes_of(kind.home)[kind.name], objects))
        as_object = objects and draw(st.booleans())
        return Made(class_name(kind.home, kind.name), inner) if as_object else inner
    return draw(GOOD.get(kind.word, GOOD["raw"]))


@st.composite
def fields(draw: st.DrawFn, client: ClientClass, objects: bool) -> dict[str, Any]:
    """Arguments for a class: mostly all that is required, some that are not, under either name, seldom one too many."""
    chosen = {}
    for field in client.fields:
        if draw(st.integers(0, 19)) if field.required else draw(st.integers(0, 2)) == 0:
            name = draw(st.sampled_from((field.wire, attribute_name(field.wire))))
            chosen[name] = draw(value(field.type, objects))
    if draw(st.integers(0, 24)) == 0:
        chosen[draw(st.sampled_from(("foo", "name", "share_id", "apiVersion")))] = draw(BAD)
    return chosen


def resolved(recipe: Any, package: Any) -> Any:
    if isinstance(recipe, Made):
        return getattr(package, recipe.name)(**resolved(recipe.given, package))
    if isinstance(recipe, dict):
        return {key: resolved(item, package) for key, item in recipe.items()}
    return [resolved(item, package) for item in recipe] if isinstance(recipe, list) else recipe


def outcome(make: Callable[[], Any]) -> Any:
    """What comes of making an object, comparable between packages."""
    try:
        made = make()
    except (ours.ValidationError, pydantic.ValidationError) as error:
        return error.title, [(fault["type"], tuple(map(located, fault["loc"]))) for fault in error.errors()]
    except (TypeError, AttributeError) as error:
        return type(error).__name__
    if made is None:
        return None
    dumps = shown(repr((made.model_dump(), made.model_dump(by_alias=True, exclude_none=True))))
    return made.to_dict(), made.to_dict(serialize=True), made.to_json(), shown(made.to_str()), shown(str(made)), dumps


def located(step: str | int) -> str | int:
    """V1ListMeta tells places by wire names, whatever the caller wrote: one of its fields has a reserved name."""
    return ours.V1ListMeta.attribute_map.get(step, step)


def shown(text: str) -> str:
    """Without what line breaks, the classes of time zones and names that only pydantic sees change."""
    text = text.replace("TzInfo(0)", "datetime.timezone.utc").replace("var_continue", "_continue")
    return re.sub(r"\s+", "", re.sub(r"TzInfo\((\d+)\)", r"datetime.timezone(datetime.timedelta(seconds=\1))", text))


@st.composite
def made(draw: st.DrawFn, client: ClientClass) -> Made:
    return Made(class_name(client.home, client.name), draw(fields(client, objects=True)))


EVERY_CLASS = pytest.mark.parametrize("client", CLASSES, ids=lambda client: class_name(client.home, client.name))


@EVERY_CLASS
def test_constructors_of_the_official_client(client: ClientClass) -> None:
    @given(recipe=made(client))
    @RUN
    def same(recipe: Made) -> None:
        assert outcome(lambda: resolved(recipe, ours)) == outcome(lambda: resolved(recipe, official))

    same()


def test_the_comparison_sees_objects_that_are_made_and_objects_that_are_refused() -> None:
    seen: Counter[bool] = Counter()

    @given(recipe=st.sampled_from(CLASSES).flatmap(made))
    @settings(RUN, max_examples=400, database=None)
    def sample(recipe: Made) -> None:
        seen[len(outcome(lambda: resolved(recipe, official))) == 6] += 1

    sample()
    assert seen[True] >= 50
    assert seen[False] >= 50


@EVERY_CLASS
def test_from_dict_of_the_official_client(client: ClientClass) -> None:
    name = class_name(client.home, client.name)

    @given(raw=fields(client, objects=False))
    @RUN
    def same(raw: dict[str, Any]) -> None:
        read, theirs = getattr(ours, name).from_dict, getattr(official, name).from_dict
        assert outcome(lambda: read(raw)) == outcome(lambda: theirs(raw))

    same()


SETTABLE = [
    client for client in CLASSES if all(not field.required or field.type.word in GOOD for field in client.fields)
]


@given(data=st.data())
@settings(RUN, max_examples=1000)
def test_attributes_of_the_official_client(data: st.DataObject) -> None:
    client = data.draw(st.sampled_from(SETTABLE))
    base = {field.wire: data.draw(GOOD[field.type.word]) for field in client.fields if field.type.word in GOOD}
    field = data.draw(st.sampled_from([field for field in client.fields if field.wire != "continue"]))
    name = data.draw(st.sampled_from((attribute_name(field.wire), field.wire)))
    recipe = data.draw(value(field.type, objects=True))

    def changed(package: Any) -> Any:
        made = getattr(package, class_name(client.home, client.name))(**base)
        setattr(made, name, resolved(recipe, package))
        return made

    assert outcome(lambda: changed(ours)) == outcome(lambda: changed(official))


def structs_outcome(make: Callable[[], Any]) -> Any:
    try:
        made = make()
    except (msgspec.ValidationError, TypeError) as error:
        return str(error)
    return made.to_dict(), repr(made), made == make()


def class_of(package: str, client: ClientClass) -> Any:
    return getattr(import_module(f"{package}.{client.home}"), client.name)


@EVERY_CLASS
def test_constructors_of_lightkube(client: ClientClass) -> None:
    mine, theirs = class_of("dravite.compat.lightkube.models", client), class_of("lightkube.models", client)
    names = [f"{field.wire}_" if keyword.iskeyword(field.wire) else field.wire for field in client.fields]

    @given(data=st.data())
    @RUN
    def same(data: st.DataObject) -> None:
        inner = [data.draw(value(field.type, objects=False)) for field in client.fields]
        count = data.draw(st.integers(0, len(inner)))
        named = {name: data.draw(BAD) for name in data.draw(st.sets(st.sampled_from(names), max_size=3))}
        assert structs_outcome(lambda: mine(*inner[:count], **named)) == structs_outcome(
            lambda: theirs(*inner[:count], **named)
        )

    same()


@EVERY_CLASS
def test_from_dict_of_lightkube(client: ClientClass) -> None:
    if client.name == "DeviceAttribute":
        pytest.skip("lightkube cannot read it: its fields hide the names of their types")
    mine, theirs = class_of("dravite.compat.lightkube.models", client), class_of("lightkube.models", client)

    @given(raw=fields(client, objects=False))
    @RUN
    def same(raw: dict[str, Any]) -> None:
        assert structs_outcome(lambda: mine.from_dict(raw)) == structs_outcome(lambda: theirs.from_dict(raw))

    same()
