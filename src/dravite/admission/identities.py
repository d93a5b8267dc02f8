"""Who is who: names that would be drawn, stand-in uids, and objects that were read more than once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from dravite.admission.problems import spoils
from dravite.admission.reading import Taken, with_metadata
from dravite.api.core_v1 import Node, NodeStatus, Pod
from dravite.api.document import Problem
from dravite.api.meta import Model, ObjectMeta, ObjectRef
from dravite.api.resource_v1 import ResourceClaim

TWICE = "object-read-twice"


def named(objects: Iterable[Taken]) -> Iterator[Taken]:
    """Objects with `generateName` and no name get one: the prefix and their number, in the order of the input."""
    counts: dict[ObjectRef, int] = {}
    for taken in objects:
        meta = metadata_of(taken.object)
        if meta.name or not meta.generate_name:
            yield taken
            continue
        series = ObjectRef(taken.ref.kind, taken.ref.namespace, meta.generate_name)
        counts[series] = number = counts.get(series, 0) + 1
        yield renamed(taken, f"{meta.generate_name}{number}")


def renamed(taken: Taken, name: str) -> Taken:
    """The object under another name."""
    meta = msgspec.structs.replace(metadata_of(taken.object), name=name)
    ref = ObjectRef(taken.ref.kind, taken.ref.namespace, name)
    obj, judged = with_metadata(taken.object, meta), with_metadata(taken.judged, meta)
    return msgspec.structs.replace(taken, object=obj, judged=judged, ref=ref)


def with_uid(obj: Model, kind: str) -> Model:
    """The object with a uid: its own, or a stand-in that only depends on its identity."""
    meta = metadata_of(obj)
    return obj if meta.uid else with_metadata(obj, msgspec.structs.replace(meta, uid=stand_in_uid(kind, meta)))


def stand_in_uid(kind: str, meta: ObjectMeta) -> str:
    """The uid of an object that never met a server."""
    return "/".join(part for part in (kind.lower(), meta.namespace, meta.name) if part)


def metadata_of(obj: Model) -> ObjectMeta:
    """Every kind has metadata; the common ancestor of the types does not say so."""
    meta: ObjectMeta = obj.metadata  # type: ignore[attr-defined]
    return meta


def each_once(objects: Sequence[Taken]) -> tuple[tuple[Taken, ...], tuple[Problem, ...]]:
    """Objects that were read twice or in two versions become one, as if applied one after the other.

    The last good one wins; what only a server writes (uid, status, a pod's node) stays from the one before. The
    object keeps the place of the first.
    """
    kept: dict[ObjectRef, Taken] = {}
    problems: list[Problem] = []
    for taken in objects:
        before = kept.get(taken.ref)
        if before is None:
            kept[taken.ref] = taken
            continue
        bad = any(spoils(problem) for problem in taken.problems)
        kept[taken.ref] = before if bad else _applied(before, taken)
        if before.document.stored:
            problems.extend(_replaces(before, taken, bad=bad))
        else:
            problems.append(_twice(before, taken, "the first" if bad else "the last"))
        if bad:
            problems.extend(taken.problems)
    return tuple(kept.values()), tuple(problems)


def _replaces(before: Taken, taken: Taken, *, bad: bool) -> Iterator[Problem]:
    """That a file says something else than the cluster of an object; nothing where it says the same or counts not."""
    same = _bare(before) == _bare(taken)
    if not same and not bad:
        yield taken.subject.problem("info", TWICE, "is in the cluster too, and differs there: the file counts")


def _bare(taken: Taken) -> Model:
    """The object without what a server adds to it."""
    obj = with_metadata(taken.object, ObjectMeta())
    state = {"status": type(obj.status)()} if hasattr(obj, "status") else {}
    return msgspec.structs.replace(obj, **state)


def _twice(before: Taken, taken: Taken, which: str) -> Problem:
    origin = before.document.origin
    same = before.object == taken.object
    versions = {before.document.api_version, taken.document.api_version}
    what = "is here in two versions" if len(versions) > 1 else "is here twice"
    message = f"{what}, first in {origin.file}:{origin.line}" + ("" if same else f"; {which} counts")
    return taken.subject.problem(
        "info" if same else "warning", TWICE, message, "", None if same else "keep one of them"
    )


def _applied(before: Taken, after: Taken) -> Taken:
    old, new = metadata_of(before.object), metadata_of(after.object)
    meta = msgspec.structs.replace(
        new,
        uid=new.uid or old.uid,
        resource_version=new.resource_version or old.resource_version,
        creation_timestamp=new.creation_timestamp or old.creation_timestamp,
        deletion_timestamp=new.deletion_timestamp or old.deletion_timestamp,
    )
    obj = with_metadata(after.object, meta)
    problems = tuple(problem for problem in before.problems if not spoils(problem))
    return msgspec.structs.replace(after, object=_with_state(before.object, obj), problems=(*problems, *after.problems))


def _with_state(before: Model, after: Model) -> Model:
    """What the server keeps of an object that is applied again without a status."""
    if isinstance(before, Node) and isinstance(after, Node):
        return after if after.status != NodeStatus() else msgspec.structs.replace(after, status=before.status)
    if isinstance(before, ResourceClaim) and isinstance(after, ResourceClaim):
        state = after.status if after.status.allocation else before.status
        return msgspec.structs.replace(after, status=state)
    if isinstance(before, Pod) and isinstance(after, Pod):
        spec = msgspec.structs.replace(after.spec, node_name=after.spec.node_name or before.spec.node_name)
        return msgspec.structs.replace(after, spec=spec, status=after.status if after.status.phase else before.status)
    return after
