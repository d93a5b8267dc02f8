"""The kinds that a server of a release serves: those that dravite has types for, and others as plain objects.

A table and the questions of routing and discovery about it. It knows no object.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal

import msgspec

from dravite.admission.internal import to_internal
from dravite.api import registry
from dravite.api.meta import Model
from dravite.api.registry import KindInfo
from dravite.api.releases import Profile
from dravite.apiserver.printed import Printed

DeletesTo = Literal["object", "Status"]

VERBS: Final = ("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch")

_GATES: Final[Mapping[str, str]] = {
    "Workload": "GenericWorkload",
    "PodGroup": "GenericWorkload",
    "CompositePodGroup": "CompositePodGroup",
}
"""Kinds that are in no version while their gate is off. Source: discovery of 1.36.5 and 1.37.2."""

_GROUP_ORDER: Final = (
    "",
    "apps",
    "events.k8s.io",
    "batch",
    "networking.k8s.io",
    "policy",
    "rbac.authorization.k8s.io",
    "storage.k8s.io",
    "apiextensions.k8s.io",
    "coordination.k8s.io",
    "node.k8s.io",
    "scheduling.k8s.io",
    "resource.k8s.io",
)


class Kind(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One kind as a server of a release serves it.

    Attributes:
        versions: the API versions that are served, without the group, the preferred one first.
        hub: the version in which objects are kept: the one in which a server of the release works.
        info, types: what dravite knows of the kind, and the class of each version; nothing for kinds that are kept
            as they come.
        status: whether there is a status subresource.
        put_creates: whether a PUT creates an object that is not there.
        unconditional: whether a PUT may leave out the resourceVersion.
        printed: of a kind that a user defined, the columns of its tables by version; None for all others.
    """

    group: str
    kind: str
    plural: str
    namespaced: bool
    versions: tuple[str, ...]
    hub: str
    info: KindInfo | None = None
    types: Mapping[str, type[Model]] = {}
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    status: bool = False
    put_creates: bool = False
    unconditional: bool = True
    deletes_to: Mapping[str, DeletesTo] = {}
    printed: Mapping[str, tuple[Printed, ...]] | None = None

    @property
    def resource(self) -> str:
        """The plural with its group, as messages name a kind; also the collection in the store."""
        return f"{self.plural}.{self.group}" if self.group else self.plural

    @property
    def singular(self) -> str:
        return self.kind.lower()

    def api_version(self, version: str) -> str:
        return f"{self.group}/{version}" if self.group else version

    @property
    def hub_api_version(self) -> str:
        return self.api_version(self.hub)


_RBAC: Final = "rbac.authorization.k8s.io"
_CRD: Final = "apiextensions.k8s.io"
_NETWORK: Final = "networking.k8s.io"

_PLAIN: Final = (
    # group, version, kind, plural, short names, scope, and what else it is or has
    ("", "v1", "ConfigMap", "configmaps", "cm", "Namespaced", ""),
    ("", "v1", "Endpoints", "endpoints", "ep", "Namespaced", "put-creates"),
    ("", "v1", "Event", "events", "ev", "Namespaced", "put-creates"),
    ("", "v1", "LimitRange", "limitranges", "limits", "Namespaced", ""),
    ("", "v1", "PersistentVolume", "persistentvolumes", "pv", "Cluster", "status deletes-to-object"),
    ("", "v1", "PersistentVolumeClaim", "persistentvolumeclaims", "pvc", "Namespaced", "status deletes-to-object"),
    ("", "v1", "ReplicationController", "replicationcontrollers", "rc", "Namespaced", "status"),
    ("", "v1", "ResourceQuota", "resourcequotas", "quota", "Namespaced", "status deletes-to-object"),
    ("", "v1", "Secret", "secrets", "", "Namespaced", ""),
    ("", "v1", "Service", "services", "svc", "Namespaced", "status put-creates deletes-to-object"),
    ("", "v1", "ServiceAccount", "serviceaccounts", "sa", "Namespaced", "deletes-to-object"),
    (_CRD, "v1", "CustomResourceDefinition", "customresourcedefinitions", "crd crds", "Cluster", "status conditional"),
    ("apps", "v1", "ControllerRevision", "controllerrevisions", "", "Namespaced", ""),
    ("apps", "v1", "DaemonSet", "daemonsets", "ds", "Namespaced", "status"),
    ("apps", "v1", "Deployment", "deployments", "deploy", "Namespaced", "status"),
    ("apps", "v1", "ReplicaSet", "replicasets", "rs", "Namespaced", "status"),
    ("apps", "v1", "StatefulSet", "statefulsets", "sts", "Namespaced", "status"),
    ("batch", "v1", "CronJob", "cronjobs", "cj", "Namespaced", "status"),
    ("batch", "v1", "Job", "jobs", "", "Namespaced", "status"),
    ("coordination.k8s.io", "v1", "Lease", "leases", "", "Namespaced", "put-creates"),
    (_NETWORK, "v1", "Ingress", "ingresses", "ing", "Namespaced", "status"),
    (_NETWORK, "v1", "IngressClass", "ingressclasses", "", "Cluster", ""),
    (_NETWORK, "v1", "NetworkPolicy", "networkpolicies", "netpol", "Namespaced", ""),
    (_RBAC, "v1", "ClusterRole", "clusterroles", "", "Cluster", "put-creates"),
    (_RBAC, "v1", "ClusterRoleBinding", "clusterrolebindings", "", "Cluster", "put-creates"),
    (_RBAC, "v1", "Role", "roles", "", "Namespaced", "put-creates"),
    (_RBAC, "v1", "RoleBinding", "rolebindings", "", "Namespaced", "put-creates"),
    ("storage.k8s.io", "v1", "StorageClass", "storageclasses", "sc", "Cluster", "deletes-to-object"),
    ("policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets", "pdb", "Namespaced", "status conditional"),
)


