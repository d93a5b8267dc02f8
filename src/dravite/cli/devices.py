"""`gpu.example.com/gpu-01/gpu-0`: one device of the input, and `gpu.example.com/gpu-01/*` for all of a pool."""

from __future__ import annotations

from difflib import get_close_matches

from dravite.api.meta import DeviceID
from dravite.cli.dispatch import UsageError
from dravite.cli.flags import Flag
from dravite.snapshot.manifests import Manifests


def named_device(text: str) -> DeviceID | None:
    """The device of a text, which may have slashes in the name of the pool; None for what is no such text."""
    parts = text.split("/")
    return DeviceID(parts[0], "/".join(parts[1:-1]), parts[-1]) if len(parts) >= 3 and all(parts) else None


def need_device(flag: Flag, wanted: DeviceID, manifests: Manifests) -> None:
    """Raises `UsageError` where neither a slice nor a claim has the device."""
    published = {
        (one.spec.driver, one.spec.pool.name, each.name) for one in manifests.slices for each in one.spec.devices or ()
    }
    held = {
        (one.driver, one.pool, one.device)
        for claim in manifests.claims
        for one in (claim.status.allocation.devices.results if claim.status.allocation else ())
    }
    known = {"/".join(one) for one in published | held}
    known |= {f"{one[0]}/{one[1]}/*" for one in published | held}
    if str(wanted) in known:
        return
    near = get_close_matches(str(wanted), sorted(known), n=1)
    message = f"{flag.names[-1]} {wanted}: there is no such device"
    raise UsageError(message, f"did you mean {near[0]}?" if near else "`dravite pools` lists the devices")
