"""Names of objects, devices and demands as sentences use them, and where they stand in the user's files.

What an object says at a field is read from the object itself, so that a demand is put in the user's own words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import msgspec

from dravite.api.document import Problem
from dravite.api.meta import DeviceID, ObjectRef
from dravite.diagnosis.reasons import ConstraintID
from dravite.render import words

DEVICES_NAMED: Final = 8

_STEP: Final = re.compile(r"\.?([^.\[\]]+)|\[([^\]]*)\]")


Where: TypeAlias = tuple[str, int | None]
"""File and line."""


def _nowhere(ref: ObjectRef, path: str) -> Where | None:
    del ref, path
    return None


def _unknown(ref: ObjectRef) -> object | None:
    del ref
    return None


class Sight(msgspec.Struct, frozen=True):
    """What sentences need besides the values.

    Attributes:
        where: file and line of a field of an object; None where it was not read from a file.
        lookup: the object itself, or None.
        refused: the first error of each object that was read and would be refused, by the name that problems give it.
        fold: whether long tails are shortened.
    """

    where: Callable[[ObjectRef, str], Where | None] = _nowhere
    lookup: Callable[[ObjectRef], object | None] = _unknown
    refused: Mapping[str, Problem] = MappingProxyType({})
    fold: bool = True

    def most(self, shown: int) -> int | None:
        """How many pieces of a list to show: so many, or all of them."""
        return shown if self.fold else None

    def place(self, ref: ObjectRef, path: str) -> str:
        """`jobs/gpus.yaml:14`; empty where there is no such place."""
        found = self.where(ref, path)
        return "" if found is None else location(*found)

    def refused_kind(self, kind: str) -> tuple[Problem, ...]:
        """The first errors of all objects of a kind that would be refused."""
        return tuple(problem for name, problem in self.refused.items() if name.partition(" ")[0] == kind)

    def is_going(self, ref: ObjectRef) -> bool:
        """Whether the object is being deleted."""
        found = self.lookup(ref)
        return getattr(getattr(found, "metadata", None), "deletion_timestamp", None) is not None

    def text_at(self, asked: ConstraintID) -> Any:
        """The plain data at a field of an object (`{"name": "gpu", …}`), or None."""
        found = self.lookup(asked.object)
        if found is None:
            return None
        return at(msgspec.to_builtins(found, enc_hook=str), asked.path)


def location(file: str | None, line: int | None) -> str:
    """`jobs/gpus.yaml:14`, as editors and compilers write a place."""
    if file is None:
        return ""
    return file if line is None else f"{file}:{line}"


def at(data: Any, path: str) -> Any:
    """Follow `spec.devices.requests[0].name`; a name in brackets is a map key. None where nothing is there."""
    for name, key in _STEP.findall(path):
        step = name or key
        if isinstance(data, Mapping):
            data = data.get(step)
        elif isinstance(data, list | tuple) and step.isdecimal() and int(step) < len(data):
            data = data[int(step)]
        else:
            return None
    return data


def full(ref: ObjectRef) -> str:
    """`ml/train-0`, or the bare name of a cluster-wide object."""
    return f"{ref.namespace}/{ref.name}" if ref.namespace else ref.name


def said(ref: ObjectRef) -> str:
    """`pod ml/train-0`, `template ml/gpus`: kind in plain English where Kubernetes' word is long, then the name."""
    return f"{KINDS.get(ref.kind, ref.kind)} {full(ref)}"


KINDS: Final[Mapping[str, str]] = {
    "Pod": "pod",
    "ResourceClaim": "claim",
    "ResourceClaimTemplate": "template",
}


def device(one: DeviceID, home: str | None = None) -> str:
    """`gpu-0` where the pool goes without saying (it is called as the node), else `pool/gpu-0`."""
    return one.device if one.pool == home else f"{one.pool}/{one.device}"


def devices(many: Iterable[DeviceID], home: str | None = None, most: int | None = DEVICES_NAMED) -> str:
    """Devices by name, runs of numbers joined, long rows cut with their count."""
    ids = list(many)
    pools = {one.pool for one in ids}
    if len(pools) == 1 and len(ids) > 1 and home not in pools:
        return f"{words.folded([one.device for one in ids], most)} of {ids[0].pool}"
    return words.folded([device(one, home) for one in ids], most)


def objects(many: Iterable[ObjectRef], most: int | None = DEVICES_NAMED) -> str:
    return words.folded([full(one) for one in many], most)


def consumers(many: Iterable[ObjectRef], most: int | None = DEVICES_NAMED) -> str:
    """`pod ml/a, ml/b`, `PodGroup ml/train`: who has reserved a claim."""
    by_kind: dict[str, list[ObjectRef]] = {}
    for one in many:
        by_kind.setdefault(one.kind, []).append(one)
    return words.listed(f"{KINDS.get(kind, kind)} {objects(refs, most)}" for kind, refs in by_kind.items())


def taint(key: str, value: str, effect: str) -> str:
    """`key=value:Effect`, as kubectl writes a taint."""
    return f"{key}={value}:{effect}" if value else f"{key}:{effect}"
