"""Models of ours as objects of other clients, which are imported here and nowhere else, when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from dravite.api.field import child
from dravite.api.meta import Model
from dravite.interop.names import home_of_model, kind_of_model
from dravite.interop.reading import read, to_plain

_PARTIAL = "core_v1"


def to_kubernetes(obj: object) -> Any:
    """The object of the official client that says what a model, or an object of another client, says.

    Raises:
        ImportError: the client (37 or newer) is not installed.
        LookupError: the client does not have the class, or a field that the object has.
        TypeError: see `read`; or the object is of a kind that dravite reads only in part.
    """
    from kubernetes import client

    model = _whole(obj)
    home, name = home_of_model(type(model)), type(model).__name__
    version = home.rpartition("_")[2]
    names = (f"ResourceV1{name}" if home == "resource_v1" else "", f"V{version[1:]}{name}")
    found = next((made for made in (getattr(client, name, None) for name in names if name) if made is not None), None)
    if found is None:
        message = f"kubernetes has no {names[1]}"
        raise LookupError(message)
    return _made(found, model)


def to_lightkube(obj: object) -> Any:
    """The object of lightkube that says what a model, or an object of another client, says.

    Raises:
        ImportError: lightkube is not installed.
        LookupError: its models do not have the class, or a field that the object has.
        TypeError: see `read`; or the object is of a kind that dravite reads only in part.
    """
    from lightkube import models, resources

    model = _whole(obj)
    home, name = home_of_model(type(model)), type(model).__name__
    packages = (resources, models) if kind_of_model(type(model))[1] else (models,)
    for package in packages:
        try:
            found = getattr(import_module(f"{package.__name__}.{home}"), name, None)
        except ModuleNotFoundError:
            continue
        if found is not None:
            return _made(found, model)
    message = f"lightkube has no {home}.{name}"
    raise LookupError(message)


def _made(theirs: Any, model: Model) -> Any:
    """The object of a class; clients drop what they do not know, without a word."""
    plain = model.to_dict()
    made = theirs.from_dict(plain)
    lost = next(_lost(plain, to_plain(made), ""), None)
    if lost is not None:
        message = f"{theirs.__name__} has no field {lost}"
        raise LookupError(message)
    return made


def _lost(ours: Any, theirs: Any, path: str) -> Iterator[str]:
    if isinstance(ours, dict) and isinstance(theirs, Mapping):
        for key, value in ours.items():
            if key not in theirs:
                yield child(path, key)
            else:
                yield from _lost(value, theirs[key], child(path, key))
    elif isinstance(ours, list) and isinstance(theirs, list):
        for index, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            yield from _lost(one, other, child(path, index))


def _whole(obj: object) -> Model:
    model = read(obj)
    if home_of_model(type(model)) == _PARTIAL and kind_of_model(type(model))[1]:
        message = f"dravite reads only a part of every {type(model).__name__}: keep the object that a client gave"
        raise TypeError(message)
    return model
