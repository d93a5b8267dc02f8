"""Who owns which fields, where kube-apiserver 1.37.2 was seen to decide otherwise than one would think."""

from __future__ import annotations

from typing import Any

from asking import CLAIMS, ask, claim, server

from dravite.apiserver import ApiServer

_MERGE = "application/merge-patch+json"
_APPLY = "application/apply-patch+yaml"
_OWNER = {"apiVersion": "v1", "kind": "ConfigMap", "name": "o", "uid": "11111111-1111-1111-1111-111111111111"}


def _owners(to: ApiServer, name: str = "a") -> dict[str, Any]:
    managed = ask(to, "GET", f"{CLAIMS}/{name}")[1]["metadata"].get("managedFields", [])
    return {f"{entry['manager']} {entry['operation']}": entry for entry in managed}


def _apply(to: ApiServer, body: Any, manager: str = "m") -> int:
    whole = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", **body}
    return ask(to, "PATCH", f"{CLAIMS}/a?fieldManager={manager}", whole, content_type=_APPLY)[0]


def test_an_owner_reference_is_one_value() -> None:
    to = server()
    ask(to, "POST", CLAIMS, claim("a", ownerReferences=[_OWNER]), user_agent="u")
    found = _owners(to)["u Update"]["fieldsV1"]["f:metadata"]["f:ownerReferences"]
    assert found == {".": {}, f'k:{{"uid":"{_OWNER["uid"]}"}}': {}}
    other = {**_OWNER, "name": "other"}
    assert _apply(to, {"metadata": {"name": "a", "ownerReferences": [other]}}) == 409


def test_nobody_owns_what_says_of_a_new_object_that_it_is_deleted() -> None:
    to = server()
    ask(to, "POST", CLAIMS, claim("a", deletionTimestamp="2025-01-01T00:00:00Z", deletionGracePeriodSeconds=3))
    assert "f:metadata" not in _owners(to)["unknown Update"]["fieldsV1"]


def test_where_nobody_owned_anything_an_update_owns_nothing() -> None:
    to = server()
    ask(to, "POST", CLAIMS, claim("a"))
    for nobody in ([{}], []):
        for change in ({"managedFields": nobody}, {"labels": {"a": "b"}}):
            ask(to, "PATCH", f"{CLAIMS}/a", {"metadata": change}, content_type=_MERGE)
        assert _owners(to) == {}
    assert _apply(to, {"metadata": {"name": "a", "labels": {"a": "b"}}}) == 200
    assert sorted(_owners(to)) == ["before-first-apply Update", "m Apply"]


def test_an_apply_that_changes_nothing_has_no_time() -> None:
    to = server()
    ask(to, "POST", CLAIMS, claim("a", labels={"a": "b"}))
    assert _apply(to, {"metadata": {"name": "a", "labels": {"a": "b"}}}) == 200
    assert "time" not in _owners(to)["m Apply"]
    assert _apply(to, {"metadata": {"name": "a", "labels": {"a": "b", "c": "d"}}}) == 200
    assert "time" in _owners(to)["m Apply"]


def test_owners_that_a_new_object_names_are_kept() -> None:
    to = server()
    entry = {
        "manager": "x",
        "operation": "Update",
        "apiVersion": "resource.k8s.io/v1",
        "fieldsType": "FieldsV1",
        "fieldsV1": {"f:metadata": {"f:annotations": {}}},
    }
    ask(to, "POST", CLAIMS, claim("a", managedFields=[entry], annotations={"a": "b"}), user_agent="u")
    assert sorted(_owners(to)) == ["u Update"]
    ask(to, "POST", CLAIMS, claim("b", managedFields=[{"manager": "x"}]), user_agent="u")
    assert sorted(_owners(to, "b")) == ["u Update"]


def test_owners_in_versions_that_the_kind_does_not_have_are_forgotten() -> None:
    to = server()
    entry = {"manager": "m", "operation": "Update", "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:devices": {}}}}
    there, gone = {**entry, "apiVersion": "resource.k8s.io/v1beta1"}, {**entry, "apiVersion": "v1", "manager": "n"}
    ask(to, "POST", CLAIMS, claim("a", managedFields=[there, gone]))
    assert "n Update" not in _owners(to)
    assert "m Update" in _owners(to)
