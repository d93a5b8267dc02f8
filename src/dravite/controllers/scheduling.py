"""The scheduler and what surrounds claims, at work on a server: the functions of a rehearsal on a live picture.

Whatever happens is shown in the picture; then one thing is done, and its difference is what is asked of the server.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dravite.api.meta import ObjectRef
from dravite.api.releases import Profile
from dravite.controllers.classic import TALK
from dravite.controllers.commands import Command
from dravite.controllers.differences import Moment, commands, stamped
from dravite.controllers.happenings import Tell
from dravite.controllers.picture import FIELDS, Picture
from dravite.controllers.runner import Key, News, Outcome
from dravite.controllers.scheduling_measures import measures_of, pending
from dravite.controllers.view import View
from dravite.lifecycle.claim_complaints import complaints
from dravite.lifecycle.instants import text_of
from dravite.rehearsal.bindings import check_binding
from dravite.rehearsal.controllers import keep_claims
from dravite.rehearsal.queue import Queue
from dravite.rehearsal.scheduling import schedule_next
from dravite.rehearsal.world import Record, Terms, Told
from dravite.snapshot.snapshot import Snapshot

CLUSTER: Key = ("cluster",)


class Scheduling:
    """One controller: what it looks at is always the whole cluster. With a seed it draws the names that it gives."""

    name = "kube-scheduler"

    def __init__(self, profile: Profile, terms: Terms | None = None, seed: str = "") -> None:
        self._picture = Picture(profile, terms or Terms(), seed)
        self._profile = profile
        self._queue = Queue()
        self._dirty: dict[ObjectRef, None] = {}
        self._idle_at = -1
        self._complained: frozenset[tuple[ObjectRef, str]] = frozenset()

    @property
    def snapshot(self) -> Snapshot:
        """The cluster as of the last look."""
        return self._picture.snapshot

    def keys(self, news: News, view: View) -> Iterable[Key]:
        if news.resource.kind in FIELDS or news.resource.kind == TALK:
            self._dirty[news.item.ref] = None
            yield CLUSTER

    def reconcile(self, key: Key, view: View, now: float) -> Outcome:
        """One attempt of the scheduler, or else one round of the claim controller."""
        world = self._picture.world
        world.now = max(world.now, now)
        dirty, self._dirty = self._dirty, {}
        self._picture.catch_up(dirty, view)
        before = Moment(world.snapshot, dict(world.bindings))
        acted = self._act()
        world.snapshot = stamped(before.snapshot, world.snapshot, text_of(now))
        after = Moment(world.snapshot, world.bindings)
        asked: list[Command | Tell] = list(commands(before, after, view, text_of(now)))
        measures = tuple(measures_of(world.record, asked, self._profile))
        told = world.record.told if acted else [*world.record.told, *self._complaints()]
        world.record = Record()
        asked += (tell for one in told if (tell := _tell(one, view)) is not None)
        if acted:
            return Outcome(tuple(asked), now, measures)
        self._picture.forget()
        return Outcome(tuple(asked), self._next_time(), (*measures, *pending(self._queue.sizes(world))))

    def _act(self) -> bool:
        """Do one thing; False where there is nothing to do at this moment."""
        world = self._picture.world
        event = world.agenda.next()
        if event is not None and event.time <= world.now:
            world.agenda.take()
            if event.kind == "binding-check":
                check_binding(world, (event.subject.namespace, event.subject.name))
            return True
        if world.version == self._idle_at and all(time > world.now for time in self._times()):
            return False  # what has happened matters to nobody here
        if schedule_next(world, self._queue):
            return True
        before = world.snapshot
        keep_claims(world)
        self._idle_at = world.version if world.snapshot is before else -1
        return world.snapshot is not before

    def _next_time(self) -> float | None:
        world = self._picture.world
        event = world.agenda.next()
        times = [event.time] if event is not None else []
        times += [time for time in self._times() if time > world.now]
        return min(times, default=None)

    def _times(self) -> Iterator[float]:
        """When somebody is tried again, be it that nothing has happened meanwhile."""
        yield from self._queue.retries(self._picture.world)
        overdue = self._queue.overdue()
        if overdue is not None:
            yield overdue

    def _complaints(self) -> Iterator[Told]:
        """What the claim controller says, each thing once."""
        found = frozenset(complaints(self.snapshot))
        for about, message in sorted(found - self._complained):
            yield Told(
                about=about,
                reason="FailedResourceClaimCreation",
                message=message,
                component="resource_claim",
                type="Warning",
            )
        self._complained = found


def _tell(told: Told, view: View) -> Tell | None:
    about = view.get(told.about.kind, told.about.namespace, told.about.name)
    related = told.related
    if about is None:
        return None
    return Tell(
        about=about,
        reason=told.reason,
        message=told.message,
        component=told.component,
        type=told.type,
        action=told.action,
        related=view.get(related.kind, related.namespace, related.name) if related is not None else None,
    )
