"""The shapes of names, and which labels a selector selects.

Each `why_not_…` returns what Kubernetes says about a bad text, one sentence per fault, and nothing for a good one.
Whether the sentence ends up as Invalid, Required or TooLong is for validation to say. Lengths are in bytes (UTF-8).
Sources: apimachinery `validate/content`, `labels`; component-helpers `nodeaffinity`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final, Literal

import msgspec

from dravite.api.field import ErrorType, FieldError, child, keyed
from dravite.api.meta import LabelSelector
from dravite.api.node_selector import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm

Unit = Literal["bytes", "characters"]

_LABEL: Final = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN: Final = rf"{_LABEL}(\.{_LABEL})*"
_NAME_PART: Final = r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_LABEL_VALUE: Final = rf"({_NAME_PART})?"
_IDENTIFIER: Final = r"[A-Za-z_][A-Za-z0-9_]*"

_LABEL_RE: Final = re.compile(_LABEL)
_SUBDOMAIN_RE: Final = re.compile(_SUBDOMAIN)
_NAME_PART_RE: Final = re.compile(_NAME_PART)
_LABEL_VALUE_RE: Final = re.compile(_LABEL_VALUE)
_IDENTIFIER_RE: Final = re.compile(_IDENTIFIER)
_UUID_RE: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_INTEGER_RE: Final = re.compile(r"[+-]?[0-9]+")

_NAME_PART_TEXT: Final = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
    f"(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '{_NAME_PART}')"
)
_LABEL_TEXT: Final = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with "
    f"an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '{_LABEL}')"
)
_SUBDOMAIN_TEXT: Final = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    f"end with an alphanumeric character (e.g. 'example.com', regex used for validation is '{_SUBDOMAIN}')"
)
_CASELESS_TEXT: Final = (
    "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and "
    f"end with an alphanumeric character (e.g. 'Example.com', regex used for validation is '{_SUBDOMAIN}')"
)
_LABEL_VALUE_TEXT: Final = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
    f"'{_LABEL_VALUE}')"
)
_IDENTIFIER_TEXT: Final = (
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters "
    f"or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '{_IDENTIFIER}')"
)


def _too_long(text: str, limit: int, unit: Unit = "bytes") -> tuple[str, ...]:
    return (f"must be no more than {limit} {unit}",) if len(text.encode()) > limit else ()


@lru_cache(maxsize=4096)
def why_not_dns_label(text: str, unit: Unit = "bytes") -> tuple[str, ...]:
    """`k8s-short-name`: up to 63 of `a-z0-9-`, alphanumeric at both ends. Declarative rules count `characters`."""
    length = _too_long(text, 63, unit)
    if _LABEL_RE.fullmatch(text):
        return length
    return (*length, "must not contain dots" if _SUBDOMAIN_RE.fullmatch(text) else _LABEL_TEXT)


@lru_cache(maxsize=4096)
def why_not_dns_subdomain(text: str, unit: Unit = "bytes") -> tuple[str, ...]:
    """`k8s-long-name`: up to 253 bytes of labels joined by dots."""
    length = _too_long(text, 253, unit)
    return length if _SUBDOMAIN_RE.fullmatch(text) else (*length, _SUBDOMAIN_TEXT)


def why_not_dns_subdomain_caseless(text: str) -> tuple[str, ...]:
    """`k8s-long-name-caseless`: a DNS subdomain in letters of either case."""
    length = _too_long(text, 253)
    return length if text.isascii() and _SUBDOMAIN_RE.fullmatch(text.lower()) else (*length, _CASELESS_TEXT)


@lru_cache(maxsize=4096)
def why_not_label_key(text: str, noun: str = "a valid label key") -> tuple[str, ...]:
    """`k8s-label-key`: a name, optionally after a DNS subdomain and a slash. 1.31 says `a qualified name`."""
    prefix, slash, name = text.rpartition("/")
    if "/" in prefix:
        return (f"{noun} {_NAME_PART_TEXT} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",)
    faults: list[str] = []
    if slash:
        sentences = why_not_dns_subdomain(prefix) if prefix else ("must be non-empty",)
        faults.extend(f"prefix part {sentence}" for sentence in sentences)
    if not name:
        faults.append("name part must be non-empty")
    faults.extend(f"name part {sentence}" for sentence in _too_long(name, 63))
    if not _NAME_PART_RE.fullmatch(name):
        faults.append(f"name part {_NAME_PART_TEXT}")
    return tuple(faults)


def why_not_label_value(text: str) -> tuple[str, ...]:
    """Empty, or up to 63 bytes like the name part of a label key."""
    length = _too_long(text, 63)
    return length if _LABEL_VALUE_RE.fullmatch(text) else (*length, _LABEL_VALUE_TEXT)


def why_not_identifier(text: str) -> tuple[str, ...]:
    """A C identifier of any length; the limit of 32 bytes is a rule of its own."""
    return () if _IDENTIFIER_RE.fullmatch(text) else (_IDENTIFIER_TEXT,)


def why_not_uuid(text: str) -> tuple[str, ...]:
    """`k8s-uuid`: 36 lower-case characters, 8-4-4-4-12."""
    return () if _UUID_RE.fullmatch(text) else ("must be a lowercase UUID in 8-4-4-4-12 format",)


def why_not_path_segment(text: str) -> tuple[str, ...]:
    """A name that can stand in a URL path: not `.` or `..`, no `/` and no `%`."""
    if text in (".", ".."):
        return (f"may not be '{text}'",)
    return tuple(f"may not contain '{part}'" for part in ("/", "%") if part in text)


class SelectorFault(msgspec.Struct, frozen=True):
    """A selector that cannot be evaluated. Paths start at the selector: `nodeSelectorTerms[0].matchExpressions[1]`."""

    errors: tuple[FieldError, ...]


def node_matches(selector: NodeSelector, node_name: str, labels: Mapping[str, str]) -> bool | SelectorFault:
    """Whether a node is selected (P-3). One bad term spoils the selector, even behind a term that matches.

    Terms are ORed, requirements inside a term are ANDed; an empty term selects nothing, and so do no terms.
    """
    fault = why_not_node_selector(selector)
    if fault is not None:
        return fault
    return any(_term_matches(term, node_name, labels) for term in selector.node_selector_terms)


def node_matches_lazily(selector: NodeSelector, node_name: str, labels: Mapping[str, str]) -> bool | SelectorFault:
    """As `node_matches`, but a good term that matches hides bad ones: how the scheduler reads a pod's node affinity."""
    faults: list[FieldError] = []
    for position, term in enumerate(selector.node_selector_terms):
        errors = _term_faults(term, child("nodeSelectorTerms", position))
        if not errors and _term_matches(term, node_name, labels):
            return True
        faults.extend(errors)
    return SelectorFault(tuple(faults)) if faults else False


