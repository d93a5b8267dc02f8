"""What is worth knowing about a pod that is placed: what it got differs from what somebody may have meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dravite.api.meta import DeviceID
from dravite.explain import notes as n
from dravite.explain.case import Case
from dravite.explain.devices.differing import differing_attributes
from dravite.explain.devices.gains import demands_with_paths, device_of, got, on_node
from dravite.explain.devices.whole import taken_whole
from dravite.explain.nodes.evictions import evictions
from dravite.explain.objects.resources import drivers_for
from dravite.snapshot.node_state import NodeState, amount, used_amount


def warnings_on(case: Case, node: str) -> tuple[n.Note, ...]:
    """What somebody must be told even if nobody asks why."""
    return (*evictions(case, node), *_two_books(case, node))


def notes_on_yes(case: Case, node: str) -> tuple[n.Note, ...]:
    """Notes for a placed pod, the warnings first."""
    taken: tuple[n.Note, ...] = (*differing(case, node), *taken_whole(case, node))
    return (*warnings_on(case, node), *_all_reachable(case, node), *_fell_through(case), *taken)


def differing(case: Case, node: str) -> tuple[n.AttributeDiffers, ...]:
    """Attributes whose values differ among the devices of one claim, although they form groups."""
    seen = on_node(case, node)
    return tuple(
        note
        for one in got(case)
        if len(one.results) > 1
        for note in differing_attributes(one.source, [device_of(result) for result in one.results], seen)
    )


def _two_books(case: Case, node: str) -> Iterator[n.TwoBooks]:
    """A device plugin's resource beside devices of a driver of the same domain, on the node that was chosen."""
    state = case.snapshot.state(node)
    seen = on_node(case, node)
    now = [device_of(result) for one in got(case) for result in one.results]
    by_driver: dict[str, list[DeviceID]] = {}
    for located in seen:
        by_driver.setdefault(located.id.driver, []).append(located.id)
    for resource, count in sorted(state.allocatable.items()):
        if count > 0 and "/" in resource:
            for driver in drivers_for(by_driver, resource):
                if any(device.driver == driver for device in now):
                    yield _book(case, state, resource, by_driver[driver], now)


def _book(case: Case, state: NodeState, resource: str, devices: list[DeviceID], now: list[DeviceID]) -> n.TwoBooks:
    usage = case.snapshot.inventory.usage
    return n.TwoBooks(
        node=state.name,
        resource=resource,
        allocatable=amount(resource, state.allocatable[resource]).text,
        used=amount(resource, used_amount(state, resource)).text,
        driver=devices[0].driver,
        devices=len(devices),
        taken=sum(1 for device in devices if usage.holdings(device)),
        allocated_now=tuple(device for device in now if device in devices),
    )


def _all_reachable(case: Case, node: str) -> Iterator[n.AllTakesReachable]:
    """Devices of a driver that other nodes reach and this one does not, where `All` was asked for."""
    here = {seen.id: seen.pooled.spec for seen in on_node(case, node)}
    for one in got(case):
        for path, wanted in demands_with_paths(one.claim):
            taken = [device_of(result) for result in one.results if result.request == path.name]
            if wanted.allocation_mode != "All" or not taken or any(here[device].node_name for device in taken):
                continue
            elsewhere = _published_elsewhere(case, {device.driver for device in taken}, here)
            if elsewhere:
                pools = tuple(dict.fromkeys(device.pool for device in taken))
                yield n.AllTakesReachable(path.name, node, len(taken), pools, elsewhere)


def _published_elsewhere(case: Case, drivers: set[str], here: Mapping[DeviceID, object]) -> int:
    return sum(
        1
        for one in case.snapshot.inventory.index.slices
        if one.spec.driver in drivers
        for device in one.spec.devices or ()
        if DeviceID(one.spec.driver, one.spec.pool.name, device.name) not in here
    )


def _fell_through(case: Case) -> Iterator[n.FellThrough]:
    for one in got(case):
        chosen = {result.request for result in one.results if "/" in result.request}
        for request in one.claim.spec.devices.requests:
            names = [f"{request.name}/{alternative.name}" for alternative in request.first_available]
            taken = next((name for name in names if name in chosen), None)
            if taken is not None and names.index(taken):
                yield n.FellThrough(request.name, taken, tuple(names[: names.index(taken)]))
