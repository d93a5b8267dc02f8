"""Objects with the names taken out, so that a dump can be shared and still gives the same answer.

What planning reads stays; commands, environments, volumes, messages and other people's annotations go. Names are
replaced alike wherever they stand, and in their order: Kubernetes sorts pools, slices and rules by name, so the new
names sort as the old ones did. Names of drivers, classes, attributes, requests and pod entries stay, because
selectors and messages speak of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from dravite.workloads import BUILT_IN

Data = dict[str, Any]

KUBERNETES: Final = re.compile(r"(\A|\.)(k8s\.io|kubernetes\.io)(/|\Z)")
_TELLING: Final = re.compile(
    r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
    r"|\b(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}\b|\b(?:\d{1,3}\.){3}\d{1,3}\b"
)
_PLAIN_VALUE: Final = re.compile(r"\A(-?\d+|true|false|)\Z")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DROPPED: Final = _words(
    "managedFields selfLink message addresses nodeInfo volumes imagePullSecrets serviceAccountName "
    "serviceAccount hostname subdomain hostAliases dnsConfig securityContext podIP podIPs hostIP hostIPs "
    "containerStatuses initContainerStatuses ephemeralContainerStatuses providerID podCIDR podCIDRs "
    "externalID networkData data volumesAttached volumesInUse daemonEndpoints"
)
"""Fields that planning does not read and that may tell something."""

CONTAINER_FIELDS: Final = _words("name image resources ports restartPolicy")
KEPT_NAMES: Final = frozenset({"DeviceClass", "PriorityClass"})
NAME_FIELDS: Final = _words(
    "namespace nodeName generateName resourceClaimName resourceClaimTemplateName podGroupName "
    "nominatedNodeName workloadName"
)
CONTROLLER_LABELS: Final = frozenset(
    {
        *(label for rows in BUILT_IN.values() for row in rows for label in row.labels),
        *_words("pod-template-hash controller-revision-hash pod-template-generation controller-uid job-name"),
    }
)
"""Labels that controllers give to the pods that they make: selectors find those pods by them."""

EVERY_ADDRESS: Final = ("", "0.0.0.0", "::")  # noqa: S104 (nothing is bound)
LABEL_MAPS: Final = _words("labels matchLabels nodeSelector")


def anonymous(objects: Sequence[Data]) -> list[Data]:
    """The objects, in their order, with every name, label and telling value replaced."""
    written = " ".join(_expressions(objects))
    eraser = _Eraser(_new_names(objects), written)
    return [eraser.object(one) for one in objects]


def _expressions(data: Any) -> Iterator[str]:
    """All selector texts: what they compare with must stay."""
    for key, value in _pairs(data):
        if key == "expression" and isinstance(value, str):
            yield value


def _pairs(data: Any) -> Iterator[tuple[str, Any]]:
    stack = [data]
    while stack:
        one = stack.pop()
        if isinstance(one, dict):
            yield from one.items()
            stack += one.values()
        elif isinstance(one, list):
            stack += one


def _new_names(objects: Sequence[Data]) -> dict[str, str]:
    """Old names → new ones, in the same order. A pod of a workload keeps what follows the workload's name."""
    found: set[str] = set()
    for one in objects:
        metadata = _map(one.get("metadata"))
        if _text(one.get("kind")) not in KEPT_NAMES:
            found |= {_text(metadata.get("name")), _text(metadata.get("generateName")).removesuffix("-")}
        found |= {value for key, value in _pairs(one) if key in NAME_FIELDS and isinstance(value, str)}
        found |= set(_pool_names(one)) | set(_field_values(one)) | set(_owner_names(one))
    found -= {"", "default", "kube-system"}
    makers = (one for one in objects if "template" in str(one.get("spec", ""))[: 1 << 20])
    owners = {_text(_map(one.get("metadata")).get("name")) for one in makers}
    width = len(str(len(found)))
    made = {name: f"name-{number:0{width}}" for number, name in enumerate(sorted(found), 1)}
    for name in found:
        owner = max((one for one in owners if one and name.startswith(f"{one}-")), key=len, default="")
        rest = name[len(owner) + 1 :]
        if owner in made and re.fullmatch(r"[0-9-]+", rest):
            made[name] = f"{made[owner]}-{rest}"
    return made


