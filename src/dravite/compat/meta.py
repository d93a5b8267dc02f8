"""Metadata as clients have it: with what only servers write, which the models of `dravite.api` leave unread."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from dravite.api.meta import TEXT, Model, OwnerReference, Time


class ManagedFieldsEntry(Model, frozen=True, kw_only=True):
    api_version: str = ""
    fields_type: str = ""
    fields_v1: msgspec.Raw = msgspec.field(default=msgspec.Raw(), name="fieldsV1")
    manager: str = ""
    operation: str = ""
    subresource: str = ""
    time: Time | None = None


class ObjectMeta(Model, frozen=True, kw_only=True):
    annotations: Mapping[str, str] = {}
    creation_timestamp: Time | None = None
    deletion_grace_period_seconds: int | None = None
    deletion_timestamp: Time | None = None
    finalizers: tuple[str, ...] = ()
    generate_name: str = ""
    generation: int = 0
    labels: Mapping[str, str] = {}
    managed_fields: tuple[ManagedFieldsEntry, ...] = ()
    name: str = ""
    namespace: str = ""
    owner_references: tuple[OwnerReference, ...] = ()
    resource_version: str = ""
    self_link: str = ""
    uid: str = ""


class ShardInfo(Model, frozen=True, kw_only=True):
    selector: str = TEXT


class ListMeta(Model, frozen=True, kw_only=True):
    continue_: str = msgspec.field(default="", name="continue")
    remaining_item_count: int | None = None
    resource_version: str = ""
    self_link: str = ""
    shard_info: ShardInfo | None = None
