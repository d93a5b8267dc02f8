"""`url("https://…")` and its parts, read with Kubernetes' rules and messages."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from dravite.api.field_text import quoted
from dravite.cel.library.addresses import AddressError, parse_address
from dravite.cel.values import URL, Failure, Map

_UNRESERVED: Final = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~")
_PLAIN: Final[Mapping[str, frozenset[int]]] = {
    "path": _UNRESERVED | frozenset(b"$&+,/:;=@"),
    "host": _UNRESERVED | frozenset(b"!$&'()*+,;=:[]<>\""),
    "zone": _UNRESERVED | frozenset(b"!$&'()*+,;=:[]<>\""),
    "user": _UNRESERVED | frozenset(b"$&+,;="),
    "fragment": _UNRESERVED | frozenset(b"$&+,/:;=?@!()*"),
    "query": _UNRESERVED,
}
_LEFT_ALONE: Final = frozenset(b"!$&'()*+,;=:@[]%")
_SCHEME: Final = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*)?:", re.ASCII)
_PORT: Final = re.compile(r"(?::[0-9]*)?", re.ASCII)
_USER: Final = re.compile(r"[A-Za-z0-9\-._:~!$&'()*+,;=%@]*", re.ASCII)
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")


class _UrlError(ValueError):
    """A text that is no URL."""


class _Parts(msgspec.Struct, frozen=True):
    """A URL taken apart. `user` and `host` are None where there is no authority."""

    scheme: str
    opaque: str
    user: str | None
    host: str | None
    path: str
    query: str | None
    fragment: str


def _unescape(text: str, mode: str) -> bytes:
    """The text with `%XX` resolved.

    Raises:
        _UrlError: an escape is broken or, in a host, not allowed.
    """
    data = text.encode()
    place = 0
    while place < len(data):
        byte = data[place]
        if byte == ord("%"):
            _check_escape(data[place : place + 3], mode)
            place += 3
            continue
        if mode in ("host", "zone") and byte < 0x80 and byte not in _PLAIN[mode]:
            message = f"invalid character {quoted(chr(byte))} in host name"
            raise _UrlError(message)
        place += 1
    if mode == "query":
        data = data.replace(b"+", b" ")
    return re.sub(rb"%(..)", lambda match: bytes([int(match[1], 16)]), data, flags=re.DOTALL)


def _check_escape(escape: bytes, mode: str) -> None:
    allowed = bool(re.fullmatch(rb"%[0-9a-fA-F]{2}", escape))
    if allowed and escape != b"%25":
        code = int(escape[1:], 16)
        if mode == "host":
            allowed = code >= 0x80
        elif mode == "zone":
            allowed = code == 0x20 or code in _PLAIN["host"]
    if not allowed:
        message = f"invalid URL escape {quoted(escape.decode(errors='replace'))}"
        raise _UrlError(message)


def _escape(data: bytes, mode: str) -> str:
    plain = _PLAIN[mode]
    return "".join(chr(byte) if byte in plain else f"%{byte:02X}" for byte in data)


def _rewritten(text: str, mode: str) -> str:
    """The text as a URL's canonical form has it: as written, if that is a valid spelling."""
    data = _unescape(text, mode)
    plain = _PLAIN[mode] | _LEFT_ALONE
    return text if all(byte in plain for byte in text.encode()) else "*" if text == "*" else _escape(data, mode)


def _parse(text: str, *, request: bool) -> _Parts:
    """Take a URL apart; `request` wants an absolute URL or path and knows no fragments."""
    if _CONTROL.search(text):
        message = "net/url: invalid control character in URL"
        raise _UrlError(message)
    if not text and request:
        message = "empty url"
        raise _UrlError(message)
    if text == "*":
        return _Parts("", "", None, None, "*", None, "")
    scheme, rest = _split_scheme(text)
    rest, query = _split_query(rest)
    if not rest.startswith("/"):
        if scheme:
            return _Parts(scheme, rest, None, None, "", query, "")
        _check_relative(rest, request=request)
    user = host = None
    if rest.startswith("//") and (scheme or not (request or rest.startswith("///"))):
        authority, slash, path = rest[2:].partition("/")
        user, host = _parse_authority(scheme, authority)
        rest = slash + path
    _unescape(rest, "path")
    return _Parts(scheme, "", user, host, rest, query, "")


def _split_scheme(text: str) -> tuple[str, str]:
    match = _SCHEME.match(text)
    if match is None:
        return "", text
    if not match[1]:
        message = "missing protocol scheme"
        raise _UrlError(message)
    return match[1].lower(), text[match.end() :]


def _split_query(rest: str) -> tuple[str, str | None]:
    path, mark, query = rest.partition("?")
    return path, query if mark else None


def _check_relative(rest: str, *, request: bool) -> None:
    if request:
        message = "invalid URI for request"
        raise _UrlError(message)
    if ":" in rest.partition("/")[0]:
        message = "first path segment in URL cannot contain colon"
        raise _UrlError(message)


