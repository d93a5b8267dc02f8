"""Which form an answer takes, by the Accept header, and which form a body has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, Literal

import msgspec

from dravite.apiserver import statuses

JSON: Final = "application/json"
YAML: Final = "application/yaml"
PROTOBUF: Final = "application/vnd.kubernetes.protobuf"

_MEDIA: Final = {"json": JSON, "yaml": YAML, "protobuf": PROTOBUF}

Form = Literal["object", "Table", "PartialObjectMetadata"]
_SHORT: Final = 300
"""Letters of a header that is worth remembering; clients send no longer ones."""

_META_VERSIONS: Final = ("v1", "v1beta1")
_FORMS: Final[Mapping[str, Form]] = {
    "": "object",
    "Table": "Table",
    "PartialObjectMetadata": "PartialObjectMetadata",
    "PartialObjectMetadataList": "PartialObjectMetadata",
}


EVERY_FORM: Final[frozenset[Form]] = frozenset(_FORMS.values())


class Accepted(msgspec.Struct, frozen=True):
    """How to answer.

    Attributes:
        meta: the version of meta.k8s.io that tables and metadata are written in.
    """

    format: Literal["json", "yaml", "protobuf"] = "json"
    form: Form = "object"
    meta: str = "v1"

    @property
    def content_type(self) -> str:
        return _MEDIA[self.format]


AS_KEPT: Final = Accepted()
"""Objects as JSON, which is how they are kept."""


def clauses(header: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The media types of an Accept header with their parameters, in order."""
    for clause in header.split(","):
        media, *parameters = (part.strip() for part in clause.split(";"))
        yield media, dict(part.split("=", 1) for part in parameters if "=" in part)


def accepted(header: str, forms: frozenset[Form] = EVERY_FORM, *, as_protobuf: bool = False) -> Accepted:
    """The first of some forms of an object that a client takes and dravite makes; text, unless it takes none.

    Raises:
        Refused: there is none.
    """
    found = _accepted if len(header) <= _SHORT else _accepted.__wrapped__
    return found(header, forms, as_protobuf)


@lru_cache(maxsize=256)
def _accepted(header: str, forms: frozenset[Form], as_protobuf: bool) -> Accepted:  # noqa: FBT001 (lru_cache)
    wanted = tuple(clauses(header or "*/*"))
    for media, parameters in wanted:
        form = _FORMS.get(parameters.get("as", ""))
        if media not in (JSON, YAML, "*/*"):
            continue
        meta = parameters.get("v", "v1")
        if form is None or form not in forms:
            continue
        if form != "object" and (parameters.get("g") != statuses.META_GROUP or meta not in _META_VERSIONS):
            continue
        return Accepted("yaml" if media == YAML else "json", form, meta)
    if as_protobuf and (PROTOBUF, {}) in wanted:
        return Accepted("protobuf")
    raise statuses.no_such_form()


def body_format(header: str | None) -> Literal["json", "yaml", "protobuf"]:
    """The form of a body by its Content-Type; JSON where a client says nothing."""
    match (header or JSON).partition(";")[0].strip():
        case "application/json":
            return "json"
        case "application/yaml":
            return "yaml"
        case "application/vnd.kubernetes.protobuf":
            return "protobuf"
    raise statuses.unsupported_body()
