"""Which feature gates a cluster has on: what its API server's metrics say, else what can be told from its objects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from dravite.api.codec import Decoded, decode
from dravite.api.convert import to_hub
from dravite.api.gated_fields import drop_gated
from dravite.api.gates import GATES
from dravite.api.registry import lookup
from dravite.api.releases import Profile
from dravite.live.answers import OK
from dravite.live.faults import ClusterError
from dravite.live.lists import Listed
from dravite.live.transport import Transport

_ENABLED: Final = re.compile(rb'^kubernetes_feature_enabled\{name="([^"]+)"[^}]*\} ([01])', re.MULTILINE)
_TEXT: Final = "text/plain;version=0.0.4"

_BY_KIND: Final[Mapping[str, tuple[str, ...]]] = {
    "DeviceTaintRule": ("DRADeviceTaints", "DRADeviceTaintRules"),
    "PodGroup": ("GenericWorkload",),
    "Workload": ("GenericWorkload",),
    "CompositePodGroup": ("GenericWorkload", "CompositePodGroup"),
}
"""Kinds whose objects are only there where gates are on."""

_GATED: Final = ("DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice", *_BY_KIND)


def ask_gates(transport: Transport) -> Mapping[str, bool] | None:
    """Every gate of the API server that is known here, and whether it is on; None where it may not be asked."""
    try:
        reply = transport.get("/metrics", {}, _TEXT)
    except ClusterError:
        return None
    if reply.status != OK:
        return None
    found = {name.decode(): on == b"1" for name, on in _ENABLED.findall(reply.body)}
    return {name: on for name, on in found.items() if name in GATES} if found else None


def gates_in_use(lists: Iterable[Listed], profile: Profile) -> tuple[str, ...]:
    """Gates that are off in the profile, and without which some of the objects could not be as they are."""
    found: dict[str, None] = {}
    for listed in lists:
        kind = listed.served.kind
        if listed.items:
            found |= dict.fromkeys(gate for gate in _BY_KIND.get(kind, ()) if _is_off(gate, profile))
        if kind in _GATED and lookup(listed.served.api_version, kind):
            found |= dict.fromkeys(gate for gate in _of_fields(listed, profile) if _is_off(gate, profile))
    return tuple(found)


def _is_off(gate: str, profile: Profile) -> bool:
    return GATES[gate].stage(profile.release) != "-" and not profile.enabled(gate)


def _of_fields(listed: Listed, profile: Profile) -> Iterable[str]:
    for item in listed.items:
        decoded = decode(item.document)
        if isinstance(decoded, Decoded):
            _, dropped = drop_gated(to_hub(decoded.object).object, profile)
            yield from (field.gate for field in dropped)


def as_text(gates: Mapping[str, bool]) -> str:
    """The gates as `--feature-gates` takes them."""
    return ",".join(f"{name}={str(on).lower()}" for name, on in gates.items())
