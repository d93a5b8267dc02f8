"""`--live`: the running cluster as the input of a command, asked once, when all is quiet, or on and on."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import msgspec

from dravite.admission.admit import admit
from dravite.api.document import Document
from dravite.api.meta import ObjectRef
from dravite.api.releases import Profile
from dravite.cli.answering import Answer, Answering, say
from dravite.cli.arguments import Arguments
from dravite.cli.control_plane import set_apart
from dravite.cli.dispatch import NoAnswer, UsageError, gates_error
from dravite.cli.exit_codes import INTERRUPTED, ExitCode
from dravite.cli.flags import EVERYWHERE, LIVE, SETTLE, WATCH
from dravite.cli.live_session import Session
from dravite.cli.progress import Progress, Tell
from dravite.cli.question import Cluster, Input, input_notes, knowing, sight
from dravite.cli.workload_kinds import known_kinds
from dravite.diagnosis.observations import ListNarrowed, ListRefused, NeverQuiet, Observation, Unwatched
from dravite.live.mirror import Changes, Mirror
from dravite.live.profiles import Planned, Wish, planned_for
from dravite.live.reading import Reading
from dravite.render import words
from dravite.render.view.live import Now, observations
from dravite.render.view.sight import said
from dravite.snapshot.manifests import Manifests
from dravite.sources import STDIN, read
from dravite.workloads import PodTemplates, makes_pods

SETTLED: Final = 1.0
"""Seconds without a change that matters after which a cluster is at rest."""

SETTLING: Final = 20.0
"""Seconds to wait for that before the first answer is tried."""

_AGE: Final = re.compile(r"\b\d+ (second|minute|hour|day)s? ago\b")

ROUNDS: Final = 5
NAMED: Final = 4


class Asked(msgspec.Struct, frozen=True):
    """One question to one cluster, whatever the moment: what stays the same from answer to answer."""

    arguments: Arguments
    session: Session
    files: tuple[Document, ...]
    kinds: PodTemplates
    answer: Answering

    def at(self, reading: Reading, more: Sequence[Observation] = ()) -> Answer:
        """The answer to the cluster as it was read."""
        progress = Progress()
        with progress.shown():
            return self.answer(self.arguments, self._input(reading, more, progress.tell))

    def _input(self, reading: Reading, more: Sequence[Observation], tell: Tell) -> Input:
        planned = chosen(self.arguments, reading)
        home = self.arguments.namespace or self.session.access.namespace
        documents = (*reading.documents, *self.files)
        tell(f"checking {words.count(len(documents), 'object')}")
        known = knowing(self.arguments)
        manifests = admit(documents, planned.profile, home, self.kinds, known)
        noticed = observations((*reading.observations, *planned.observations, *more))
        return Input(
            manifests,
            planned.profile,
            sight(manifests, self.arguments),
            (*input_notes(manifests), *noticed),
            self._cluster(manifests, reading),
            home,
            documents if known is not None else (),
            tell,
            known,
        )

    def _cluster(self, manifests: Manifests, reading: Reading) -> Cluster:
        arguments, access = self.arguments, self.session.access
        everywhere = EVERYWHERE.key in arguments.show
        return Cluster(
            flags=flags_said(arguments),
            hear=self.session.hear,
            now=now(manifests),
            partial=is_partial(reading),
            namespace=None if everywhere else arguments.namespace or access.namespace,
            files=bool(self.files),
            workloads=frozenset(workloads_in(self.files, arguments.namespace or access.namespace, self.kinds)),
        )


class Around(msgspec.Struct, frozen=True):
    """A running cluster as the surroundings of files; `partial` where some of it could not be read."""

    documents: tuple[Document, ...]
    profile: Profile
    namespace: str
    notes: tuple[str, ...]
    partial: bool


def around(arguments: Arguments, files: tuple[Document, ...]) -> Around:
    """The cluster as it is now, for commands that plan nothing."""
    kinds = known_kinds(arguments.pod_templates)
    with Session.open(arguments, files, kinds) as session:
        reading = session.read()
        planned = chosen(arguments, reading)
        notes = observations((*reading.observations, *planned.observations))
        home = arguments.namespace or session.access.namespace
        return Around(reading.documents, planned.profile, home, notes, is_partial(reading))


def is_partial(reading: Reading) -> bool:
    """Whether something may be there that could not be read."""
    return any(isinstance(one, ListRefused | ListNarrowed) for one in reading.observations)


def chosen(arguments: Arguments, reading: Reading) -> Planned:
    """The release and gates to answer for. Raises `UsageError` with everything that is wrong with the user's."""
    found = planned_for(
        reading.server, reading.gates, reading.lists, Wish(arguments.release_said, ",".join(arguments.gates))
    )
    if isinstance(found, Planned):
        return found
    raise gates_error(error.detail for error in found)


