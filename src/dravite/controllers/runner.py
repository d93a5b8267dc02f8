"""The one loop: what has changed → which keys to look at → reconcile → commands → requests.

Nothing here waits and nothing knows the time but from the clock that is handed in, so that hours pass in no time where
a test wants that. Who is looked at next is decided by the order of the controllers, then by who came first.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Literal, Protocol, TypeAlias

import msgspec

from dravite.controllers.client import Answer, ApiClient, Change, Resource
from dravite.controllers.commands import Command, Create, Patch, call_of
from dravite.controllers.happenings import Recorder, Tell
from dravite.controllers.view import Item, View

Key: TypeAlias = tuple[str, ...]
"""What a controller looks at as one; usually namespace and name."""

Place: TypeAlias = tuple[Resource, str, str]

LONGEST_BACKOFF: Final = 60.0
_CONFLICT: Final = 409
_GONE: Final = 404


class News(msgspec.Struct, frozen=True):
    """An object before and after something happened to it; None where it was not or is no longer there."""

    resource: Resource
    namespace: str
    name: str
    before: Item | None
    now: Item | None

    @property
    def item(self) -> Item:
        """The object as it is, or as it was last."""
        found = self.now or self.before
        assert found is not None  # noqa: S101 (there is no news about nothing)
        return found


class Measure(msgspec.Struct, frozen=True):
    """Something to be counted (`count`), a value that was observed (`observe`), or how much there is now (`set`)."""

    how: Literal["count", "observe", "set"]
    name: str
    labels: Mapping[str, str] = {}
    value: float = 1


class Outcome(msgspec.Struct, frozen=True):
    """What a controller wants.

    Attributes:
        commands: requests in their order.
        again: when it wants to look again.
        measures: what is to be shown among the metrics.
    """

    commands: tuple[Command | Tell, ...] = ()
    again: float | None = None
    measures: tuple[Measure, ...] = ()


NOTHING: Final = Outcome()


class Controller(Protocol):
    """One controller. Both methods are called by the loop alone."""

    @property
    def name(self) -> str:
        """Who owns the fields that it writes."""

    def keys(self, news: News, view: View) -> Iterable[Key]:
        """What is to be looked at because of something that has happened, or because a command was refused."""

    def reconcile(self, key: Key, view: View, now: float) -> Outcome:
        """What is to be done about a key, given how things are. It is called again until nothing is."""


class _Queue:
    """The keys of one controller: those to look at now, and those that wait for a time."""

    def __init__(self) -> None:
        self.now: dict[Key, None] = {}
        self.later: list[tuple[float, Key]] = []
        self.due: dict[Key, float] = {}
        self.failures: dict[Key, int] = {}

    def at(self, key: Key, time: float) -> None:
        """Look at a key at a time, in the place of any other that was noted for it."""
        self.due[key] = time
        heapq.heappush(self.later, (time, key))

    def ripen(self, now: float) -> None:
        while self.later and self.later[0][0] <= now:
            time, key = heapq.heappop(self.later)
            if self.due.get(key) == time:
                del self.due[key]
                self.now[key] = None

    def next_time(self) -> float | None:
        while self.later and self.due.get(self.later[0][1]) != self.later[0][0]:
            heapq.heappop(self.later)
        return self.later[0][0] if self.later else None


class Runner:
    """Controllers at work on one server."""

    def __init__(
        self,
        client: ApiClient,
        controllers: Sequence[Controller],
        clock: Callable[[], float],
        meter: Callable[[Measure], None] = lambda measure: None,
    ) -> None:
        self.view = View()
        self._client = client
        self._controllers = tuple(controllers)
        self._queues = tuple(_Queue() for _ in controllers)
        self._clock = clock
        self._meter = meter
        self._recorder = Recorder()

    def step(self) -> bool:
        """Hear what has changed, and look at one key; False where there is nothing to do at this moment."""
        for resource in self._client.resources():
            self.view.meet(resource)
        for change in self._client.changes():
            self._hear(change)
        now = self._clock()
        for controller, queue in zip(self._controllers, self._queues, strict=True):
            queue.ripen(now)
            if queue.now:
                key = next(iter(queue.now))
                del queue.now[key]
                self._look(controller, queue, key, now)
                return True
        return False

    def next_time(self) -> float | None:
        """When somebody wants to look again, if anybody does."""
        times = (time for queue in self._queues if (time := queue.next_time()) is not None)
        return min(times, default=None)

    def _hear(self, change: Change) -> None:
        before = self.view.find(change.resource, change.namespace, change.name)
        if self.view.take(change):
            now = self.view.find(change.resource, change.namespace, change.name)
            news = News(change.resource, change.namespace, change.name, before, now)
            for controller, queue in zip(self._controllers, self._queues, strict=True):
                queue.now.update(dict.fromkeys(controller.keys(news, self.view)))

    def _look(self, controller: Controller, queue: _Queue, key: Key, now: float) -> None:
        outcome = controller.reconcile(key, self.view, now)
        refusal, left = self._execute(controller, outcome.commands, now)
        for measure in outcome.measures:
            self._meter(measure)
        if outcome.again is not None:
            queue.at(key, outcome.again)
        if refusal is None:
            queue.failures.pop(key, None)
            return
        for command in left:
            self._remind(controller, command)
        failures = queue.failures.get(key, 0) + 1
        queue.failures[key] = failures
        overtaken = refusal.code in (_CONFLICT, _GONE) and failures == 1
        queue.at(key, now if overtaken else now + min(float(2 ** (failures - 1)), LONGEST_BACKOFF))

    def _execute(
        self, controller: Controller, commands: Sequence[Command | Tell], now: float
    ) -> tuple[Answer | None, tuple[Command, ...]]:
        """Ask for one thing after the other, up to the first that is refused: the refusal, and what was not done."""
        moved: dict[Place, int] = {}
        for position, command in enumerate(commands):
            if isinstance(command, Tell):
                self._tell(command, now)
                continue
            if isinstance(command, Patch) and command.revision:
                place = (command.resource, command.namespace, command.name)
                command = msgspec.structs.replace(command, revision=moved.get(place, command.revision))
            answer = self._client.ask(call_of(command, controller.name))
            if not answer.is_yes:
                return answer, tuple(one for one in commands[position:] if not isinstance(one, Tell))
            if isinstance(command, Create | Patch):
                revision = self._learn(command.resource, answer)
                if isinstance(command, Patch):
                    moved[command.resource, command.namespace, command.name] = revision
        return None, ()

    def _learn(self, resource: Resource, answer: Answer) -> int:
        """Take an answer for news: the server's own news of it may come late."""
        meta = answer.body["metadata"]
        revision = int(meta["resourceVersion"])
        body = msgspec.json.encode(answer.body)
        self._hear(Change(resource, meta.get("namespace", ""), meta["name"], revision, body))
        return revision

    def _tell(self, tell: Tell, now: float) -> None:
        """An event that is refused is lost, as everywhere."""
        resource = self.view.resource("Event")
        if resource is not None:
            self._client.ask(call_of(self._recorder.command(tell, resource, now), tell.component))
            self._recorder.forget(now)

    def _remind(self, controller: Controller, command: Command) -> None:
        """Show a controller once more an object that it could not change; when it acts is decided elsewhere."""
        name = command.body["metadata"]["name"] if isinstance(command, Create) else command.name
        item = self.view.find(command.resource, command.namespace, name)
        before = item
        if before is None:
            body = msgspec.json.encode(command.body if isinstance(command, Create) else {"metadata": {"name": name}})
            before = Item(Change(command.resource, command.namespace, name, 0, body, is_gone=True))
        tuple(controller.keys(News(command.resource, command.namespace, name, before, item), self.view))
