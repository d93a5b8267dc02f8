"""Which functions there are, and which types they take: one table.

An overload is written `id (argument types) -> result` or, for methods, `id receiver.(argument types) -> result`.
Names and ids are those of Kubernetes' CEL environment (1.37); costs and run-time dispatch go by the id. The order of
overloads is part of the table: the first one that fits decides the result type.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final, Literal

import msgspec

from dravite.cel.types import Type, read_type

Style = Literal["global", "member"]


class Overload(msgspec.Struct, frozen=True):
    """One way to call a function. The receiver of a method is its first argument."""

    id: str
    style: Style
    args: tuple[Type, ...]
    result: Type
    params: tuple[str, ...]


_FUNCTIONS: Final[Mapping[str, str]] = {
    # Operators.
    "!_": "logical_not (bool) -> bool",
    "-_": "negate_double (double) -> double; negate_int64 (int) -> int",
    "@in": "in_list (A, list(A)) -> bool; in_map (A, map(A, B)) -> bool",
    "@not_strictly_false": "not_strictly_false (bool) -> bool",
    "_!=_": "not_equals (A, A) -> bool",
    "_%_": "modulo_int64 (int, int) -> int; modulo_uint64 (uint, uint) -> uint",
    "_&&_": "logical_and (bool, bool) -> bool",
    "_*_": (
        "multiply_double (double, double) -> double; multiply_int64 (int, int) -> int; "
        "multiply_uint64 (uint, uint) -> uint"
    ),
    "_+_": (
        "add_bytes (bytes, bytes) -> bytes; add_double (double, double) -> double; "
        "add_duration_duration (duration, duration) -> duration; "
        "add_duration_timestamp (duration, timestamp) -> timestamp; "
        "add_timestamp_duration (timestamp, duration) -> timestamp; add_int64 (int, int) -> int; "
        "add_list (list(A), list(A)) -> list(A); add_string (string, string) -> string; "
        "add_uint64 (uint, uint) -> uint"
    ),
    "_-_": (
        "subtract_double (double, double) -> double; subtract_duration_duration (duration, duration) -> duration; "
        "subtract_int64 (int, int) -> int; subtract_timestamp_duration (timestamp, duration) -> timestamp; "
        "subtract_timestamp_timestamp (timestamp, timestamp) -> duration; subtract_uint64 (uint, uint) -> uint"
    ),
    "_/_": (
        "divide_double (double, double) -> double; divide_int64 (int, int) -> int; divide_uint64 (uint, uint) -> uint"
    ),
    "_==_": "equals (A, A) -> bool",
    "_?._": "select_optional_field (dyn, string) -> optional_type(V)",
    "_?_:_": "conditional (bool, A, A) -> A",
    "_[?_]": (
        "list_optindex_optional_int (list(V), int) -> optional_type(V); "
        "optional_list_optindex_optional_int (optional_type(list(V)), int) -> optional_type(V); "
        "map_optindex_optional_value (map(K, V), K) -> optional_type(V); "
        "optional_map_optindex_optional_value (optional_type(map(K, V)), K) -> optional_type(V)"
    ),
    "_[_]": (
        "index_list (list(A), int) -> A; index_map (map(A, B), A) -> B; "
        "optional_list_index_int (optional_type(list(V)), int) -> optional_type(V); "
        "optional_map_index_value (optional_type(map(K, V)), K) -> optional_type(V)"
    ),
    "_||_": "logical_or (bool, bool) -> bool",
    # Conversions.
    "bool": "bool_to_bool (bool) -> bool; string_to_bool (string) -> bool",
    "bytes": "bytes_to_bytes (bytes) -> bytes; string_to_bytes (string) -> bytes",
    "double": (
        "double_to_double (double) -> double; int64_to_double (int) -> double; "
        "string_to_double (string) -> double; uint64_to_double (uint) -> double"
    ),
    "duration": "duration_to_duration (duration) -> duration; string_to_duration (string) -> duration",
    "dyn": "to_dyn (A) -> dyn",
    "int": (
        "int64_to_int64 (int) -> int; double_to_int64 (double) -> int; duration_to_int64 (duration) -> int; "
        "string_to_int64 (string) -> int; timestamp_to_int64 (timestamp) -> int; uint64_to_int64 (uint) -> int"
    ),
    "string": (
        "string_to_string (string) -> string; bool_to_string (bool) -> string; bytes_to_string (bytes) -> string; "
        "double_to_string (double) -> string; duration_to_string (duration) -> string; "
        "int64_to_string (int) -> string; timestamp_to_string (timestamp) -> string; "
        "uint64_to_string (uint) -> string; ip_to_string (net.IP) -> string; cidr_to_string (net.CIDR) -> string"
    ),
    "timestamp": (
        "timestamp_to_timestamp (timestamp) -> timestamp; int64_to_timestamp (int) -> timestamp; "
        "string_to_timestamp (string) -> timestamp"
    ),
    "type": "type (A) -> type(A)",
    "uint": (
        "uint64_to_uint64 (uint) -> uint; double_to_uint64 (double) -> uint; int64_to_uint64 (int) -> uint; "
        "string_to_uint64 (string) -> uint"
    ),
    # Strings, and what strings share with lists.
    "charAt": "string_char_at_int string.(int) -> string",
    "contains": "contains_string string.(string) -> bool",
    "endsWith": "ends_with_string string.(string) -> bool",
    "find": "string_find_string string.(string) -> string",
    "findAll": (
        "string_find_all_string string.(string) -> list(string); "
        "string_find_all_string_int string.(string, int) -> list(string)"
    ),
    "format": "string_format string.(list(dyn)) -> string",
    "indexOf": (
        "string_index_of_string string.(string) -> int; string_index_of_string_int string.(string, int) -> int; "
        "list_a_index_of_int list(A).(A) -> int"
    ),
    "join": "list_join list(string).() -> string; list_join_string list(string).(string) -> string",
    "lastIndexOf": (
        "string_last_index_of_string string.(string) -> int; "
        "string_last_index_of_string_int string.(string, int) -> int; list_a_last_index_of_int list(A).(A) -> int"
    ),
    "lowerAscii": "string_lower_ascii string.() -> string",
    "matches": "matches (string, string) -> bool; matches_string string.(string) -> bool",
    "replace": (
        "string_replace_string_string string.(string, string) -> string; "
        "string_replace_string_string_int string.(string, string, int) -> string"
    ),
    "size": (
        "size_bytes (bytes) -> int; bytes_size bytes.() -> int; size_list (list(A)) -> int; "
        "list_size list(A).() -> int; size_map (map(A, B)) -> int; map_size map(A, B).() -> int; "
        "size_string (string) -> int; string_size string.() -> int"
    ),
    "split": (
        "string_split_string string.(string) -> list(string); "
        "string_split_string_int string.(string, int) -> list(string)"
    ),
    "startsWith": "starts_with_string string.(string) -> bool",
    "strings.quote": "strings_quote (string) -> string",
    "substring": "string_substring_int string.(int) -> string; string_substring_int_int string.(int, int) -> string",
    "trim": "string_trim string.() -> string",
    "upperAscii": "string_upper_ascii string.() -> string",
    # Lists, sets and maps.
    "cel.@mapInsert": (
        "@mapInsert_map_key_value (map(K, V), K, V) -> map(K, V); "
        "@mapInsert_map_map (map(K, V), map(K, V)) -> map(K, V)"
    ),
    "distinct": "list_distinct list(T).() -> list(T)",
    "first": "list_first list(V).() -> optional_type(V)",
    "flatten": "list_flatten list(list(T)).() -> list(T); list_flatten_int list(dyn).(int) -> list(dyn)",
    "includes": "list_includes_dyn_dyn dyn.(dyn) -> bool",
    "last": "list_last list(V).() -> optional_type(V)",
    "lists.range": "lists_range (int) -> list(int)",
    "reverse": "list_reverse list(T).() -> list(T)",
    "sets.contains": "list_sets_contains_list (list(T), list(T)) -> bool",
    "sets.equivalent": "list_sets_equivalent_list (list(T), list(T)) -> bool",
    "sets.intersects": "list_sets_intersects_list (list(T), list(T)) -> bool",
    "slice": "list_slice list(T).(int, int) -> list(T)",
    # Optional values.
    "hasValue": "optional_hasValue optional_type(V).() -> bool",
    "optional.none": "optional_none () -> optional_type(V)",
    "optional.of": "optional_of (V) -> optional_type(V)",
    "optional.ofNonZeroValue": "optional_ofNonZeroValue (V) -> optional_type(V)",
    "optional.unwrap": "optional_unwrap (list(optional_type(V))) -> list(V)",
    "or": "optional_or_optional optional_type(V).(optional_type(V)) -> optional_type(V)",
    "orValue": "optional_orValue_value optional_type(V).(V) -> V",
    "unwrapOpt": "optional_unwrapOpt list(optional_type(V)).() -> list(V)",
    "value": "optional_value optional_type(V).() -> V",
    # Quantities and versions.
    "add": (
        "quantity_add kubernetes.Quantity.(kubernetes.Quantity) -> kubernetes.Quantity; "
        "quantity_add_int kubernetes.Quantity.(int) -> kubernetes.Quantity"
    ),
    "asApproximateFloat": "quantity_get_float kubernetes.Quantity.() -> double",
    "asInteger": "quantity_get_int kubernetes.Quantity.() -> int",
    "compareTo": (
        "quantity_compare_to kubernetes.Quantity.(kubernetes.Quantity) -> int; "
        "semver_compare_to kubernetes.Semver.(kubernetes.Semver) -> int"
    ),
    "isGreaterThan": (
        "quantity_is_greater_than kubernetes.Quantity.(kubernetes.Quantity) -> bool; "
        "semver_is_greater_than kubernetes.Semver.(kubernetes.Semver) -> bool"
    ),
    "isInteger": "quantity_is_integer kubernetes.Quantity.() -> bool",
    "isLessThan": (
        "quantity_is_less_than kubernetes.Quantity.(kubernetes.Quantity) -> bool; "
        "semver_is_less_than kubernetes.Semver.(kubernetes.Semver) -> bool"
    ),
    "isQuantity": "is_quantity_string (string) -> bool",
    "isSemver": "is_semver_string (string) -> bool; is_semver_string_bool (string, bool) -> bool",
    "major": "semver_major kubernetes.Semver.() -> int",
    "minor": "semver_minor kubernetes.Semver.() -> int",
    "patch": "semver_patch kubernetes.Semver.() -> int",
    "quantity": "string_to_quantity (string) -> kubernetes.Quantity",
    "semver": (
        "string_to_semver (string) -> kubernetes.Semver; string_bool_to_semver (string, bool) -> kubernetes.Semver"
    ),
    "sign": "quantity_sign (kubernetes.Quantity) -> int",
    "sub": (
        "quantity_sub kubernetes.Quantity.(kubernetes.Quantity) -> kubernetes.Quantity; "
        "quantity_sub_int kubernetes.Quantity.(int) -> kubernetes.Quantity"
    ),
    # Addresses, URLs and named formats.
    "cidr": "string_to_cidr (string) -> net.CIDR",
    "containsCIDR": (
        "cidr_contains_cidr_string net.CIDR.(string) -> bool; cidr_contains_cidr net.CIDR.(net.CIDR) -> bool"
    ),
    "containsIP": "cidr_contains_ip_string net.CIDR.(string) -> bool; cidr_contains_ip_ip net.CIDR.(net.IP) -> bool",
    "family": "ip_family net.IP.() -> int",
    "format.named": "format-named (string) -> optional_type(kubernetes.NamedFormat)",
    "getEscapedPath": "url_get_escaped_path kubernetes.URL.() -> string",
    "getHost": "url_get_host kubernetes.URL.() -> string",
    "getHostname": "url_get_hostname kubernetes.URL.() -> string",
    "getPort": "url_get_port kubernetes.URL.() -> string",
    "getQuery": "url_get_query kubernetes.URL.() -> map(string, list(string))",
    "getScheme": "url_get_scheme kubernetes.URL.() -> string",
    "ip": "string_to_ip (string) -> net.IP; cidr_ip net.CIDR.() -> net.IP",
    "ip.isCanonical": "ip_is_canonical (string) -> bool",
    "isCIDR": "is_cidr (string) -> bool",
    "isGlobalUnicast": "ip_is_global_unicast net.IP.() -> bool",
    "isIP": "is_ip (string) -> bool",
    "isLinkLocalMulticast": "ip_is_link_local_multicast net.IP.() -> bool",
    "isLinkLocalUnicast": "ip_is_link_local_unicast net.IP.() -> bool",
    "isLoopback": "ip_is_loopback net.IP.() -> bool",
    "isURL": "is_url_string (string) -> bool",
    "isUnspecified": "ip_is_unspecified net.IP.() -> bool",
    "masked": "cidr_masked net.CIDR.() -> net.CIDR",
    "prefixLength": "cidr_prefix_length net.CIDR.() -> int",
    "url": "string_to_url (string) -> kubernetes.URL",
    "validate": "format-validate kubernetes.NamedFormat.(string) -> optional_type(list(string))",
    # Authorization: declared in every environment, although no selector can get at an authorizer.
    "allowed": "decision_allowed kubernetes.authorization.Decision.() -> bool",
    "check": (
        "pathcheck_check kubernetes.authorization.PathCheck.(string) -> kubernetes.authorization.Decision; "
        "resourcecheck_check kubernetes.authorization.ResourceCheck.(string) -> kubernetes.authorization.Decision"
    ),
    "error": "decision_error kubernetes.authorization.Decision.() -> string",
    "errored": "decision_errored kubernetes.authorization.Decision.() -> bool",
    "fieldSelector": (
        "authorizer_fieldselector kubernetes.authorization.ResourceCheck.(string) "
        "-> kubernetes.authorization.ResourceCheck"
    ),
    "group": "authorizer_group kubernetes.authorization.Authorizer.(string) -> kubernetes.authorization.GroupCheck",
    "labelSelector": (
        "authorizer_labelselector kubernetes.authorization.ResourceCheck.(string) "
        "-> kubernetes.authorization.ResourceCheck"
    ),
    "name": (
        "resourcecheck_name kubernetes.authorization.ResourceCheck.(string) -> kubernetes.authorization.ResourceCheck"
    ),
    "namespace": (
        "resourcecheck_namespace kubernetes.authorization.ResourceCheck.(string) "
        "-> kubernetes.authorization.ResourceCheck"
    ),
    "path": "authorizer_path kubernetes.authorization.Authorizer.(string) -> kubernetes.authorization.PathCheck",
    "reason": "decision_reason kubernetes.authorization.Decision.() -> string",
    "resource": (
        "groupcheck_resource kubernetes.authorization.GroupCheck.(string) -> kubernetes.authorization.ResourceCheck"
    ),
    "serviceAccount": (
        "authorizer_serviceaccount kubernetes.authorization.Authorizer.(string, string) "
        "-> kubernetes.authorization.Authorizer"
    ),
    "subresource": (
        "resourcecheck_subresource kubernetes.authorization.ResourceCheck.(string) "
        "-> kubernetes.authorization.ResourceCheck"
    ),
}

_COMPARISONS: Final = {"_<_": "less", "_<=_": "less_equals", "_>_": "greater", "_>=_": "greater_equals"}
_COMPARED: Final = (
    "bool bool bool; int64 int int; int64_double int double; int64_uint64 int uint; uint64 uint uint;"
    "uint64_double uint double; uint64_int64 uint int; double double double; double_int64 double int;"
    "double_uint64 double uint; string string string; bytes bytes bytes; timestamp timestamp timestamp;"
    "duration duration duration"
)
_ORDERED: Final = ("int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes")
_SUMMABLE: Final = ("int", "uint", "double", "duration")
_LIST_FAMILIES: Final = {
    "min": (_ORDERED, "list_{word}_min_{word} list({word}).() -> {word}"),
    "max": (_ORDERED, "list_{word}_max_{word} list({word}).() -> {word}"),
    "sum": (_SUMMABLE, "list_{word}_sum_{word} list({word}).() -> {word}"),
    "isSorted": (_ORDERED, "list_{word}_is_sorted_bool list({word}).() -> bool"),
    "sort": (_ORDERED, "list_{name}_sort list({word}).() -> list({word})"),
    "@sortByAssociatedKeys": (_ORDERED, "list_{name}_sortByAssociatedKeys list(T).(list({word})) -> list(T)"),
}
_PARTS_OF_TIME: Final = {
    "getDate": "day_of_month_1_based",
    "getDayOfMonth": "day_of_month",
    "getDayOfWeek": "day_of_week",
    "getDayOfYear": "day_of_year",
    "getFullYear": "year",
    "getHours": "hours",
    "getMilliseconds": "milliseconds",
    "getMinutes": "minutes",
    "getMonth": "month",
    "getSeconds": "seconds",
}
_PARTS_OF_DURATION: Final = frozenset({"hours", "milliseconds", "minutes", "seconds"})
_NAMED_FORMATS: Final = frozenset(
    {
        *("byte", "date", "datetime", "dns1035Label", "dns1035LabelPrefix", "dns1123Label", "dns1123LabelPrefix"),
        *("dns1123Subdomain", "dns1123SubdomainPrefix", "labelValue", "qualifiedName", "uri", "uuid"),
    }
)


@cache
def overloads(function: str) -> tuple[Overload, ...] | None:
    """All ways to call a function, in order; None for a name that nobody declares."""
    text = _FUNCTIONS.get(function) or _family(function)
    return None if text is None else tuple(_read_overload(one) for one in text.split("; "))


def _family(function: str) -> str | None:
    """The overloads of functions that follow a pattern."""
    if function in _COMPARISONS:
        word = _COMPARISONS[function]
        rows = (row.split() for row in _COMPARED.split(";"))
        return "; ".join(f"{word}_{suffix} ({left}, {right}) -> bool" for suffix, left, right in rows)
    if function in _LIST_FAMILIES:
        words, pattern = _LIST_FAMILIES[function]
        return "; ".join(pattern.format(word=word, name=read_type(word).name) for word in words)
    if function in _PARTS_OF_TIME:
        return _part_of_time(_PARTS_OF_TIME[function])
    if function.startswith("format.") and function[len("format.") :] in _NAMED_FORMATS:
        return f"{function} () -> kubernetes.NamedFormat"
    return None


def _part_of_time(part: str) -> str:
    zoned = "seconds_tz" if part == "seconds" else f"{part}_with_tz"
    found = f"timestamp_to_{part} timestamp.() -> int; timestamp_to_{zoned} timestamp.(string) -> int"
    return f"{found}; duration_to_{part} duration.() -> int" if part in _PARTS_OF_DURATION else found


def _read_overload(text: str) -> Overload:
    overload_id, signature = text.split(" ", 1)
    left, result = signature.rsplit(" -> ", 1)
    receiver, _, rest = left.partition(".(") if not left.startswith("(") else ("", "", left[1:])
    style: Style = "member" if receiver else "global"
    types = [read_type(receiver)] if receiver else []
    types += [read_type(arg) for arg in _split_args(rest[:-1])]
    answer = read_type(result)
    params = dict.fromkeys(name for t in (*types, answer) for name in _params(t))
    return Overload(overload_id, style, tuple(types), answer, tuple(params))


def _split_args(text: str) -> list[str]:
    """The arguments between commas that are not inside parentheses."""
    args: list[str] = []
    depth = start = 0
    for position, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            args.append(text[start:position])
            start = position + 1
    return [*args, text[start:]] if text else []


def _params(t: Type) -> list[str]:
    return [t.name] if t.kind == "param" else [name for p in t.params for name in _params(p)]
