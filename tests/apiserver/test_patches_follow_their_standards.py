from __future__ import annotations

import pytest

from dravite.apiserver.patches import PatchFault, json_patch, merge_patch, strategic_merge
from dravite.apiserver.statuses import Refused


def test_a_merge_patch_removes_nulls_and_merges_objects() -> None:
    assert merge_patch({"a": {"b": 1, "c": 2}, "d": [1]}, {"a": {"b": None, "e": 3}, "d": [2]}) == {
        "a": {"c": 2, "e": 3},
        "d": [2],
    }


@pytest.mark.parametrize(
    ("operation", "result"),
    [
        ({"op": "add", "path": "/l/0", "value": 0}, {"l": [0, 1, 2], "m": {"~/": 1}}),
        ({"op": "add", "path": "/l/-", "value": 3}, {"l": [1, 2, 3], "m": {"~/": 1}}),
        ({"op": "remove", "path": "/l/0"}, {"l": [2], "m": {"~/": 1}}),
        ({"op": "replace", "path": "/m/~0~1", "value": 2}, {"l": [1, 2], "m": {"~/": 2}}),
        ({"op": "move", "from": "/l/0", "path": "/n"}, {"l": [2], "m": {"~/": 1}, "n": 1}),
        ({"op": "copy", "from": "/l", "path": "/n"}, {"l": [1, 2], "m": {"~/": 1}, "n": [1, 2]}),
        ({"op": "test", "path": "/l/1", "value": 2}, {"l": [1, 2], "m": {"~/": 1}}),
    ],
)
def test_a_json_patch_changes_one_place(operation: object, result: object) -> None:
    value = {"l": [1, 2], "m": {"~/": 1}}
    assert json_patch(value, [operation]) == result
    assert value == {"l": [1, 2], "m": {"~/": 1}}


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "remove", "path": "/x"},
        {"op": "add", "path": "/l/5", "value": 1},
        {"op": "add", "path": "/l/x", "value": 1},
        {"op": "add", "path": "l", "value": 1},
        {"op": "add", "path": "/l"},
        {"op": "test", "path": "/l/0", "value": 2},
        {"op": "replace", "path": "/x/y", "value": 2},
        {"op": "nothing", "path": "/l"},
        {"op": "remove", "path": ""},
        {"op": "replace", "path": "", "value": {}},
        {"op": "add", "path": "", "value": {}},
        {"op": "copy", "from": "", "path": "/m"},
        7,
    ],
)
def test_a_json_patch_that_cannot_be_carried_out_is_a_fault(operation: object) -> None:
    with pytest.raises(PatchFault):
        json_patch({"l": [1]}, [operation])


def test_a_strategic_merge_merges_lists_that_are_maps() -> None:
    before = {"status": {"reservedFor": [{"uid": "1", "name": "a"}, {"uid": "2", "name": "b"}]}}
    patch = {"status": {"reservedFor": [{"uid": "1", "$patch": "delete"}, {"uid": "3", "name": "c"}]}}
    assert strategic_merge(before, patch, "ResourceClaim") == {
        "status": {"reservedFor": [{"uid": "2", "name": "b"}, {"uid": "3", "name": "c"}]}
    }


def test_a_strategic_merge_adds_to_sets_and_deletes_from_them() -> None:
    before = {"metadata": {"finalizers": ["a", "b"]}}
    assert strategic_merge(before, {"metadata": {"finalizers": ["b", "c"]}}, "Pod") == {
        "metadata": {"finalizers": ["a", "b", "c"]}
    }
    patch = {"metadata": {"$deleteFromPrimitiveList/finalizers": ["a"]}}
    assert strategic_merge(before, patch, "Pod") == {"metadata": {"finalizers": ["b"]}}


def test_a_strategic_merge_replaces_what_it_is_told_to() -> None:
    before = {"spec": {"containers": [{"name": "a", "image": "x"}]}}
    patch = {"spec": {"containers": [{"$patch": "replace"}, {"name": "b"}]}}
    assert strategic_merge(before, patch, "Pod") == {"spec": {"containers": [{"name": "b"}]}}
    assert strategic_merge(before, {"spec": {"$patch": "replace", "x": 1}}, "Pod") == {"spec": {"x": 1}}


def test_an_item_without_its_key_is_refused() -> None:
    before = {"status": {"reservedFor": [{"uid": "1"}]}}
    patch = {"status": {"reservedFor": [{"name": "a"}]}}
    with pytest.raises(Refused, match="does not contain declared merge key: uid"):
        strategic_merge(before, patch, "ResourceClaim")
    assert strategic_merge({}, patch, "ResourceClaim") == patch  # where nothing is there, nothing is looked for


@pytest.mark.parametrize(
    "patch",
    [
        {"metadata": {"$deleteFromPrimitiveList/finalizers": 5}},
        {"metadata": {"$retainKeys": 5, "name": "a"}},
        {"metadata": {"$retainKeys": None, "$deleteFromPrimitiveList/finalizers": "a"}},
    ],
)
def test_a_directive_that_is_no_list_is_refused(patch: object) -> None:
    with pytest.raises(Refused) as refused:
        strategic_merge({"metadata": {"finalizers": ["a"]}}, patch, "Pod")
    assert refused.value.status["code"] == 400


def test_items_of_sets_may_be_anything() -> None:
    patch = {"metadata": {"finalizers": [[], {}, "a", []]}}
    assert strategic_merge({"metadata": {"finalizers": ["a"]}}, patch, "Pod") == {
        "metadata": {"finalizers": ["a", [], {}]}
    }
    assert strategic_merge({"a": 5}, {"$deleteFromPrimitiveList/a": [5]}, "Pod") == {"a": []}
