"""The functions of Kubernetes' CEL environment: what runs for each overload that `declarations` lists.

Implementations get values of the declared kinds, none of them a failure; they may answer with a `Failure`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from dravite.cel.library import (
    addresses,
    conversions,
    formats,
    lists,
    optionals,
    quantities,
    regexes,
    strings,
    times,
    urls,
    versions,
)

IMPLEMENTATIONS: Final[Mapping[str, Callable[..., object]]] = {
    **addresses.OVERLOADS,
    **conversions.OVERLOADS,
    **formats.OVERLOADS,
    **lists.OVERLOADS,
    **optionals.OVERLOADS,
    **quantities.OVERLOADS,
    **regexes.OVERLOADS,
    **strings.OVERLOADS,
    **times.OVERLOADS,
    **urls.OVERLOADS,
    **versions.OVERLOADS,
    "not_strictly_false": lambda value: value if type(value) is bool else True,
}