@lru_cache(maxsize=4096)
def why_not_node_selector(selector: NodeSelector) -> SelectorFault | None:
    """What keeps a node selector from being evaluated, or None. Empty terms and no terms are fine."""
    errors: list[FieldError] = []
    for position, term in enumerate(selector.node_selector_terms):
        errors.extend(_term_faults(term, child("nodeSelectorTerms", position)))
    return SelectorFault(tuple(errors)) if errors else None


def label_selector_matches(selector: LabelSelector | None, labels: Mapping[str, str]) -> bool | SelectorFault:
    """Whether labels are selected: no selector selects nothing, an empty one everything."""
    if selector is None:
        return False
    errors: list[FieldError] = []
    for position, rule in enumerate(selector.match_expressions):
        path = child("matchExpressions", position)
        if rule.operator not in ("In", "NotIn", "Exists", "DoesNotExist"):
            errors.append(_unknown_operator(path, rule.operator, ("In", "NotIn", "Exists", "DoesNotExist")))
        else:
            errors.extend(_requirement_faults(rule.key, rule.operator, rule.values, path))
    if errors:
        return SelectorFault(tuple(errors))
    return all(labels.get(key) == value for key, value in selector.match_labels.items()) and all(
        requirement_matches(rule.operator, rule.values, labels.get(rule.key)) for rule in selector.match_expressions
    )


