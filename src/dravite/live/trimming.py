"""Objects of a cluster down to what planning reads: what a dump holds, so that it is small and tells no secrets.

Kinds with a type keep what the type has. Workloads keep their pod templates down to names, images, resources, ports
and placement: environments, arguments, volumes and annotations of others go.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from dravite.api.codec import Decoded, decode, decode_raw, encode
from dravite.api.document import Document
from dravite.api.registry import lookup

_CONTAINER: Final = frozenset({"name", "image", "resources", "ports", "restartPolicy"})
_CONTAINERS: Final = ("containers", "initContainers", "ephemeralContainers")
_DROPPED: Final = frozenset(
    {
        "managedFields",
        "selfLink",
        "volumes",
        "imagePullSecrets",
        "serviceAccount",
        "serviceAccountName",
        "securityContext",
        "hostAliases",
        "dnsConfig",
        "volumeClaimTemplates",
        "data",
        "stringData",
    }
)
_KUBERNETES: Final = ("k8s.io", "kubernetes.io")
_APPLIED: Final = "kubectl.kubernetes.io/last-applied-configuration"


def trimmed(document: Document) -> Mapping[str, Any]:
    """What a dump keeps of an object, as plain data with apiVersion and kind first."""
    head = {"apiVersion": document.api_version, "kind": document.kind}
    if lookup(document.api_version, document.kind) is not None:
        decoded = decode(document)
        if isinstance(decoded, Decoded):
            return head | _object(msgspec.json.decode(encode(decoded.object)))
    return head | _object(decode_raw(document))


def _object(raw: Any) -> dict[str, Any]:
    found = _walked(raw)
    return found if isinstance(found, dict) else {}


def _walked(value: Any) -> Any:
    if isinstance(value, list):
        return [_walked(one) for one in value]
    if not isinstance(value, dict):
        return value
    kept = ((key, _FIELDS.get(key, _walked)(one)) for key, one in value.items() if key not in _DROPPED)
    return {key: one for key, one in kept if key not in _FIELDS or one}


def _annotations(value: Any) -> Any:
    """Those of Kubernetes itself; others may hold anything."""
    kept = value.items() if isinstance(value, dict) else ()
    return {key: text for key, text in kept if key != _APPLIED and key.partition("/")[0].endswith(_KUBERNETES)}


def _containers(value: Any) -> Any:
    return [
        {key: _walked(part) for key, part in one.items() if key in _CONTAINER}
        for one in value or ()
        if isinstance(one, dict)
    ]


_FIELDS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "annotations": _annotations,
    **dict.fromkeys(_CONTAINERS, _containers),
}
