"""What a driver with a controller does in Kubernetes 1.31 (`spec.controller` of a ResourceClaim), whatever its devices.

The scheduler makes a PodSchedulingContext for a pod whose claims wait for drivers: it names nodes that would do for
everything else, and selects one of them. Each driver answers which of them will not do for its claims, and allocates
on the selected node. When nobody uses a claim any more it is asked to take the devices back.

Two functions say what is to be written, given how things are; both are called again after every change, and every
30 seconds in any case, because what is free may change by itself. Objects are dicts, as an API server shows them.
Nothing here knows how they get there: see run.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Object = dict[str, Any]

AGAIN = 30.0
"""Seconds after which to look again although nothing has changed."""

MOST_NODES = 128
"""How many unsuitable nodes may be listed for one claim."""


class DriverError(Exception):
    """Why the driver could not do something; it is told in an event, and tried again."""


class Driver(Protocol):
    """What is yours: the devices."""

    name: str
    reserves: bool

    def unsuitable(self, claims: Sequence[Object], nodes: Sequence[str]) -> Sequence[str]:
        """The nodes of these on which not all claims can be allocated together."""

    def allocate(self, claim: Object, node: str) -> Object:
        """Take devices for a claim on a node: its `status.allocation`, without `controller`."""

    def deallocate(self, claim: Object) -> None:
        """Give the devices of a claim back. Called again for a claim that has none any more."""


@dataclass(frozen=True)
class Write:
    """A merge patch of an object, or of its status."""

    kind: str
    namespace: str
    name: str
    patch: Object
    part: str = ""


@dataclass(frozen=True)
class Failure:
    """Something to be told in an event with the reason `Failed`, and to be tried again."""

    kind: str
    namespace: str
    name: str
    message: str


def answer(
    driver: Driver, context: Object, pod: Object | None, claims: Mapping[str, Object]
) -> Iterator[Write | Failure]:
    """What the driver does about a PodSchedulingContext. `claims` are those of the pod, by the name of its entry."""
    mine = {
        entry: claim
        for entry, claim in claims.items()
        if claim["spec"].get("controller") == driver.name and not status_of(claim).get("allocation")
    }
    if pod is None or not mine or not _is_about(context, pod):
        return
    spec = context.get("spec") or {}
    selected, potential = spec.get("selectedNode") or "", list(spec.get("potentialNodes") or ())
    if not selected and not potential:
        return
    refused: Sequence[str] = ()
    if potential:
        asked = potential if not selected or selected in potential else [*potential, selected]
        try:
            refused = driver.unsuitable(list(mine.values()), asked)
        except DriverError as error:
            yield _failure(context, f"checking potential nodes: {error}")
            return
    if selected and selected not in refused:
        for claim in mine.values():
            done = list(_allocated(driver, claim, selected, pod, context))
            yield from done
            if isinstance(done[-1], Failure):
                return
    yield from _told(context, mine, refused)


def release(driver: Driver, claim: Object) -> Iterator[Write | Failure]:
    """What the driver does about a claim that nobody uses: devices go back, then the finalizer goes."""
    meta, status = claim["metadata"], status_of(claim)
    finalizers = meta.get("finalizers") or []
    is_wanted_back = meta.get("deletionTimestamp") or status.get("deallocationRequested")
    if not is_wanted_back or status.get("reservedFor") or finalizer_of(driver) not in finalizers:
        return
    place = ("ResourceClaim", meta["namespace"], meta["name"])
    try:
        driver.deallocate(claim)
    except DriverError as error:
        yield Failure(*place, f"deallocate: {error}")
        return
    if status.get("allocation") or status.get("deallocationRequested"):
        yield Write(*place, {"status": {"allocation": None, "deallocationRequested": None}}, "status")
    kept = [one for one in finalizers if one != finalizer_of(driver)]
    yield Write(*place, {"metadata": {"finalizers": kept or None}})


def finalizer_of(driver: Driver) -> str:
    """What keeps a claim from vanishing while the driver has devices for it."""
    return f"{driver.name}/deletion-protection"


def status_of(obj: Object) -> Object:
    return obj.get("status") or {}


def _is_about(context: Object, pod: Object) -> bool:
    """Whether the context is the pod's own, and neither of them is going."""
    owners = context["metadata"].get("ownerReferences") or ()
    owned = any(one.get("controller") and one["uid"] == pod["metadata"]["uid"] for one in owners)
    return owned and not any(one["metadata"].get("deletionTimestamp") for one in (context, pod))


def _allocated(driver: Driver, claim: Object, node: str, pod: Object, context: Object) -> Iterator[Write | Failure]:
    meta = claim["metadata"]
    place = ("ResourceClaim", meta["namespace"], meta["name"])
    finalizers = meta.get("finalizers") or []
    if finalizer_of(driver) not in finalizers:
        yield Write(*place, {"metadata": {"finalizers": [*finalizers, finalizer_of(driver)]}})
    try:
        allocation = {**driver.allocate(claim, node), "controller": driver.name}
    except DriverError as error:
        yield _failure(context, f"claim {meta['name']}: {error}")
        return
    status: Object = {"allocation": allocation}
    if driver.reserves:
        user = {"resource": "pods", "name": pod["metadata"]["name"], "uid": pod["metadata"]["uid"]}
        status["reservedFor"] = [*(status_of(claim).get("reservedFor") or ()), user]
    yield Write(*place, {"status": status}, "status")


def _told(context: Object, mine: Mapping[str, Object], refused: Sequence[str]) -> Iterator[Write]:
    """The answer for each of the driver's claims, where it is another one than before."""
    known = {one["name"]: one for one in status_of(context).get("resourceClaims") or ()}
    nodes = _within_limit(list(refused), (context.get("spec") or {}).get("selectedNode") or "")
    answers = {entry: {"name": entry, **({"unsuitableNodes": nodes} if nodes else {})} for entry in mine}
    if all(known.get(entry) == told for entry, told in answers.items()):
        return
    meta = context["metadata"]
    patch = {"status": {"resourceClaims": list({**known, **answers}.values())}}
    yield Write("PodSchedulingContext", meta["namespace"], meta["name"], patch, "status")


def _within_limit(nodes: list[str], selected: str) -> list[str]:
    """One node too many can be only because the selected one was asked about as well; that one must be told."""
    if len(nodes) <= MOST_NODES:
        return nodes
    return nodes[:-1] if nodes[0] == selected else nodes[1:]


def _failure(context: Object, message: str) -> Failure:
    meta = context["metadata"]
    return Failure("PodSchedulingContext", meta["namespace"], meta["name"], message)
