"""Rules about binding conditions, of devices and of allocation results (2.12)."""

from __future__ import annotations

from typing import Final

from dravite.api.field import child
from dravite.api.names import why_not_label_key
from dravite.validation.faults import Faults, declared, duplicate, invalid, invalid_each, too_many

MAX_CONDITIONS: Final = 4

_BINDING: Final = "bindingConditions"
_FAILURE: Final = "bindingFailureConditions"


def binding_conditions(conditions: tuple[str, ...] | None, failures: tuple[str, ...] | None, path: str) -> Faults:
    """Names of conditions, and that both lists go together. Missing and empty lists are shown as they are."""
    yield from _names(conditions or (), child(path, _BINDING))
    yield from _names(failures or (), child(path, _FAILURE))
    yield from _repeated(conditions or (), child(path, _BINDING))
    yield from _repeated(failures or (), child(path, _FAILURE), conditions or ())
    if failures and not conditions:
        yield invalid(child(path, _BINDING), conditions, f"{_BINDING} are required to use {_FAILURE}")
    if conditions and not failures:
        yield invalid(child(path, _FAILURE), failures, f"{_FAILURE} are required to use {_BINDING}")


def _names(entries: tuple[str, ...], path: str) -> Faults:
    if len(entries) > MAX_CONDITIONS:
        yield from declared((too_many(path, len(entries), MAX_CONDITIONS),))
        return
    for position, entry in enumerate(entries):
        yield from invalid_each(child(path, position), entry, why_not_label_key(entry))


def _repeated(entries: tuple[str, ...], path: str, others: tuple[str, ...] = ()) -> Faults:
    for position, entry in enumerate(entries):
        place = child(path, position)
        if entry in entries[:position]:
            yield duplicate(place, entry)
        if entry in others:
            yield invalid(place, entry, f"{_FAILURE} must not overlap with {_BINDING}")
