"""Kubernetes' named string formats: `format.dns1123Label().validate("x")`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from dravite.api.names import why_not_dns_label, why_not_dns_subdomain, why_not_label_key, why_not_label_value
from dravite.cel.library.times import parse_timestamp
from dravite.cel.library.urls import why_not_url
from dravite.cel.values import NONE, NamedFormat, Optional

_DNS1035: Final = r"[a-z]([-a-z0-9]*[a-z0-9])?"
_DNS1035_TEXT: Final = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, "
    f"and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '{_DNS1035}')"
)
_UUID: Final = re.compile(r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}", re.IGNORECASE | re.ASCII)
_BASE64: Final = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})", re.ASCII)
_TIME: Final = re.compile(
    r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:.[0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})", re.ASCII
)

Check = Callable[[str], tuple[str, ...]]


def _prefix(check: Check) -> Check:
    """The check of a name that something will be appended to: it may end with a dash."""

    def checked(text: str) -> tuple[str, ...]:
        return check(text[:-2] + "a" if len(text) > 1 and text.endswith("-") else text)

    return checked


def _dns_label(text: str) -> tuple[str, ...]:
    return why_not_dns_label(text, "characters")


def _dns_subdomain(text: str) -> tuple[str, ...]:
    return why_not_dns_subdomain(text, "characters")


def _dns1035_label(text: str) -> tuple[str, ...]:
    faults = ("must be no more than 63 characters",) if len(text.encode()) > 63 else ()
    return faults if re.fullmatch(_DNS1035, text) else (*faults, _DNS1035_TEXT)


def _uri(text: str) -> tuple[str, ...]:
    problem = why_not_url(text)
    return () if problem is None else (problem,)


def _is_date(text: str) -> bool:
    return len(text) == 10 and parse_timestamp(f"{text}T00:00:00Z") is not None


def _is_datetime(text: str) -> bool:
    date, separator, time = text.lower().partition("t")
    return bool(separator) and _is_date(date) and _TIME.fullmatch(time.split("t")[0]) is not None


def _unless(test: Callable[[str], object], fault: str) -> Check:
    return lambda text: () if test(text) else (fault,)


_CHECKS: Final[Mapping[str, tuple[str, int, Check]]] = {
    "dns1123Label": ("DNS1123Label", 30, _dns_label),
    "dns1123Subdomain": ("DNS1123Subdomain", 60, _dns_subdomain),
    "dns1035Label": ("DNS1035Label", 30, _dns1035_label),
    "qualifiedName": ("QualifiedName", 60, why_not_label_key),
    "dns1123LabelPrefix": ("DNS1123LabelPrefix", 30, _prefix(_dns_label)),
    "dns1123SubdomainPrefix": ("DNS1123SubdomainPrefix", 60, _prefix(_dns_subdomain)),
    "dns1035LabelPrefix": ("DNS1035LabelPrefix", 30, _prefix(_dns1035_label)),
    "labelValue": ("LabelValue", 40, why_not_label_value),
    "uri": ("URI", 1103, _uri),
    "uuid": ("uuid", 70, _unless(_UUID.fullmatch, "does not match the UUID format")),
    "byte": ("byte", 84, _unless(_BASE64.fullmatch, "invalid base64")),
    "date": ("date", 72, _unless(_is_date, "invalid date")),
    "datetime": ("datetime", 72, _unless(_is_datetime, "invalid datetime")),
}
_FORMATS: Final[Mapping[str, NamedFormat]] = {
    key: NamedFormat(name, key, cost_size) for key, (name, cost_size, _) in _CHECKS.items()
}


def _named(name: str) -> Optional:
    found = _FORMATS.get(name)
    return NONE if found is None else Optional(found)


def _validate(named: NamedFormat, text: str) -> Optional:
    faults = _CHECKS[named.key][2](text)
    return Optional(faults) if faults else NONE


def _constant(named: NamedFormat) -> Callable[[], NamedFormat]:
    return lambda: named


OVERLOADS: Final[Mapping[str, Callable[..., object]]] = {
    "format-named": _named,
    "format-validate": _validate,
    **{f"format.{key}": _constant(named) for key, named in _FORMATS.items()},
}
