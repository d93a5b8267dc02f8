"""What every class of the official client can do."""

from __future__ import annotations

import copy
import json
import pprint
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, ClassVar, Literal, Self

import msgspec

from dravite.compat.kubernetes.checks import Check
from dravite.compat.kubernetes.faults import Fault, Location, ValidationError
from dravite.compat.kubernetes.times import write_time


class Field(msgspec.Struct, frozen=True):
    """A field of a class.

    Attributes:
        name: of the attribute.
        wire: in JSON.
        required: whether it must be given.
        check: what it may be.
        read: what `from_dict` makes of a raw value first: objects of it, where the field holds objects.
    """

    name: str
    wire: str
    required: bool
    check: Check
    read: Callable[[Any], Any]


class KubernetesModel:
    """An object of the official client: made by keyword, checked when it is made and whenever it is changed.

    Attributes:
        openapi_types: the type of each attribute, in the client's words.
        attribute_map: the name in JSON of each attribute.
    """

    openapi_types: ClassVar[dict[str, str]] = {}
    attribute_map: ClassVar[dict[str, str]] = {}
    fields_by_name: ClassVar[Mapping[str, Field]] = {}

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, /, **given: Any) -> None:
        """Raises ValidationError: every field that is missing, unknown or of the wrong type."""
        faults: list[Fault] = []
        values = checked(type(self), given, (), faults)
        if faults:
            raise ValidationError(type(self).__name__, faults)
        self.__dict__.update(values)

    def __setattr__(self, name: str, value: Any) -> None:
        faults: list[Fault] = []
        field = self.fields_by_name.get(name)
        if field is None:
            faults.append(Fault("no_such_attribute", (name,), value, {"attribute": name}))
        else:
            value = field.check(value, (name,), faults)
        if faults:
            raise ValidationError(type(self).__name__, faults)
        self.__dict__[name] = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.to_dict() == other.to_dict()

    def __repr__(self) -> str:
        return self.to_str()

    def __str__(self) -> str:
        return " ".join(f"{name}={value!r}" for name, value in self.__dict__.items())

    def to_str(self) -> str:
        """The object as a dict, printed over several lines."""
        return pprint.pformat(self.to_dict())

    def to_dict(self, serialize: bool = False) -> dict[str, Any]:  # noqa: FBT001, FBT002 (the client's signature)
        """Every field, None where it has no value.

        Args:
            serialize: whether names are those in JSON, or those of the attributes.
        """
        plain: dict[str, Any] = dump(self, "wire" if serialize else "python", "kept")
        return plain

    def to_json(self) -> str:
        """JSON with the names that servers know, without fields that have no value."""
        return json.dumps(dump(self, "wire", "dropped"), default=_plain)

    @classmethod
    def from_dict(cls, obj: Any) -> Self | None:
        """The object that a dict says, under either name; fields that nobody knows are dropped. None gives None."""
        if obj is None:
            return None
        if not isinstance(obj, dict):
            return cls.model_validate(obj)
        values = {}
        for field in cls.fields_by_name.values():
            raw = obj.get(field.wire if field.wire in obj else field.name)
            values[field.wire] = None if raw is None else field.read(raw)
        return cls(**values)

    @classmethod
    def from_json(cls, json_str: str) -> Self | None:
        """As `from_dict`, from a JSON text."""
        return cls.from_dict(json.loads(json_str))

    @classmethod
    def model_validate(cls, obj: Any) -> Self:
        """The object that a dict says, under either name; unknown fields are refused."""
        if isinstance(obj, cls):
            return obj
        if not isinstance(obj, Mapping):
            raise ValidationError(cls.__name__, [Fault("model_type", (), obj, {"class_name": cls.__name__})])
        return cls(**obj)

    def model_dump(self, *, mode: str = "python", by_alias: bool = False, exclude_none: bool = False) -> dict[str, Any]:
        """The object and all objects in it as dicts; in mode `json` with texts in place of times."""
        plain: dict[str, Any] = dump(self, "wire" if by_alias else "python", "dropped" if exclude_none else "kept")
        return json.loads(json.dumps(plain, default=_plain)) if mode == "json" else plain

    def model_dump_json(self, *, by_alias: bool = False, exclude_none: bool = False) -> str:
        """As `model_dump`, as compact JSON."""
        dump = self.model_dump(by_alias=by_alias, exclude_none=exclude_none)
        return json.dumps(dump, default=_plain, separators=(",", ":"), ensure_ascii=False)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with some attributes changed, which are not checked."""
        made = copy.deepcopy(self) if deep else copy.copy(self)
        made.__dict__.update(update or {})
        return made


def checked(
    model: type[KubernetesModel], given: Mapping[Any, Any], location: Location, faults: list[Fault]
) -> dict[str, Any]:
    """The attributes of a new object. Where a field is given under both names, the one in JSON counts."""
    values: dict[str, Any] = {}
    used: set[str] = set()
    for field in model.fields_by_name.values():
        name = field.wire if field.wire in given else field.name
        if name in given:
            used.add(name)
            values[field.name] = field.check(given[name], (*location, name), faults)
        elif field.required:
            faults.append(Fault("missing", (*location, field.wire), given))
        else:
            values[field.name] = None
    for key, value in given.items():
        if not isinstance(key, str):
            faults.append(Fault("invalid_key", (*location, key), key))
        elif key not in used:
            faults.append(Fault("extra_forbidden", (*location, key), value))
    return values


def check_object(model: type[KubernetesModel], value: Any, location: Location, faults: list[Fault]) -> Any:
    """The check of a field that holds an object: one of the class, or the dict of one."""
    if isinstance(value, model):
        return value
    if not isinstance(value, Mapping):
        faults.append(Fault("model_type", location, value, {"class_name": model.__name__}))
        return None
    made = model.__new__(model)
    made.__dict__.update(checked(model, value, location, faults))
    return made


def dump(value: Any, names: Literal["python", "wire"], nothing: Literal["kept", "dropped"]) -> Any:
    """An object and all objects in it as dicts; None is dropped only where it stands for a field without a value."""
    if isinstance(value, KubernetesModel):
        said = ((field, getattr(value, field.name, None)) for field in value.fields_by_name.values())
        return {
            field.wire if names == "wire" else field.name: dump(inner, names, nothing)
            for field, inner in said
            if inner is not None or nothing == "kept"
        }
    if isinstance(value, list):
        return [dump(item, names, nothing) for item in value]
    return {key: dump(item, names, nothing) for key, item in value.items()} if isinstance(value, dict) else value


def _plain(value: object) -> Any:
    """What JSON has in place of a Python value."""
    if isinstance(value, datetime):
        return write_time(value)
    if isinstance(value, tuple | set | frozenset):
        return list(value)
    message = f"cannot be written as JSON: {type(value).__name__}"
    raise TypeError(message)
