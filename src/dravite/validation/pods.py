"""Rules about pods, as far as planning relies on them: claims, containers and names.

Volumes, security and probes are not looked at: they decide neither where a pod runs nor which devices it gets.
Source: observed on 1.37.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dravite.api.core_v1 import Container, ContainerPort, Pod, PodResourceClaim, PodSpec, ResourceClaimReference
from dravite.api.field import FieldError, child
from dravite.api.names import why_not_dns_label, why_not_dns_subdomain
from dravite.api.releases import Profile
from dravite.validation.faults import (
    Faults,
    duplicate,
    forbidden,
    invalid,
    invalid_each,
    not_found,
    not_supported,
    required,
)
from dravite.validation.metadata import Kept, metadata
from dravite.validation.pod_placement import affinity, node_labels, scheduling_gates, spread, tolerations
from dravite.validation.pod_resources import container_resources, pod_resources

_RESTARTS: Final = ("Always", "OnFailure", "Never")
_PROTOCOLS: Final = ("SCTP", "TCP", "UDP")


def pod(item: Pod, profile: Profile) -> Faults:
    """A pod that is created."""
    yield from metadata(item.metadata, profile, Kept.NAMESPACED)
    yield from pod_spec(item.spec, "spec")


def pod_spec(spec: PodSpec, path: str) -> Faults:
    """The spec of a pod, in the order in which a server looks at it."""
    yield from _claims(spec.resource_claims, child(path, "resourceClaims"))
    yield from _containers(spec, path)
    if spec.restart_policy and spec.restart_policy not in _RESTARTS:
        yield not_supported(child(path, "restartPolicy"), spec.restart_policy, _RESTARTS)
    yield from node_labels(spec.node_selector, child(path, "nodeSelector"))
    if spec.affinity is not None:
        yield from affinity(spec.affinity, child(path, "affinity"))
    yield from pod_resources(spec, child(path, "resources"))
    yield from scheduling_gates(spec.scheduling_gates, child(path, "schedulingGates"))
    yield from spread(spec.topology_spread_constraints, child(path, "topologySpreadConstraints"))
    if spec.node_name:
        yield from invalid_each(child(path, "nodeName"), spec.node_name, why_not_dns_subdomain(spec.node_name))
    yield from tolerations(spec.tolerations, child(path, "tolerations"))
    yield from _group(spec, child(path, "schedulingGroup", "podGroupName"))
    if spec.node_name and spec.scheduling_gates:
        yield forbidden(child(path, "nodeName"), "cannot be set until all schedulingGates have been cleared")


def _group(spec: PodSpec, path: str) -> Faults:
    if spec.scheduling_group is None:
        return
    name = spec.scheduling_group.pod_group_name
    if name is None:
        yield invalid(path, None, "must specify one of: `podGroupName`")
    else:
        yield from invalid_each(path, name, why_not_dns_subdomain(name))


def _claims(items: tuple[PodResourceClaim, ...], path: str) -> Faults:
    seen: set[str] = set()
    for position, item in enumerate(items):
        place = child(path, position)
        yield from _name(item.name, seen, child(place, "name"))
        yield from _claim_source(item, place)


def _claim_source(item: PodResourceClaim, path: str) -> Faults:
    """Exactly one of claim and template (A1.3)."""
    sources = (
        ("resourceClaimName", item.resource_claim_name),
        ("resourceClaimTemplateName", item.resource_claim_template_name),
    )
    present = [(name, value) for name, value in sources if value is not None]
    if not present:
        yield invalid(path, item, "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`")
    elif len(present) > 1:
        detail = "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"
        yield invalid(path, item, detail)
    for name, value in present:
        yield from invalid_each(child(path, name), value, why_not_dns_subdomain(value))


def _name(name: str, seen: set[str], path: str) -> Faults:
    """A DNS label that must be there, once. `seen` grows by it."""
    if not name:
        yield required(path)
    elif name in seen:
        yield duplicate(path, name)
    else:
        yield from invalid_each(path, name, why_not_dns_label(name))
    seen.add(name)


def _containers(spec: PodSpec, path: str) -> Faults:
    if not spec.containers:
        yield required(child(path, "containers"))
    claims = tuple(item.name for item in spec.resource_claims)
    seen: set[str] = set()
    host_ports: set[str] = set()
    for name, items in (("containers", spec.containers), ("initContainers", spec.init_containers)):
        for position, item in enumerate(items):
            place = child(path, name, position)
            yield from _name(item.name, seen, child(place, "name"))
            yield from _ports(item, spec, host_ports if name == "containers" else set(), child(place, "ports"))
            yield from container_resources(item.resources, child(place, "resources"))
            yield from claim_references(item.resources.claims, claims, child(place, "resources", "claims"))


def claim_references(items: tuple[ResourceClaimReference, ...], claims: Sequence[str], path: str) -> Faults:
    """What a container takes of the pod's claims: each claim or request once."""
    seen: set[str] = set()
    for position, item in enumerate(items):
        place = child(path, position)
        if not item.name:
            yield required(place)
            continue
        if item.request:
            yield from invalid_each(child(place, "request"), item.request, why_not_dns_label(item.request))
        key = f"{item.name}/{item.request}" if item.request else item.name
        if item.name in seen:
            yield duplicate(place, item.name)
        elif key in seen or (not item.request and any(known.startswith(f"{key}/") for known in seen)):
            yield duplicate(place, key)
        seen.add(key)
        if item.name not in claims:
            yield _unknown_claim(place, item.name, claims)


def _unknown_claim(path: str, name: str, claims: Sequence[str]) -> FieldError:
    known = f": {', '.join(claims)}" if claims else " which is empty"
    detail = f"must be one of the names in pod.spec.resourceClaims{known}"
    return not_found(path, name, detail)


def _ports(item: Container, spec: PodSpec, taken: set[str], path: str) -> Faults:
    """Ports of the node that a container takes. `taken` grows by them."""
    for position, port in enumerate(item.ports):
        place = child(path, position)
        if port.protocol and port.protocol not in _PROTOCOLS:
            yield not_supported(child(place, "protocol"), port.protocol, _PROTOCOLS)
        if port.host_port:
            yield from _host_port(port, spec, child(place, "hostPort"))
            key = f"{port.protocol or 'TCP'}/{port.host_ip}/{port.host_port}"
            if key in taken:
                yield duplicate(child(place, "hostPort"), key)
            taken.add(key)


def _host_port(port: ContainerPort, spec: PodSpec, path: str) -> Faults:
    if not 0 < port.host_port < 65_536:
        yield invalid(path, port.host_port, "must be between 1 and 65535, inclusive")
    elif spec.host_network and port.host_port != port.container_port:
        yield invalid(path, port.host_port, "must match `containerPort` when `hostNetwork` is true")
