"""What a controller wants done, as values, and the request that each of them is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

import msgspec

from dravite.api.codec import encode
from dravite.api.convert import from_hub
from dravite.api.meta import Model
from dravite.api.plain import Plain
from dravite.controllers.client import Call, Resource
from dravite.controllers.view import Item

_MERGE: Final = "application/merge-patch+json"
_PARTS: Final = ("status",)


class Create(msgspec.Struct, frozen=True):
    """Make an object."""

    resource: Resource
    namespace: str
    body: Mapping[str, Any]


class Patch(msgspec.Struct, frozen=True):
    """Change an object by a merge patch, in its main part or in its `status`.

    Attributes:
        revision: what it must still be at; 0 for any.
    """

    resource: Resource
    namespace: str
    name: str
    patch: Mapping[str, Any]
    part: str = ""
    revision: int = 0


class Delete(msgspec.Struct, frozen=True, kw_only=True):
    """Ask for an object to be deleted, if it is still the one with this uid."""

    resource: Resource
    namespace: str
    name: str
    uid: str = ""
    grace: int | None = None
    policy: str = ""


class Bind(msgspec.Struct, frozen=True):
    """Give a pod its node."""

    resource: Resource
    namespace: str
    name: str
    uid: str
    node: str


Command: TypeAlias = Create | Patch | Delete | Bind


def call_of(command: Command, manager: str) -> Call:
    """The request that a command is. `manager` is who owns what it writes."""
    match command:
        case Create(resource, namespace, body):
            typed = {"apiVersion": resource.api_version, "kind": resource.kind, **body}
            return Call(method="POST", path=resource.path(namespace), body=typed, manager=manager)
        case Patch(resource, namespace, name, patch, part, revision):
            path = resource.path(namespace, name, part)
            body = _at(patch, revision) if revision else patch
            return Call(method="PATCH", path=path, body=body, media=_MERGE, manager=manager)
        case Delete():
            path = command.resource.path(command.namespace, command.name)
            return Call(method="DELETE", path=path, body=_options(command), manager=manager)
        case Bind(resource, namespace, name, uid, node):
            body = {
                "apiVersion": "v1",
                "kind": "Binding",
                "metadata": {"name": name, "namespace": namespace, "uid": uid},
                "target": {"apiVersion": "v1", "kind": "Node", "name": node},
            }
            return Call(method="POST", path=resource.path(namespace, name, "binding"), body=body, manager=manager)


def create(resource: Resource, obj: Model) -> Create:
    """The command that makes a typed object, without what only a server gives."""
    body = plain_of(obj, resource)
    meta = {name: value for name, value in body["metadata"].items() if name not in ("uid", "resourceVersion")}
    return Create(resource, obj.metadata.namespace, {**body, "metadata": meta})  # type: ignore[attr-defined]


def changed(item: Item, after: Model | Plain, *, before: Model | None = None) -> tuple[Patch, ...]:
    """The patches that make of an object what is said: its main part first, then its status.

    Typed objects differ from `before`, or from the object as it is known. What types do not have stays as it is.
    """
    if isinstance(after, dict):
        old, new = item.plain, after
    else:
        old, new = plain_of(before or item.typed, item.resource), plain_of(after, item.resource)
    found = merge_patch(old, new)
    found.pop("apiVersion", None)
    found.pop("kind", None)
    status = {"status": found.pop("status")} if item.resource.has_status and "status" in found else {}
    return tuple(
        Patch(item.resource, item.namespace, item.name, patch, part, item.revision)
        for patch, part in ((found, ""), (status, "status"))
        if patch
    )


def plain_of(obj: Model, resource: Resource) -> Plain:
    """A typed object as dicts and lists in the version of a resource."""
    found: Plain = msgspec.json.decode(encode(from_hub(obj, resource.api_version).object))
    return found


def merge_patch(before: Mapping[str, Any], after: Mapping[str, Any]) -> Plain:
    """The merge patch that makes one object of another (RFC 7396)."""
    found: Plain = {name: None for name in before if name not in after}
    for name, value in after.items():
        old = before.get(name)
        if isinstance(value, dict) and isinstance(old, dict):
            inner = merge_patch(old, value)
            if inner:
                found[name] = inner
        elif value != old or name not in before:
            found[name] = value
    return found


def _at(patch: Mapping[str, Any], revision: int) -> Plain:
    meta = {**patch.get("metadata", {}), "resourceVersion": str(revision)}
    return {**patch, "metadata": meta}


def _options(command: Delete) -> Plain:
    options: Plain = {"apiVersion": "v1", "kind": "DeleteOptions"}
    if command.uid:
        options["preconditions"] = {"uid": command.uid}
    if command.grace is not None:
        options["gracePeriodSeconds"] = command.grace
    if command.policy:
        options["propagationPolicy"] = command.policy
    return options
