"""One document in another version: what becomes of the object, and what cannot be said there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from dravite.api.codec import Decoded, decode
from dravite.api.convert import from_hub, to_hub
from dravite.api.convert.losses import Loss
from dravite.api.document import Document, Problem
from dravite.api.field_text import cause_message
from dravite.api.meta import Model
from dravite.api.registry import KINDS, KindInfo, lookup

LOST: Final = "lost-in-conversion"
NO_TARGET: Final = "no-such-version"


class Conversion(msgspec.Struct, frozen=True, kw_only=True):
    """A document that is to change its version.

    Attributes:
        source: its apiVersion.
        target: the apiVersion that it gets.
        object: the object in the target version.
        unknown: names of fields that no version has; they are no losses.
        losses: what the target cannot say.
    """

    info: KindInfo
    source: str
    target: str
    object: Model
    unknown: frozenset[str] = frozenset()
    losses: tuple[Loss, ...] = ()


def known_versions() -> tuple[str, ...]:
    """Every apiVersion of the groups that have kinds in several versions, in the order of the registry."""
    groups = {info.group for info in KINDS if len(info.types) > 1}
    found = (info.api_version(version) for info in KINDS if info.group in groups for version in info.types)
    return tuple(dict.fromkeys(found))


def convert_document(document: Document, targets: Mapping[str, str]) -> Conversion | tuple[Problem, ...] | None:
    """The object in the version that `targets` has for its group; None where nothing is to be done.

    Problems are why an object stays as it is: it cannot be read, or its kind does not exist in that version.
    """
    group = document.api_version.rpartition("/")[0]
    target = targets.get(group)
    if target is None or target == document.api_version:
        return None
    info = lookup(document.api_version, document.kind)
    if info is None:
        return (_stays(document, f"{document.api_version} {document.kind} cannot be converted: it is not known"),)
    if info.type_of(target) is None:
        return (_stays(document, f"{info.kind} does not exist in {target} and stays as it is"),)
    found = decode(document)
    if not isinstance(found, Decoded):
        return tuple(
            _at(
                document,
                Problem(severity="error", type=error.type.value, message=cause_message(error), field=error.field),
            )
            for error in found
        )
    up = to_hub(found.object)
    down = from_hub(up.object, target)
    return Conversion(
        info=info,
        source=document.api_version,
        target=target,
        object=down.object,
        unknown=frozenset(field.name for field in found.unknown),
        losses=(*up.losses, *down.losses),
    )


def loss_problems(document: Document, conversion: Conversion) -> tuple[Problem, ...]:
    """What is lost, as problems with lines."""
    return tuple(
        _at(document, Problem(severity="warning", type=LOST, message=f"is not kept: {loss.detail}", field=loss.path))
        for loss in conversion.losses
    )


def _stays(document: Document, message: str) -> Problem:
    return _at(document, Problem(severity="error", type=NO_TARGET, message=message, field="apiVersion"))


def _at(document: Document, problem: Problem) -> Problem:
    """The problem with its place."""
    line = document.line_of(problem.field or "") or document.origin.line
    return msgspec.structs.replace(problem, file=document.origin.file, line=line)
