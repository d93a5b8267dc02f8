"""An object with one field changed, named by its field path as messages write it.

Objects are frozen: an edit gives a new object and leaves the old one alone. Paths carry the names of the wire
(`spec.devices.requests[0].exactly.count`); keys of maps stand in brackets (`requests[memory]`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, TypeVar

import msgspec

Obj = TypeVar("Obj")
Edit = Callable[[Any], Any]

_STEP: Final = re.compile(r"([^.\[\]]+)|\[([^\]]+)\]")


class Gone:
    """What an edit answers with when a list element or map entry is to be left out."""


GONE: Final = Gone()


def value_at(thing: object, path: str) -> Any:
    """What stands at a path.

    Raises:
        LookupError: nothing can stand there.
    """
    for step in _steps(path):
        thing = _child(thing, step)
    return thing


def edited(thing: Obj, path: str, edit: Edit) -> Obj:
    """The object with the value at `path` replaced by what `edit` makes of it.

    Raises:
        LookupError: nothing can stand there.
    """
    result: Obj = _edited(thing, _steps(path), edit)
    return result


def replaced(thing: Obj, path: str, value: object) -> Obj:
    """The object with `value` at `path`; `GONE` leaves an element out."""
    return edited(thing, path, lambda _: value)


def _steps(path: str) -> tuple[str, ...]:
    return tuple(word or f"[{index}]" for word, index in _STEP.findall(path))


def _edited(thing: Any, steps: tuple[str, ...], edit: Edit) -> Any:
    if not steps:
        return edit(thing)
    step, rest = steps[0], steps[1:]
    new = _edited(_child(thing, step), rest, edit)
    if isinstance(thing, tuple):
        place = _place(thing, step)
        return thing[:place] + (() if new is GONE else (new,)) + thing[place + 1 :]
    if isinstance(thing, Mapping):
        kept = {key: value for key, value in thing.items() if key != step[1:-1]}
        return kept if new is GONE else {**kept, step[1:-1]: new}
    return msgspec.structs.replace(thing, **{_attribute(type(thing), step): new})


def _child(thing: Any, step: str) -> Any:
    if isinstance(thing, tuple):
        return thing[_place(thing, step)]
    if isinstance(thing, Mapping):
        return thing.get(step[1:-1])
    if isinstance(thing, msgspec.Struct):
        return getattr(thing, _attribute(type(thing), step))
    message = f"nothing stands at {step}"
    raise LookupError(message)


def _place(thing: tuple[Any, ...], step: str) -> int:
    place = int(step[1:-1]) if step[1:-1].isdigit() else len(thing)
    if place >= len(thing):
        message = f"no element {step}"
        raise LookupError(message)
    return place


def _attribute(kind: type[msgspec.Struct], step: str) -> str:
    attribute = _attributes(kind).get(step)
    if attribute is None:
        message = f"{kind.__name__} has no field {step}"
        raise LookupError(message)
    return attribute


@cache
def _attributes(kind: type[msgspec.Struct]) -> Mapping[str, str]:
    return {field.encode_name: field.name for field in msgspec.structs.fields(kind)}
