"""What an API server answers to a request to write an object: what it would store, or why it refuses.

Nothing is stored here. The steps and their order are the server's: read the body, compare it with the address, ask the
plugins that change objects, prepare, validate, ask the plugins that only say no.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from dravite.admission.admin_access import why_no_admin_access, why_no_admin_result
from dravite.admission.bodies import BadBody, Body, read_body
from dravite.admission.identities import metadata_of
from dravite.admission.internal import to_internal
from dravite.admission.plugins import InSight, changed_by_plugins, why_not_plugins
from dravite.admission.preparation import prepare_create, prepare_status_update, prepare_update
from dravite.admission.quotas import why_not_quota
from dravite.admission.reading import in_namespace, with_metadata
from dravite.admission.refusals import Address, Refused, conflict, forbidden, invalid_object, not_found, refused
from dravite.admission.server_warnings import each_owner_once, object_warnings
from dravite.api import resource_v1alpha3
from dravite.api.defaults import default
from dravite.api.field import FieldError
from dravite.api.meta import Model, Time
from dravite.api.registry import KindInfo, deprecation, known_kind, served
from dravite.api.releases import Profile
from dravite.api.resource_v1 import ResourceClaim, ResourceClaimTemplate
from dravite.validation import why_not_create, why_not_update, why_not_update_status
from dravite.validation.declarations import IMMUTABLE
from dravite.validation.faults import in_server_order, invalid
from dravite.validation.template_metadata import with_unread
from dravite.validation.versions import at_version

Verb = Literal["create", "update", "update status"]


class Write(msgspec.Struct, frozen=True, kw_only=True):
    """A request to write one object.

    Attributes:
        api_version, kind: of the endpoint.
        namespace, name: of the endpoint; a cluster-wide kind has no namespace, and who creates gives no name.
        body: the object as JSON, or as it was read and defaulted.
        old: what is stored there, in the form of the release (`internal`); None where nothing is.
    """

    verb: Verb
    api_version: str
    kind: str
    namespace: str = ""
    name: str = ""
    body: bytes | Body
    old: Model | None = None


class Accepted(msgspec.Struct, frozen=True):
    """What would be stored, in the form of the release, and what the client is warned of."""

    object: Model
    warnings: tuple[str, ...] = ()


class _Sent(msgspec.Struct, frozen=True):
    """A request whose body was read: the object, defaulted and in the form of the release."""

    write: Write
    object: Model
    unread: tuple[str, ...]
    empty: tuple[str, ...]
    address: Address
    in_sight: InSight
    profile: Profile
    now: Time | None


def judge(write: Write, in_sight: InSight, profile: Profile, now: Time | None = None) -> Accepted | Refused:
    """What a server of this profile, with these other objects in sight, answers.

    `now` is the time of taints that have none. Names that the server would complete end in `xxxxx`.

    Raises:
        LookupError: no release has the kind in that version.
    """
    group = write.api_version.rpartition("/")[0]
    info = known_kind(group, write.kind)
    if info is None:
        message = f"no type for {write.api_version} {write.kind}"
        raise LookupError(message)
    if served(write.api_version, write.kind, profile.release) == "never" or (
        info.gate and not profile.enabled(info.gate)
    ):
        return not_found("the server could not find the requested resource")
    deprecated = deprecation(write.api_version, write.kind, profile.release)
    told = () if deprecated is None else (deprecated,)
    body = write.body if isinstance(write.body, Body) else read_body(write.body, write.api_version, info, profile)
    if isinstance(body, BadBody):
        return Refused(400, "BadRequest", body.message, warnings=(*told, *body.unknown))
    sent = body.object if body is write.body else default(body.object, profile, now)
    obj = to_internal(sent, profile)
    meta, twice = each_owner_once(metadata_of(obj))
    obj = with_metadata(obj, meta)
    told = (*told, *body.unknown, *twice)
    address = Address(info, write.name or meta.name, write.namespace)
    answer = _answer(_Sent(write, obj, body.unread, body.empty, address, in_sight, profile, now))
    if isinstance(answer, Refused):
        return msgspec.structs.replace(answer, warnings=told)
    stored = default(answer, profile, now)  # a server defaults what it reads from its storage once more
    return Accepted(stored, (*told, *object_warnings(answer, profile)))


def _answer(sent: _Sent) -> Model | Refused:
    refusal = _why_not_here(sent)
    if refusal is not None:
        return refusal
    return _created(sent) if sent.write.verb == "create" else _updated(sent)


def _why_not_here(sent: _Sent) -> Refused | None:
    """Why a body does not belong to its address."""
    write, meta = sent.write, metadata_of(sent.object)
    namespaced = sent.address.info.scope == "Namespaced"
    if namespaced and meta.namespace not in ("", write.namespace):
        text = "the namespace of the provided object does not match the namespace sent on the request"
        return refused(400, "BadRequest", text)
    if write.verb == "create":
        known = not namespaced or write.namespace in sent.in_sight.namespaces
        return None if known else not_found(f'namespaces "{write.namespace}" not found')
    if not meta.name:
        text = f"the name of the object ({write.name} based on URL) was undeterminable: name must be provided"
        return refused(400, "BadRequest", text)
    if meta.name != write.name:
        text = f"the name of the object ({meta.name}) does not match the name on the URL ({write.name})"
        return refused(400, "BadRequest", text)
    return not_found(sent.address.not_found) if write.old is None else _why_stale(sent, write.old)


def _why_stale(sent: _Sent, old: Model) -> Refused | None:
    """Why a body speaks of another state of the object than the one that is stored."""
    meta, stored = metadata_of(sent.object), metadata_of(old)
    version = meta.resource_version.lstrip("0")  # version 0 is none
    if meta.uid and meta.uid != stored.uid:
        return conflict(
            sent.address,
            f"StorageError: invalid object, Code: 4, Key: {sent.address.key}, ResourceVersion: 0, AdditionalErrorMsg: "
            f"Precondition failed: UID in precondition: {meta.uid}, UID in object meta: {stored.uid}",
        )
    if version and version != stored.resource_version and not version.isdigit():
        return refused(500, "", f'strconv.ParseUint: parsing "{version}": invalid syntax')
    if not version and not may_leave_out_version(sent.write.api_version, sent.address.info, sent.profile):
        error = invalid("metadata.resourceVersion", 0, "must be specified for an update")
        return invalid_object(sent.address, (error,))
    if version and version != stored.resource_version:
        text = "the object has been modified; please apply your changes to the latest version and try again"
        return conflict(sent.address, text)
    return None


def may_leave_out_version(api_version: str, info: KindInfo, profile: Profile) -> bool:
    """Whether a PUT may leave out the resourceVersion (1.2)."""
    if info.kind == "DeviceTaintRule":
        return not api_version.endswith("/v1")
    if info.kind in ("Workload", "PodGroup"):
        return not profile.is_at_least("1.37")
    return info.unconditional_update


def _created(sent: _Sent) -> Model | Refused:
    profile = sent.profile
    obj = in_namespace(sent.object, sent.address.info, sent.write.namespace)
    changed = changed_by_plugins(obj, sent.in_sight, profile)
    if isinstance(changed, str):
        meta = metadata_of(obj)
        return forbidden(_named(sent, meta.name or meta.generate_name or "Unknown").address, changed)
    obj = prepare_create(changed, profile, sent.in_sight.drawn)
    sent = _named(sent, metadata_of(obj).name)
    errors = (*_admin_errors(obj, sent), *_template_errors(obj, why_not_create(obj, profile), sent))
    if errors:
        return _invalid(sent, errors)
    reason = why_not_plugins(obj, None, sent.in_sight, profile)
    if reason is not None:
        return forbidden(sent.address, reason)
    reason = why_not_quota(obj, sent.address.info, sent.in_sight.counting, profile)
    if reason is not None:
        return forbidden(sent.address, reason)
    return _why_taken(obj, sent) or obj


def _named(sent: _Sent, name: str) -> _Sent:
    """The same with the name by which answers speak of the object."""
    return msgspec.structs.replace(sent, address=msgspec.structs.replace(sent.address, name=name))


def _why_taken(obj: Model, sent: _Sent) -> Refused | None:
    """Why a name is not free. A drawn name never is taken, but a name beside a prefix may be."""
    meta = metadata_of(obj)
    if (sent.address.info.kind, meta.namespace, meta.name) not in sent.in_sight.taken:
        return None
    text = f"{sent.address.text} already exists"
    if meta.generate_name:
        text += ", the server was not able to generate a unique name for the object"
    return refused(409, "AlreadyExists", text)


def _admin_errors(obj: Model, sent: _Sent) -> tuple[FieldError, ...]:
    if not isinstance(obj, ResourceClaim | ResourceClaimTemplate):
        return ()
    found = why_no_admin_access(obj, sent.in_sight.namespaces, sent.profile)
    return (found,) if isinstance(found, FieldError) else ()


def _template_errors(obj: Model, errors: tuple[FieldError, ...], sent: _Sent) -> tuple[FieldError, ...]:
    """The errors, and faults of a template's metadata that its type cannot show."""
    passed_over = (*sent.unread, *sent.empty)
    if not passed_over or not isinstance(obj, ResourceClaimTemplate | resource_v1alpha3.ResourceClaimTemplate):
        return errors
    new = any(path.startswith("spec.") for path in sent.unread)  # no stored template has such fields
    if sent.write.old is not None and new and all(error.field != "spec" for error in errors):
        errors = (*errors, invalid("spec", obj.spec, IMMUTABLE))
    return in_server_order(with_unread(errors, passed_over), sent.profile)


