"""`--watch` answers again when something that matters changes, told by the server; `--settle` waits for rest."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from dravite.live.kubeconfig import Choice, find_access
from dravite.live.lists import Asking
from dravite.live.mirror import Mirror
from dravite.live.reading import Question, read_cluster
from dravite.live.transport import connect
from dravite.live.wanted import wanted_by
from tests.live.conftest import Ask, document
from tests.live.server import ApiServer

WATCH = "explain --live -n ml --watch pod/train-big"
LOST = "error: the cluster cannot be watched: "


def found(api: ApiServer, kind: str, name: str) -> dict[str, Any]:
    """A copy of an object as it is now."""
    one: dict[str, Any] = next(one for one in api.objects[kind] if one["metadata"]["name"] == name)
    return {"kind": kind, **json.loads(json.dumps(one))}


def then_end(api: ApiServer, *lines: Callable[[], bytes]) -> Callable[[], Iterator[bytes]]:
    """What a watch says, after which nobody may watch any more: that ends the command."""

    def said() -> Iterator[bytes]:
        for line in lines:
            yield line()
        api.end_watches()

    return said


def headlines(told: str) -> list[str]:
    return re.findall(r"^ml/train-big .*|^--- .*", told, re.MULTILINE)


def test_a_claim_that_goes_makes_a_new_answer(ask: Ask, api: ApiServer) -> None:
    claim = found(api, "ResourceClaim", "render-0-gpus")
    api.scripts["resourceclaims"] = [then_end(api, lambda: api.event("DELETED", claim))]
    told, code = ask(WATCH)
    before, change, after = headlines(told)
    assert before.startswith("ml/train-big cannot be scheduled")
    assert re.fullmatch(r"--- \d\d:\d\d:\d\d claim vision/render-0-gpus changed", change)
    assert after.startswith("ml/train-big runs on gpu-02 with gpu-0")
    assert LOST in told
    assert code == 3


def test_what_does_not_matter_makes_no_answer(ask: Ask, api: ApiServer) -> None:
    node, pod = found(api, "Node", "gpu-01"), found(api, "Pod", "notebook-0")
    node["status"]["conditions"] = [{"type": "Ready", "status": "True", "lastHeartbeatTime": "2026-02-01T00:00:00Z"}]
    pod["status"] = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    api.scripts["nodes"] = [lambda: [api.event("MODIFIED", node)]]
    api.scripts["pods"] = [then_end(api, lambda: api.event("MODIFIED", pod))]
    told, _ = ask(WATCH)
    assert len(headlines(told)) == 1


def test_a_watch_that_fell_behind_begins_with_a_new_list(ask: Ask, api: ApiServer) -> None:
    claim = found(api, "ResourceClaim", "render-0-gpus")

    def too_old() -> bytes:
        api.tell("DELETED", claim)
        return json.dumps({"type": "ERROR", "object": {"kind": "Status", "code": 410, "message": "too old"}}).encode()

    api.scripts["resourceclaims"] = [lambda: [too_old()], then_end(api)]
    told, _ = ask(WATCH)
    assert headlines(told)[-1].startswith("ml/train-big runs on gpu-02")


def test_words_that_are_no_changes_are_told_and_asked_for_again(ask: Ask, api: ApiServer) -> None:
    api.scripts["resourceclaims"] = [lambda: [b"<html>"], then_end(api)]
    told, _ = ask(WATCH)
    assert LOST in told
    assert len([one for one in api.asked if one.is_watch and one.resource == "resourceclaims"]) > 1


def test_a_watch_goes_on_where_it_was(ask: Ask, api: ApiServer) -> None:
    bookmark = {"type": "BOOKMARK", "object": {"kind": "ResourceClaim", "metadata": {"resourceVersion": "1234"}}}
    api.scripts["resourceclaims"] = [lambda: [json.dumps(bookmark).encode()], then_end(api)]
    ask(WATCH)
    watches = [one.query for one in api.asked if one.is_watch and one.resource == "resourceclaims"]
    assert [one["resourceVersion"] for one in watches[:2]] == ["1000", "1234"]
    assert {one["allowWatchBookmarks"] for one in watches} == {"true"}


def test_nothing_is_asked_again_while_nothing_happens(ask: Ask, api: ApiServer) -> None:
    api.scripts["resourceclaims"] = [then_end(api)]
    ask(WATCH)
    assert len([one for one in api.lists("pods") if "continue" not in one.query]) == 1


def test_a_subject_that_goes_is_told(ask: Ask, api: ApiServer) -> None:
    pod = found(api, "Pod", "train-big")
    api.scripts["pods"] = [then_end(api, lambda: api.event("DELETED", pod))]
    told, code = ask(WATCH)
    assert "there is no pod/train-big in namespace ml" in told
    assert code == 3


def test_without_the_right_to_watch_there_is_one_answer(ask: Ask, api: ApiServer) -> None:
    api.end_watches()
    told, code = ask(WATCH)
    assert len(headlines(told)) == 1
    assert LOST in told
    assert "is forbidden" in told.partition(LOST)[2]
    assert "hint: `dravite rbac explain --watch`" in told
    assert code == 3


def test_one_list_that_cannot_be_watched_is_named(api: ApiServer, tmp_path: Path) -> None:
    api.unwatchable = {"nodes"}
    access = find_access(Choice(api.kubeconfig(tmp_path)), {})
    transport = connect(access, 60.0)
    asking = Asking(transport=transport, access=access)
    mirror = Mirror(asking, read_cluster(transport, access, Question(wanted_by("plan"))))
    mirror.start()
    changes = next(told for _ in range(100) if (told := mirror.wait(0.5)).lost)
    assert [(str(one.served.resource), one.final) for one in changes.lost] == [("nodes", True)]
    assert not changes.blind
    asking.stop.set()
    api.end_watches()
    transport.close()


def test_settling_answers_for_what_came_to_rest(ask: Ask, api: ApiServer) -> None:
    claim = found(api, "ResourceClaim", "render-0-gpus")
    api.scripts["resourceclaims"] = [lambda: [api.event("DELETED", claim)]]
    told, code = ask("explain --live -n ml --settle pod/train-big -o json")
    (pod,) = document(told)["pods"]
    assert (pod["verdict"], pod["node"], code) == ("scheduled", "gpu-02", 0)


def test_settling_without_the_right_to_watch_says_so(ask: Ask, api: ApiServer) -> None:
    api.end_watches()
    told, code = ask("explain --live -n ml --settle pod/train-big -o json")
    assert document(told)["notes"][-1].startswith("Whether the cluster is at rest is not known")
    assert code == 1
