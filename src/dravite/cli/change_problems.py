"""What is wrong with a change that `what-if` supposes: with its objects, and with changing those that are there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from dravite.admission.identities import TWICE, metadata_of
from dravite.api.document import Problem
from dravite.api.meta import Model, ObjectRef
from dravite.api.releases import Profile
from dravite.planning.supposed import Applied, FieldSet, Supposed
from dravite.snapshot.manifests import Manifests
from dravite.snapshot.snapshot import key_of
from dravite.validation import why_not_update

CHANGE_REFUSED: Final = "change-refused"


def change_problems(
    before: Manifests, after: Manifests, profile: Profile, told: Iterable[Supposed]
) -> tuple[Problem, ...]:
    """All problems of the changed inputs; that an object was there before it is applied is none."""
    known = {str(ref) for ref in before.origins}
    old = frozenset(before.problems)
    own = (one for one in after.problems if one in old or one.type != TWICE or one.object not in known)
    changed = dict.fromkeys(one.object for one in told if isinstance(one, Applied | FieldSet))
    return (*own, *(problem for ref in changed for problem in _refused(before, after, ref, profile)))


def _refused(before: Manifests, after: Manifests, ref: ObjectRef, profile: Profile) -> Iterator[Problem]:
    """Why a server would not put an object in the place of the one that is there; it is planned all the same."""
    old, new = _object(before, ref), _object(after, ref)
    origin = after.origins.get(ref)
    if old is None or new is None or origin is None:
        return
    for error in why_not_update(new, old, profile):
        yield Problem(
            severity="warning",
            type=CHANGE_REFUSED,
            object=str(ref),
            field=error.field,
            file=origin.file or None,
            line=after.line_of(ref, error.field) if origin.file else None,
            message=f"a server refuses this change of {ref}, which is there already: {error.detail}",
            hint="delete it first, and make it anew",
        )


def _object(manifests: Manifests, ref: ObjectRef) -> Model | None:
    """An object that has rules for changes."""
    kinds: Mapping[str, Iterable[Model]] = {
        "ResourceClaim": manifests.claims,
        "ResourceClaimTemplate": manifests.templates,
        "ResourceSlice": manifests.slices,
        "DeviceClass": manifests.classes,
        "DeviceTaintRule": manifests.taint_rules,
        "PodGroup": manifests.pod_groups,
        "CompositePodGroup": manifests.composite_pod_groups,
        "Workload": manifests.workloads,
        "PriorityClass": manifests.priority_classes,
    }
    found = (one for one in kinds.get(ref.kind, ()) if key_of(metadata_of(one)) == (ref.namespace, ref.name))
    return next(found, None)
