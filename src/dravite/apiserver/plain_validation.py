"""What a server refuses of kinds that are kept as they come: metadata that break rules, and workloads without sense."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from dravite.api.codec import from_plain
from dravite.api.field import FieldError
from dravite.api.meta import ObjectMeta
from dravite.api.names import why_not_dns_label, why_not_dns_subdomain, why_not_path_segment
from dravite.api.plain import PlainView
from dravite.api.releases import Profile
from dravite.apiserver import plain_rules
from dravite.apiserver.kinds import Kind
from dravite.validation.faults import invalid_each, required
from dravite.validation.metadata import annotations_of, finalizers, labels_of, owners
from dravite.validation.metadata_updates import metadata_update
from dravite.validation.wording import in_words_of
from dravite.workloads import why_not_accepted

NameRule = Callable[[str], Iterable[str]]

_RBAC: Final = "rbac.authorization.k8s.io"
_SERVICE: Final = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?")
_LONGEST_SERVICE: Final = 63
_LONGEST_CRON_JOB: Final = 52


def why_not_create(plain: PlainView, kind: Kind, profile: Profile) -> tuple[FieldError, ...]:
    """The rules that a new object breaks."""
    meta = _metadata(plain)
    if meta is None:
        return ()
    return in_words_of((*_created(meta, kind, profile), *_of_kind(plain, None, kind, profile)), profile)


def why_not_update(plain: PlainView, old: PlainView, kind: Kind, profile: Profile) -> tuple[FieldError, ...]:
    """The rules that a changed object breaks."""
    meta, before = _metadata(plain), _metadata(old)
    if meta is None or before is None:
        return ()
    return in_words_of((*metadata_update(meta, before, profile), *_of_kind(plain, old, kind, profile)), profile)


def _of_kind(plain: PlainView, old: PlainView | None, kind: Kind, profile: Profile) -> Iterable[FieldError]:
    if kind.printed is None:  # kinds that users define may be called the same
        yield from plain_rules.why_not(kind.kind, plain, old, profile)
    yield from why_not_accepted({**plain, "apiVersion": kind.hub_api_version, "kind": kind.kind})


def _metadata(plain: PlainView) -> ObjectMeta | None:
    found = from_plain(
        {name: value for name, value in plain["metadata"].items() if name != "managedFields"}, ObjectMeta
    )
    return found if isinstance(found, ObjectMeta) else None


def _created(meta: ObjectMeta, kind: Kind, profile: Profile) -> Iterable[FieldError]:
    rule = why_not_path_segment if kind.group == _RBAC else _NAMES.get(kind.kind, why_not_dns_subdomain)
    prefix = meta.generate_name
    if prefix:
        checked = f"{prefix[:-2]}a" if len(prefix) > 1 and prefix.endswith("-") else prefix
        yield from invalid_each("metadata.generateName", prefix, tuple(rule(checked)))
    if meta.name:
        yield from invalid_each("metadata.name", meta.name, tuple(rule(meta.name)))
    else:
        yield required("metadata.name", "name or generateName is required")
    yield from labels_of(meta, "metadata")
    yield from annotations_of(meta, "metadata")
    yield from owners(meta.owner_references, profile, "metadata.ownerReferences")
    yield from finalizers(meta.finalizers, "metadata.finalizers")
    if kind.kind == "CronJob" and len(meta.name) > _LONGEST_CRON_JOB:
        yield from invalid_each("metadata.name", meta.name, (f"must be no more than {_LONGEST_CRON_JOB} characters",))


def _why_not_service(name: str) -> Iterable[str]:
    if len(name) > _LONGEST_SERVICE:
        yield f"must be no more than {_LONGEST_SERVICE} characters"
    if not _SERVICE.fullmatch(name):
        yield (
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic "
            "character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for "
            "validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
        )


_NAMES: Final[Mapping[str, NameRule]] = {"Namespace": why_not_dns_label, "Service": _why_not_service}
"""How objects may be called, of kinds that are not called as most."""
