"""Playing steps over virtual time: after each step everything happens that would, and no second is slept."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from dravite.api.core_v1 import Pod
from dravite.api.meta import ObjectRef
from dravite.lifecycle.conditions import with_gates
from dravite.rehearsal.agenda import Event
from dravite.rehearsal.bindings import check_binding, is_decided
from dravite.rehearsal.controllers import reconcile
from dravite.rehearsal.deleting import delete
from dravite.rehearsal.editing import put
from dravite.rehearsal.pods import end_pod, resume_kubelets
from dravite.rehearsal.queue import Queue
from dravite.rehearsal.scheduling import schedule_next
from dravite.rehearsal.steps import Apply, Delete, Kubelets, Scheduler, Step, Wait
from dravite.rehearsal.world import BEGIN, Record, Terms, World
from dravite.snapshot.pod_edits import with_other_pod
from dravite.snapshot.snapshot import Key, Snapshot, key_of

MOST_ATTEMPTS = 10_000
"""More attempts at one moment mean that something goes round in circles."""


class Rehearsal:
    """A cluster that is played.

    Raises:
        RuntimeError: the scheduler goes round in circles, which is a fault of dravite.
    """

    def __init__(self, snapshot: Snapshot, terms: Terms | None = None, begin: float = BEGIN) -> None:
        self.world = World(snapshot, terms or Terms(), begin)
        self._queue = Queue()
        self._act()

    @property
    def snapshot(self) -> Snapshot:
        """The cluster as it is now; pods whose binding is under way are on their nodes in it."""
        return self.world.snapshot

    @property
    def record(self) -> Record:
        """What has happened so far."""
        return self.world.record

    @property
    def binding(self) -> frozenset[Key]:
        """The pods whose binding is under way."""
        return frozenset(self.world.bindings)

    def play(self, steps: Iterable[Step]) -> None:
        """Do one step after the other."""
        for step in steps:
            self.do(step)

    def do(self, step: Step) -> None:
        """Do one step, and let happen what follows from it at once."""
        world = self.world
        match step:
            case Apply():
                _apply(world, step)
            case Delete(object=ref):
                delete(world, ref)
            case Wait(seconds=None):
                self._settle()
            case Wait(seconds=seconds):
                self._pass(seconds or 0.0)
            case Scheduler(runs=runs):
                world.scheduler_runs = runs
                if runs:
                    self._restart()
            case Kubelets(run=True):
                resume_kubelets(world)
            case Kubelets():
                world.kubelets_run = False
        self._act()

    def _act(self) -> None:
        """Everything that happens at this moment; the scheduler is quicker than controllers (observed on 1.37.2)."""
        for _ in range(MOST_ATTEMPTS):
            if self.world.scheduler_runs and schedule_next(self.world, self._queue):
                continue
            before = self.world.snapshot
            reconcile(self.world)
            if self.world.snapshot is before:
                return
        message = f"more than {MOST_ATTEMPTS} scheduling attempts at one moment"
        raise RuntimeError(message)

    def _restart(self) -> None:
        """A new scheduler knows what is written and nothing else; what it was about to bind has no node."""
        self._queue = Queue()
        for key in tuple(self.world.bindings):
            del self.world.bindings[key]
            planned = self.world.snapshot.pods[key]
            spec = msgspec.structs.replace(planned.pod.spec, node_name="")
            pod = msgspec.structs.replace(planned.pod, spec=spec)
            self.world.change(with_other_pod(self.world.snapshot, msgspec.structs.replace(planned, pod=pod)))

    def _pass(self, seconds: float) -> None:
        """Let time pass, and let happen what is due meanwhile."""
        end = self.world.now + seconds
        while (time := self._next_time()) is not None and time <= end:
            self._advance(time)
        self.world.now = end

    def _settle(self) -> None:
        """Let time pass until nothing has changed for a while and nothing more is to be expected."""
        world = self.world
        begin = world.now
        while world.now <= begin + world.terms.patience:
            time, quiet = self._next_time(), max(world.changed_at, begin) + world.terms.quiet
            if time is None or (time > quiet and not self._is_expected(begin + world.terms.patience)):
                world.now = max(world.now, quiet)
                return
            self._advance(time)

    def _next_time(self) -> float | None:
        """When something happens next."""
        event = self.world.agenda.next()
        times = [event.time] if event is not None else []
        if self.world.scheduler_runs:
            times += [time for time in self._queue.retries(self.world) if time > self.world.now]
        return min(times, default=None)

    def _is_expected(self, until: float) -> bool:
        """Whether something will happen that is worth waiting for, and not only somebody looking once more."""
        if self.world.scheduler_runs and any(time > self.world.now for time in self._queue.retries(self.world)):
            return True
        return any(event.time <= until and self._matters(event) for event in self.world.agenda.all())

    def _matters(self, event: Event) -> bool:
        key = (event.subject.namespace, event.subject.name)
        if event.kind == "pod-ends":
            return self.world.kubelets_run and key in self.world.snapshot.pods
        return event.kind == "evict" or is_decided(self.world, key)

    def _advance(self, time: float) -> None:
        """Go to the next moment at which something happens."""
        world = self.world
        world.now = max(world.now, time)
        while (event := world.agenda.next()) is not None and event.time <= world.now:
            world.agenda.take()
            key = (event.subject.namespace, event.subject.name)
            match event.kind:
                case "pod-ends":
                    end_pod(world, key)
                case "binding-check":
                    check_binding(world, key)
                case "evict":
                    pass  # the controllers look at their time by themselves
            self._act()  # of two pods that end together the claims of one are free before the other is gone
        self._act()


def _apply(world: World, step: Apply) -> None:
    obj = step.object
    if isinstance(obj, Pod) and world.snapshot.pod(ObjectRef("Pod", *key_of(obj.metadata))) is None:
        obj = with_gates(obj)
        if obj.spec.node_name:
            world.record.fixed.add(key_of(obj.metadata))
    world.touched = key_of(obj.metadata)
    put(world, obj, step.owner)
