"""Extended resources that device classes provide: which class serves a name, and the claim a pod gets for them (F7).

The claim exists in memory only while nodes are compared, and differs from node to node: a node that advertises a
resource itself serves it without the allocator.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

import msgspec

from dravite.api.core_v1 import Container, ContainerExtendedResourceRequest, Pod
from dravite.api.meta import ObjectMeta, OwnerReference
from dravite.api.resource_v1 import (
    DeviceClaim,
    DeviceClass,
    DeviceRequest,
    ExactDeviceRequest,
    ResourceClaim,
    ResourceClaimSpec,
)
from dravite.snapshot.requests import IMPLICIT_PREFIX

IN_MEMORY_NAME: Final = "<extended-resources>"
ANNOTATION: Final = "resource.kubernetes.io/extended-resource-claim"
BASE: Final = "extended-resources"

Mappings = tuple[ContainerExtendedResourceRequest, ...]

Offers: TypeAlias = Mapping[str, str]
"""The class that serves a resource."""


class ExtendedRequests(msgspec.Struct, frozen=True):
    """The requests of the claim for one node, and which request serves which container (F7.5)."""

    requests: tuple[DeviceRequest, ...] = ()
    mappings: Mappings = ()


def offers_of(classes: Iterable[DeviceClass]) -> Offers:
    """The class that serves each resource, for somebody who begins with these classes.

    Of several with one explicit name the newest wins, of equally old ones the first by name (F7.2); one that does not
    exist yet is newest. Each serves its implicit name (F7.1).
    """
    found: dict[str, DeviceClass] = {}
    for one in sorted(classes, key=lambda one: one.metadata.name):
        for name in names_of(one):
            if name not in found or _age(one) > _age(found[name]):
                found[name] = one
    return {name: one.metadata.name for name, one in found.items()}


def offers_after(
    offers: Offers, classes: Mapping[str, DeviceClass], before: DeviceClass | None, after: DeviceClass | None
) -> Offers:
    """The same for somebody who hears that one of the classes is another one now, or gone.

    As in Kubernetes nobody looks for the class that might serve instead: a name of one that goes, or that gives it up,
    is served again when another class with it is heard of, even if it was not this one that served it (F7.2).
    """
    if after is not None:
        rival = classes.get(offers.get(after.spec.extended_resource_name or "", ""))
        if rival is not None and not _wins(after, rival):
            return offers
    names = names_of(before) if before is not None else ()
    kept = {name: one for name, one in offers.items() if name not in names}
    return kept | dict.fromkeys(names_of(after), after.metadata.name) if after is not None else kept


def names_of(one: DeviceClass) -> tuple[str, ...]:
    """The extended resources that a class serves, if no other one does: the implicit name is its own (F7.1)."""
    implicit = f"{IMPLICIT_PREFIX}{one.metadata.name}"
    return (one.spec.extended_resource_name, implicit) if one.spec.extended_resource_name else (implicit,)


def extended_requests(pod: Pod, served: Mapping[str, str]) -> ExtendedRequests:
    """What the claim asks for: `served` names the class of each resource that the allocator must provide.

    Init containers that end before the others start take over the devices of the later ones and only add the
    difference; of their differences the largest counts.
    """
    containers = (*pod.spec.init_containers, *pod.spec.containers)
    requests: list[DeviceRequest] = []
    mappings: list[ContainerExtendedResourceRequest] = []
    for resource in sorted(served):
        one = _of_resource(containers, len(pod.spec.init_containers), resource, served[resource])
        requests += one.requests
        mappings += one.mappings
    return ExtendedRequests(tuple(sorted(requests, key=lambda request: request.name)), tuple(mappings))


def resources_behind(pod: Pod) -> Mapping[str, str]:
    """The resource that each request of the claim stands for, by the request's name."""
    containers = enumerate((*pod.spec.init_containers, *pod.spec.containers))
    return {
        _request_name(place, container, resource): resource
        for place, container in containers
        for resource in container.resources.requests
    }


