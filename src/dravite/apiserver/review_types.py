"""What reviews may ask: the types of their fields. Null is as good as nothing."""

from __future__ import annotations

import msgspec

from dravite.admission.unread_metadata import unread
from dravite.api.meta import ObjectMeta
from dravite.api.plain import Plain
from dravite.api.shapes import examine, shape_of
from dravite.apiserver import statuses

_Texts = list[str | None] | None


class _Requirement(msgspec.Struct):
    key: str | None = None
    operator: str | None = None
    values: _Texts = None


class _Selector(msgspec.Struct, rename="camel"):
    raw_selector: str | None = None
    requirements: list[_Requirement | None] | None = None


class _Wanted(msgspec.Struct, rename="camel"):
    verb: str | None = None
    path: str | None = None
    group: str | None = None
    version: str | None = None
    resource: str | None = None
    subresource: str | None = None
    namespace: str | None = None
    name: str | None = None
    field_selector: _Selector | None = None
    label_selector: _Selector | None = None


class _Spec(msgspec.Struct, rename="camel"):
    resource_attributes: _Wanted | None = None
    non_resource_attributes: _Wanted | None = None
    user: str | None = None
    uid: str | None = None
    groups: _Texts = None
    extra: dict[str, _Texts] | None = None
    namespace: str | None = None


class _Review(msgspec.Struct):
    spec: _Spec | None = None


def check_types(review: Plain) -> None:
    """Refuse a review of which a field has another type. Its metadata are an object's."""
    try:
        msgspec.convert(review, _Review)
    except msgspec.ValidationError as error:
        raise _of_another_type(review, str(error)) from None
    found = examine(review["metadata"], shape_of(ObjectMeta)).errors
    for fault in (*found, *unread(review).errors):
        raise _of_another_type(review, f"{fault.field}: {fault.detail}")


def _of_another_type(review: Plain, why: str) -> statuses.Refused:
    kind = review["kind"]
    return statuses.bad_request(f'{kind} in version "v1" cannot be handled as a {kind}: {why}')