def requirement_matches(operator: str, values: tuple[str, ...], value: str | None) -> bool:
    """Whether one good requirement holds for a label's value, None for a label that is not there."""
    match operator:
        case "In":
            return value is not None and value in values
        case "NotIn":
            return value is None or value not in values
        case "Exists":
            return value is not None
        case "DoesNotExist":
            return value is None
        case _:
            return _compares(operator, values, value)


def _compares(operator: str, values: tuple[str, ...], value: str | None) -> bool:
    left = None if value is None else _int64(value)
    right = _int64(values[0]) if len(values) == 1 else None
    if left is None or right is None:
        return False
    return left > right if operator == "Gt" else left < right


def _int64(text: str) -> int | None:
    number = int(text) if _INTEGER_RE.fullmatch(text) else None
    return number if number is not None and -(2**63) <= number < 2**63 else None


def _term_matches(term: NodeSelectorTerm, node_name: str, labels: Mapping[str, str]) -> bool:
    if not term.match_expressions and not term.match_fields:
        return False
    for rule in term.match_expressions:
        if not requirement_matches(rule.operator, rule.values, labels.get(rule.key)):
            return False
    return not node_name or all(_field_matches(rule, node_name) for rule in term.match_fields)


def _field_matches(rule: NodeSelectorRequirement, node_name: str) -> bool:
    value = node_name if rule.key == "metadata.name" else ""
    return (value == rule.values[0]) == (rule.operator == "In")


def _term_faults(term: NodeSelectorTerm, path: str) -> Iterable[FieldError]:
    operators = ("DoesNotExist", "Exists", "Gt", "In", "Lt", "NotIn")
    errors: list[FieldError] = []
    for position, rule in enumerate(term.match_expressions):
        place = child(path, "matchExpressions", position)
        if rule.operator in operators:
            errors.extend(_requirement_faults(rule.key, rule.operator, rule.values, place))
        else:
            errors.append(_unknown_operator(place, rule.operator, operators))
    for position, rule in enumerate(term.match_fields):
        place = child(path, "matchFields", position)
        if rule.operator not in ("In", "NotIn"):
            errors.append(_unknown_operator(place, rule.operator, ("In", "NotIn")))
        elif len(rule.values) != 1:
            errors.append(_invalid(child(place, "values"), rule.values, "must have one element"))
    return errors


def _requirement_faults(key: str, operator: str, values: tuple[str, ...], path: str) -> Iterable[FieldError]:
    errors = []
    faults = why_not_label_key(key)
    if faults:
        errors.append(_invalid(child(path, "key"), key, "; ".join(faults)))
    place = child(path, "values")
    if operator in ("In", "NotIn") and not values:
        errors.append(_invalid(place, values, "for 'in', 'notin' operators, values set can't be empty"))
    if operator in ("Exists", "DoesNotExist") and values:
        errors.append(_invalid(place, values, "values set must be empty for exists and does not exist"))
    if operator in ("Gt", "Lt"):
        if len(values) != 1:
            errors.append(_invalid(place, values, "for 'Gt', 'Lt' operators, exactly one value is required"))
        errors.extend(
            _invalid(child(place, position), value, "for 'Gt', 'Lt' operators, the value must be an integer")
            for position, value in enumerate(values)
            if _int64(value) is None
        )
    for value in values:
        sentences = why_not_label_value(value)
        if sentences:
            errors.append(_invalid(keyed(place, key), value, "; ".join(sentences)))
    return errors


def _unknown_operator(path: str, operator: str, known: tuple[str, ...]) -> FieldError:
    detail = "supported values: " + ", ".join(f'"{name}"' for name in known)
    return FieldError(type=ErrorType.NOT_SUPPORTED, field=child(path, "operator"), value=operator, detail=detail)


def _invalid(path: str, value: object, detail: str) -> FieldError:
    return FieldError(type=ErrorType.INVALID, field=path, value=value, detail=detail)
