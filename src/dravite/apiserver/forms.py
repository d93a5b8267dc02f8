"""The forms of an answer: the object itself, its metadata alone, or a row of a table; single and in lists."""

from __future__ import annotations

from collections.abc import Iterable

from dravite.api.meta import Time
from dravite.api.plain import Plain
from dravite.apiserver import statuses, tables
from dravite.apiserver.media import Accepted
from dravite.apiserver.printed import printed_cells, printed_columns
from dravite.apiserver.requests import Target


def single(plain: Plain, target: Target, accepted: Accepted, include: str, now: Time) -> Plain:
    """One object in the form that a client takes."""
    if accepted.form == "object":
        return plain
    if accepted.form != "Table":
        return partial(plain, accepted)
    version = plain["metadata"].get("resourceVersion")
    head = {"resourceVersion": version} if version else {}
    return table([plain], head, target, accepted, (include, now))


def listed(items: Iterable[Plain], head: Plain, target: Target, accepted: Accepted, shape: tuple[str, Time]) -> Plain:
    """A list in the form that a client takes; `head` is its metadata, `shape` what rows include, and the time.

    Raises:
        Refused: the client wants the metadata of one object.
    """
    if accepted.form == "Table":
        return table(items, head, target, accepted, shape)
    if accepted.form == "PartialObjectMetadata":
        raise statuses.wrong_number(accepted.form, target.kind, is_list=True)
    if accepted.form == "PartialObjectMetadataList":
        kind, api_version = "PartialObjectMetadataList", f"{statuses.META_GROUP}/{accepted.meta}"
        return {
            "kind": kind,
            "apiVersion": api_version,
            "metadata": head,
            "items": [partial(plain, accepted) for plain in items] or None,
        }
    return {
        "kind": f"{target.kind.kind}List",
        "apiVersion": target.api_version,
        "metadata": head,
        "items": [untyped(plain) for plain in items],
    }


def untyped(plain: Plain) -> Plain:
    """The object as an item of a typed list: without its kind and version."""
    return {name: value for name, value in plain.items() if name not in ("kind", "apiVersion")}


def partial(plain: Plain, accepted: Accepted) -> Plain:
    """The metadata of an object."""
    return {
        "kind": "PartialObjectMetadata",
        "apiVersion": f"{statuses.META_GROUP}/{accepted.meta}",
        "metadata": plain["metadata"],
    }


def table(items: Iterable[Plain], head: Plain, target: Target, accepted: Accepted, shape: tuple[str, Time]) -> Plain:
    """A table of objects."""
    return {
        "kind": "Table",
        "apiVersion": f"{statuses.META_GROUP}/{accepted.meta}",
        "metadata": head,
        "columnDefinitions": _columns(target),
        "rows": [_row(plain, target, accepted, shape) for plain in items],
    }


def _columns(target: Target) -> list[Plain]:
    printed = target.kind.printed
    return tables.columns(target.kind.kind) if printed is None else printed_columns(printed[target.version])


def _row(plain: Plain, target: Target, accepted: Accepted, shape: tuple[str, Time]) -> Plain:
    (include, now), printed = shape, target.kind.printed
    if printed is None:
        row: Plain = {"cells": tables.cells(plain, target.kind.kind, now)}
    else:
        row = {"cells": printed_cells(plain, printed[target.version], now)}
    row["object"] = None if include == "None" else plain if include == "Object" else partial(plain, accepted)
    return row
