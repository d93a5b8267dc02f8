"""IP addresses and networks: reading them with Kubernetes' messages, and asking what they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from dravite.api.field_text import quoted
from dravite.cel.equality import NO_OVERLOAD
from dravite.cel.show import cidr_text, ip_text
from dravite.cel.values import CIDR, IP, Failure

_HEX: Final = re.compile(r"[0-9a-fA-F]*", re.ASCII)
_BITS: Final = re.compile(r"[0-9]|[1-9][0-9]*", re.ASCII)
_GROUPS: Final = 8


class AddressError(ValueError):
    """A text that is no address. `str(error)` is the sentence of Kubernetes."""


def _problem(text: str, message: str, place: str = "") -> AddressError:
    where = f" (at {quoted(place)})" if place else ""
    return AddressError(f"ParseAddr({quoted(text)}): {message}{where}")


def parse_address(text: str) -> tuple[IP, str]:
    """The address and its zone, which is empty for most.

    Raises:
        AddressError: the text is no IPv4 or IPv6 address.
    """
    for char in text:
        if char == ".":
            return IP(32, _parse_ipv4(text, text)), ""
        if char == ":":
            return _parse_ipv6(text)
        if char == "%":
            raise _problem(text, "missing IPv6 address")
    raise _problem(text, "unable to parse IP")


def _parse_ipv4(whole: str, text: str) -> int:
    """Four numbers. `whole` is the address that they are part of, for messages."""
    fields: list[int] = []
    digits = ""
    for index, char in enumerate(text):
        if char.isascii() and char.isdigit():
            if digits == "0":
                raise _problem(whole, "IPv4 field has octet with leading zero")
            digits += char
            if int(digits) > 255:
                raise _problem(whole, "IPv4 field has value >255")
        elif char == ".":
            if not digits or index == len(text) - 1:
                raise _problem(whole, "IPv4 field must have at least one digit", text[index:])
            if len(fields) == 3:
                raise _problem(whole, "IPv4 address too long")
            fields.append(int(digits))
            digits = ""
        else:
            raise _problem(whole, "unexpected character", text[index:])
    if len(fields) < 3:
        raise _problem(whole, "IPv4 address too short")
    return int.from_bytes(bytes([*fields, int(digits or "0")]))


def _parse_ipv6(text: str) -> tuple[IP, str]:
    rest, percent, zone = text.partition("%")
    if percent and not zone:
        raise _problem(text, "zone must be a non-empty string")
    groups: list[int] = []
    gap = -1
    if rest.startswith("::"):
        gap, rest = 0, rest[2:]
    while rest and len(groups) < _GROUPS:
        group = _read_group(text, rest)
        if rest.startswith(".", len(group)):
            groups += _embedded_ipv4(text, rest, len(groups), gap)
            rest = ""
            break
        groups.append(int(group, 16))
        rest = rest[len(group) :]
        if not rest:
            break
        rest = _after_colon(text, rest)
        if rest.startswith(":"):
            if gap >= 0:
                raise _problem(text, "multiple :: in address", rest)
            gap, rest = len(groups), rest[1:]
    if rest:
        raise _problem(text, "trailing garbage after address", rest)
    return IP(128, _join_groups(text, groups, gap)), zone


def _read_group(text: str, rest: str) -> str:
    match = _HEX.match(rest)
    group = match.group() if match else ""
    if len(group) > 4:
        raise _problem(text, "each group must have 4 or less digits", rest)
    if not group:
        raise _problem(text, "each colon-separated field must have at least one digit", rest)
    return group


def _embedded_ipv4(text: str, rest: str, count: int, gap: int) -> list[int]:
    if gap < 0 and count != 6:
        raise _problem(text, "embedded IPv4 address must replace the final 2 fields of the address", rest)
    if count > 6:
        raise _problem(text, "too many hex fields to fit an embedded IPv4 at the end of the address", rest)
    number = _parse_ipv4(text, rest)
    return [number >> 16, number & 0xFFFF]


def _after_colon(text: str, rest: str) -> str:
    if rest[0] != ":":
        raise _problem(text, "unexpected character, want colon", rest)
    if len(rest) == 1:
        raise _problem(text, "colon must be followed by more characters", rest)
    return rest[1:]


def _join_groups(text: str, groups: list[int], gap: int) -> int:
    missing = _GROUPS - len(groups)
    if missing and gap < 0:
        raise _problem(text, "address string too short")
    if not missing and gap >= 0:
        raise _problem(text, "the :: must expand to at least one field of zeros")
    if missing:
        groups = [*groups[:gap], *([0] * missing), *groups[gap:]]
    return int.from_bytes(b"".join(group.to_bytes(2) for group in groups))


def _is_mapped(address: IP) -> bool:
    return address.bits == 128 and address.number >> 32 == 0xFFFF


def _ip(text: str) -> object:
    try:
        address, zone = parse_address(text)
    except AddressError as error:
        return Failure(f"IP Address {quoted(text)} parse error during conversion from string: {error}")
    if zone:
        return Failure(f"IP address {quoted(text)} with zone value is not allowed")
    if _is_mapped(address):
        return Failure(f"IPv4-mapped IPv6 address {quoted(text)} is not allowed")
    return address


def _cidr(text: str) -> object:
    try:
        network = _parse_prefix(text)
    except AddressError as error:
        reason = f"netip.ParsePrefix({quoted(text)}): {error}"
        twice = "network address parse error during conversion from string: "
        return Failure(f"{twice}{twice}{reason}")
    if _is_mapped(network.address):
        mapped = f"IPv4-mapped IPv6 address {quoted(text)} is not allowed"
        return Failure(f"network address parse error during conversion from string: {mapped}")
    return network


def _parse_prefix(text: str) -> CIDR:
    head, slash, bits = text.rpartition("/")
    if not slash:
        message = "no '/'"
        raise AddressError(message)
    address, zone = parse_address(head)
    if zone:
        message = "IPv6 zones cannot be present in a prefix"
        raise AddressError(message)
    if not _BITS.fullmatch(bits) or len(bits) > 18:
        message = f"bad bits after slash: {quoted(bits)}"
        raise AddressError(message)
    if int(bits) > address.bits:
        message = "prefix length out of range"
        raise AddressError(message)
    return CIDR(address, int(bits))


def _is_canonical(text: str) -> object:
    address = _ip(text)
    return ip_text(address) == text if isinstance(address, IP) else address


def _is_loopback(address: IP) -> bool:
    return address.number >> 24 == 127 if address.bits == 32 else address.number == 1


def _is_multicast(address: IP) -> bool:
    return address.number >> 28 == 0xE if address.bits == 32 else address.number >> 120 == 0xFF


def _is_link_local_multicast(address: IP) -> bool:
    return address.number >> 8 == 0xE00000 if address.bits == 32 else address.number >> 112 & 0xFF0F == 0xFF02


def _is_link_local_unicast(address: IP) -> bool:
    return address.number >> 16 == 0xA9FE if address.bits == 32 else address.number >> 112 & 0xFFC0 == 0xFE80


def _is_global_unicast(address: IP) -> bool:
    if address.number == 0 or (address.bits == 32 and address.number == 0xFFFFFFFF):
        return False
    return not (_is_loopback(address) or _is_multicast(address) or _is_link_local_unicast(address))


def _contains_ip(network: CIDR, address: object) -> object:
    if not isinstance(address, IP):
        return Failure(NO_OVERLOAD)
    return network.address.bits == address.bits and _same_network(network.address, address, network.prefix)


def _same_network(one: IP, other: IP, prefix: int) -> bool:
    return (one.number ^ other.number) >> (one.bits - prefix) == 0


def _contains_cidr(network: CIDR, other: object) -> object:
    if not isinstance(other, CIDR):
        return other
    if network.address.bits != other.address.bits or network.prefix > other.prefix:
        return False
    return _same_network(network.address, other.address, network.prefix)


def _masked(network: CIDR) -> CIDR:
    host_bits = network.address.bits - network.prefix
    return CIDR(IP(network.address.bits, network.address.number >> host_bits << host_bits), network.prefix)


OVERLOADS: Final[Mapping[str, Callable[..., object]]] = {
    "string_to_ip": _ip,
    "is_ip": lambda text: isinstance(_ip(text), IP),
    "ip_is_canonical": _is_canonical,
    "ip_family": lambda address: 4 if address.bits == 32 else 6,
    "ip_is_unspecified": lambda address: address.number == 0,
    "ip_is_loopback": _is_loopback,
    "ip_is_link_local_multicast": _is_link_local_multicast,
    "ip_is_link_local_unicast": _is_link_local_unicast,
    "ip_is_global_unicast": _is_global_unicast,
    "ip_to_string": ip_text,
    "string_to_cidr": _cidr,
    "is_cidr": lambda text: isinstance(_cidr(text), CIDR),
    "cidr_contains_ip_string": lambda network, text: _contains_ip(network, _ip(text)),
    "cidr_contains_ip_ip": _contains_ip,
    "cidr_contains_cidr_string": lambda network, text: _contains_cidr(network, _cidr(text)),
    "cidr_contains_cidr": _contains_cidr,
    "cidr_ip": lambda network: network.address,
    "cidr_prefix_length": lambda network: network.prefix,
    "cidr_masked": _masked,
    "cidr_to_string": cidr_text,
}
