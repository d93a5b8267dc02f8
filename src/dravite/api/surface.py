"""What the methods of every model do: dicts and JSON in and out, copies with changes, and how objects show themselves.

Reading is strict and says every fault at once: unknown fields with what was probably meant, missing ones, and values
of the wrong type, each with its path. Reading checks form, not rules: that is what `validation` is for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeVar, cast

import msgspec

from dravite.api.codec import convert_plain, decode_text, encode
from dravite.api.exact_reading import is_exact_plain, is_exact_text
from dravite.api.field import ErrorType, FieldError
from dravite.api.meta import Model
from dravite.api.shapes import examine, shape_of
from dravite.api.spelling import python_names, spell
from dravite.api.unknown_fields import UnknownField, interpret

M = TypeVar("M", bound=Model)

_STEP: Final = re.compile(r"([^.\[\]]+)|\[([^\]]*)\]")
"""One step of a path: a name, or an index or key in brackets."""


class ModelError(ValueError):
    """A value that cannot be read as a model.

    Attributes:
        model: the name of the type.
        errors: every fault, each with its path; unknown fields come last.
    """

    def __init__(self, model: str, errors: tuple[FieldError, ...]) -> None:
        self.model = model
        self.errors = errors
        lines = [f"{error.field or model}: {error.detail}" for error in errors]
        count = f"{len(lines)} faults" if len(lines) > 1 else "one fault"
        super().__init__("\n  ".join((f"{model} cannot be read, {count}:", *lines)))

    def __reduce__(self) -> tuple[Any, ...]:
        return ModelError, (self.model, self.errors)


def read_dict(value: Any, model: type[M]) -> M:
    """The object that a dict says, strictly. Raises ModelError."""
    found = _quickly_from_dict(value, model)
    return _strict(value, model) if found is None else found


def read_dict_lenient(value: Any, model: type[M]) -> tuple[M, tuple[UnknownField, ...]]:
    """The object that a dict says, and the fields that the type does not have. Raises ModelError for other faults."""
    found = _quickly_from_dict(value, model)
    return _lenient(value, model) if found is None else (found, ())


def read_json(text: str | bytes, model: type[M]) -> M:
    """The object that a JSON text says, strictly. Raises ModelError."""
    found = _quickly_from_json(text, model)
    return _strict(_parsed(text, model), model) if found is None else found


def read_json_lenient(text: str | bytes, model: type[M]) -> tuple[M, tuple[UnknownField, ...]]:
    """As `read_dict_lenient`, from a JSON text."""
    found = _quickly_from_json(text, model)
    return _lenient(_parsed(text, model), model) if found is None else (found, ())


def _quickly_from_dict(value: Any, model: type[M]) -> M | None:
    """The object, where nothing is wrong and everything is written as on the wire; otherwise None."""
    return convert_plain(value, model) if is_exact_plain(value, model) and _can_be_written(value) else None


def _quickly_from_json(text: str | bytes, model: type[M]) -> M | None:
    return decode_text(text, model) if is_exact_text(text, model) else None


def to_wire(obj: Model, unknown: Iterable[UnknownField] = ()) -> dict[str, Any]:
    """The object as dicts and lists with wire names; what is absent is left out.

    Args:
        unknown: fields that the object was read with and that its type does not have; they are put back.
    """
    plain = cast("dict[str, Any]", msgspec.json.decode(encode(obj)))
    for field in unknown:
        _put_back(plain, field)
    return plain


def _put_back(plain: dict[str, Any], field: UnknownField) -> None:
    holder: Any = plain
    around = field.path[: len(field.path) - len(field.name)]
    for match in _STEP.finditer(around):
        name, key = match.groups()
        holder = holder[int(key)] if isinstance(holder, list) else holder.setdefault(name or key, {})
    holder[field.name] = field.value


def to_text(obj: Model) -> str:
    """The object as compact JSON."""
    return encode(obj).decode()


def to_python(obj: Model) -> dict[str, Any]:
    """As `to_wire`, with Python names."""
    return cast("dict[str, Any]", _renamed(to_wire(obj), obj))


def replaced(obj: M, changes: Mapping[str, Any]) -> M:
    """A copy with some fields changed, given under either name; None takes a field away. Raises ModelError."""
    model = type(obj)
    names = python_names(model)
    changed = {wire: name for wire, name in names.items() if wire in changes or name in changes}
    walked = _walk(dict(changes), model)
    errors = tuple(error for error in walked.errors if not _is_left_out(error, changed))
    errors += tuple(map(_as_error, walked.unknown))
    if errors:
        raise ModelError(model.__name__, errors)
    made = _made(walked.value, model)
    return msgspec.structs.replace(obj, **{name: getattr(made, name) for name in changed.values()})


def _is_left_out(error: FieldError, given: Mapping[str, Any]) -> bool:
    """Whether the error only says that a field of the object itself is missing that nobody wants to change."""
    return error.type is ErrorType.REQUIRED and error.field not in given and "." not in error.field


def show(obj: Model) -> str:
    """The object as its constructor would be written, without what is at its default."""
    fields = msgspec.structs.fields(type(obj))
    shown = ((field, getattr(obj, field.name)) for field in fields)
    said = [f"{field.name}={_shown(value)}" for field, value in shown if not _is_default(value, field)]
    return f"{type(obj).__name__}({', '.join(said)})"


def _shown(value: Any) -> str:
    if isinstance(value, msgspec.Raw):
        return f"Raw({bytes(value)!r})"
    if isinstance(value, tuple):
        inner = ", ".join(map(_shown, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {_shown(item)}" for key, item in value.items()) + "}"
    return repr(value)


def _is_default(value: Any, field: msgspec.structs.FieldInfo) -> bool:
    if field.default is not msgspec.NODEFAULT:
        return bool(value == field.default)
    if field.default_factory is not msgspec.NODEFAULT:
        return bool(value == field.default_factory())
    return False


class _Walked(msgspec.Struct, frozen=True):
    """What the slow way found, which finds every fault."""

    value: Any
    errors: tuple[FieldError, ...]
    unknown: tuple[UnknownField, ...]


def _walk(value: Any, model: type[Model]) -> _Walked:
    """A value in wire names, without what is null or unknown. Raises ModelError where values are nested too deeply."""
    shape = shape_of(model)
    try:
        spelled = spell(value, shape)
        examined = examine(spelled.value, shape)
    except RecursionError:
        raise ModelError(model.__name__, (_fault("is nested too deeply"),)) from None
    return _Walked(examined.value, examined.errors + spelled.errors, tuple(map(interpret, examined.unknown)))


def _made(value: Any, model: type[M]) -> M:
    """The object that a value without faults says."""
    try:
        found = decode_text(msgspec.json.encode(value), model)
    except RecursionError:
        found = None
    if found is None:
        raise ModelError(model.__name__, (_fault("is nested too deeply"),))
    return found


def _lenient(value: Any, model: type[M]) -> tuple[M, tuple[UnknownField, ...]]:
    walked = _walk(value, model)
    if walked.errors:
        raise ModelError(model.__name__, walked.errors)
    return _made(walked.value, model), walked.unknown


def _strict(value: Any, model: type[M]) -> M:
    walked = _walk(value, model)
    errors = walked.errors + tuple(map(_as_error, walked.unknown))
    if errors:
        raise ModelError(model.__name__, errors)
    return _made(walked.value, model)


def _parsed(text: str | bytes, model: type[M]) -> Any:
    """The plain value of a JSON text. What JSON cannot hold and Python can, such as NaN, gets its path in `_walk`."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        pass
    try:
        return json.loads(text)
    except RecursionError:
        raise ModelError(model.__name__, (_fault("is nested too deeply"),)) from None
    except ValueError as error:
        raise ModelError(model.__name__, (_fault(f"is no JSON: {error}"),)) from None


