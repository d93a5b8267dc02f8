"""The controllers of a control plane, in a thread of their own beside the server's event loop.

Every request of theirs is answered in that loop, one between two requests of others; what they think about takes
nobody's time but theirs.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
import time
from collections.abc import Callable
from typing import Any, Final

import msgspec

from dravite.apiserver import ApiServer
from dravite.controllers.kubelets import Habits
from dravite.controllers.runner import Measure, Runner
from dravite.embedded.in_process import InProcess

_LONGEST_NAP: Final = 60.0
_STOP_SECONDS: Final = 5.0


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """What a control plane does besides answering.

    Attributes:
        controllers: whether controllers and scheduler run.
        kubelets: how the stand-ins for kubelets behave; None for no such.
    """

    controllers: bool = True
    kubelets: Habits | None = None


class ControlLoop:
    """Controllers at work on a server, from `start` to `stop`; `fault` is what ended them before their time."""

    def __init__(self, server: ApiServer, work: Work) -> None:
        self._server = server
        self._work = work
        self._moved = threading.Event()
        self._ends = threading.Event()
        self._thread: threading.Thread | None = None
        self.fault: Exception | None = None
        server.store.when_durable(self._moved.set)

    def start(self, loop: asyncio.AbstractEventLoop, failed: Callable[[], None]) -> None:
        """Begin to work; `loop` is where the server answers. Should a controller fail, `failed` is called."""
        client = InProcess(self._server, _within(loop))
        target = threading.Thread(target=self._run, args=(client, failed), name="dravite-controllers", daemon=True)
        self._thread = target
        target.start()

    def stop(self) -> None:
        """End the work; the server must still answer meanwhile."""
        self._ends.set()
        self._moved.set()
        if self._thread is not None:
            self._thread.join(_STOP_SECONDS)

    def _run(self, client: InProcess, failed: Callable[[], None]) -> None:
        try:
            self._work_on(client)
        except Exception as fault:
            if not self._ends.is_set():
                self.fault = fault
                failed()

    def _measure(self, measure: Measure) -> None:
        metrics = self._server.backend.metrics
        if measure.how == "count":
            metrics.count(measure.name, measure.labels, int(measure.value))
        elif measure.how == "observe":
            metrics.observe(measure.name, measure.labels, measure.value)
        else:
            metrics.set(measure.name, measure.labels, measure.value)

    def _work_on(self, client: InProcess) -> None:
        from dravite.controllers.roster import controllers_for  # most of dravite, and the server need not wait for it

        roster = controllers_for(self._server.backend.profile, seed=secrets.token_hex(4), kubelets=self._work.kubelets)
        runner = Runner(client, roster, time.time, self._measure)
        while not self._ends.is_set():
            self._moved.clear()
            if not runner.step():
                due = runner.next_time()
                self._moved.wait(_LONGEST_NAP if due is None else min(max(due - time.time(), 0.0), _LONGEST_NAP))


def _within(loop: asyncio.AbstractEventLoop) -> Callable[[Callable[[], Any]], Any]:
    """Runs functions in an event loop, for a thread that waits for what they give."""

    async def run(function: Callable[[], Any]) -> Any:
        return function()

    return lambda function: asyncio.run_coroutine_threadsafe(run(function), loop).result()
