"""`--taint-device gpu.example.com/gpu-01/gpu-0:NoExecute`: the DeviceTaintRule that it stands for."""

from __future__ import annotations

import json
from difflib import get_close_matches
from typing import Final

from dravite.api.document import Document
from dravite.api.documents import split
from dravite.api.registry import known_kind, served_versions
from dravite.cli import flags
from dravite.cli.dispatch import UsageError
from dravite.cli.question import Input
from dravite.snapshot.manifests import Manifests

_EFFECTS: Final = ("NoExecute", "NoSchedule", "None")
_RULE: Final = ("resource.k8s.io", "DeviceTaintRule")


def rule_document(word: str, given: Input, number: int) -> Document:
    """The DeviceTaintRule that a `--taint-device` stands for. Raises `UsageError`."""
    text, colon, effect = word.rpartition(":") if ":" in word else (word, "", "NoExecute")
    device_text, equals, key = text.partition("=")
    parts = device_text.split("/")
    if len(parts) < 3 or not all(parts) or (equals and not key) or (colon and effect not in _EFFECTS):
        message = f"--taint-device reads DRIVER/POOL/DEVICE[=KEY][:EFFECT], not {word!r}"
        raise UsageError(message, f"effects are {', '.join(_EFFECTS)}; `dravite pools` lists the devices")
    driver, pool, device = parts[0], "/".join(parts[1:-1]), parts[-1]
    info = known_kind(*_RULE)
    versions = served_versions(info, given.profile.release) if info is not None else ()
    if not versions:
        message = f"Kubernetes {given.profile.release} has no DeviceTaintRules"
        raise UsageError(message, "choose a later --kubernetes")
    _check_device(given.manifests, driver, pool, device)
    selector = {"driver": driver, "pool": pool} | ({} if device == "*" else {"device": device})
    taint = {"key": key or "dravite.dev/what-if", "effect": effect}
    rule = {
        "apiVersion": versions[0],
        "kind": _RULE[1],
        "metadata": {"name": f"what-if-{number}"},
        "spec": {"deviceSelector": selector, "taint": taint},
    }
    return split(flags.TAINT_DEVICE.names[0], json.dumps(rule).encode())[0]


def _check_device(manifests: Manifests, driver: str, pool: str, device: str) -> None:
    """Raise `UsageError` where neither a slice nor a claim has the device."""
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
    wanted = f"{driver}/{pool}/{device}"
    if wanted in known:
        return
    near = get_close_matches(wanted, sorted(known), n=1)
    message = f"--taint-device {wanted}: there is no such device"
    raise UsageError(message, f"did you mean {near[0]}?" if near else "`dravite pools` lists the devices")
