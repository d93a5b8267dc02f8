"""Which form an answer takes, by the Accept header, and which form a body has.

Kubernetes asks twice: its router whether any of the media types is known, and its handlers in which form an object
is wanted, and whether they make it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, Literal

import msgspec

from dravite.apiserver import statuses

JSON: Final = "application/json"
YAML: Final = "application/yaml"
PROTOBUF: Final = "application/vnd.kubernetes.protobuf"

Format = Literal["json", "yaml", "protobuf"]
Form = Literal["object", "Table", "PartialObjectMetadata", "PartialObjectMetadataList"]

_MEDIA: Final[Mapping[Format, str]] = {"json": JSON, "yaml": YAML, "protobuf": PROTOBUF}
_FORMATS: Final[Mapping[str, tuple[Format, ...]]] = {
    **{media: (name,) for name, media in _MEDIA.items()},
    "application/*": tuple(_MEDIA),
    "*/*": tuple(_MEDIA),
}
_ROUTED: Final = frozenset({*_MEDIA.values(), "*/*"})
_SHORT: Final = 300
"""Letters of a header that is worth remembering; clients send no longer ones."""

_META_VERSIONS: Final = ("v1", "v1beta1")
_FORMS: Final[Mapping[str, Form]] = {
    "Table": "Table",
    "PartialObjectMetadata": "PartialObjectMetadata",
    "PartialObjectMetadataList": "PartialObjectMetadataList",
}


class Accepted(msgspec.Struct, frozen=True):
    """How to answer.

    Attributes:
        meta: the version of meta.k8s.io that tables and metadata are written in.
    """

    format: Format = "json"
    form: Form = "object"
    meta: str = "v1"

    @property
    def content_type(self) -> str:
        return _MEDIA[self.format]


class Made(msgspec.Struct, frozen=True):
    """What can be made of an object besides JSON and YAML of it and of its metadata.

    Attributes:
        tables: a row of a table.
        as_protobuf: protobuf of the whole object; of the metadata alone it always can.
        watched: events of a watch are wanted, which are never YAML.
    """

    tables: bool = True
    as_protobuf: bool = False
    watched: bool = False


AS_KEPT: Final = Accepted()
"""Objects as JSON, which is how they are kept."""


def clauses(header: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The media types of an Accept header with their parameters, the most wanted first."""
    found = []
    for clause in (header or "*/*").split(","):
        media, *parameters = (part.strip() for part in clause.split(";"))
        found.append((media, dict(part.split("=", 1) for part in parameters if "=" in part)))
    yield from sorted(found, key=lambda clause: -_weight(clause[1].get("q", "1")))


def _weight(text: str) -> float:
    return float(text) if text.replace(".", "", 1).isdecimal() else 1.0


def check_route(header: str, *, streamed: bool) -> None:
    """Refuse a request none of whose media types is known; `streamed` says whether the answer may be a watch.

    Raises:
        Refused: there is none.
    """
    routed = _is_routed if len(header) <= _SHORT else _is_routed.__wrapped__
    if not routed(header):
        raise statuses.no_such_form(streamed=streamed)


@lru_cache(maxsize=256)
def _is_routed(header: str) -> bool:
    return any(media in _ROUTED for media, _ in clauses(header))


def accepted(header: str, made: Made) -> Accepted:
    """The first form that a client takes and dravite makes; text, unless it takes none.

    Raises:
        Refused: there is none.
    """
    found = _accepted if len(header) <= _SHORT else _accepted.__wrapped__
    return found(header, made)


@lru_cache(maxsize=256)
def _accepted(header: str, made: Made) -> Accepted:
    found = [one for media, parameters in clauses(header) for one in _offered(media, parameters, made)]
    chosen = _text_first(found)
    if chosen is None or (made.watched and chosen.format == "yaml"):
        raise statuses.not_acceptable(watched=chosen is not None)
    return chosen


def _text_first(found: Sequence[Accepted]) -> Accepted | None:
    return next((one for one in found if one.format != "protobuf"), found[0] if found else None)


def _offered(media: str, parameters: Mapping[str, str], made: Made) -> Iterator[Accepted]:
    """What is made of one clause of a header."""
    form: Form | None = _FORMS.get(parameters["as"]) if "as" in parameters else "object"
    meta = parameters.get("v", "v1")
    known = form == "object" or (parameters.get("g") == statuses.META_GROUP and meta in _META_VERSIONS)
    if form is None or not known or (form == "Table" and not made.tables):
        return
    stream = parameters.get("stream", "")
    for format_ in _FORMATS.get(media, ()):
        if stream and (stream != "watch" or format_ == "yaml"):
            continue
        if format_ == "protobuf" and (form == "Table" or (form == "object" and not made.as_protobuf)):
            continue
        yield Accepted(format_, form, meta)


def of_refusal(header: str) -> str:
    """The content type of a Status that says no: of the first media type that is wanted for objects as they are."""
    wanted = (clause for clause in clauses(header) if "as" not in clause[1])
    chosen = _text_first([one for clause in wanted for one in _offered(*clause, Made(as_protobuf=True))])
    return JSON if chosen is None else chosen.content_type


def body_format(header: str | None) -> Format:
    """The form of a body by its Content-Type; JSON where a client says nothing."""
    match (header or JSON).partition(";")[0].strip().lower():
        case "application/json":
            return "json"
        case "application/yaml":
            return "yaml"
        case "application/vnd.kubernetes.protobuf":
            return "protobuf"
    raise statuses.unsupported_body()
