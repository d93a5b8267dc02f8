"""Rules about conditions (2.14)."""

from __future__ import annotations

import re
from typing import Final

from dravite.api.field import child
from dravite.api.meta import Condition
from dravite.api.names import why_not_label_key
from dravite.api.releases import Profile
from dravite.validation.faults import Faults, duplicate, invalid, invalid_each, not_supported, required, too_long

MAX_REASON: Final = 1_024
MAX_MESSAGE: Final = 32_768

_STATUSES: Final = ("False", "True", "Unknown")
_SHAPE: Final = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?"
_REASON: Final = re.compile(_SHAPE)
_REASON_TEXT: Final = (
    "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric "
    "characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or "
    f"'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '{_SHAPE}')"
)


def conditions(items: tuple[Condition, ...], profile: Profile, path: str) -> Faults:
    """The conditions of a status, each type once."""
    seen: set[str] = set()
    for position, item in enumerate(items):
        place = child(path, position)
        if item.type in seen:
            yield duplicate(place if profile.is_at_least("1.37") else child(place, "type"), item.type)
        seen.add(item.type)
        yield from _condition(item, profile, place)


def _condition(item: Condition, profile: Profile, path: str) -> Faults:
    yield from _type_and_status(item, profile, path)
    if item.observed_generation < 0:
        yield invalid(child(path, "observedGeneration"), item.observed_generation, _NOT_NEGATIVE)
    if item.last_transition_time is None:
        yield required(child(path, "lastTransitionTime"))
    place = child(path, "reason")
    if not item.reason:
        yield required(place)
    else:
        if not _REASON.fullmatch(item.reason):
            yield invalid(place, item.reason, _REASON_TEXT)
        if len(item.reason.encode()) > MAX_REASON:
            yield too_long(place, MAX_REASON)
    if len(item.message.encode()) > MAX_MESSAGE:
        yield too_long(child(path, "message"), MAX_MESSAGE)


_NOT_NEGATIVE: Final = "must be greater than or equal to zero"


def _type_and_status(item: Condition, profile: Profile, path: str) -> Faults:
    """Before 1.37 missing words were bad words."""
    says_required = profile.is_at_least("1.37")
    place = child(path, "type")
    if not item.type and says_required:
        yield required(place, "is required")
    else:
        yield from invalid_each(place, item.type, why_not_label_key(item.type))
    place = child(path, "status")
    if not item.status and says_required:
        yield required(place)
    elif item.status not in _STATUSES:
        yield not_supported(place, item.status, _STATUSES)
