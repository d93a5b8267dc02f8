"""One running cluster for one command: connected, read with progress on stderr, and let go of in the end."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from dravite.api.core_v1 import Pod
from dravite.api.document import Document
from dravite.api.meta import ObjectRef
from dravite.cli.arguments import Arguments
from dravite.cli.dispatch import NoAnswer
from dravite.cli.flags import EVERYWHERE
from dravite.cli.progress import StatusLine
from dravite.diagnosis.observations import Resource, Saying
from dravite.live.faults import ClusterError
from dravite.live.kubeconfig import Access, Choice, find_access
from dravite.live.lists import Asking
from dravite.live.mirror import Mirror
from dravite.live.reading import Question, Reading, Tally, known_lines, read_cluster
from dravite.live.sayings import hear
from dravite.live.transport import Transport, connect
from dravite.live.wanted import wanted_by
from dravite.render.view.live import observed
from dravite.workloads import PodTemplates

FIRST_WORD: Final = 2.0
NEXT_WORD: Final = 5.0
ON_TERMINAL: Final = 0.2
"""Seconds after which progress is shown: in a pipe or log for the first time and then again, and on a terminal."""


class Session:
    """A connection to one cluster, and what is asked of it."""

    def __init__(self, transport: Transport, access: Access, question: Question) -> None:
        self.access = access
        self._transport = transport
        self._question = question
        self._ended = threading.Event()

    @classmethod
    @contextmanager
    def open(cls, arguments: Arguments, files: Sequence[Document], kinds: PodTemplates) -> Iterator[Session]:
        """A session for a command. Faults of the cluster become `NoAnswer`; the connection is closed at the end."""
        progress = ProgressLine()
        with clear_faults(), progress.closing():
            access = find_access(Choice(arguments.kubeconfig, arguments.context), os.environ)
            everywhere = EVERYWHERE.key in arguments.show
            question = Question(
                wanted_by(arguments.command, resources_of(files, kinds)),
                arguments.command,
                "" if everywhere else arguments.namespace or access.namespace,
                progress.tell,
            )
            session = cls(connect(access, arguments.patience), access, question)
            try:
                yield session
            except KeyboardInterrupt:
                progress.say_known()
                raise
            finally:
                session.close()

    def close(self) -> None:
        """Follow nothing any more, and break off what is still coming."""
        self._ended.set()
        self._transport.close()

    def read(self) -> Reading:
        """The cluster as it is now."""
        return read_cluster(self._transport, self.access, self._question)

    def mirror(self) -> Mirror:
        """The cluster, read and from then on followed."""
        asking = Asking(transport=self._transport, access=self.access, stop=self._ended)
        made = Mirror(asking, self.read())
        made.start()
        return made

    def hear(self, pods: Sequence[Pod]) -> tuple[Mapping[ObjectRef, tuple[Saying, ...]], tuple[str, ...]]:
        """What Kubernetes said of pods, and notes on what could not be heard."""
        heard = hear(self._transport, pods)
        return heard.of, tuple(observed(one) for one in heard.unread)


def resources_of(files: Sequence[Document], kinds: PodTemplates) -> list[Resource]:
    """The resources of the workloads in files: what exists of them must be known, lest it be planned twice."""
    found = []
    for document in files:
        group = document.api_version.rpartition("/")[0]
        if (group, document.kind) in kinds:
            found.append(Resource(group, f"{document.kind.lower()}s"))
    return found


@contextmanager
def clear_faults() -> Iterator[None]:
    """Faults of the cluster as what the command line says of them."""
    try:
        yield
    except ClusterError as fault:
        raise NoAnswer(str(fault), fault.hint, fault.known) from fault


class ProgressLine:
    """How far the reading is: one line that is written over on a terminal, now and then a line elsewhere."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._begun = time.monotonic()
        self._next = self._begun + (ON_TERMINAL if self._terminal else FIRST_WORD)
        self._tallies: tuple[Tally, ...] = ()
        self._line = StatusLine()

    def tell(self, tallies: Sequence[Tally]) -> None:
        """Take note of progress, and show it if it is time."""
        self._tallies = tuple(tallies)
        moment = time.monotonic()
        if all(one.done for one in tallies):
            self._line.wipe()
        elif moment >= self._next:
            self._next = moment + (ON_TERMINAL if self._terminal else NEXT_WORD)
            self._show(progress_text(tallies))

    def _show(self, text: str) -> None:
        if not self._terminal:
            sys.stderr.write(f"{text}\n")
            return
        self._line.show(text)

    @contextmanager
    def closing(self) -> Iterator[None]:
        """Leave no half line behind."""
        try:
            yield
        finally:
            self._line.wipe()

    def say_known(self) -> None:
        """What was known when somebody lost patience."""
        self._line.wipe()
        lines = known_lines(self._tallies)
        whole = bool(self._tallies) and all(one.done for one in self._tallies)
        head = "the cluster was read; the answer was not ready" if whole else "the cluster was not read to the end"
        sys.stderr.write("".join(f"{line}\n" for line in (head, *lines)))


def progress_text(tallies: Sequence[Tally]) -> str:
    """`reading: pods 12500 of 20000, nodes 500; 9 of 16 lists done`."""
    open_lists = [one for one in tallies if not one.done and one.read]
    parts = [f"{one.plural} {one.read}" + (f" of {one.total}" if one.total else "") for one in open_lists]
    done = sum(one.done for one in tallies)
    return f"reading: {', '.join(parts) or 'waiting for the server'}; {done} of {len(tallies)} lists done"