def _updated(sent: _Sent) -> Model | Refused:
    old, profile = sent.write.old, sent.profile
    assert old is not None  # noqa: S101 (it was looked for)
    obj = in_namespace(sent.object, sent.address.info, sent.write.namespace)
    if sent.write.verb == "update status":
        obj = prepare_status_update(obj, old, profile)
        errors = (*_admin_result_errors(obj, old, sent), *why_not_update_status(obj, old, profile))
        return _invalid(sent, errors) if errors else obj
    obj = prepare_update(obj, old, profile, sent.now)
    errors = _template_errors(obj, why_not_update(obj, old, profile), sent)
    if errors:
        return _invalid(sent, errors)
    reason = why_not_plugins(obj, old, sent.in_sight, profile)
    return obj if reason is None else forbidden(sent.address, reason)


def _admin_result_errors(obj: Model, old: Model, sent: _Sent) -> tuple[FieldError, ...]:
    if not isinstance(obj, ResourceClaim) or not isinstance(old, ResourceClaim):
        return ()
    found = why_no_admin_result(obj, old, sent.in_sight.namespaces, sent.profile)
    return () if found is None else (found,)


def _invalid(sent: _Sent, errors: tuple[FieldError, ...]) -> Refused:
    return invalid_object(sent.address, at_version(errors, sent.write.api_version, sent.profile))
