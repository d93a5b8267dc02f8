"""What a conversion gives: the object, and everything that the other version cannot say."""

from __future__ import annotations

import msgspec

from dravite.api.meta import Model


class Loss(msgspec.Struct, frozen=True):
    """One thing that did not survive.

    Attributes:
        path: where it stood in the object that was converted.
        detail: what is lost by it, in one sentence.
    """

    path: str
    detail: str


class Converted(msgspec.Struct, frozen=True):
    """`losses` is empty when converting back gives the same object."""

    object: Model
    losses: tuple[Loss, ...] = ()