def _parse_authority(scheme: str, authority: str) -> tuple[str | None, str]:
    """The user information in canonical form, and the host with its port."""
    info, at, host = authority.rpartition("@")
    parsed = _parse_host(scheme, host)
    if not at:
        return None, parsed
    if not _USER.fullmatch(info):
        message = "net/url: invalid userinfo"
        raise _UrlError(message)
    name, colon, password = info.partition(":")
    user = _escape(_unescape(name, "user"), "user")
    return user + colon + (_escape(_unescape(password, "user"), "user") if colon else ""), parsed


def _parse_host(scheme: str, host: str) -> str:
    bracket = host.rfind("[")
    if bracket > 0:
        message = "invalid IP-literal"
        raise _UrlError(message)
    if bracket == 0:
        return _parse_literal(host)
    colon = host.find(":")
    if colon >= 0:
        _check_port(host[colon if scheme in ("http", "https") else host.rfind(":") :])
    return _unescape(host, "host").decode(errors="replace")


def _check_port(port: str) -> None:
    if not _PORT.fullmatch(port):
        message = f"invalid port {quoted(port)} after host"
        raise _UrlError(message)


def _parse_literal(host: str) -> str:
    """An address in brackets, maybe with a zone, maybe with a port."""
    name, closed, port = host[1:].rpartition("]")
    if not closed:
        message = "missing ']' in host"
        raise _UrlError(message)
    _check_port(port)
    address, zoned, zone = name.partition("%25")
    plain = _unescape(address, "host").decode(errors="replace")
    if zoned:
        plain += _unescape(zoned + zone, "zone").decode(errors="replace")
    try:
        parsed, _ = parse_address(plain)
    except AddressError as error:
        message = f"invalid host: {error}"
        raise _UrlError(message) from None
    if parsed.bits == 32:
        message = "invalid IP-literal"
        raise _UrlError(message)
    return f"[{plain}]{port}"


def _url(text: str) -> object:
    problem = "URL parse error during conversion from string:"
    fault = why_not_url(text)
    if fault is not None:
        return Failure(f"{problem} {fault}")
    head, _, fragment = text.partition("#")
    try:
        parts = _parse(head, request=False)
    except _UrlError as error:
        return Failure(f"{problem} parse {quoted(head)}: {error}")
    try:
        parts = msgspec.structs.replace(parts, fragment=_rewritten(fragment, "fragment") if fragment else "")
    except _UrlError as error:
        return Failure(f"{problem} parse {quoted(text)}: {error}")
    return URL(parts.scheme, parts.host or "", _path(parts), parts.query or "", _canonical(parts))


def _path(parts: _Parts) -> str:
    return _rewritten(parts.path, "path")


def _canonical(parts: _Parts) -> str:
    scheme = f"{parts.scheme}:" if parts.scheme else ""
    query = "" if parts.query is None else f"?{parts.query}"
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    if parts.opaque:
        return f"{scheme}{parts.opaque}{query}{fragment}"
    path = _path(parts)
    authority = ""
    if parts.host is not None and (parts.host or path or parts.user is not None):
        user = "" if parts.user is None else f"{parts.user}@"
        authority = f"//{user}{_escape(parts.host.encode(), 'host')}"
    if not scheme and not authority and ":" in path.partition("/")[0]:
        path = f"./{path}"
    return f"{scheme}{authority}{path}{query}{fragment}"


def why_not_url(text: str) -> str | None:
    """Why a text is no absolute URL or path; None if it is one."""
    try:
        _parse(text, request=True)
    except _UrlError as error:
        return f"parse {quoted(text)}: {error}"
    return None


def _split_port(host: str) -> tuple[str, str]:
    colon = host.rfind(":")
    port = ""
    if colon >= 0 and _PORT.fullmatch(host[colon:]):
        host, port = host[:colon], host[colon + 1 :]
    return (host[1:-1] if host.startswith("[") and host.endswith("]") else host), port


def _query(url: URL) -> Map:
    """Names and their values, in the order of names; pairs that cannot be read are left out."""
    found: dict[object, list[object]] = {}
    for pair in url.query.split("&"):
        if not pair or ";" in pair:
            continue
        name, _, value = pair.partition("=")
        try:
            key, text = (_unescape(part, "query").decode(errors="replace") for part in (name, value))
        except _UrlError:
            continue
        found.setdefault(key, []).append(text)
    return Map({name: tuple(found[name]) for name in sorted(found, key=str)})


OVERLOADS: Final[Mapping[str, Callable[..., object]]] = {
    "string_to_url": _url,
    "is_url_string": lambda text: why_not_url(text) is None,
    "url_get_scheme": lambda url: url.scheme,
    "url_get_host": lambda url: url.host,
    "url_get_hostname": lambda url: _split_port(url.host)[0],
    "url_get_port": lambda url: _split_port(url.host)[1],
    "url_get_escaped_path": lambda url: url.escaped_path,
    "url_get_query": _query,
}
