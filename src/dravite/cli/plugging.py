"""`--add-devices gpu.example.com/gpu-01/gpu-0=2`: the ResourceSlice of a device with more devices like it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from dravite.admission.amending import ref_of
from dravite.api.codec import decode_raw
from dravite.api.document import Document
from dravite.api.meta import DeviceID, ObjectRef
from dravite.cli.devices import named_device, need_device
from dravite.cli.dispatch import UsageError
from dravite.cli.flags import ADD_DEVICES
from dravite.cli.question import Input
from dravite.snapshot.changes import copied_names


class MoreDevices(msgspec.Struct, frozen=True):
    """What is to be written: all devices of a slice, and the names of those that are new."""

    slice: ObjectRef
    like: DeviceID
    devices: Sequence[Any]
    names: tuple[str, ...]


def more_devices(target: str, number: int, documents: Sequence[Document], given: Input) -> MoreDevices:
    """The devices of the slice with so many more like one of them. Raises `UsageError`."""
    flag = ADD_DEVICES.names[-1]
    like = named_device(target)
    if like is None:
        message = f"{flag} reads DRIVER/POOL/DEVICE=NUMBER, not {target!r}"
        raise UsageError(message, "`dravite pools` lists the devices")
    need_device(ADD_DEVICES, like, given.manifests)
    holders = [one for one in given.manifests.slices if _has(one.spec, like)]
    if not holders:
        message = f"{flag} {target}: no ResourceSlice publishes it, so there is nothing to copy"
        raise UsageError(message, "`dravite pools` lists the devices")
    newest = max(holders, key=lambda one: one.spec.pool.generation)
    ref = ObjectRef("ResourceSlice", "", newest.metadata.name)
    document = next(one for one in reversed(documents) if ref_of(one, given.namespace) == ref)
    devices = decode_raw(document)["spec"]["devices"]
    model = next(one for one in devices if one["name"] == like.device)
    if model.get("consumesCounters") or model.get("basic", {}).get("consumesCounters"):
        message = f"{flag} {target}: it is a part of what others share, and a copy would share it too"
        raise UsageError(message, "add whole nodes with --add-nodes, or write the slice and name it with --with")
    names = copied_names(like.device, number, {one["name"] for one in devices})
    return MoreDevices(ref, like, (*devices, *({**model, "name": name} for name in names)), names)


def _has(spec: Any, like: DeviceID) -> bool:
    here = (spec.driver, spec.pool.name) == (like.driver, like.pool)
    return here and any(one.name == like.device for one in spec.devices or ())
