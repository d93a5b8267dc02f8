"""Playing scheduling scenarios: `python -m conformance schedule FOLDER…` writes one JSON line per folder.

Objects are applied one after the other; after each of them everything that waits is planned. Time plays no part: a
step that waits only lets things settle, and steps that stop parts of the control plane are not played.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from conformance.outcome import outcome, shown_names
from conformance.scenario import Scenario, read_scenario, step_of
from dravite.admission import admit
from dravite.api.codec import encode, from_plain
from dravite.api.document import Document
from dravite.api.meta import Model, ObjectRef
from dravite.diagnosis.reasons import PodAffinityViolated, SpreadViolated
from dravite.diagnosis.verdicts import Scheduled, Unschedulable, Waiting
from dravite.lifecycle.settling import settle
from dravite.scheduler.cycle import Attempt, Limits, schedule_pod
from dravite.scheduler.ordering import order_groups
from dravite.snapshot.changes import RemoveObject, SetObject, with_changes
from dravite.snapshot.manifests import Manifests
from dravite.snapshot.snapshot import Snapshot, build

UNPLAYED: Final = ("scheduler", "kubelets")
WAITING_ONLY: Final = frozenset({"apiVersion", "kind", "wait"})
DELETED_AT: Final = "2026-01-03T00:00:00Z"


class Played(msgspec.Struct):
    """A scenario on its way. Filled inside `play` only."""

    snapshot: Snapshot
    attempts: dict[ObjectRef, Attempt]
    bound_before: frozenset[tuple[str, str]]
    names: dict[str, str]
    skipped: list[str]


def main(arguments: list[str], release: str = "1.37") -> Iterator[str]:
    """One line per folder."""
    for folder in arguments:
        yield json.dumps(play(read_scenario(Path(folder), release)), sort_keys=True)


def play(scenario: Scenario) -> Mapping[str, Any]:
    """What becomes of a scenario, in the form of the recordings."""
    manifests = admit(scenario.cluster, scenario.profile)
    start = build(manifests, scenario.profile)
    bound = frozenset(key for key in start.pod_order if start.pods[key].pod.spec.node_name)
    played = Played(settle(start), {}, bound, {}, [])
    _schedule(played, "all")
    documents = list(scenario.cluster)
    for document in scenario.workload:
        step = step_of(document)
        if step is not None:
            _do(played, step)
        else:
            documents.append(document)
            _apply(played, admit(documents, scenario.profile), document)
        calm = step is not None and set(step) <= WAITING_ONLY
        _schedule(played, "only-new" if calm or document.kind == "Pod" else "all")
    told = outcome(played.snapshot, played.attempts, played.bound_before, played.names)
    return {"name": scenario.name, **told, "skipped": played.skipped}


def _schedule(played: Played, who: Literal["all", "only-new"]) -> None:
    """Try what waits, in the order of the queue.

    A new pod gives another one a reason to be tried again only if that one looks at its neighbours.
    """
    snapshot = settle(played.snapshot)
    for unit in order_groups(snapshot):
        for key in unit.pods:
            ref = ObjectRef("Pod", *key)
            before = played.attempts.get(ref)
            if who == "only-new" and before is not None and not _looks_at_neighbours(before):
                continue
            attempt = schedule_pod(snapshot, snapshot.pods[key], Limits())
            snapshot = attempt.after
            if before is None or isinstance(attempt.decision, Scheduled) or before.decision != attempt.decision:
                played.attempts[ref] = attempt
        played.names.update(shown_names(snapshot))
    played.snapshot = settle(snapshot)


def _looks_at_neighbours(attempt: Attempt) -> bool:
    decision = attempt.decision
    return isinstance(decision, Waiting) or (
        isinstance(decision, Unschedulable)
        and any(isinstance(r, PodAffinityViolated | SpreadViolated) for found in decision.nodes for r in found.reasons)
    )


def _apply(played: Played, manifests: Manifests, document: Document) -> None:
    """Add the object that a document holds, as it was admitted, or the pods that it stands for."""
    groups = (
        manifests.nodes,
        manifests.slices,
        manifests.classes,
        manifests.claims,
        manifests.templates,
        manifests.taint_rules,
        manifests.namespaces,
        manifests.pod_groups,
    )
    name = json.loads(bytes(document.body)).get("metadata", {}).get("name")
    found = [
        SetObject(one) for group in groups for one in group if one.kind == document.kind and one.metadata.name == name
    ]
    for planned in manifests.pods:
        stands_for = planned.owner or ObjectRef("Pod", planned.pod.metadata.namespace, planned.pod.metadata.name)
        if (stands_for.kind, stands_for.name) == (document.kind, name):
            found.append(SetObject(planned.pod, planned.owner))
    played.snapshot = with_changes(played.snapshot, found)


def _do(played: Played, step: Mapping[str, Any]) -> None:
    played.skipped += [key for key in UNPLAYED if key in step]
    if "delete" in step:
        played.snapshot = _delete(played.snapshot, _ref(step["delete"]))
        played.attempts.pop(_ref(step["delete"]), None)
    if "patch" in step:
        found = _current(played.snapshot, _ref(step["patch"]))
        if found is None:
            played.skipped.append("patch")
            return
        patched = from_plain(_merged(json.loads(encode(found, "json")), step["with"]), type(found))
        if isinstance(patched, tuple):
            played.skipped.append("patch")
        else:
            played.snapshot = with_changes(played.snapshot, (SetObject(patched),))  # type: ignore[arg-type]


def _ref(named: Mapping[str, str]) -> ObjectRef:
    namespaced = named["kind"] in ("Pod", "ResourceClaim", "ResourceClaimTemplate", "PodGroup")
    return ObjectRef(named["kind"], named.get("namespace", "default") if namespaced else "", named["name"])


def _delete(snapshot: Snapshot, ref: ObjectRef) -> Snapshot:
    """A claim with a finalizer stays, marked; everything else goes at once."""
    claim = snapshot.claim(ref.namespace, ref.name) if ref.kind == "ResourceClaim" else None
    if claim is None or not claim.metadata.finalizers:
        return with_changes(snapshot, (RemoveObject(ref),))
    metadata = msgspec.structs.replace(claim.metadata, deletion_timestamp=DELETED_AT)
    return snapshot.with_claims((msgspec.structs.replace(claim, metadata=metadata),))


def _current(snapshot: Snapshot, ref: ObjectRef) -> Model | None:
    if ref.kind == "Pod":
        planned = snapshot.pod(ref)
        return planned.pod if planned is not None else None
    if ref.kind == "ResourceClaim":
        return snapshot.claim(ref.namespace, ref.name)
    if ref.kind == "Node":
        return next((node for node in snapshot.nodes if node.metadata.name == ref.name), None)
    return None


def _merged(value: Any, patch: Any) -> Any:
    """JSON merge patch (RFC 7386)."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(value) if isinstance(value, dict) else {}
    for key, part in patch.items():
        if part is None:
            merged.pop(key, None)
        else:
            merged[key] = _merged(merged.get(key), part)
    return merged
