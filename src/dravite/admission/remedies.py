"""What to write instead: a remedy for a field error where one is certain, tried before it is offered."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from dravite.api.field import ErrorType, FieldError
from dravite.api.names import why_not_dns_label, why_not_dns_subdomain, why_not_identifier
from dravite.api.near import near_names, nearest
from dravite.api.quantity import Quantity, QuantityError
from dravite.api.unknown_fields import UnknownField

_AMOUNT: Final = re.compile(r"\s*+([+-]?[0-9]++(?:[.,][0-9]++)?|[+-]?\.[0-9]++)\s*+([a-zA-Z]*+)\s*+\Z")
_SUFFIXES: Final = {suffix.lower(): suffix for suffix in ("Ki", "Mi", "Gi", "Ti", "Pi", "Ei")}
_DECIMAL: Final = {"k": "k", "kb": "k", "mb": "M", "gb": "G", "tb": "T", "pb": "P", "eb": "E", "g": "G", "t": "T"}
_ONE_KEY: Final = re.compile(r"\bdevice\.(attributes|capacity)(?:\[[\"'](\w++)[\"']\]|\.(\w++))(?=\s|\)|\Z|\.\w++\()")
_DEVICE_FIELD: Final = re.compile(r"\bdevice\.(?!driver\b|attributes\b|capacity\b)(\w++)")
_LISTED: Final = re.compile(r'"([^"]*)"')


def remedy_for(error: FieldError, whole: Any = None) -> str | None:
    """What to do about an error of an object (`whole`, where it is known), or None where only the user can know."""
    value, detail = error.value, error.detail
    if "a domain and a name separated by a slash" in detail and isinstance(value, str):
        return f"write its domain in front, such as the driver: gpu.example.com/{value}" if "/" not in value else None
    if "`sharedCounters` or `devices`" in detail:
        return "since 1.35 counter sets stand in a slice of their own, which resourceSliceCount counts"
    if "must be the name of a request" in detail and isinstance(value, str):
        return _other_request(value, whole)
    if error.field.endswith("resourceSliceCount"):
        return "write how many slices the pool has: 1 if this is the only one"
    if error.field.endswith("cel.expression") and isinstance(value, str):
        return _other_selector(value, detail)
    if "quantit" in detail and isinstance(value, str):
        better = better_quantity(value)
        return f"write {better}" if better else None
    if detail == "field is immutable":
        return "delete it first, and make it anew"
    if error.type is ErrorType.TYPE_INVALID:
        return _other_place(error.field, value) or _other_type(value, detail)
    if error.type is ErrorType.NOT_SUPPORTED and isinstance(value, str):
        return _nearest(value, detail)
    if error.type is ErrorType.INVALID and isinstance(value, str):
        return _other_name(value, detail)
    return None


def remedy_for_unknown(field: UnknownField, prefix: str = "") -> str:
    """Where an unknown field belongs, or what it may have been meant to be. `prefix` is where its object stands."""
    start = f"{prefix}." if prefix else ""
    if field.name == "source" and field.belongs is not None:
        entry = start + field.path.removesuffix(".source")
        return f"since 1.31 resourceClaimName or resourceClaimTemplateName stands directly in {entry}"
    if field.belongs is not None:
        return f"it belongs at {start}{field.belongs}"
    if field.near is not None:
        return f'did you mean "{field.near}"?'
    if field.name == "exactly":
        return "what stands in it stands directly in the request here; or write apiVersion: resource.k8s.io/v1"
    return "remove it: it has no effect"


def better_quantity(text: str) -> str | None:
    """The quantity that a text like `6 GiB` was meant to be, if it is one then."""
    match = _AMOUNT.match(text)
    if match is None:
        return None
    number, unit = match.group(1).replace(",", "."), match.group(2)
    for suffix in _units(unit):
        try:
            Quantity.parse(number + suffix)
        except QuantityError:
            continue
        return number + suffix
    return None


def _units(unit: str) -> Iterator[str]:
    lower = unit.lower()
    if lower.endswith("ib"):
        lower = lower[:-1]
    if lower in _SUFFIXES:
        yield _SUFFIXES[lower]
    if lower in _DECIMAL:
        yield _DECIMAL[lower]
    if lower in ("", "b", "byte", "bytes"):
        yield ""
    yield unit


def _other_request(name: str, whole: Any) -> str | None:
    """An alternative that is named without its request, or a name that is nearly right."""
    names = tuple(_request_names(whole))
    inner = [one for one in names if one.partition("/")[2] == name]
    near = inner or near_names(name, names, 1)
    return f'did you mean "{near[0]}"?' if near else None


def _request_names(whole: Any) -> Iterator[str]:
    """What the requests of a claim or template may be called: `req`, and `req/sub` for alternatives."""
    spec = whole.get("spec") if isinstance(whole, dict) else None
    inner = spec.get("spec", spec) if isinstance(spec, dict) else None
    devices = inner.get("devices") if isinstance(inner, dict) else None
    for request in _dicts(devices, "requests"):
        if isinstance(request.get("name"), str):
            yield request["name"]
            subs = (sub.get("name") for sub in _dicts(request, "firstAvailable"))
            yield from (f"{request['name']}/{sub}" for sub in subs if isinstance(sub, str))


def _dicts(holder: Any, field: str) -> Iterator[Mapping[str, Any]]:
    found = holder.get(field) if isinstance(holder, dict) else None
    yield from (one for one in found if isinstance(one, dict)) if isinstance(found, list) else ()


def _other_selector(expression: str, detail: str) -> str | None:
    from dravite.cel.slips import mended  # of use only where a selector is wrong

    better = mended(expression)
    if better is not None:
        return f"write {better}"
    single = _ONE_KEY.search(expression)
    if single is not None:
        root, name = single[1], single[2] or single[3]
        return f'the first key is a domain, such as the driver: device.{root}["gpu.example.com"].{name}'
    unknown = _DEVICE_FIELD.search(expression)
    if unknown is not None and f"undefined field '{unknown[1]}'" in detail:
        return "a selector sees driver, attributes, capacity and allowMultipleAllocations of a device, and nothing else"
    return None


def _other_place(path: str, value: Any) -> str | None:
    """What stands in a frequent place with too little or too much around it."""
    if path.endswith(("limits[claims]", "requests[claims]")):
        return "claims stands beside limits and requests, in resources"
    if path.endswith(".cel") and isinstance(value, str):
        return "write expression: in front, inside of cel"
    if re.search(r"resources\.claims\[[0-9]++\]\Z", path) and isinstance(value, str):
        return f"write name: {value}"
    return None


def _other_type(value: Any, detail: str) -> str | None:
    if "a string" in detail.partition(", not ")[0] and isinstance(value, bool | int | float):
        if isinstance(value, bool):
            return "put the word in quotes: YAML takes yes, no, on, off, y and n for true and false"
        return f'put it in quotes: "{value}"'
    if "a whole number" in detail and isinstance(value, str) and re.fullmatch(r"-?[0-9]+", value):
        return f"write {value} without quotes"
    if "true or false" in detail.partition(", not ")[0] and isinstance(value, str):
        word = value.lower()
        return f"write {word} without quotes" if word in ("true", "false") else None
    if "a list" in detail.partition(", not ")[0]:
        return "begin each item with a dash"
    return None


def _nearest(value: str, detail: str) -> str | None:
    names = _LISTED.findall(detail)
    by_lower = {name.lower(): name for name in names}
    near = by_lower.get(value.lower()) or nearest(value, names)
    return f'did you mean "{near}"?' if near else None


def _other_name(value: str, detail: str) -> str | None:
    if "C identifier" in detail:
        better = re.sub(r"[^A-Za-z0-9_]", "_", value)
        return f"write {better}" if better and not why_not_identifier(better) and len(better) <= 32 else None
    lower = re.sub(r"[^a-z0-9.-]", "-", value.lower())
    if "RFC 1123 label" in detail:
        return f"write {lower}" if lower and not why_not_dns_label(lower) else None
    if "RFC 1123 subdomain" in detail and "prefix" not in detail:
        return f"write {lower}" if lower and not why_not_dns_subdomain(lower) else None
    return None
