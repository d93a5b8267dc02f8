"""Server-side apply: a configuration is put over the object, and whoever applies it owns what it says."""

from __future__ import annotations

from dravite.api.plain import Plain
from dravite.apiserver import bodies, drafts, metadata, sameness, statuses, writes
from dravite.apiserver.backend import Response, key_of, without_revision
from dravite.apiserver.field_sets import FieldSet, fields_of, union, without
from dravite.apiserver.managed_fields import (
    Owned,
    Owner,
    Owners,
    Views,
    after_apply,
    before_apply,
    conflict_status,
    conflicts,
    read_owners,
)
from dravite.apiserver.merging import merged, pruned
from dravite.apiserver.writes import Writing
from dravite.store import Record


def apply(writing: Writing) -> Response:
    """Apply the configuration in the body to an object, or make a new one of it; parts of one are never new."""
    backend, target = writing.backend, writing.target
    record = backend.store.get(key_of(target))
    if record is None and writing.part == "status":
        raise statuses.not_found(target.kind, target.name)
    config = _configuration(writing)
    _check_schema(writing, config)
    if record is None:
        return _apply_anew(writing, config)
    return _apply_over(writing, config, record)


def _apply_anew(writing: Writing, config: Plain) -> Response:
    target, uid = writing.target, config["metadata"].get("uid")
    if uid:
        why = f"uid mismatch: the provided object specified uid {uid}, and no existing object was found"
        raise statuses.conflict(target.kind, target.name, why)
    metadata.check_namespace(config, target)
    metadata.check_is_named(config, target)
    draft = writes.read(writing, without_revision(config), ())
    owned = _owned(writing, config)
    return writes.created(writing, draft, lambda owners, views: {_owner(writing): owned} if owned.fields else {})


def _apply_over(writing: Writing, config: Plain, record: Record) -> Response:
    target = writing.target
    live = drafts.shown(record, target.kind, target.version)
    kind, owned, owner = target.kind.kind, _owned(writing, config), _owner(writing)
    from_nothing: Views = lambda _: (drafts.zero(target.kind, target.version), live)  # noqa: E731 (one use)
    known, scope = read_owners(live["metadata"].get("managedFields")), (kind, writing.ignored)
    owners = before_apply(known, from_nothing, owner, scope, owned.time)
    wanted = _settled(live, config, kind, owners, (owner, owned))

    def views(api_version: str) -> tuple[Plain, Plain]:
        drafts.check_has(target.kind, api_version)
        return live, wanted

    same_version = {who: what for who, what in owners.items() if who.api_version == target.api_version}
    found = conflicts(same_version, views, owner, kind)
    if found and not writing.options.force:
        message, causes = conflict_status(found)
        raise statuses.Refused(statuses.status(409, "Conflict", message, {"causes": causes}))
    version = config["metadata"].get("resourceVersion")
    if version and version != live["metadata"]["resourceVersion"]:
        raise statuses.conflict(target.kind, target.name)
    metadata.check_namespace(wanted, target)
    metadata.check_is_named(wanted, target)
    sameness.check_uid(wanted, record, target, writing.backend.profile)
    draft = writes.read(writing, {**wanted, "metadata": dict(wanted["metadata"])}, ())
    return writes.replaced(writing, record, draft, lambda _, __: after_apply(owners, views, owner, kind, owned))


def _settled(live: Plain, config: Plain, kind: str, owners: Owners, own: tuple[Owner, Owned]) -> Plain:
    """The live object with the configuration put over it, without what its owner said before and no longer says."""
    owner, owned = own
    made: Plain = merged(live, without_revision(config), kind)
    before = owners[owner].fields if owner in owners else frozenset()
    kept: FieldSet = union((owned.fields, *(what.fields for who, what in owners.items() if who != owner)))
    result: Plain = pruned(made, before - kept, kept, kind)
    return result


def _check_schema(writing: Writing, config: Plain) -> None:
    """Refuse a configuration with fields that the kind does not have."""
    draft = writes.read(writing, {**config, "metadata": dict(config["metadata"])}, ())
    if draft.unknown:
        path = draft.unknown[0].partition('"')[2].rstrip('"')
        target = writing.target
        place = f"{target.namespace}/{target.name}".lstrip("/")
        what = f"({place}; {target.api_version}, Kind={target.kind.kind})"
        raise statuses.bad_request(f"failed to create typed patch object {what}: .{path}: field not declared in schema")


def _owned(writing: Writing, config: Plain) -> Owned:
    fields = without(fields_of(config, writing.target.kind.kind), writing.ignored)
    return Owned(fields, writing.backend.source.now())


def _owner(writing: Writing) -> Owner:
    return writing.owner._replace(operation="Apply")


def _configuration(writing: Writing) -> Plain:
    """The configuration in the body, if it is one for the target."""
    target = writing.target
    config = _parsed(writing.request.body)
    api_version, kind = str(config.get("apiVersion") or ""), str(config.get("kind") or "")
    if not _is_known(writing, api_version, kind):
        whole = api_version if "/" in api_version else f"/{api_version}"
        raise statuses.bad_request(f"invalid object type: {whole}, Kind={kind}")
    if (api_version, kind) != (target.api_version, target.kind.kind):
        why = (
            f"incorrect object type: {api_version}, Kind={kind}, expected {target.api_version}, Kind={target.kind.kind}"
        )
        raise statuses.bad_request(why)
    meta = config.get("metadata") or {}
    if not isinstance(meta, dict):
        raise statuses.bad_request("metadata must be an object")
    if meta.get("managedFields") is not None:
        raise statuses.bad_request("metadata.managedFields must be nil")
    return {**config, "metadata": meta}


def _is_known(writing: Writing, api_version: str, kind: str) -> bool:
    group, _, version = api_version.rpartition("/")
    found = writing.backend.catalogue.named(group, kind)
    return found is not None and version in found.versions


def _parsed(body: bytes) -> Plain:
    if not body.strip() or body.strip() == b"null":
        return {}
    try:
        return bodies.read_yaml(body).value
    except ValueError as error:
        raise statuses.bad_request(
            f"error decoding patch: error unmarshaling JSON: while decoding JSON: {error}"
        ) from None
