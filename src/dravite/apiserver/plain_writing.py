"""Objects of kinds that are kept as they come, as a server writes them once it has read them into its types.

What a type does not have is gone, what holds nothing is left out unless JSON has it all the same, and quantities and
times have their usual form. Which is which the table of protobuf fields says. Kinds that it does not have stay.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from dravite.api.plain import Plain, PlainView
from dravite.api.quantity import Quantity, QuantityError
from dravite.apiserver.protobuf import Field, fields_of, message_types, type_name
from dravite.apiserver.written import complete

_TYPE: Final = ("apiVersion", "kind")
_MANAGED: Final = "managedFields"
_QUANTITY: Final = "resource.Quantity"
_SCALARS: Final[Mapping[str, Any]] = {"s": "", "b": False, "i": 0, "f": 0, "intstr.IntOrString": 0}
"""What a field is that holds nothing, by its code; null where it is none of these and no object of fields."""


def written(plain: PlainView, api_version: str, kind: str) -> Plain:
    """The object as it is written; the input stays as it is."""
    name = type_name(api_version, kind)
    if name not in message_types():
        return complete({**plain, "metadata": dict(plain.get("metadata") or {})}, kind, api_version)
    head = {field: plain[field] for field in _TYPE if field in plain}
    return {**head, **_message(plain, name)}


def _message(plain: PlainView, name: str) -> Plain:
    fields = fields_of(name)
    made: Plain = {}
    for key, value in plain.items():
        field = fields.get(key)
        if field is None or value is None:
            continue
        told = value if key == _MANAGED else _value(value, field)
        if field.is_always and told in ([], {}) and field.many:
            made[key] = None
        elif field.is_always or field.keeps_zero or key == _MANAGED or not _is_nothing(told):
            made[key] = told
    for key, field in fields.items():
        if field.is_always and key not in made:
            made[key] = _nothing(field)
    return made


def _value(value: Any, field: Field) -> Any:
    if field.many == "[" and isinstance(value, list):
        return [_item(item, field.code) for item in value]
    if field.many == "{" and isinstance(value, dict):
        return {key: _item(item, field.code) for key, item in value.items()}
    return _one(value, field.code)


def _item(item: Any, code: str) -> Any:
    """One of many; null is one that holds nothing."""
    if item is None and code not in _USUAL:
        item = {} if code in message_types() else _SCALARS.get(code)
    return _one("0" if item is None and code == _QUANTITY else item, code)


def _one(value: Any, code: str) -> Any:
    usual = _USUAL.get(code)
    if usual is not None:
        return usual(value)
    known = isinstance(value, dict) and code in message_types()
    return _message(value, code) if known else value


def _is_nothing(value: Any) -> bool:
    return value in ("", 0, [], {}) or value is False


def _nothing(field: Field) -> Any:
    if field.many or field.keeps_zero:
        return None
    return _message({}, field.code) if field.code in message_types() else _SCALARS.get(field.code)


def _quantity(value: Any) -> Any:
    try:
        return Quantity.parse(str(value)).text
    except QuantityError:
        return value


def _moment(form: str) -> Callable[[Any], Any]:
    def usual(value: Any) -> Any:
        try:
            return datetime.fromisoformat(value).astimezone(UTC).strftime(form)
        except (TypeError, ValueError):
            return value

    return usual


_USUAL: Final[Mapping[str, Callable[[Any], Any]]] = {
    _QUANTITY: _quantity,
    "meta/v1.Time": _moment("%Y-%m-%dT%H:%M:%SZ"),
    "meta/v1.MicroTime": _moment("%Y-%m-%dT%H:%M:%S.%fZ"),
}
"""The usual form of values that have several."""
