"""Extended resources and the drivers behind them: which belong together by their names."""

from __future__ import annotations

from collections.abc import Iterable

from dravite.explain.case import Case
from dravite.snapshot.requests import IMPLICIT_PREFIX


def drivers_for(known: Iterable[str], resource: str) -> tuple[str, ...]:
    """The drivers whose name ends in the domain of a resource: `gpu.nvidia.com` for `nvidia.com/gpu`."""
    domain = resource.partition("/")[0]
    return tuple(driver for driver in known if driver == domain or driver.endswith(f".{domain}"))


def classes_for(case: Case, resource: str) -> tuple[str, ...]:
    """Classes without a resource of their own that could serve one, going by their names; the closest first."""
    domain, _, name = resource.partition("/")
    free = [one for one in case.snapshot.classes.values() if not one.spec.extended_resource_name]
    alike = sorted(one.metadata.name for one in free if _belongs(one.metadata.name, domain))
    return tuple(sorted(alike, key=lambda one: (not one.startswith(name), one)))


def resources_served(case: Case) -> tuple[str, ...]:
    """The extended resources that a node offers or a class serves by name, sorted."""
    offered = {name for state in case.snapshot.states_in_order() for name in state.allocatable if "/" in name}
    named = {one.spec.extended_resource_name for one in case.snapshot.classes.values()}
    return tuple(sorted(offered | {name for name in named if name}))


def implicit_name(device_class: str) -> str:
    """The resource that a class serves without being asked (F7.1)."""
    return f"{IMPLICIT_PREFIX}{device_class}"


def _belongs(device_class: str, domain: str) -> bool:
    return device_class == domain or device_class.endswith(f".{domain}")
