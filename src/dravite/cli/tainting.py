"""`--taint-device gpu.example.com/gpu-01/gpu-0:NoExecute`: the DeviceTaintRule that it stands for."""

from __future__ import annotations

import json
from typing import Final

from dravite.api.document import Document
from dravite.api.documents import split
from dravite.api.registry import known_kind, served_versions
from dravite.cli import flags
from dravite.cli.devices import named_device, need_device
from dravite.cli.dispatch import UsageError
from dravite.cli.question import Input

_EFFECTS: Final = ("NoExecute", "NoSchedule", "None")
_RULE: Final = ("resource.k8s.io", "DeviceTaintRule")


def rule_document(word: str, given: Input, number: int) -> Document:
    """The DeviceTaintRule that a `--taint-device` stands for. Raises `UsageError`."""
    text, colon, effect = word.rpartition(":") if ":" in word else (word, "", "NoExecute")
    device_text, equals, key = text.partition("=")
    wanted = named_device(device_text)
    if wanted is None or (equals and not key) or (colon and effect not in _EFFECTS):
        message = f"--taint-device reads DRIVER/POOL/DEVICE[=KEY][:EFFECT], not {word!r}"
        raise UsageError(message, f"effects are {', '.join(_EFFECTS)}; `dravite pools` lists the devices")
    info = known_kind(*_RULE)
    versions = served_versions(info, given.profile.release) if info is not None else ()
    if not versions:
        message = f"Kubernetes {given.profile.release} has no DeviceTaintRules"
        raise UsageError(message, "choose a later --kubernetes")
    need_device(flags.TAINT_DEVICE, wanted, given.manifests)
    selector = {"driver": wanted.driver, "pool": wanted.pool}
    selector |= {} if wanted.device == "*" else {"device": wanted.device}
    taint = {"key": key or "dravite.dev/what-if", "effect": effect}
    rule = {
        "apiVersion": versions[0],
        "kind": _RULE[1],
        "metadata": {"name": f"what-if-{number}"},
        "spec": {"deviceSelector": selector, "taint": taint},
    }
    return split(flags.TAINT_DEVICE.names[0], json.dumps(rule).encode())[0]
