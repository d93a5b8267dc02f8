from __future__ import annotations

import pytest
from asking import CLAIMS, ask, claim, server

from dravite.apiserver.selectors import parse_labels
from dravite.apiserver.statuses import Refused


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a", [("a", "Exists", ())]),
        ("!a", [("a", "DoesNotExist", ())]),
        ("a=b,c==d", [("a", "In", ("b",)), ("c", "In", ("d",))]),
        ("a!=b", [("a", "NotIn", ("b",))]),
        ("a in (x, y),b notin (z)", [("a", "In", ("x", "y")), ("b", "NotIn", ("z",))]),
        ("a=", [("a", "In", ("",))]),
        ("a in (),b in (x,)", [("a", "In", ("",)), ("b", "In", ("", "x"))]),
        ("a>1", [("a", "Gt", ("1",))]),
        ("", []),
    ],
)
def test_label_selectors_are_read(text: str, found: object) -> None:
    assert list(parse_labels(text)) == found


_PARSING = "unable to parse requirement: "


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a b", f"{_PARSING}found 'b', expected: in, notin, =, ==, !=, gt, lt"),
        ("=x", "found '=', expected: !, identifier, or 'end of string'"),
        (",", "found ',', expected: !, identifier, or 'end of string'"),
        ("a,", "found '', expected: identifier after ','"),
        ("a=b=c", "found '=', expected: ',' or 'end of string'"),
        ("a=x y", "found 'y', expected: ',' or 'end of string'"),
        ("a in", f"{_PARSING}found '' expected: '('"),
        ("a in (", f"{_PARSING}found '', expected: ',', ')' or identifier"),
        ("a in (b", f"{_PARSING}found '', expected: ',' or ')'"),
        ("a>b", f"{_PARSING}values[0]: Invalid value: \"b\": for 'Gt', 'Lt' operators, the value must be an integer"),
    ],
)
def test_other_texts_are_refused(text: str, why: str) -> None:
    with pytest.raises(Refused) as refused:
        list(parse_labels(text))
    assert refused.value.status["message"] == why


@pytest.mark.parametrize(("text", "path"), [("-=x", "<nil>"), ("a=\u00e9", "values[0][a]")])
def test_keys_and_values_of_labels_are_checked(text: str, path: str) -> None:
    with pytest.raises(Refused) as refused:
        list(parse_labels(text))
    assert refused.value.status["message"].startswith(f"{_PARSING}{path}: Invalid value: ")


@pytest.mark.parametrize(("release", "noun"), [("1.31", "a qualified name"), ("1.37", "a valid label key")])
def test_a_key_that_is_none_is_named_in_the_words_of_the_release(release: str, noun: str) -> None:
    told = ask(server(release), "GET", "/api/v1/pods?labelSelector=x/y/z")[1]["message"]
    assert f'Invalid value: "x/y/z": {noun} must' in told


@pytest.mark.parametrize(
    ("path", "field", "why"),
    [
        ("/api/v1/pods", "spec.x", "field label not supported: spec.x"),
        ("/api/v1/namespaces", "metadata.namespace", "field label not supported: metadata.namespace"),
        ("/apis/batch/v1/jobs", "a", 'field label "a" not supported for Job'),
        (CLAIMS, "a", '"a" is not a known field selector: only "metadata.name", "metadata.namespace"'),
    ],
)
def test_each_kind_has_its_own_fields_to_select_by(path: str, field: str, why: str) -> None:
    code, status = ask(server(), "GET", f"{path}?fieldSelector={field}%3Dx")
    assert (code, status["message"]) == (400, why)


def test_lists_show_what_is_selected() -> None:
    to = server()
    ask(to, "POST", CLAIMS, claim("a", labels={"app": "x"}))
    ask(to, "POST", CLAIMS, claim("b", labels={"app": "y"}))
    ask(to, "POST", CLAIMS, claim("c"))

    def names(query: str) -> list[str]:
        return [item["metadata"]["name"] for item in ask(to, "GET", f"{CLAIMS}?{query}")[1]["items"]]

    assert names("labelSelector=app") == ["a", "b"]
    assert names("labelSelector=app%21%3Dx") == ["b", "c"]
    assert names("fieldSelector=metadata.name%21%3Da") == ["b", "c"]
    assert names("fieldSelector=metadata.name%3Da,") == ["a"]


def test_slices_are_selected_by_node_driver_and_pool() -> None:
    to = server()
    path = "/apis/resource.k8s.io/v1/resourceslices"
    for name, node in (("a", "n1"), ("b", "n2")):
        pool = {"name": node, "generation": 1, "resourceSliceCount": 1}
        spec = {"driver": "d.example.com", "nodeName": node, "pool": pool, "devices": [{"name": "x"}]}
        assert ask(to, "POST", path, {"metadata": {"name": name}, "spec": spec})[0] == 201
    for selector in ("spec.nodeName=n1", "spec.pool.name=n1", "spec.driver=d.example.com,spec.nodeName!=n2"):
        _, found = ask(to, "GET", f"{path}?fieldSelector={selector.replace('!=', '%21%3D').replace('=', '%3D')}")
        assert [item["metadata"]["name"] for item in found["items"]] == ["a"], selector
