"""Names and selectors: what is well formed, what Kubernetes says about the rest, and which nodes are selected."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dravite.api.meta import LabelSelector, LabelSelectorRequirement
from dravite.api.names import (
    SelectorFault,
    label_selector_matches,
    node_matches,
    node_matches_lazily,
    why_not_dns_label,
    why_not_dns_subdomain,
    why_not_dns_subdomain_caseless,
    why_not_identifier,
    why_not_label_key,
    why_not_label_value,
    why_not_path_segment,
    why_not_uuid,
)
from dravite.api.node_selector import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm

LABELS = {"zone": "a", "size": "12", "empty": ""}


@pytest.mark.parametrize("text", ["a", "a-b", "0", "a" * 63])
def test_good_labels(text: str) -> None:
    assert why_not_dns_label(text) == ()


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("", "a lowercase RFC 1123 label must consist of"),
        ("A", "a lowercase RFC 1123 label must consist of"),
        ("-a", "a lowercase RFC 1123 label must consist of"),
        ("a\n", "a lowercase RFC 1123 label must consist of"),
        ("a.b", "must not contain dots"),
        ("a" * 64, "must be no more than 63 bytes"),
    ],
)
def test_bad_labels_say_why(text: str, first: str) -> None:
    assert why_not_dns_label(text)[0].startswith(first)


def test_declarative_rules_count_in_characters() -> None:
    assert why_not_dns_label("a" * 64, "characters") == ("must be no more than 63 characters",)


def test_subdomains_are_labels_with_dots() -> None:
    assert why_not_dns_subdomain("gpu.example.com") == ()
    assert why_not_dns_subdomain("gpu..com")[0].startswith("a lowercase RFC 1123 subdomain must consist of")
    assert why_not_dns_subdomain("Gpu.example.com") != ()
    assert why_not_dns_subdomain_caseless("Gpu.example.com") == ()
    assert why_not_dns_subdomain_caseless("\u212a.com") != ()
    assert why_not_dns_subdomain("a." * 127 + "a") == ("must be no more than 253 bytes",)


@pytest.mark.parametrize("text", ["a", "A_b.c", "example.com/x", "a" * 63])
def test_good_label_keys(text: str) -> None:
    assert why_not_label_key(text) == ()


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("", ["name part must be non-empty", "name part must consist of"]),
        ("/a", ["prefix part must be non-empty"]),
        ("Ex.com/a", ["prefix part a lowercase RFC 1123 subdomain"]),
        ("a/b/c", ["a valid label key must consist of"]),
        ("-", ["name part must consist of"]),
        ("a" * 64, ["name part must be no more than 63 bytes"]),
    ],
)
def test_bad_label_keys_say_why(text: str, starts: list[str]) -> None:
    sentences = why_not_label_key(text)
    assert len(sentences) == len(starts)
    assert all(sentence.startswith(start) for sentence, start in zip(sentences, starts, strict=True))


def test_label_values_may_be_empty() -> None:
    assert why_not_label_value("") == why_not_label_value("A.b_c") == ()
    assert why_not_label_value(" ")[0].startswith("a valid label must be an empty string or consist of")


def test_other_shapes() -> None:
    assert why_not_identifier("_a1") == ()
    assert why_not_identifier("1a")[0].startswith("a valid C identifier must start with")
    assert why_not_uuid("11111111-2222-3333-4444-555555555555") == ()
    assert why_not_uuid("11111111-2222-3333-4444-55555555555A") == ("must be a lowercase UUID in 8-4-4-4-12 format",)
    assert why_not_path_segment("..") == ("may not be '..'",)
    assert why_not_path_segment("a/b%c") == ("may not contain '/'", "may not contain '%'")


@given(st.text(max_size=300))
def test_no_text_breaks_a_rule_about_names(text: str) -> None:
    for rule in (why_not_dns_label, why_not_dns_subdomain, why_not_label_key, why_not_label_value):
        assert all(isinstance(sentence, str) for sentence in rule(text))


def rule(key: str, operator: str, *values: str) -> NodeSelectorRequirement:
    return NodeSelectorRequirement(key=key, operator=operator, values=values)


def selector(*terms: NodeSelectorTerm) -> NodeSelector:
    return NodeSelector(node_selector_terms=terms)


def term(*expressions: NodeSelectorRequirement, fields: tuple[NodeSelectorRequirement, ...] = ()) -> NodeSelectorTerm:
    return NodeSelectorTerm(match_expressions=expressions, match_fields=fields)


@pytest.mark.parametrize(
    ("requirement", "matches"),
    [
        (rule("zone", "In", "a", "b"), True),
        (rule("zone", "In", "b"), False),
        (rule("none", "In", "a"), False),
        (rule("zone", "NotIn", "b"), True),
        (rule("none", "NotIn", "b"), True),
        (rule("empty", "Exists"), True),
        (rule("none", "Exists"), False),
        (rule("none", "DoesNotExist"), True),
        (rule("size", "Gt", "11"), True),
        (rule("size", "Gt", "12"), False),
        (rule("size", "Lt", "13"), True),
        (rule("zone", "Gt", "1"), False),
        (rule("none", "Lt", "1"), False),
    ],
)
def test_p3_requirements_compare_labels(requirement: NodeSelectorRequirement, *, matches: bool) -> None:
    assert node_matches(selector(term(requirement)), "n1", LABELS) is matches


def test_p3_terms_are_ored_and_requirements_anded() -> None:
    both = term(rule("zone", "In", "a"), rule("size", "In", "1"))
    assert node_matches(selector(both), "n1", LABELS) is False
    assert node_matches(selector(both, term(rule("zone", "Exists"))), "n1", LABELS) is True


def test_p3_no_terms_and_empty_terms_select_nothing() -> None:
    assert node_matches(selector(), "n1", LABELS) is False
    assert node_matches(selector(term()), "n1", LABELS) is False


def test_p3_only_the_name_is_a_field() -> None:
    def by_field(*found: NodeSelectorRequirement) -> bool | SelectorFault:
        return node_matches(selector(term(fields=found)), "n1", LABELS)

    assert by_field(rule("metadata.name", "In", "n1")) is True
    assert by_field(rule("metadata.name", "NotIn", "n1")) is False
    assert by_field(rule("spec.other", "In", "")) is True
    assert by_field(rule("spec.other", "In", "n1")) is False


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        (rule("zone", "Like", "a"), "operator"),
        (rule("zone", "In"), "values"),
        (rule("zone", "Exists", "a"), "values"),
        (rule("size", "Gt", "x"), "values[0]"),
        (rule("size", "Gt", "1", "2"), "values"),
        (rule("-", "Exists"), "key"),
        (rule("zone", "In", "not a label"), "values[zone]"),
    ],
)
def test_p2_a_bad_requirement_spoils_the_selector(bad: NodeSelectorRequirement, field: str) -> None:
    found = node_matches(selector(term(rule("zone", "In", "a")), term(bad)), "n1", LABELS)
    assert isinstance(found, SelectorFault)
    assert [error.field for error in found.errors] == [f"nodeSelectorTerms[1].matchExpressions[0].{field}"]


def test_a_field_takes_one_value_and_two_operators() -> None:
    for bad in (rule("metadata.name", "In", "a", "b"), rule("metadata.name", "Exists")):
        assert isinstance(node_matches(selector(term(fields=(bad,))), "n1", LABELS), SelectorFault)


def test_a_term_that_matches_hides_a_bad_one_from_the_scheduler() -> None:
    good, bad = term(rule("zone", "In", "a")), term(rule("zone", "Like", "a"))
    assert node_matches_lazily(selector(bad, good), "n1", LABELS) is True
    assert isinstance(node_matches_lazily(selector(bad), "n1", LABELS), SelectorFault)
    assert node_matches_lazily(selector(term(rule("zone", "In", "b"))), "n1", LABELS) is False


def test_label_selectors_select_nothing_when_missing_and_everything_when_empty() -> None:
    assert label_selector_matches(None, LABELS) is False
    assert label_selector_matches(LabelSelector(), LABELS) is True
    assert label_selector_matches(LabelSelector(match_labels={"zone": "a", "size": "1"}), LABELS) is False
    expressions = (LabelSelectorRequirement(key="zone", operator="NotIn", values=("b",)),)
    assert label_selector_matches(LabelSelector(match_expressions=expressions), LABELS) is True
    unknown = (LabelSelectorRequirement(key="size", operator="Gt", values=("1",)),)
    assert isinstance(label_selector_matches(LabelSelector(match_expressions=unknown), LABELS), SelectorFault)
