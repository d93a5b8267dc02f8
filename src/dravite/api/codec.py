"""Bytes ⇄ objects: a document becomes an object of the version that it was written in, and an object becomes text.

Large dumps go straight from bytes into types; whatever msgspec refuses, and whatever people write by hand, is walked
so that every fault and every unknown field is found. Nothing here converts, defaults or validates.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar, cast

import msgspec

from dravite.api.document import Document
from dravite.api.field import ErrorType, FieldError
from dravite.api.json_text import plain_json
from dravite.api.meta import Model
from dravite.api.quantity import Quantity
from dravite.api.registry import lookup
from dravite.api.shapes import Examined, examine, shape_of
from dravite.api.yaml_text import show_path

if TYPE_CHECKING:
    from dravite.api.unknown_fields import UnknownField

M = TypeVar("M", bound=Model)

Format = Literal["json", "yaml"]

_WITH_RAW_JSON: Final = frozenset({"DeviceClass", "ResourceClaim", "ResourceClaimTemplate"})
_SMALL: Final = 10_240
"""No limit of raw JSON is about less."""


class Decoded(msgspec.Struct, frozen=True):
    """An object as it was written.

    Attributes:
        object: typed at the version that the document names; fields that nobody knows are gone.
        unknown: those fields.
        letters: paths at which an unquoted `y` or `n` was taken for text, because nothing else fits.
    """

    object: Model
    unknown: tuple[UnknownField, ...] = ()
    letters: tuple[str, ...] = ()


def decode(document: Document) -> Decoded | tuple[FieldError, ...]:
    """The typed object of a document, or every reason why its JSON does not fit its type.

    Raises:
        LookupError: the registry has no type for the document's apiVersion and kind. Ask `registry.lookup` first.
    """
    info = lookup(document.api_version, document.kind)
    model = info.type_of(document.api_version) if info is not None else None
    if info is None or model is None:
        message = f"no type for {document.api_version} {document.kind}"
        raise LookupError(message)
    found = _decoded(_as_sent(document), model)
    if found is not None and not document.handwritten:
        return Decoded(found)
    try:
        raw = plain_json(document.body)
    except (msgspec.DecodeError, RecursionError) as error:
        return (FieldError(type=ErrorType.INVALID, field="", detail=str(error), origin="decode"),)
    plain = _typed(raw, document, info.kind)
    examined = _examined(plain, model, found)
    if isinstance(examined, tuple) and document.letters:
        return _spelled_out(plain, model, document.letters) or examined
    return examined


def _spelled_out(
    plain: Any, model: type[Model], letters: tuple[tuple[tuple[str | int, ...], str], ...]
) -> Decoded | tuple[FieldError, ...] | None:
    """The object with letters as text wherever that leaves fewer faults: kubectl would refuse it, people mean it."""
    faults = len(examine(plain, shape_of(model)).errors)
    taken: list[str] = []
    for steps, text in letters:
        changed = _with_text(plain, steps, text)
        fewer = len(examine(changed, shape_of(model)).errors)
        if fewer < faults:
            plain, faults = changed, fewer
            taken.append(show_path(list(steps)))
    decoded = decode_plain(plain, model) if taken else None
    return msgspec.structs.replace(decoded, letters=tuple(taken)) if isinstance(decoded, Decoded) else decoded


def _with_text(plain: Any, steps: tuple[str | int, ...], text: str) -> Any:
    """The value with a text at the end of some steps; as it is where they lead nowhere, as under a key given twice."""
    if not steps:
        return text
    first, rest = steps[0], steps[1:]
    if isinstance(plain, list):
        return [_with_text(item, rest, text) if place == first else item for place, item in enumerate(plain)]
    if isinstance(plain, dict):
        return {key: _with_text(item, rest, text) if key == first else item for key, item in plain.items()}
    return plain


def decode_raw(document: Document) -> Any:
    """The plain value of a document's JSON, for kinds without a type of their own. Lone letters count as text."""
    plain = plain_json(document.body)
    for steps, text in document.letters:
        plain = _with_text(plain, steps, text)
    return plain


