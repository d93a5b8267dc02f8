"""The words of older releases, where a rule is the same and its sentence is not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import msgspec

from dravite.api.field import FieldError
from dravite.api.releases import Profile

_1_31: Final = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"\Aa valid label key must", "a qualified name must"),
        (r"must be no more than (\d+) bytes", r"must be no more than \1 characters"),
        (r"\Amay not be more than (\d+) bytes", r"must have at most \1 bytes"),
    )
)
"""What 1.31 said, as patterns of today's sentences and what stood in their place."""

_OWNER: Final = re.compile(r"metadata\.ownerReferences\.(kind|name|uid)\Z")


def in_words_of(errors: Iterable[FieldError], profile: Profile) -> tuple[FieldError, ...]:
    """The errors as a server of the release words them."""
    if profile.is_at_least("1.32"):
        return tuple(errors)
    return tuple(msgspec.structs.replace(error, detail=_old_words(error)) for error in errors)


def _old_words(error: FieldError) -> str:
    owner = _OWNER.fullmatch(error.field)
    if owner is not None and error.detail == "must not be empty":
        return f"{owner.group(1)} must not be empty"
    detail = error.detail
    for pattern, words in _1_31:
        detail = pattern.sub(words, detail)
    return detail
