"""The templates that StatefulSets and DaemonSets have had, kept as ControllerRevisions so that one can go back to them.

The current template is always the newest revision, also after going back. As many others as a workload says are kept,
besides those that pods are still of.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import msgspec

from dravite.api.meta import ObjectRef
from dravite.api.plain import Plain, PlainView
from dravite.lifecycle.turns import REVISION_LABEL, Edit, Taken, Turn, is_going, template_of
from dravite.workloads.raw_paths import look_up, mapping

KIND: Final = "ControllerRevision"
_MARKS: Final = {"StatefulSet": "controller.kubernetes.io/hash", "DaemonSet": REVISION_LABEL}
"""Under which label a revision has its hash."""

_HISTORY: Final = 10


class History(msgspec.Struct, frozen=True):
    """The revisions that a workload has.

    Attributes:
        revisions: all of them.
        current: the name of the one of the current template.
        in_use: the names of those that pods are of.
        taken: which names revisions have, also those of other workloads.
    """

    revisions: Sequence[PlainView]
    current: str
    in_use: Collection[str]
    taken: Taken


def with_history(turn: Turn, workload: PlainView, history: History) -> Turn:
    """The turn with what keeps the history."""
    if is_going(workload) or not template_of(workload):
        return turn
    newest = max(map(_number, history.revisions), default=0)
    known = next((one for one in history.revisions if one["metadata"]["name"] == history.current), None)
    made = () if history.taken(history.current) else (_revision(workload, history.current, newest + 1),)
    is_old = known is not None and _number(known) < newest
    edits = (Edit(_ref(workload, history.current), {"revision": newest + 1}),) if is_old else ()
    return msgspec.structs.replace(
        turn,
        make=(*turn.make, *made),
        edit=(*turn.edit, *edits),
        remove=(*turn.remove, *_forgotten(workload, history)),
    )


def _forgotten(workload: PlainView, history: History) -> list[ObjectRef]:
    """The oldest ones that are neither current nor in use, beyond those that are kept."""
    limit, live = look_up(workload, ("spec", "revisionHistoryLimit")), {history.current, *history.in_use}
    idle = sorted((one for one in history.revisions if one["metadata"]["name"] not in live), key=_number)
    kept = limit if isinstance(limit, int) else _HISTORY
    return [_ref(workload, one["metadata"]["name"]) for one in idle[: max(0, len(idle) - kept)]]


def _revision(workload: PlainView, name: str, number: int) -> PlainView:
    template, meta = template_of(workload), workload["metadata"]
    labels: Plain = dict(mapping(look_up(template, ("metadata", "labels"))))
    labels[_MARKS[workload["kind"]]] = name.rpartition("-")[2]
    owner = {"apiVersion": workload["apiVersion"], "kind": workload["kind"], "name": meta["name"], "uid": meta["uid"]}
    annotations = mapping(meta.get("annotations"))
    return {
        "apiVersion": "apps/v1",
        "kind": KIND,
        "metadata": {
            "name": name,
            "namespace": meta["namespace"],
            "labels": labels,
            **({"annotations": dict(annotations)} if annotations else {}),
            "ownerReferences": [{**owner, "controller": True, "blockOwnerDeletion": True}],
        },
        "data": {"spec": {"template": {**template, "$patch": "replace"}}},
        "revision": number,
    }


def _ref(workload: PlainView, name: str) -> ObjectRef:
    return ObjectRef(KIND, workload["metadata"]["namespace"], name)


def _number(revision: PlainView) -> int:
    number = revision.get("revision")
    return number if isinstance(number, int) else 0