def answered_live(
    arguments: Arguments, paths: Sequence[str], answer: Answering, more: tuple[Document, ...] = ()
) -> int:
    """Read the cluster, answer, print; with `--watch` again and again until interrupted.

    `more` are documents that the answer itself brings in: what is there of their kinds must be known.
    """
    kinds = known_kinds(arguments.pod_templates)
    files, *_ = set_apart(read(paths, sys.stdin.buffer.read() if STDIN in paths else b""))
    with Session.open(arguments, (*files, *more), kinds) as session:
        asked = Asked(arguments, session, files, kinds, answer)
        if WATCH.key in arguments.show:
            return watched(asked)
        made = settled(asked) if SETTLE.key in arguments.show else asked.at(session.read())
        say(made)
        return made.code


def settled(asked: Asked) -> Answer:
    """The answer to a cluster in which nothing that matters changed while it was made."""
    mirror = asked.session.mirror()
    until = time.monotonic() + SETTLING
    while True:
        changes = mirror.wait(SETTLED)
        if changes.blind:
            return asked.at(mirror.reading(), [Unwatched(_messages(changes))])
        if not changes.objects or time.monotonic() > until:
            break
    for _ in range(ROUNDS):
        made = asked.at(mirror.reading())
        changes = mirror.wait(0.0)
        if not changes.objects or made.code == INTERRUPTED:
            return made
    never = NeverQuiet(ROUNDS, changes.objects[:NAMED], len(changes.objects))
    return asked.at(mirror.reading(), [never])


def watched(asked: Asked) -> int:
    """Answer now, and again whenever something that matters has changed and the answer with it."""
    mirror = asked.session.mirror()
    last = asked.at(mirror.reading())
    say(last)
    try:
        while last.code != INTERRUPTED:
            changes = mirror.wait(None)
            _tell_lost(changes)
            if changes.objects:
                last = _again(asked, mirror, last, changes)
            if changes.blind:
                message = f"the cluster cannot be watched: {words.listed(_messages(changes))}"
                command = asked.arguments.command
                raise NoAnswer(message, f"`dravite rbac {command} --watch` prints the rights that are needed")
    except KeyboardInterrupt:
        pass
    return last.code


def _messages(changes: Changes) -> tuple[str, ...]:
    return tuple(one.message for one in changes.lost[:1])


def _tell_lost(changes: Changes) -> None:
    if changes.blind:
        return
    for one in changes.lost:
        then = f"changes of {one.served.resource} are not seen" if one.final else "trying again"
        sys.stderr.write(f"warning: {one.message}; {then}\n")


def _again(asked: Asked, mirror: Mirror, last: Answer, changes: Changes) -> Answer:
    """The next answer, printed where it says something else than the last one."""
    try:
        made = asked.at(mirror.reading())
    except UsageError as fault:
        made = Answer("", ExitCode.NO_ANSWER, f"{fault}\n")
    if ageless(made) != ageless(last):
        if asked.arguments.output == "text":
            sys.stdout.write(f"\n--- {datetime.now(UTC):%H:%M:%S} {_what(changes.objects)}\n\n")
        say(made)
    return made


def ageless(made: Answer) -> tuple[str, str]:
    """What an answer says but for how long ago things were: ages alone are no news."""
    return _AGE.sub("", made.text), _AGE.sub("", made.talk)


def _what(changed: Sequence[ObjectRef]) -> str:
    """`pod ml/a and claim ml/b changed`."""
    names = [said(one) for one in changed[:NAMED]]
    more = [f"{len(changed) - NAMED} more"] if len(changed) > NAMED else []
    return f"{words.listed([*names, *more])} changed" if names else "changed"


def flags_said(arguments: Arguments) -> tuple[str, ...]:
    """What asks the same cluster again."""
    said_flags = (("--kubeconfig", arguments.kubeconfig), ("--context", arguments.context))
    return (LIVE.names[0], *(word for name, value in said_flags if value is not None for word in (name, value)))


def now(manifests: Manifests) -> Now:
    """This moment, and when what is there came."""
    return Now(
        datetime.now(UTC),
        tuple(node.metadata.creation_timestamp or "" for node in manifests.nodes),
        tuple(item.metadata.creation_timestamp or "" for item in manifests.slices),
    )


def workloads_in(files: Sequence[Document], namespace: str, kinds: PodTemplates) -> list[ObjectRef]:
    """The workloads that files hold."""
    found = []
    for document in files:
        raw = msgspec.json.decode(document.body) if document.body else None
        if isinstance(raw, dict) and makes_pods(
            {**raw, "apiVersion": document.api_version, "kind": document.kind}, kinds
        ):
            given = raw.get("metadata")
            metadata = given if isinstance(given, dict) else {}
            found.append(ObjectRef(document.kind, metadata.get("namespace") or namespace, str(metadata.get("name"))))
    return found