def _fault(detail: str) -> FieldError:
    return FieldError(type=ErrorType.INVALID, field="", detail=detail, origin="surface")


def _can_be_written(value: Any) -> bool:
    """Whether texts are Unicode, which Python does not promise, and no value is of a type derived from a plain one."""
    try:
        msgspec.json.encode(value)
    except (UnicodeEncodeError, TypeError, OverflowError, RecursionError):
        return False
    return True


def _as_error(unknown: UnknownField) -> FieldError:
    detail = "no such field"
    if unknown.belongs:
        detail = f"no such field here; did you mean {unknown.belongs}?"
    elif unknown.near:
        detail = f"no such field; did you mean {unknown.near}?"
    return FieldError(type=ErrorType.FORBIDDEN, field=unknown.path, detail=detail, origin="surface")


def _renamed(plain: Any, value: Any) -> Any:
    """Plain values with the names that they have in the objects they were made from."""
    if isinstance(value, Model):
        names = python_names(type(value))
        return {names[name]: _renamed(inner, getattr(value, names[name])) for name, inner in plain.items()}
    if isinstance(value, tuple):
        return [_renamed(inner, item) for inner, item in zip(plain, value, strict=True)]
    if isinstance(value, Mapping):
        return {key: _renamed(inner, value[key]) for key, inner in plain.items()}
    return plain
