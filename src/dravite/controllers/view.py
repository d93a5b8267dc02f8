"""The objects of a server as controllers last heard of them, each decoded once and only when somebody looks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final

import msgspec

from dravite.api import registry
from dravite.api.codec import Decoded, decode_plain, decode_text
from dravite.api.convert import to_hub
from dravite.api.meta import Model, ObjectMeta, ObjectRef
from dravite.api.plain import Plain
from dravite.controllers.client import Change, Resource


class Item:
    """One object, frozen. `plain` is in the version of its resource, `typed` in the newest one."""

    def __init__(self, change: Change) -> None:
        self.resource = change.resource
        self.namespace = change.namespace
        self.name = change.name
        self.revision = change.revision
        self.body = change.body

    @property
    def key(self) -> tuple[str, str]:
        return (self.namespace, self.name)

    @property
    def ref(self) -> ObjectRef:
        return ObjectRef(self.resource.kind, self.namespace, self.name)

    @property
    def uid(self) -> str:
        return self.meta.uid

    @cached_property
    def plain(self) -> Plain:
        """The whole object; null is nothing, as for Kubernetes. Callers must not change it."""
        found: Plain = msgspec.json.decode(self.body)
        return _without_nulls(found) if b"null" in self.body else found

    @cached_property
    def meta(self) -> ObjectMeta:
        """Who and whose it is."""
        if b"null" in self.body:
            return msgspec.convert(self.plain.get("metadata", {}), ObjectMeta)
        return _META.decode(self.body).metadata

    @cached_property
    def typed(self) -> Any:
        """The object of the kind's newest type; None for kinds without types, and for one that does not read as it."""
        info = registry.lookup(self.resource.api_version, self.resource.kind)
        model = info.type_of(self.resource.api_version) if info is not None else None
        found = _typed(self.body, model) if model is not None else None
        return to_hub(found).object if found is not None else None


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value if item is not None] if isinstance(value, list) else value


class _Whose(msgspec.Struct, frozen=True):
    metadata: ObjectMeta


_META: Final = msgspec.json.Decoder(_Whose)


def _typed(body: bytes, model: type[Model]) -> Model | None:
    found = decode_text(body, model)
    if found is not None:
        return found
    decoded = decode_plain(msgspec.json.decode(body), model)  # has nulls, which the quick decoder does not take
    return decoded.object if isinstance(decoded, Decoded) else None


class View:
    """All objects, by resource and key. Older news than what is known already is passed over."""

    def __init__(self) -> None:
        self._items: dict[Resource, dict[tuple[str, str], Item]] = {}
        self._gone: dict[tuple[Resource, str, str], int] = {}
        self._named: dict[str, Resource] = {}

    def meet(self, resource: Resource) -> None:
        """A kind is served. Of two with one name the first is found by it."""
        self._items.setdefault(resource, {})
        self._named.setdefault(resource.kind, resource)

    def take(self, change: Change) -> bool:
        """Note a change; False where it is no news."""
        self.meet(change.resource)
        items = self._items[change.resource]
        place = (change.resource, change.namespace, change.name)
        key = (change.namespace, change.name)
        known = items[key].revision if key in items else self._gone.get(place, 0)
        if change.revision <= known:
            return False
        if change.is_gone:
            self._gone[place] = change.revision
            return items.pop(key, None) is not None
        self._gone.pop(place, None)
        items[key] = Item(change)
        return True

    def resource(self, kind: str) -> Resource | None:
        """How a kind is served, if it is."""
        return self._named.get(kind)

    def resources(self) -> tuple[Resource, ...]:
        """Every kind that is served."""
        return tuple(self._items)

    def of(self, kind: str, namespace: str | None = None) -> Iterator[Item]:
        """The objects of a kind, of all namespaces or of one, in the order in which they were first seen."""
        resource = self._named.get(kind)
        return self.in_resource(resource, namespace) if resource is not None else iter(())

    def in_resource(self, resource: Resource, namespace: str | None = None) -> Iterator[Item]:
        """As `of`."""
        found = tuple(self._items.get(resource, {}).values())
        return (item for item in found if namespace is None or item.namespace == namespace)

    def get(self, kind: str, namespace: str, name: str) -> Item | None:
        """An object, or None."""
        resource = self._named.get(kind)
        return self._items[resource].get((namespace, name)) if resource is not None else None

    def find(self, resource: Resource, namespace: str, name: str) -> Item | None:
        """As `get`."""
        return self._items.get(resource, {}).get((namespace, name))

    @property
    def collections(self) -> Mapping[Resource, Mapping[tuple[str, str], Item]]:
        """Everything, for those who look at all kinds alike. Callers must not change it."""
        return self._items
