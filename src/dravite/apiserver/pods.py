"""What only pods have: binding to a node, eviction, and the parts behind which containers would be."""

from __future__ import annotations

import msgspec

from dravite.api.field import ErrorType, FieldError
from dravite.api.plain import Plain
from dravite.apiserver import bodies, budgets, deletions, drafts, metadata, statuses
from dravite.apiserver.backend import Backend, Response, record_of, with_revision
from dravite.apiserver.requests import Request, Target, write_options


def bind(backend: Backend, target: Target, request: Request) -> Response:
    """Give a pod its node, for good."""
    options = write_options(request, "CreateOptions", backend.profile)
    binding = bodies.read_any(request).value
    if metadata.metadata_of(binding).get("name") != target.name:
        raise statuses.bad_request("name in URL does not match name in Binding object")
    node = binding.get("target")
    name = node.get("name") if isinstance(node, dict) else None
    if not isinstance(name, str) or not name:
        error = FieldError(type=ErrorType.REQUIRED, field="target.name")
        raise statuses.invalid("Binding", "", target.name, (error,))
    record = record_of(backend, target)
    old = drafts.kept(record, target.kind).plain
    _check_unbound(old, binding, target)
    conditions = [item for item in old["status"].get("conditions") or () if item.get("type") != "PodScheduled"]
    scheduled = {"type": "PodScheduled", "status": "True", "lastTransitionTime": backend.source.now()}
    status = {**old["status"], "conditions": [*conditions, scheduled]}
    bound = {**old, "spec": {**old["spec"], "nodeName": name}, "status": status}
    revision = 0
    if not options.dry_run:
        revision = backend.store.revision + 1
        backend.store.put(record.key, msgspec.json.encode(with_revision(bound, revision)), record.revision)
    body = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": 201}
    return Response(201, body, revision=revision)


def evict(backend: Backend, target: Target, request: Request) -> Response:
    """Delete a pod on somebody's wish, if its budget lets it go."""
    asked = write_options(request, "CreateOptions", backend.profile)
    eviction = bodies.read_any(request).value
    metadata.check_name(eviction, target)
    options = deletions.options_of(backend, eviction.get("deleteOptions") or {})
    options = msgspec.structs.replace(options, dry_run=options.dry_run or asked.dry_run)
    record = record_of(backend, target)
    deletions.check_preconditions(record, target, options)
    charged = budgets.charge(backend, drafts.kept(record, target.kind).plain, dry_run=options.dry_run)
    _, _, revision = deletions.remove(backend, target, record, options)
    body = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": 201}
    return Response(201, body, revision=max(charged, revision))


def inside(backend: Backend, target: Target, request: Request) -> Response:
    """Refuse to look or reach into a pod: nothing runs in it."""
    pod = drafts.kept(record_of(backend, target), target.kind).plain
    if not (pod.get("spec") or {}).get("nodeName"):
        raise statuses.bad_request(f"pod {target.name} does not have a host assigned")
    what = f'nothing runs in pod "{target.name}", so there is nothing behind pods/{target.subresource}'
    raise statuses.bad_request(f"{what}: dravite serve simulates nodes and starts no containers")


def _check_unbound(old: Plain, binding: Plain, target: Target) -> None:
    place = f'pods/binding "{target.name}"'
    meta = metadata.metadata_of(binding)
    if meta.get("uid") and meta["uid"] != old["metadata"]["uid"]:
        why = f"the UID in the precondition ({meta['uid']}) does not match the UID in record"
        raise statuses.conflict_about(place, target.kind, target.name, why)
    if old["metadata"].get("deletionTimestamp"):
        raise statuses.conflict_about(
            place, target.kind, target.name, f"pod {target.name} is being deleted, cannot be assigned to a host"
        )
    node = (old.get("spec") or {}).get("nodeName")
    if node:
        raise statuses.conflict_about(
            place, target.kind, target.name, f'pod {target.name} is already assigned to node "{node}"'
        )
