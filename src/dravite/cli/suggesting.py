"""The `dravite what-if` that shows what a remedy does besides: to others, and to what is planned around it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import msgspec

from dravite.api.meta import ObjectRef
from dravite.cli.flags import ADD_NODES, WITHOUT
from dravite.explain.explanation import Explanation
from dravite.planning.leaving import controller_of
from dravite.render.report import PodReport
from dravite.snapshot.changes import AddNodes, Change, RemoveObject
from dravite.snapshot.snapshot import Snapshot


def with_commands(report: PodReport, found: Explanation, inputs: Sequence[str], start: Snapshot) -> PodReport:
    """The report with a command beside each hint that `what-if` can play. `inputs` ask the same cluster again."""
    pod = report.decisions[0].pod
    asked = ("dravite", "what-if", *inputs, "-n", pod.namespace, f"pod/{pod.name}")
    hints = tuple(
        msgspec.structs.replace(hint, command=shlex.join((*asked, *flags))) if flags else hint
        for hint, remedy in zip(report.hints, found.remedies, strict=False)
        for flags in [what_if_flags(remedy.changes, start)]
    )
    return msgspec.structs.replace(report, hints=hints)


def what_if_flags(changes: Sequence[Change], start: Snapshot) -> tuple[str, ...]:
    """The flags that suppose these changes; none where one of them cannot be said, or somebody would undo it."""
    said: list[str] = []
    for change in changes:
        match change:
            case RemoveObject(object=ref) if _ends_for_good(ref, start):
                said += [WITHOUT.names[-1], f"pod/{ref.namespace}/{ref.name}"]
            case AddNodes(like=like, count=count):
                said += [ADD_NODES.names[-1], f"{like}={count}"]
            case _:
                return ()
    return tuple(said)


def _ends_for_good(ref: ObjectRef, start: Snapshot) -> bool:
    """Whether a pod is there that no controller makes again."""
    planned = start.pod(ref) if ref.kind == "Pod" else None
    return planned is not None and planned.owner is None and controller_of(planned.pod) is None
