"""Replaying scenarios of controllers: a server of ours with all controllers, in a time that passes at once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any, Final
from uuid import UUID

import msgspec

from conformance.classic_drivers import ClassicDriver
from conformance.observed import meanings, observed
from conformance.observed_likeness import differences, timeless
from conformance.renamings import renamed, renamings
from conformance.scenario import named_profile
from dravite.api.releases import Profile, profile
from dravite.apiserver import ApiServer, Settings
from dravite.apiserver.metadata import Source
from dravite.controllers.client import Answer, Call, Resource
from dravite.controllers.kubelets import Habits
from dravite.controllers.roster import controllers_for
from dravite.controllers.runner import Runner
from dravite.embedded.in_process import InProcess
from dravite.lifecycle.instants import text_of
from dravite.rehearsal.world import BEGIN
from dravite.store import Store

QUIET: Final = 2.0
"""Seconds without a change after which a step of a recording was over."""

PATIENCE: Final = 12.0
"""Seconds after which it was over in any case."""

_OF_1_31: Final = (11.0, 40.0)
"""The same where recordings waited until no pod was in its backoff any more."""

_KUBELETS: Final = Habits(longest_grace=2.0, pod_seconds=float("inf"), reports=False, tells_ends=False)
_MERGE: Final = "application/merge-patch+json"
_TIMELESS: Final = ("wait", "until")

Plain = dict[str, Any]


def is_scenarios(value: Any) -> bool:
    """Whether a JSON value is a recording of controllers."""
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict) and "given" in value[0]


def replay(scenario: Mapping[str, Any], release: str) -> Sequence[str]:
    """How the scenario goes otherwise than it was recorded; nothing where it goes the same way.

    How quickly objects were applied is not recorded: controllers act after each of them, or after all of a step.
    """
    wanted, drivers = _profile(release), scenario.get("drivers", {})
    together = _played(scenario, Cluster(wanted, drivers))
    return together and min(together, _played(scenario, Cluster(wanted, drivers, acts_at_once=True)), key=len)


def _played(scenario: Mapping[str, Any], cluster: Cluster) -> Sequence[str]:
    cluster.apply(scenario["given"])
    if "note" in scenario and "while the gate was on" in scenario["note"]:
        cluster.turn_off_drivers()
    cluster.settle()
    seen, found = [], []
    for number, step in enumerate(scenario["steps"]):
        answers = [answer for action in step["do"] for answer in cluster.do(action)]
        recorded = [one for one in step.get("answers", ()) if "warning" not in one]
        if _told(answers) != _told(recorded):
            found.append(f"step {number}: answers {answers}, recorded {recorded}")
        if any(next(iter(action)) not in _TIMELESS for action in step["do"]):
            cluster.settle()
        seen.append(cluster.observed())
    is_firm = scenario.get("the same in every run", True) or not cluster.is_old
    return (*found, *(_least(scenario, seen) if is_firm else ()))


def _told(answers: Sequence[Plain]) -> str:
    return timeless(json.dumps(answers, sort_keys=True))


def _least(scenario: Mapping[str, Any], seen: Sequence[Plain]) -> Sequence[str]:
    """How what was seen differs from the recording, under the names under which it differs least."""
    least: Sequence[str] | None = None
    for names in renamings(scenario):
        found = [
            f"step {number}: {line}"
            for number, (step, state) in enumerate(zip(scenario["steps"], seen, strict=True))
            for line in differences(step["observed"], renamed(state, names))
        ]
        if least is None or len(found) < len(least):
            least = found
        if not least:
            break
    return least or ()


def _profile(release: str) -> Profile:
    if release != "1.31":
        return named_profile(release, "all-gates")
    made = profile(release, "DynamicResourceAllocation=true,DRAControlPlaneController=true")
    assert isinstance(made, Profile)
    return made


class Cluster:
    """A server with controllers, which may act as soon as an object is applied."""

    def __init__(
        self, wanted: Profile, drivers: Mapping[str, Mapping[str, Any]] | None = None, *, acts_at_once: bool = False
    ) -> None:
        self.now = BEGIN
        self._drivers = {name: ClassicDriver(name, settings) for name, settings in (drivers or {}).items()}
        self._acts_at_once = acts_at_once
        numbers = count(1)
        self._source = Source(
            now=lambda: text_of(self.now),
            uid=lambda: str(UUID(int=next(numbers) << 64 | 0x4000_8000_0000_0000_0000, version=4)),
            suffix=lambda: f"{next(numbers):05}",
        )
        self._open(Store(), wanted)
        self._meant: dict[str, str] = {}
        self.is_old = wanted.release == "1.31"
        self._quiet, self._patience = _OF_1_31 if self.is_old else (QUIET, PATIENCE)

    def _open(self, store: Store, wanted: Profile) -> None:
        self.server = ApiServer(store, Settings(profile=wanted, source=self._source))
        self._client = InProcess(self.server)
        roster = (*controllers_for(wanted, kubelets=_KUBELETS, explains=False), *self._drivers.values())
        self.runner = Runner(self._client, roster, lambda: self.now)

    def turn_off_drivers(self) -> None:
        """Start the server anew, on what is there, without the gate for drivers with a controller."""
        made = profile("1.31", "DynamicResourceAllocation=true")
        assert isinstance(made, Profile)
        self._open(self.server.store, made)

    def observed(self) -> Plain:
        """The state of the cluster, in the form of the recordings."""
        found = observed(self.runner.view, self._meant)
        for pod in found.get("pods", {}).values() if self.is_old else ():
            pod.pop("priority", None)  # was not recorded then
        return found

    def do(self, action: Mapping[str, Any]) -> list[Plain]:
        """Do one thing of a step; what is refused of it."""
        (what, how), *_ = action.items()
        refused: list[Plain] = []
        match what:
            case "apply":
                refused = self.apply(how)
            case "delete":
                self._ask("DELETE", self._path(how), {"propagationPolicy": "Background"})
            case "patch":
                answer = self._ask(
                    "PATCH", self._path(how, how.get("subresource", "")), self._filled(how["merge"]), _MERGE
                )
                if not answer.is_yes:
                    refused = [{"patch": f"{how['kind']} {how['name']}", **_why(answer)}]
            case "wait":
                self.wait(float(how))
            case "deleteclaims":
                for item in tuple(self.runner.view.of("ResourceClaim")):
                    self._ask("DELETE", item.resource.path(item.namespace, item.name), {})
            case "poduses":
                self._steal()
            case "driver":
                self._drivers[how["name"]].settings = how["settings"]
            case "until":
                refused = self._until(how)
        self.settle_at_once()
        return refused

    def apply(self, objects: Sequence[Plain]) -> list[Plain]:
        """Make objects, with their status; what is refused is told."""
        refused = []
        for obj in objects:
            name = obj["metadata"]["name"]
            path = self._collection(obj)
            answer = self._ask("POST", path, self._filled(obj))
            if not answer.is_yes:
                refused.append({"object": f"{obj['kind']} {name}", **_why(answer)})
            elif "status" in obj:
                self._ask("PATCH", f"{path}/{name}/status", {"status": self._filled(obj["status"])}, _MERGE)
            if self._acts_at_once:
                self.settle_at_once()
        return refused

    def settle(self) -> None:
        """Let time pass until nothing changes any more."""
        begin = quiet = self.now
        self.settle_at_once()
        while (time := self.runner.next_time()) is not None and time <= min(
            quiet + self._quiet, begin + self._patience
        ):
            before = self.server.store.revision
            self.now = max(self.now, time)
            self.settle_at_once()
            quiet = self.now if self.server.store.revision != before else quiet
        self.now = min(quiet + self._quiet, begin + self._patience)

    def wait(self, seconds: float) -> None:
        """Let time pass, with all that happens in it."""
        self.settle_at_once()
        end = self.now + seconds
        while (time := self.runner.next_time()) is not None and time <= end:
            self.now = max(self.now, time)
            self.settle_at_once()
        self.now = end

    def _until(self, how: Plain) -> list[Plain]:
        """Let time pass until a field of an object is set; what is said if it is not."""
        steps, end = how["has"].split("."), self.now + how["seconds"]
        while not _at(self._ask("GET", self._path(how), {}).body, steps):
            if self.now >= end:
                return [
                    {"until": f"{how['kind']} {how['name']} {how['has']}", "message": f"not within {how['seconds']} s"}
                ]
            time = self.runner.next_time()
            self.now = end if time is None else min(max(self.now, time), end)
            self.settle_at_once()
        return []

    def settle_at_once(self) -> None:
        """Let happen what happens at this moment."""
        for _ in range(10_000):
            if not self.runner.step():
                break
        else:
            message = "the controllers do not come to rest"
            raise AssertionError(message)
        self._meant.update(meanings(self.runner.view))

    def _steal(self) -> None:
        """A pod names the claim that was generated for another one."""
        claim = next(item for item in self.runner.view.of("ResourceClaim") if item.meta.generate_name)
        pod = {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": "thief", "namespace": "default"},
            "spec": {
                "containers": [{"name": "main", "image": "i", "resources": {"claims": [{"name": "c"}]}}],
                "terminationGracePeriodSeconds": 0,
                "resourceClaims": [{"name": "c", "resourceClaimName": claim.name}],
            },
        }
        self.apply([pod])

    def _filled(self, value: Any) -> Any:
        """A value with the uids that its placeholders stand for."""
        text = msgspec.json.encode(value).decode()
        for uid, meaning in meanings(self.runner.view).items():
            text = text.replace(meaning, uid)
        return msgspec.json.decode(text)

    def _resource(self, named: Mapping[str, Any]) -> Resource:
        return next(one for one in self._client.resources() if one.kind == named["kind"])

    def _path(self, named: Mapping[str, Any], part: str = "") -> str:
        resource = self._resource(named)
        return resource.path(named.get("namespace", "default") if resource.namespaced else "", named["name"], part)

    def _collection(self, obj: Plain) -> str:
        resource = self._resource(obj)
        space = obj["metadata"].get("namespace", "default") if resource.namespaced else ""
        version = obj["apiVersion"].rpartition("/")[2]
        return msgspec.structs.replace(resource, version=version).path(space)

    def _ask(self, method: str, path: str, body: Plain, media: str = "application/json") -> Answer:
        return self._client.ask(Call(method=method, path=path, body=body, media=media))


def _why(answer: Answer) -> Plain:
    return {"code": answer.code, "message": answer.body["message"]}


def _at(value: Any, steps: Sequence[str]) -> Any:
    for step in steps:
        value = value.get(step) if isinstance(value, Mapping) else None
    return value
