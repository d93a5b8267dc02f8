"""All lists hold at one moment where the server can do that; where it cannot, what changed in between is told."""

from __future__ import annotations

from typing import Any

import pytest

from tests.live.conftest import Ask, document
from tests.live.server import Answer, ApiServer, Request, status


def test_every_list_is_asked_for_at_the_moment_of_the_first_answer(ask: Ask, api: ApiServer) -> None:
    ask("plan --live -A")
    for plural in ("pods", "resourceslices", "resourceclaims", "deviceclasses"):
        first = api.lists(plural)[0].query
        assert (first["resourceVersion"], first["resourceVersionMatch"]) == ("1000", "Exact")


def test_a_long_list_comes_in_pages(ask: Ask, api: ApiServer) -> None:
    api.page = 2
    told, code = ask("pools --live -o json")
    assert code == 0
    assert len(document(told)["pools"]) == 6
    pages = [one.query for one in api.lists("resourceslices")]
    assert len(pages) == 3
    assert all("resourceVersion" not in page for page in pages[1:]), "a token says the moment itself"


def test_a_list_that_grew_too_old_on_the_way_is_begun_again(ask: Ask, api: ApiServer) -> None:
    api.page = 2
    gone = [True]

    def too_old(request: Request) -> Answer | None:
        if request.resource == "resourceslices" and "continue" in request.query and gone:
            gone.clear()
            return status(410, "Expired", "The provided continue parameter is too old")
        return None

    api.rules.append(too_old)
    told, code = ask("pools --live -o json")
    assert (len(document(told)["pools"]), code) == (6, 0)


def test_a_list_that_always_grows_too_old_is_asked_for_in_one_piece(ask: Ask, api: ApiServer) -> None:
    api.page = 2
    api.rules.append(lambda one: status(410, "Expired", "too old") if "continue" in one.query else None)
    told, code = ask("pools --live -o json")
    assert (len(document(told)["pools"]), code) == (6, 0)
    assert "limit" not in api.lists("resourceslices")[-1].query


@pytest.mark.parametrize("code", [400, 410, 504])
def test_a_server_without_exact_moments_is_read_all_the_same(ask: Ask, api: ApiServer, code: int) -> None:
    api.rules.append(
        lambda one: status(code, "Bad", "no") if one.query.get("resourceVersionMatch") == "Exact" else None
    )
    told, exit_code = ask("pools --live -o json")
    assert (len(document(told)["pools"]), exit_code) == (6, 0)


def test_a_busy_server_gets_another_chance(ask: Ask, api: ApiServer) -> None:
    busy = [True]

    def too_many(request: Request) -> Answer | None:
        if request.resource == "resourceslices" and busy:
            busy.clear()
            return status(503, "ServiceUnavailable", "busy")
        return None

    api.rules.append(too_many)
    assert ask("pools --live")[1] == 0


def test_what_changed_between_two_lists_is_told(ask: Ask, api: ApiServer) -> None:
    api.rules.append(lambda one: status(400, "Bad", "no") if "resourceVersionMatch" in one.query else None)
    claim = api.objects["ResourceClaim"][0]

    def meanwhile(request: Request) -> None:
        if request.resource == "resourceclaims":
            api.moment = 1005
            claim["metadata"]["resourceVersion"] = "1003"

    api.rules.append(meanwhile)
    api.rules.append(lambda one: _at(api, one, 1000) if one.resource == "resourceslices" else None)
    told, code = ask("pools --live -o json")
    (note,) = document(told)["notes"]
    name = f"{claim['metadata']['namespace']}/{claim['metadata']['name']}"
    assert note.startswith(f"The lists were taken at different moments, and claim {name} changed in between")
    assert "--settle" in note
    assert code == 0


def _at(api: ApiServer, request: Request, moment: int) -> Answer:
    api.moment, kept = moment, api.moment
    answer = api._list(request)
    api.moment = kept
    return answer


def test_managed_fields_are_not_kept(ask: Ask, api: ApiServer) -> None:
    told, _ = ask("snapshot --live")
    assert "managedFields" not in told


def test_an_older_server_is_read_in_the_version_that_it_serves(ask: Ask, api: ApiServer) -> None:
    before, _ = ask("pools --live -o json")
    api.version, api.versions["resource.k8s.io"], api.aggregated = "v1.33.4", "v1beta2", False
    told, code = ask("pools --live -o json")
    assert code == 0
    assert document(told)["pools"] == document(before)["pools"]
    assert {one.path for one in api.lists("resourceslices")} == {
        "/apis/resource.k8s.io/v1/resourceslices",
        "/apis/resource.k8s.io/v1beta2/resourceslices",
    }


def test_a_newer_server_is_answered_as_the_newest_release_known(ask: Ask, api: ApiServer) -> None:
    api.version = "v1.99.0"
    told, code = ask("pools --live -o json")
    notes: list[Any] = document(told)["notes"]
    assert notes == ["Kubernetes v1.99.0 is newer than dravite knows; this is the answer of 1.37."]
    assert code == 0


def test_the_gates_are_those_of_the_server(ask: Ask, api: ApiServer) -> None:
    api.gates = {"DRAPrioritizedList": False}
    api.add({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "ml"}})
    told, _ = ask("snapshot --live")
    assert "DRAPrioritizedList: false" not in told, "it cannot be off any more in 1.37"
    api.gates = {"DRAConsumableCapacity": False}
    told, _ = ask("snapshot --live")
    assert "DRAConsumableCapacity: false" in told


def test_gates_that_objects_give_away_are_taken_as_on(ask: Ask, api: ApiServer) -> None:
    api.gates = None
    device = api.objects["ResourceSlice"][0]["spec"]["devices"][0]
    device["nodeAllocatableResourceMappings"] = {"cpu": {"quantity": "1"}}
    told, _ = ask("pools --live -o json")
    (note,) = document(told)["notes"]
    assert "a stock 1.37 are taken, with DRANodeAllocatableResources on, which its objects show" in note