def extended_claim(pod: Pod, requests: tuple[DeviceRequest, ...], name: str = IN_MEMORY_NAME) -> ResourceClaim:
    """The claim itself, in memory or, with another name, as the scheduler creates it (F7.6)."""
    owner = OwnerReference(api_version="v1", kind="Pod", name=pod.metadata.name, uid=pod.metadata.uid, controller=True)
    metadata = ObjectMeta(
        name=name,
        generate_name=f"{pod.metadata.name}-{BASE}-",
        namespace=pod.metadata.namespace,
        uid=f"<uid of ResourceClaim {pod.metadata.namespace}/{name}>",
        annotations={ANNOTATION: "true"},
        owner_references=(owner,),
    )
    return ResourceClaim(metadata=metadata, spec=ResourceClaimSpec(devices=DeviceClaim(requests=requests)))


def is_claim_of(claim: ResourceClaim, pod: Pod) -> bool:
    """Whether the claim is one that the scheduler made for extended resources of this very pod."""
    return claim.metadata.annotations.get(ANNOTATION) == "true" and any(
        owner.controller and owner.name == pod.metadata.name and owner.uid == pod.metadata.uid
        for owner in claim.metadata.owner_references
    )


def _wins(one: DeviceClass, rival: DeviceClass) -> bool:
    return (_age(one), rival.metadata.name) > (_age(rival), one.metadata.name)


def _age(one: DeviceClass) -> tuple[bool, str]:
    created = one.metadata.creation_timestamp
    return (created is None, created or "")


def _of_resource(containers: Sequence[Container], inits: int, resource: str, device_class: str) -> ExtendedRequests:
    lasting: dict[int, DeviceRequest] = {}
    lasting_mappings: list[ContainerExtendedResourceRequest] = []
    passing: list[DeviceRequest] = []
    passing_mappings: list[ContainerExtendedResourceRequest] = []
    passing_places = [place for place in range(inits) if containers[place].restart_policy != "Always"]
    for place in (place for place in range(len(containers)) if place not in passing_places):
        request = _request(containers[place], place, resource, _wanted(containers[place], resource), device_class)
        if request is not None:
            lasting[place] = request
            lasting_mappings.append(_mapping(containers[place], resource, request.name))
    for place in passing_places:
        container = containers[place]
        missing = _wanted(container, resource)
        for later in (lasting[other] for other in sorted(lasting) if other >= place):
            if missing <= 0:
                break
            passing_mappings.append(_mapping(container, resource, later.name))
            missing -= _count(later)
        request = _request(container, place, resource, missing, device_class)
        if request is not None:
            passing.append(request)
            passing_mappings.append(_mapping(container, resource, request.name))
    largest = max(passing, key=_count, default=None)
    renamed = _renamed(passing_mappings, passing, largest)
    return ExtendedRequests((*((largest,) if largest else ()), *lasting.values()), (*lasting_mappings, *renamed))


def _renamed(
    mappings: Sequence[ContainerExtendedResourceRequest],
    passing: Sequence[DeviceRequest],
    largest: DeviceRequest | None,
) -> Mappings:
    """Init containers share one request for what they add, the largest."""
    own = {request.name for request in passing}
    return tuple(
        msgspec.structs.replace(one, request_name=largest.name) if largest and one.request_name in own else one
        for one in mappings
    )


def _wanted(container: Container, resource: str) -> int:
    quantity = container.resources.requests.get(resource)
    return quantity.value if quantity is not None and quantity.is_whole else 0


def _request(container: Container, place: int, resource: str, count: int, device_class: str) -> DeviceRequest | None:
    if count <= 0:
        return None
    exactly = ExactDeviceRequest(device_class_name=device_class, allocation_mode="ExactCount", count=count)
    return DeviceRequest(name=_request_name(place, container, resource), exactly=exactly)


def _request_name(place: int, container: Container, resource: str) -> str:
    return f"container-{place}-request-{sorted(container.resources.requests).index(resource)}"


def _count(request: DeviceRequest) -> int:
    return request.exactly.count if request.exactly else 0


def _mapping(container: Container, resource: str, request: str) -> ContainerExtendedResourceRequest:
    return ContainerExtendedResourceRequest(container_name=container.name, resource_name=resource, request_name=request)