def _pool_names(one: Data) -> Iterator[str]:
    pool = _map(one.get("spec")).get("pool")
    if isinstance(pool, dict) and isinstance(pool.get("name"), str):
        yield pool["name"]
    for key, value in _pairs(one):
        if key == "pool" and isinstance(value, str):
            yield value


def _field_values(one: Data) -> Iterator[str]:
    for key, value in _pairs(one):
        if key == "matchFields":
            for term in _maps(value):
                yield from (each for each in _list(term.get("values")) if isinstance(each, str))


def _owner_names(one: Data) -> Iterator[str]:
    for key, value in _pairs(one):
        if key in ("ownerReferences", "reservedFor"):
            yield from (each["name"] for each in _maps(value) if isinstance(each.get("name"), str))


def _map(value: Any) -> Data:
    """The value if it is a mapping: what is written wrongly has no names to take out, and fails nowhere."""
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _maps(value: Any) -> list[Data]:
    return [one for one in _list(value) if isinstance(one, dict)]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


class _Eraser:
    """Replaces what one set of inputs says, alike everywhere."""

    def __init__(self, names: Mapping[str, str], written: str) -> None:
        self.names = names
        self.written = written
        self.drawn: dict[tuple[str, str], str] = {}

    def draw(self, sort: str, old: str) -> str:
        """A new word of a sort for an old one; the same for the same."""
        return self.drawn.setdefault((sort, old), f"{sort}-{len(self.drawn) + 1}")

    def name(self, old: Any) -> Any:
        if not isinstance(old, str):
            return old
        dash = "-" if old.endswith("-") else ""
        return self.names.get(old) or self.names.get(old.removesuffix("-"), old.removesuffix("-")) + dash

    def object(self, one: Data) -> Data:
        made: Data = self.walk(one)
        if _text(one.get("kind")) not in KEPT_NAMES and isinstance(made.get("metadata"), dict):
            made["metadata"]["name"] = self.name(_map(one.get("metadata")).get("name"))
            made["metadata"] = {key: value for key, value in made["metadata"].items() if value is not None}
        return made

    def walk(self, data: Any) -> Any:
        if isinstance(data, list):
            return [self.walk(one) for one in data]
        if not isinstance(data, dict):
            return data
        return {key: self.field(key, value) for key, value in data.items() if key not in DROPPED}

    def field(self, key: str, value: Any) -> Any:
        rule = RULES.get(key)
        if rule is not None:
            return rule(self, value)
        if key in NAME_FIELDS:
            return self.name(value)
        if key in LABEL_MAPS and isinstance(value, dict) and "nodeSelectorTerms" not in value:
            return {self.label_key(one): self.label_value(one, text) for one, text in value.items()}
        return self.walk(value)

    def topology_key(self, value: Any) -> Any:
        return self.label_key(value) if isinstance(value, str) else self.walk(value)

    def label_key(self, key: str) -> str:
        known = key in CONTROLLER_LABELS or KUBERNETES.search(key.partition("/")[0])
        return key if known else self.draw("label", key)

    def label_value(self, key: str, value: Any) -> Any:
        """Numbers and switches stay, since selectors compare them; names are replaced as names."""
        if not isinstance(value, str) or _PLAIN_VALUE.match(value):
            return value
        if value in self.names:
            return self.names[value]
        is_role = key in CONTROLLER_LABELS or key.startswith("resource.kubernetes.io/")
        return value if is_role else self.draw("value", value)

    def expressions(self, value: Any) -> Any:
        return [
            term
            | {"key": self.label_key(str(term.get("key", "")))}
            | (
                {"values": [self.label_value(str(term.get("key", "")), one) for one in _list(term["values"])]}
                if term.get("values")
                else {}
            )
            for term in _maps(value)
        ]

    def taints(self, value: Any) -> Any:
        """Taints and tolerations: keys and values as those of labels, so that they still meet."""
        if isinstance(value, dict):
            return self.taints([value])[0]
        return [
            one
            | {
                part: rule(one)
                for part, rule in (("key", self._taint_key), ("value", self._taint_value))
                if part in one
            }
            for one in _maps(value)
        ]

    def _taint_key(self, one: Data) -> str:
        return self.label_key(str(one["key"]))

    def _taint_value(self, one: Data) -> Any:
        return self.label_value(str(one.get("key", "")), one["value"])

    def strings(self, value: Any) -> Any:
        return [self.name(one) for one in _list(value)]

    def fields(self, value: Any) -> Any:
        return [term | {"values": self.strings(term.get("values"))} for term in _maps(value)]

    def annotations(self, value: Any) -> Any:
        return {
            key: text
            for key, text in _map(value).items()
            if KUBERNETES.search(key.partition("/")[0]) and not key.endswith("last-applied-configuration")
        }

    def containers(self, value: Any) -> Any:
        return [
            {key: self.field(key, one) for key, one in container.items() if key in CONTAINER_FIELDS}
            | {"name": self.draw("container", str(container.get("name", "")))}
            for container in _maps(value)
        ]

    def ports(self, value: Any) -> Any:
        """Ports of containers: two that ask for one port of a node meet only at the same address."""
        return [
            self.walk(port) | ({"hostIP": self.address(port["hostIP"])} if "hostIP" in port else {})
            for port in _maps(value)
        ]

    def address(self, value: Any) -> Any:
        if value in EVERY_ADDRESS:
            return value
        return self.drawn.setdefault(("address", str(value)), f"2001:db8::{len(self.drawn) + 1:x}")

    def references(self, value: Any) -> Any:
        return [self.walk(one) | {"name": self.name(one.get("name"))} for one in _maps(value)]

    def pool(self, value: Any) -> Any:
        if isinstance(value, dict):
            return value | {"name": self.name(value.get("name"))}
        return self.name(value)

    def devices(self, value: Any) -> Any:
        """Devices of a slice, or the `devices` of a claim, which is no list."""
        if not isinstance(value, list):
            return self.walk(value)
        return [self.walk(one) | {"name": self.device(one.get("name"))} for one in _maps(value)]

    def device(self, value: Any) -> Any:
        return _TELLING.sub(lambda found: self.draw("id", found[0]), value) if isinstance(value, str) else value

    def attributes(self, value: Any) -> Any:
        if not isinstance(value, dict):
            return self.walk(value)
        return {key: {kind: self.told(one) for kind, one in _map(typed).items()} for key, typed in value.items()}

    def told(self, value: Any) -> Any:
        """A value that could identify a machine is replaced, unless a selector compares with it."""
        if isinstance(value, list):
            return [self.told(one) for one in value]
        if not isinstance(value, str) or value in self.written:
            return value
        return self.names.get(value) or self.device(value)

    def configurations(self, value: Any) -> Any:
        """Configurations stay where they were; what they say to drivers does not."""
        parameters = {"apiVersion": "example.com/v1", "kind": "Parameters"}
        return [
            one | {"opaque": {"driver": _map(one["opaque"]).get("driver"), "parameters": parameters}}
            if one.get("opaque")
            else one
            for one in _maps(value)
        ]

    def images(self, value: Any) -> Any:
        return [one | {"names": [self.image(name) for name in _list(one.get("names"))]} for one in _maps(value)]

    def image(self, value: Any) -> Any:
        return self.draw("image", str(value))

    def uid(self, value: Any) -> Any:
        return self.draw("uid", str(value))


def _all(values: Iterable[tuple[str, Callable[[_Eraser, Any], Any]]]) -> Mapping[str, Callable[[_Eraser, Any], Any]]:
    return {key: rule for keys, rule in values for key in keys.split()}


RULES: Final = _all(
    (
        ("matchExpressions", _Eraser.expressions),
        ("matchFields", _Eraser.fields),
        ("taints tolerations taint", _Eraser.taints),
        ("namespaces", _Eraser.strings),
        ("topologyKey", _Eraser.topology_key),
        ("annotations", _Eraser.annotations),
        ("containers initContainers ephemeralContainers", _Eraser.containers),
        ("ports", _Eraser.ports),
        ("ownerReferences reservedFor", _Eraser.references),
        ("pool", _Eraser.pool),
        ("devices", _Eraser.devices),
        ("device", _Eraser.device),
        ("attributes", _Eraser.attributes),
        ("config", _Eraser.configurations),
        ("images", _Eraser.images),
        ("image", _Eraser.image),
        ("uid", _Eraser.uid),
    )
)
