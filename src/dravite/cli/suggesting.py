"""The `dravite what-if` that shows what a remedy does besides: to others, and to what is planned around it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

import msgspec

from dravite.api.meta import ObjectRef, controller_of
from dravite.cli.flags import ADD_NODES, SET, UNCORDON, WITHOUT
from dravite.cli.setting import settings
from dravite.explain.explanation import Explanation
from dravite.explain.groups.explanation import DropTopology, GroupAdvice, GroupExplanation, LowerMinCount
from dravite.explain.remedies.advice import Advice
from dravite.render.report import PodGroupReport, PodReport
from dravite.snapshot.changes import AddNodes, Change, Cordon, RemoveObject, SetObject
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


def of_group(report: PodGroupReport, found: GroupExplanation, inputs: Sequence[str], start: Snapshot) -> PodGroupReport:
    """The same for a PodGroup; one that stands in a Workload, or that nobody wrote, is no subject of `what-if`."""
    group = report.decision.group
    if (group.namespace, group.name) not in start.pod_groups or "/" in group.name:
        return report
    asked = ("dravite", "what-if", *inputs, "-n", group.namespace, f"podgroup/{group.name}")
    hints = tuple(
        msgspec.structs.replace(hint, command=shlex.join((*asked, *flags))) if flags else hint
        for hint, remedy in zip(report.hints, found.remedies, strict=False)
        for flags in [_field_flags(remedy.advice) or what_if_flags(remedy.changes, start)]
    )
    return msgspec.structs.replace(report, hints=hints)


def _field_flags(advice: GroupAdvice | Advice) -> tuple[str, ...]:
    """The flags for advice that changes one field of a group; none for any other."""
    match advice:
        case LowerMinCount(group=group, possible=possible):
            return (SET.names[-1], f"{_named(group)}:spec.schedulingPolicy.gang.minCount={possible}")
        case DropTopology(group=group):
            return (SET.names[-1], f"{_named(group)}:spec.schedulingConstraints=null")
        case _:
            return ()


def _named(ref: ObjectRef) -> str:
    return f"{ref.kind.lower()}/{ref.namespace}/{ref.name}"


def what_if_flags(changes: Sequence[Change], start: Snapshot) -> tuple[str, ...]:
    """The flags that suppose these changes; none where one of them cannot be said, or somebody would undo it."""
    said: dict[tuple[str, str], None] = {}
    for change in changes:
        flags = tuple(_flags(change, start))
        if not flags:
            return ()
        said.update(dict.fromkeys(flags))
    return tuple(word for flag in said for word in flag)


def _flags(change: Change, start: Snapshot) -> Iterator[tuple[str, str]]:
    match change:
        case RemoveObject(object=ref) if _ends_for_good(ref, start):
            yield WITHOUT.names[-1], f"pod/{ref.namespace}/{ref.name}"
        case AddNodes(like=like, count=count):
            yield ADD_NODES.names[-1], f"{like}={count}"
        case Cordon(node=node, lifted=True):
            yield UNCORDON.names[-1], node
        case SetObject(object=changed):
            yield from ((SET.names[-1], word) for word in settings(changed, start))


def _ends_for_good(ref: ObjectRef, start: Snapshot) -> bool:
    """Whether a pod is there that no controller makes again."""
    planned = start.pod(ref) if ref.kind == "Pod" else None
    return planned is not None and planned.owner is None and controller_of(planned.pod.metadata) is None
