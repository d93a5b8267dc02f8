"""What a server refuses of kinds without types of their own besides metadata: the rules of a few that are checked.

Sources: validation of the groups core, rbac, node, coordination, apps and batch. Fields of the wrong type were refused
before; what is merely left out of pods and workloads is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from dravite.api.field import FieldError, child
from dravite.api.names import why_not_dns_label
from dravite.api.plain import Plain, PlainView
from dravite.api.releases import Profile
from dravite.validation.faults import forbidden, invalid, invalid_each, not_supported, required
from dravite.workloads import why_no_gang
from dravite.workloads.raw_paths import mapping

Rules = Callable[[PlainView, "PlainView | None", Profile], Iterator[FieldError]]

_RBAC: Final = "rbac.authorization.k8s.io"
_IMMUTABLE: Final = "field is immutable"
_SET: Final = "field is immutable when `immutable` is set"
_KEY: Final = re.compile(r"[-._a-zA-Z0-9]+")
_LONGEST_KEY: Final = 253
_ROLE_FIELDS: Final = (("apiGroup", "APIGroup"), ("kind", "Kind"), ("name", "Name"))
_NUMBERS: Final[Mapping[str, tuple[str, ...]]] = {
    "Deployment": ("replicas", "minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds"),
    "ReplicaSet": ("replicas", "minReadySeconds"),
    "StatefulSet": ("replicas", "minReadySeconds", "revisionHistoryLimit"),
    "DaemonSet": ("minReadySeconds", "revisionHistoryLimit"),
    "Job": ("parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished"),
    "Lease": ("leaseTransitions",),
}
_SECRETS: Final[Mapping[str, tuple[str, ...]]] = {
    "kubernetes.io/tls": ("tls.crt", "tls.key"),
    "kubernetes.io/ssh-auth": ("ssh-privatekey",),
    "kubernetes.io/dockerconfigjson": (".dockerconfigjson",),
    "kubernetes.io/dockercfg": (".dockercfg",),
}
"""What secrets of a type hold."""


def why_not(kind: str, plain: PlainView, old: PlainView | None, profile: Profile) -> Iterator[FieldError]:
    """The rules of its kind that an object breaks, new or in the place of an old one."""
    yield from _negative(kind, plain)
    rules = _RULES.get(kind)
    if rules is not None:
        yield from rules(plain, old, profile)


def _negative(kind: str, plain: PlainView) -> Iterator[FieldError]:
    spec = mapping(plain.get("spec"))
    for name in _NUMBERS.get(kind, ()):
        number = spec.get(name)
        if isinstance(number, int) and number < 0:
            yield invalid(f"spec.{name}", number, "must be greater than or equal to 0")


def _job(plain: PlainView, old: PlainView | None, profile: Profile) -> Iterator[FieldError]:
    knows_groups = profile.is_at_least("1.37") and profile.enabled("WorkloadWithJob")
    found = why_no_gang(plain) if old is None and knows_groups else None
    if found is not None:
        yield found


def _config_map(plain: PlainView, old: PlainView | None, profile: Profile) -> Iterator[FieldError]:
    yield from _kept(plain, old, ("data", "binaryData"))
    text, binary = mapping(plain.get("data")), mapping(plain.get("binaryData"))
    yield from _keys("data", text)
    for key in sorted(binary.keys() & text.keys()):
        yield invalid(f"data[{key}]", key, "duplicate of key present in data and binaryData")
    yield from _keys("binaryData", binary)


def _secret(plain: PlainView, old: PlainView | None, profile: Profile) -> Iterator[FieldError]:
    type_, data = plain.get("type"), mapping(plain.get("data"))
    if old is not None and type_ != old.get("type"):
        yield invalid("type", type_, _IMMUTABLE)
    yield from _kept(plain, old, ("data",))
    yield from _keys("data", data)
    wanted = _SECRETS.get(str(type_), ())
    if type_ == "kubernetes.io/basic-auth" and not data.keys() & {"username", "password"}:
        wanted = ("username", "password")
    yield from (required(f"data[{key}]") for key in wanted if key not in data)


def _kept(plain: PlainView, old: PlainView | None, names: tuple[str, ...]) -> Iterator[FieldError]:
    """What must not change of an object that says it does not."""
    if old is None or not old.get("immutable"):
        return
    if not plain.get("immutable"):
        yield forbidden("immutable", _SET)
    for name in names:
        if (plain.get(name) or {}) != (old.get(name) or {}):
            yield forbidden(name, _SET)


def _keys(path: str, data: PlainView) -> Iterator[FieldError]:
    for key in sorted(data):
        yield from invalid_each(f"{path}[{key}]", key, _why_not_key(key))


def _why_not_key(key: str) -> Iterator[str]:
    if len(key) > _LONGEST_KEY:
        yield f"must be no more than {_LONGEST_KEY} bytes"
    if not _KEY.fullmatch(key):
        yield (
            "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or "
            "'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
        )
    if key in (".", ".."):
        yield f"must not be '{key}'"
    elif key.startswith(".."):
        yield "must not start with '..'"


def _event(plain: PlainView, old: PlainView | None, profile: Profile) -> Iterator[FieldError]:
    if plain.get("eventTime"):
        return
    about, own = mapping(plain.get("involvedObject")).get("namespace") or "", plain["metadata"].get("namespace")
    if about != own and (about or own != "default"):
        yield invalid("involvedObject.namespace", about, "does not match event.namespace")


def _lease(plain: PlainView, old: PlainView | None, profile: Profile) -> Iterator[FieldError]:
    seconds = mapping(plain.get("spec")).get("leaseDurationSeconds")
    if isinstance(seconds, int) and seconds <= 0:
        yield invalid("spec.leaseDurationSeconds", seconds, "must be greater than 0")


def _runtime_class(plain: PlainView, old: PlainView | None, profile: Profile) -> Iterator[FieldError]:
    handler, declares = plain.get("handler") or "", profile.is_at_least("1.37")
    told = [*invalid_each("handler", handler, why_not_dns_label(handler))] if handler else [required("handler")]
    if old is not None and handler != (old.get("handler") or ""):
        changed = invalid("handler", (handler or None) if declares else handler, _IMMUTABLE)
        told = [changed, *told] if declares else [*told, changed]
    yield from told


def _role(plain: PlainView, old: PlainView | None, profile: Profile) -> Iterator[FieldError]:
    rules = [rule for rule in plain.get("rules") or () if isinstance(rule, dict)]
    told, declares = [], profile.is_at_least("1.37")
    for position, rule in enumerate(rules):
        path = f"rules[{position}]"
        without_verbs = [] if rule.get("verbs") else [child(path, "verbs")]
        if declares:
            told += without_verbs
        else:
            yield from (required(verbs, "verbs must contain at least one value") for verbs in without_verbs)
        yield from _rule(rule, path, is_namespaced=bool(plain["metadata"].get("namespace")))
    yield from (required(path) for path in told)


def _rule(rule: PlainView, path: str, *, is_namespaced: bool) -> Iterator[FieldError]:
    """What a rule is about: resources, or paths that are none."""
    urls = rule.get("nonResourceURLs")
    if urls:
        if is_namespaced:
            yield invalid(f"{path}.nonResourceURLs", urls, "namespaced rules cannot apply to non-resource URLs")
        if rule.get("apiGroups") or rule.get("resources") or rule.get("resourceNames"):
            detail = "rules cannot apply to both regular resources and non-resource URLs"
            yield invalid(f"{path}.nonResourceURLs", urls, detail)
        return
    if not rule.get("apiGroups"):
        yield required(f"{path}.apiGroups", "resource rules must supply at least one api group")
    if not rule.get("resources"):
        yield required(f"{path}.resources", "resource rules must supply at least one resource")


def _binding(plain: PlainView, old: PlainView | None, profile: Profile) -> Iterator[FieldError]:
    role, is_namespaced = mapping(plain.get("roleRef")), bool(plain["metadata"].get("namespace"))
    kinds = ("Role", "ClusterRole") if is_namespaced else ("ClusterRole",)
    if role.get("apiGroup") != _RBAC:
        yield not_supported("roleRef.apiGroup", role.get("apiGroup") or "", (_RBAC,))
    if role.get("kind") not in kinds:
        yield not_supported("roleRef.kind", role.get("kind") or "", kinds)
    if not role.get("name"):
        yield required("roleRef.name")
    for position, subject in enumerate(plain.get("subjects") or ()):
        yield from _subject(mapping(subject), f"subjects[{position}]", is_namespaced=is_namespaced)
    if old is not None and _role_of(role) != _role_of(mapping(old.get("roleRef"))):
        detail = _IMMUTABLE if profile.is_at_least("1.37") else "cannot change roleRef"
        yield invalid("roleRef", _role_of(role), detail)


def _role_of(reference: PlainView) -> Plain:
    """A role as Go prints it."""
    return {printed: reference.get(name) or "" for name, printed in _ROLE_FIELDS}


def _subject(subject: PlainView, path: str, *, is_namespaced: bool) -> Iterator[FieldError]:
    kind, group = subject.get("kind") or "", subject.get("apiGroup") or ""
    if not subject.get("name"):
        yield required(f"{path}.name")
    if kind == "ServiceAccount":
        if group:
            yield not_supported(f"{path}.apiGroup", group, ("",))
        if not is_namespaced and not subject.get("namespace"):
            yield required(f"{path}.namespace")
    elif kind in ("User", "Group"):
        if group != _RBAC:
            yield not_supported(f"{path}.apiGroup", group, (_RBAC,))
    else:
        yield not_supported(f"{path}.kind", kind, ("ServiceAccount", "User", "Group"))


_RULES: Final[Mapping[str, Rules]] = {
    "Job": _job,
    "ConfigMap": _config_map,
    "Secret": _secret,
    "Event": _event,
    "Lease": _lease,
    "RuntimeClass": _runtime_class,
    "Role": _role,
    "ClusterRole": _role,
    "RoleBinding": _binding,
    "ClusterRoleBinding": _binding,
}
