"""What a server is and what it serves: its release, and for every resource the version in which it is best read."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, TypeVar

import msgspec

from dravite.api.registry import known_kind
from dravite.diagnosis.observations import Resource
from dravite.live.answers import OK, not_kubernetes, refusal
from dravite.live.kubeconfig import Access
from dravite.live.parallel import both
from dravite.live.transport import Reply, Transport

T = TypeVar("T")

AGGREGATED: Final = ",".join(
    (
        "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
        "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList",
        "application/json",
    )
)
_NUMBER: Final = re.compile(r"\d+")


class Served(msgspec.Struct, frozen=True):
    """A resource in the version in which it is read."""

    resource: Resource
    version: str
    kind: str
    namespaced: bool = True

    @property
    def api_version(self) -> str:
        group = self.resource.group
        return f"{group}/{self.version}" if group else self.version

    def path(self, namespace: str = "") -> str:
        """Where it is listed, in one namespace or everywhere."""
        root = f"/apis/{self.api_version}" if self.resource.group else f"/api/{self.version}"
        place = f"/namespaces/{namespace}" if namespace and self.namespaced else ""
        return f"{root}{place}/{self.resource.plural}"


CORE: Final[Mapping[Resource, Served]] = {
    Resource("", plural): Served(Resource("", plural), "v1", kind, namespaced)
    for plural, kind, namespaced in (
        ("nodes", "Node", False),
        ("namespaces", "Namespace", False),
        ("pods", "Pod", True),
        ("resourcequotas", "ResourceQuota", True),
        ("replicationcontrollers", "ReplicationController", True),
    )
}
"""Resources of the core group: every server has them at v1."""


class Server(msgspec.Struct, frozen=True):
    """An API server.

    Attributes:
        version: what it calls itself: `v1.37.2`.
        release: the release whose rules it goes by: `1.37`; with an emulation version, that one.
        served: every resource that could be of use, at the best version that is known here.
        groups: all API groups that it has.
    """

    version: str
    release: str
    served: Mapping[Resource, Served]
    groups: frozenset[str]


class _Version(msgspec.Struct, frozen=True, rename="camel"):
    git_version: str = ""
    major: str = ""
    minor: str = ""
    emulation_major: str = ""
    emulation_minor: str = ""


class _ResponseKind(msgspec.Struct, frozen=True):
    kind: str = ""


class _GroupResource(msgspec.Struct, frozen=True, rename="camel"):
    resource: str = ""
    response_kind: _ResponseKind | None = None
    scope: str = ""


class _GroupVersion(msgspec.Struct, frozen=True, rename="camel"):
    """A version of a group, in either way in which servers list groups."""

    version: str = ""
    group_version: str = ""
    resources: tuple[_GroupResource, ...] = ()


class _Name(msgspec.Struct, frozen=True):
    name: str = ""


class _Group(msgspec.Struct, frozen=True):
    name: str = ""
    metadata: _Name = _Name()
    versions: tuple[_GroupVersion, ...] = ()

    @property
    def label(self) -> str:
        return self.name or self.metadata.name

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(one.group_version for one in self.versions)


class _Groups(msgspec.Struct, frozen=True):
    kind: str = ""
    items: tuple[_Group, ...] = ()
    groups: tuple[_Group, ...] = ()

    @property
    def all(self) -> tuple[_Group, ...]:
        return self.items or self.groups


class _Resource(msgspec.Struct, frozen=True):
    name: str = ""
    kind: str = ""
    namespaced: bool = False


class _Resources(msgspec.Struct, frozen=True):
    resources: tuple[_Resource, ...] = ()


class _Found(msgspec.Struct, frozen=True):
    """A resource in one of its versions."""

    group: str
    version: str
    plural: str
    kind: str
    namespaced: bool


def discover(transport: Transport, access: Access, groups: Collection[str]) -> Server:
    """What a server is and serves of some groups. Raises `ClusterError` where it says neither."""
    version, apis = both(
        lambda: _asked(transport, access, "/version", "application/json"),
        lambda: _asked(transport, access, "/apis", AGGREGATED),
    )
    said, listed = _decoded(version, _Version, access), _decoded(apis, _Groups, access)
    names = frozenset(group.label for group in listed.all)
    if listed.kind == "APIGroupDiscoveryList":
        found = [one for group in listed.items if group.label in groups for one in _aggregated(group)]
    else:
        wanted = [path for group in listed.groups if group.name in groups for path in group.paths]
        found = [one for path in wanted for one in _listed(transport, access, path)]
    major = _digits(said.emulation_major or said.major)
    minor = _digits(said.emulation_minor or said.minor)
    release = f"{major}.{minor}"
    return Server(said.git_version or f"v{release}", release, {**CORE, **_best(found)}, names)


def _digits(text: str) -> str:
    found = _NUMBER.match(text)
    return found[0] if found else "0"


class _Asked(msgspec.Struct, frozen=True):
    path: str
    reply: Reply


def _asked(transport: Transport, access: Access, path: str, accept: str) -> _Asked:
    reply = transport.get(path, {}, accept)
    if reply.status != OK:
        raise refusal(reply, access, path)
    return _Asked(path, reply)


def _decoded(asked: _Asked, kind: type[T], access: Access) -> T:
    try:
        return msgspec.json.decode(asked.reply.body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise not_kubernetes(access, asked.path, asked.reply) from error


def _aggregated(group: _Group) -> Iterator[_Found]:
    for version in group.versions:
        for one in version.resources:
            kind = one.response_kind.kind if one.response_kind else ""
            yield _Found(group.label, version.version, one.resource, kind, one.scope == "Namespaced")


def _listed(transport: Transport, access: Access, path: str) -> Iterator[_Found]:
    """The resources of one group and version, for servers without aggregated discovery."""
    listed = _decoded(_asked(transport, access, f"/apis/{path}", "application/json"), _Resources, access)
    group, _, version = path.partition("/")
    for one in listed.resources:
        if "/" not in one.name:
            yield _Found(group, version, one.name, one.kind, one.namespaced)


def _best(found: Iterable[_Found]) -> dict[Resource, Served]:
    """The version of each resource that is read: the newest one known here, else the one that the server prefers."""
    by_resource: dict[Resource, list[_Found]] = {}
    for one in found:
        by_resource.setdefault(Resource(one.group, one.plural), []).append(one)
    best: dict[Resource, Served] = {}
    for resource, versions in by_resource.items():
        info = known_kind(resource.group, versions[0].kind)
        ranked = [one for version in info.types for one in versions if one.version == version] if info else versions
        if ranked:
            best[resource] = Served(resource, ranked[0].version, ranked[0].kind, ranked[0].namespaced)
    return best
