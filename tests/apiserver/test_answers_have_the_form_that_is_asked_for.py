"""Which form an answer takes by its Accept header, as kube-apiserver 1.37.2 was seen to choose."""

from __future__ import annotations

import pytest
from asking import CLAIMS, claim, server

from dravite.apiserver import ApiServer
from dravite.apiserver.answers import render
from dravite.apiserver.backend import Response, Watch
from dravite.apiserver.requests import Request, parse_query

_META = "v=v1;g=meta.k8s.io"
_TABLE = f"application/json;as=Table;{_META}"
_ONE = f"PartialObjectMetadata;{_META}"
_LIST = f"PartialObjectMetadataList;{_META}"
_PROTOBUF = "application/vnd.kubernetes.protobuf"


def _asked(to: ApiServer, path: str, accept: str, method: str = "GET") -> Response | Watch:
    path, _, query = path.partition("?")
    headers = {"accept": accept, "content-type": "text/plain"}
    return to.handle(Request(method=method, path=path, query=parse_query(query), headers=headers))


def _told(to: ApiServer, path: str, accept: str, method: str = "GET") -> tuple[int, str, str]:
    """The code, the content type and the message of a refusal."""
    answer = _asked(to, path, accept, method)
    assert isinstance(answer, Response)
    message = answer.body.get("message", "") if isinstance(answer.body, dict) else ""
    assert render(answer, Request(method=method, path=path))[2]
    return answer.code, answer.content_type, message


def _with_claim() -> ApiServer:
    to = server()
    body = str(claim("a")).replace("'", '"').encode()
    assert isinstance(made := to.handle(Request(method="POST", path=CLAIMS, body=body)), Response)
    assert made.code == 201
    return to


@pytest.mark.parametrize(
    ("accept", "content_type"),
    [
        ("application/yaml", "application/yaml"),
        ("application/json;q=0.5,application/yaml", "application/yaml"),
        (_PROTOBUF, _PROTOBUF),
        (f"{_PROTOBUF};stream=watch", _PROTOBUF),
        (f"application/yaml;as={_ONE}", "application/json"),
        ("application/*,*/*;q=0.1", "application/json"),
    ],
)
def test_a_refusal_has_the_form_of_an_object_that_is_taken(accept: str, content_type: str) -> None:
    assert _told(server(), f"{CLAIMS}/none", accept)[:2] == (404, content_type)


@pytest.mark.parametrize(
    ("path", "accept", "why"),
    [
        (f"{CLAIMS}/a", "text/html", "406: Not Acceptable"),
        (f"{CLAIMS}/a", "application/*", "406: Not Acceptable"),
        (f"{CLAIMS}/a", f"application/json;as=X;{_META}", "only the following media types are accepted: "),
        (f"{CLAIMS}/a", f"{_PROTOBUF};as=Table;{_META}", "only the following media types are accepted: "),
        (f"{CLAIMS}/a", "application/yaml;stream=watch", "only the following media types are accepted: "),
        (f"{CLAIMS}/a", f"application/json;as={_LIST}", "you requested PartialObjectMetadataList, but the requested"),
        (CLAIMS, f"application/json;as={_ONE}", "you requested PartialObjectMetadata, but the requested object is a"),
        (f"{CLAIMS}?watch=1", "application/yaml", "only the following media types are accepted: application/json;str"),
    ],
)
def test_forms_that_are_not_made_are_refused(path: str, accept: str, why: str) -> None:
    code, _, message = _told(_with_claim(), path, accept)
    assert code == 406
    assert message.startswith(why)


def test_a_list_names_the_media_types_of_watches_too() -> None:
    to = server()
    assert _told(to, CLAIMS, "text/html")[2].endswith(f"{_PROTOBUF};stream=watch")
    assert _told(to, f"{CLAIMS}/a", "text/html")[2].endswith(f", {_PROTOBUF}")


def test_a_patch_of_no_type_is_refused_before_its_answer() -> None:
    assert _told(server(), f"{CLAIMS}/a", "text/html", "PATCH")[0] == 415


def test_what_finds_no_way_is_not_warned_of_its_version() -> None:
    to = server()
    path = "/apis/resource.k8s.io/v1beta1/namespaces/default/resourceclaims"
    for accept, told in (("text/html", 0), (f"application/json;as=X;{_META}", 1)):
        answer = _asked(to, f"{path}/a", accept)
        assert isinstance(answer, Response)
        assert len(answer.warnings) == told


def test_metadata_can_be_protobuf() -> None:
    answer = _asked(_with_claim(), f"{CLAIMS}/a", f"{_PROTOBUF};as={_ONE}")
    assert isinstance(answer, Response)
    assert (answer.code, answer.content_type) == (200, _PROTOBUF)


def test_an_object_can_be_asked_for_as_if_it_were_watched() -> None:
    answer = _asked(_with_claim(), f"{CLAIMS}/a?watch=true", f"{_TABLE},application/json")
    assert isinstance(answer, Response)
    assert answer.value["kind"] == "Table"


def test_metadata_of_nothing_is_null() -> None:
    answer = _asked(server(), CLAIMS, f"application/json;as={_LIST}")
    assert isinstance(answer, Response)
    assert answer.value["items"] is None


def test_a_watch_with_bookmarks_says_where_its_beginning_ends() -> None:
    found = [_asked(_with_claim(), f"{CLAIMS}?watch=1&allowWatchBookmarks=1{more}", "*/*") for more in _BEGINNINGS]
    assert [one.marks_initial for one in found if isinstance(one, Watch)] == [True, True, False, False]


@pytest.mark.parametrize(
    ("accept", "code", "content_type"),
    [
        ("application/yaml", 200, "application/yaml"),
        (_PROTOBUF, 200, _PROTOBUF),
        ("application/json", 200, "application/json"),
        ("text/html", 406, "application/json"),
    ],
)
def test_discovery_takes_the_form_of_an_object(accept: str, code: int, content_type: str) -> None:
    assert _told(server(), "/apis/resource.k8s.io/v1", accept)[:2] == (code, content_type)


def test_discovery_is_only_read() -> None:
    assert _told(server(), "/apis/resource.k8s.io/v1", "*/*", "POST")[0] == 405


def test_reviews_are_discovered() -> None:
    answer = _asked(server(), "/apis/authorization.k8s.io/v1", "*/*")
    assert isinstance(answer, Response)
    assert "selfsubjectaccessreviews" in {one["name"] for one in answer.value["resources"]}


_BEGINNINGS = (
    "",
    "&resourceVersion=0",
    "&resourceVersion=5",
    "&sendInitialEvents=false&resourceVersionMatch=NotOlderThan",
)
