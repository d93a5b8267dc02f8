"""Rules about the resources of containers and pods: names, amounts, and requests against limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dravite.api.core_v1 import PodSpec, ResourceRequirements
from dravite.api.field import child, keyed
from dravite.api.names import why_not_label_key
from dravite.api.quantity import Quantity, QuantityError
from dravite.snapshot.requests import asked_by_containers
from dravite.validation.faults import Faults, forbidden, invalid, invalid_each, not_supported, required

_HUGE: Final = "hugepages-"
_CONTAINER: Final = frozenset({"cpu", "memory", "ephemeral-storage"})
_OTHER_STANDARD: Final = frozenset(
    {
        "pods",
        "services",
        "replicationcontrollers",
        "resourcequotas",
        "secrets",
        "configmaps",
        "persistentvolumeclaims",
        "storage",
    }
)
_POD: Final = ("cpu", _HUGE, "memory")
_NATIVE_DOMAIN: Final = "kubernetes.io/"


def container_resources(item: ResourceRequirements, path: str) -> Faults:
    """Limits and requests of a container."""
    for name in sorted(item.limits):
        yield from _amount(name, item.limits[name], keyed(child(path, "limits"), name))
    for name in sorted(item.requests):
        yield from _amount(name, item.requests[name], keyed(child(path, "requests"), name))
    yield from _against_limits(item, path)
    names = {*item.limits, *item.requests}
    if any(name.startswith(_HUGE) for name in names) and not names & {"cpu", "memory"}:
        yield forbidden(path, "HugePages require cpu or memory")


def pod_resources(spec: PodSpec, path: str) -> Faults:
    """Limits and requests of a whole pod, which only know cpu, memory and hugepages."""
    item = spec.resources
    if item is None:
        return
    if item.claims:
        yield forbidden(child(path, "claims"), "claims may not be set for Resources at pod-level")
    for field, amounts in (("limits", item.limits), ("requests", item.requests)):
        for name in sorted(amounts):
            place = keyed(child(path, field), name)
            if name not in _POD and not name.startswith(_HUGE):
                yield not_supported(place, name, _POD)
            yield from _not_negative(amounts[name], place)
    yield from _against_limits(item, path)
    yield from _against_containers(spec, item, path)


def _against_containers(spec: PodSpec, item: ResourceRequirements, path: str) -> Faults:
    """A pod asks for no less than its containers together, and no container may take more than the pod."""
    for name, amount in sorted(asked_by_containers(spec).items()):
        wanted = item.requests.get(name)
        if wanted is not None and amount > wanted:
            detail = f"must be greater than or equal to aggregate container requests of {amount.text}"
            yield invalid(keyed(child(path, "requests"), name), wanted.text, detail)
    for position, container in enumerate(spec.containers):
        for name, amount in sorted(container.resources.limits.items()):
            limit = item.limits.get(name)
            if limit is not None and amount > limit:
                place = child(keyed(child(path, "containers", position), name), "limits")
                yield invalid(place, amount.text, f"must be less than or equal to pod limits of {limit.text}")


def is_extended(name: str) -> bool:
    """Whether a name is one of resources that a cluster adds: with a domain that is not Kubernetes'."""
    return "/" in name and _NATIVE_DOMAIN not in name


def _amount(name: str, amount: Quantity, path: str) -> Faults:
    yield from invalid_each(path, name, why_not_label_key(name))
    if "/" not in name:
        if not _is_standard(name):
            yield invalid(path, name, "must be a standard resource type or fully qualified")
        if name not in _CONTAINER and not name.startswith(_HUGE):
            yield invalid(path, name, "must be a standard resource for containers")
    elif is_extended(name) and (name.startswith("requests.") or why_not_label_key(f"requests.{name}")):
        yield invalid(path, name, "doesn't follow extended resource name standard")
    yield from resource_amount(name, amount, path)


def _is_standard(name: str) -> bool:
    return name in _CONTAINER or name in _OTHER_STANDARD or name.startswith((_HUGE, "requests.", "limits."))


def resource_amount(name: str, amount: Quantity, path: str) -> Faults:
    """An amount of a resource of a node or a container."""
    yield from _not_negative(amount, path)
    if is_extended(name) and not amount.is_whole:
        yield invalid(path, amount.text, "must be an integer")
    if name.startswith(_HUGE) and not _is_whole_pages(name, amount):
        yield invalid(path, amount.text, f"{amount.text} is not positive integer multiple of {name}")


def _is_whole_pages(name: str, amount: Quantity) -> bool:
    try:
        page = Quantity.parse(name.removeprefix(_HUGE))
    except QuantityError:
        return False
    return page.nano > 0 and amount.nano % page.nano == 0


def _not_negative(amount: Quantity, path: str) -> Faults:
    if amount.nano < 0:
        yield invalid(path, amount.text, "must be greater than or equal to 0")


def _against_limits(item: ResourceRequirements, path: str) -> Faults:
    """Requests may not exceed limits, and what cannot be shared out twice must be limited to what is requested."""
    unlimited = False
    for name in sorted(item.requests):
        amount, limit = item.requests[name], item.limits.get(name)
        exact = is_extended(name) or name.startswith(_HUGE)
        if limit is None:
            unlimited = unlimited or exact
        elif exact and amount != limit:
            yield invalid(child(path, "requests"), amount.text, f"must be equal to {name} limit of {limit.text}")
        elif amount > limit:
            detail = f"must be less than or equal to {name} limit of {limit.text}"
            yield invalid(child(path, "requests"), amount.text, detail)
    if unlimited:
        yield required(child(path, "limits"), "Limit must be set for non overcommitable resources")


def amounts(items: Mapping[str, Quantity], path: str) -> Faults:
    """What a node has."""
    for name in sorted(items):
        yield from resource_amount(name, items[name], child(path, name))
