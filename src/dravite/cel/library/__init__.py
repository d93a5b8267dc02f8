"""The functions of Kubernetes' CEL environment: what runs for each overload that `declarations` lists.

Implementations get values of the declared kinds, none of them a failure; they may answer with a `Failure`.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Final

_FAMILIES: Final = (
    *("quantities", "versions", "lists", "strings", "optionals", "conversions", "times"),
    *("regexes", "addresses", "urls", "formats"),
)
"""Each module has its own table. They are loaded until one of them knows the overload: what selectors call most comes
first."""


def implementation_of(overload: str) -> Callable[..., object] | None:
    """What runs for an overload, or for a function with one implementation for all kinds; None if nothing does."""
    for family in _FAMILIES:
        found: Callable[..., object] | None = import_module(f"{__name__}.{family}").OVERLOADS.get(overload)
        if found is not None:
            return found
    return None
