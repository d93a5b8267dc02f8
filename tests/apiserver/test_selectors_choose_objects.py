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
        ("a>1", [("a", "Gt", ("1",))]),
        ("", []),
    ],
)
def test_label_selectors_are_read(text: str, found: object) -> None:
    assert list(parse_labels(text)) == found


@pytest.mark.parametrize("text", ["a b", "=", "a in", "a in (", "a in (b", "a,", ",", "a=b=c"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(Refused, match="unable to parse requirement"):
        list(parse_labels(text))


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