_PARTIAL: Final = ("", "node.k8s.io")
"""Groups of whose kinds the types have only what planning reads."""

_IN_ALL: Final = frozenset(
    (
        *("Pod", "ReplicationController", "Service"),
        *("DaemonSet", "Deployment", "ReplicaSet", "StatefulSet", "CronJob", "Job"),
    )
)
"""What `kubectl get all` gets."""


class Catalogue:
    """All kinds of a server, by where requests look for them. Frozen once it is made."""

    def __init__(self, kinds: Iterable[Kind]) -> None:
        self.kinds = tuple(sorted(kinds, key=_order))
        self._by_place = {(kind.api_version(v), kind.plural): kind for kind in self.kinds for v in kind.versions}
        self._by_name = {(kind.group, kind.kind): kind for kind in self.kinds}

    def find(self, api_version: str, plural: str) -> Kind | None:
        """The kind behind a plural in a served version."""
        return self._by_place.get((api_version, plural))

    def named(self, group: str, kind: str) -> Kind | None:
        return self._by_name.get((group, kind))

    def groups(self) -> tuple[str, ...]:
        """The groups with kinds, in the order of discovery; the core group is the empty text."""
        return tuple(dict.fromkeys(kind.group for kind in self.kinds))

    def versions(self, group: str) -> tuple[str, ...]:
        """The served versions of a group, the preferred one first."""
        found = {version for kind in self.kinds if kind.group == group for version in kind.versions}
        return tuple(sorted(found, key=_preference))

    def of(self, api_version: str) -> tuple[Kind, ...]:
        """The kinds of a version, by plural."""
        group, _, version = api_version.rpartition("/")
        found = (kind for kind in self.kinds if kind.group == group and version in kind.versions)
        return tuple(sorted(found, key=lambda kind: kind.plural))


def served_kinds(profile: Profile, enabled: frozenset[str] | None = None) -> Iterator[Kind]:
    """What a server of a profile serves: all that it can, or of what must be enabled only these API versions."""
    for info in registry.KINDS:
        gate = _GATES.get(info.kind)
        versions = _versions(info, profile, enabled)
        if versions and (gate is None or profile.enabled(gate)):
            yield _typed(info, versions, profile)
    for group, version, kind, plural, short, scope, traits in _PLAIN:
        yield Kind(
            group=group,
            kind=kind,
            plural=plural,
            namespaced=scope == "Namespaced",
            versions=(version,),
            hub=version,
            short_names=tuple(short.split()),
            categories=_categories(kind),
            status="status" in traits,
            put_creates="put-creates" in traits,
            unconditional="conditional" not in traits,
            deletes_to={} if "deletes-to-object" in traits else {version: "Status"},
        )


def _versions(info: KindInfo, profile: Profile, enabled: frozenset[str] | None) -> tuple[str, ...]:
    served = []
    for api_version in registry.served_versions(info, profile.release):
        needs = registry.served(api_version, info.kind, profile.release) == "if-enabled"
        if not needs or enabled is None or api_version in enabled:
            served.append(api_version.rpartition("/")[2])
    return tuple(served)


def _typed(info: KindInfo, versions: tuple[str, ...], profile: Profile) -> Kind:
    newest = profile.is_at_least("1.37")
    partial = info.group in _PARTIAL
    return Kind(
        group=info.group,
        kind=info.kind,
        plural=info.plural,
        namespaced=info.scope == "Namespaced",
        versions=versions,
        hub=_hub(info, versions, profile),
        info=None if partial else info,
        types={} if partial else info.types,
        short_names=info.short_names,
        categories=_categories(info.kind),
        status="status" in info.subresources,
        put_creates=info.kind == "RuntimeClass",
        unconditional=info.kind != "RuntimeClass",
        deletes_to=_deletes_to(info, versions, newest=newest),
    )


def _categories(kind: str) -> tuple[str, ...]:
    return ("all",) if kind in _IN_ALL else ()


def _hub(info: KindInfo, versions: tuple[str, ...], profile: Profile) -> str:
    newest = info.types[versions[0]]()
    return str(to_internal(newest, profile).api_version.rpartition("/")[2])  # type: ignore[attr-defined]


def _deletes_to(info: KindInfo, versions: tuple[str, ...], *, newest: bool) -> Mapping[str, DeletesTo]:
    if info.kind == "DeviceTaintRule":
        return {"v1": "Status"} if newest else {}
    return dict.fromkeys(versions, info.deletes_to)


def _order(kind: Kind) -> tuple[int, str, str]:
    position = _GROUP_ORDER.index(kind.group) if kind.group in _GROUP_ORDER else len(_GROUP_ORDER)
    return (position, kind.group, kind.plural)


def _preference(version: str) -> tuple[int, int, int]:
    """Kubernetes' order of versions: stable ones, then beta, then alpha; the newest first."""
    number, _, stage = version[1:].partition("alpha" if "alpha" in version else "beta")
    level = 2 if "alpha" in version else 1 if "beta" in version else 0
    return (level, -int(number), -int(stage or 0))