def encode(obj: Model, format: Format = "json") -> bytes:  # noqa: A002 (the word that kubectl uses)
    """The object as canonical JSON, or as YAML that every YAML reader understands alike.

    Keys stand in the order of the types, quantities in canonical form, defaults are left out.
    """
    text = _ENCODER.encode(obj)
    if format == "json":
        return text
    from dravite.api.yaml_writer import write_yaml

    return write_yaml(msgspec.json.decode(text)).encode()


def from_plain(value: Any, model: type[Model]) -> Model | tuple[FieldError, ...]:
    """A typed object from plain values (dicts and lists) of the same version; unknown fields are dropped."""
    result = decode_plain(value, model)
    return result.object if isinstance(result, Decoded) else result


def decode_plain(value: Any, model: type[Model]) -> Decoded | tuple[FieldError, ...]:
    """As `decode`, from plain values (dicts and lists) of the type's version."""
    return _examined(value, model, None)


def decode_rest(value: Any, model: type[Model]) -> Decoded | None:
    """What plain values say besides their faults: for finding other faults, not for use. None where nothing is left.

    Wrong values are left out, or read as what they were probably meant to be; see `shapes.Examined`.
    """
    examined = examine(value, shape_of(model))
    found = convert_plain(examined.value, model) if isinstance(examined.value, dict) else None
    return None if found is None else Decoded(found, _interpreted(examined))


def decode_text(text: str | bytes, model: type[M]) -> M | None:
    """The object that a JSON text says, or None where msgspec finds a fault. Unknown fields are passed over."""
    return cast("M | None", _decoded(text, model))


def convert_plain(value: Any, model: type[M]) -> M | None:
    """The object that dicts and lists say, or None where msgspec finds a fault. Unknown fields are passed over."""
    try:
        return msgspec.convert(value, model, dec_hook=_READ_HOOK)
    except (msgspec.ValidationError, ValueError, RecursionError):
        return None


def _as_sent(document: Document) -> bytes | msgspec.Raw:
    """The JSON of a document without blanks that mean nothing: clients send none, and limits of raw JSON count them."""
    if document.kind not in _WITH_RAW_JSON or len(bytes(document.body)) <= _SMALL:
        return document.body
    try:
        return msgspec.json.format(bytes(document.body), indent=-1)
    except (msgspec.DecodeError, RecursionError):
        return document.body


def _typed(raw: Any, document: Document, kind: str) -> Any:
    """The raw object with the type that the document has; an item may take it from its list."""
    return {**raw, "apiVersion": document.api_version, "kind": kind} if isinstance(raw, dict) else raw


def _decoded(body: str | bytes | msgspec.Raw, model: type[Model]) -> Model | None:
    try:
        found: Model = _decoder(model).decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    return found


def _examined(raw: Any, model: type[Model], found: Model | None) -> Decoded | tuple[FieldError, ...]:
    examined: Examined = examine(raw, shape_of(model))
    if examined.errors:
        return examined.errors
    if found is None:
        found = _decoder(model).decode(_ENCODER.encode(examined.value))
    return Decoded(found, _interpreted(examined))


def _interpreted(examined: Examined) -> tuple[UnknownField, ...]:
    """The unknown fields, with what was meant by them."""
    if not examined.unknown:
        return ()
    from dravite.api.unknown_fields import interpret

    return tuple(map(interpret, examined.unknown))


def _read(kind: type[Any], value: Any) -> Any:
    """The quantity of a JSON text or number."""
    if kind is Quantity and isinstance(value, str | int) and not isinstance(value, bool):
        return Quantity.parse(str(value).strip())
    message = f"cannot be read as {kind.__name__}"
    raise ValueError(message)


_READ_HOOK: Final = cast("Callable[[type[Any], Any], Any]", lru_cache(maxsize=65536, typed=True)(_read))
"""The same, remembered: clusters repeat their amounts."""


def _write_hook(value: Any) -> Any:
    if isinstance(value, Quantity):
        return value.text
    message = f"cannot be written: {type(value).__name__}"
    raise NotImplementedError(message)


@lru_cache(maxsize=256)
def _decoder(model: type[Model]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(model, dec_hook=_READ_HOOK, float_hook=str)


_ENCODER: Final = msgspec.json.Encoder(enc_hook=_write_hook)
