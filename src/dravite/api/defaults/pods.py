"""Defaults of pods, as far as planning reads pods, and the two tolerations that every pod gets.

An empty toleration operator means Equal, and unset topology spread policies mean Honor and Ignore; Kubernetes does not
write those down and neither does this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from dravite.api.core_v1 import Container, ContainerPort, Pod, PodSpec, ResourceRequirements, Toleration
from dravite.api.defaults.resources import Setting, changed, each
from dravite.api.quantity import NANO, Quantity

Amounts = Mapping[str, Quantity]

_MILLI: Final = NANO // 1000
_NOT_READY: Final = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")
_TOLERATION_SECONDS: Final = 300


def default_pod(pod: Pod, setting: Setting) -> Pod:
    spec = pod.spec
    host_network = spec.host_network
    filled = changed(
        spec,
        restart_policy=spec.restart_policy or "Always",
        scheduler_name=spec.scheduler_name or "default-scheduler",
        containers=each(spec.containers, lambda container: _default_container(container, host_network=host_network)),
        init_containers=each(
            spec.init_containers, lambda container: _default_container(container, host_network=host_network)
        ),
        overhead=whole_milli(spec.overhead),
        tolerations=_default_tolerations(spec.tolerations),
    )
    if setting.profile.enabled("PodLevelResources"):
        filled = changed(filled, resources=_default_pod_level(filled))
    return changed(pod, spec=filled)


def whole_milli(amounts: Amounts) -> Amounts:
    """Resource lists hold thousandths: finer amounts are rounded up."""
    if all(amount.nano % _MILLI == 0 for amount in amounts.values()):
        return amounts
    return {
        name: amount if amount.nano % _MILLI == 0 else Quantity(amount.milli * _MILLI, amount.notation)
        for name, amount in amounts.items()
    }


def _default_container(container: Container, *, host_network: bool) -> Container:
    """Requests that are missing are the limits. Ports of a pod in the host's network are host ports."""

    def filled(port: ContainerPort) -> ContainerPort:
        host_port = port.host_port or (port.container_port if host_network else 0)
        return changed(port, protocol=port.protocol or "TCP", host_port=host_port)

    limits = whole_milli(container.resources.limits)
    requests = whole_milli(container.resources.requests)
    missing = {name: amount for name, amount in limits.items() if name not in requests}
    resources = changed(container.resources, limits=limits, requests={**requests, **missing} if missing else requests)
    return changed(container, resources=resources, ports=each(container.ports, filled))


def _default_tolerations(tolerations: tuple[Toleration, ...]) -> tuple[Toleration, ...]:
    """Every pod waits five minutes on a node that is not ready or cannot be reached, unless it says otherwise.

    Source: admission plugin DefaultTolerationSeconds.
    """
    added = tuple(
        Toleration(key=key, operator="Exists", effect="NoExecute", toleration_seconds=_TOLERATION_SECONDS)
        for key in _NOT_READY
        if not any(_covers(toleration, key) for toleration in tolerations)
    )
    return (*tolerations, *added) if added else tolerations


def _covers(toleration: Toleration, key: str) -> bool:
    return toleration.key in ("", key) and toleration.effect in ("", "NoExecute")


def _default_pod_level(spec: PodSpec) -> ResourceRequirements | None:
    """Requests of the whole pod, where it has limits: what its containers request, else the limits.

    Hugepage limits of the containers count as limits of the pod, unless the pod requests hugepages itself.
    """
    given = spec.resources
    if given is None or not (given.limits or given.requests):
        return given
    limits = dict(given.limits)
    for name, amount in _aggregated(spec, "limits").items():
        if _is_huge(name) and name not in given.requests:
            limits.setdefault(name, amount)
    requests = dict(given.requests)
    if limits:
        for name, amount in _aggregated(spec, "requests").items():
            if name in ("cpu", "memory"):
                requests.setdefault(name, amount)
        for name, amount in limits.items():
            if name in ("cpu", "memory") or _is_huge(name):
                requests.setdefault(name, amount)
    return changed(
        given,
        limits=given.limits if limits == given.limits else limits,
        requests=given.requests if requests == given.requests else requests,
    )


def _is_huge(name: str) -> bool:
    return name.startswith("hugepages-")


def _aggregated(spec: PodSpec, which: str) -> Amounts:
    """What the containers of a pod need at once: sidecars and containers together, or the largest step before them."""
    sidecars: Amounts = {}
    peak: Amounts = {}
    for container in spec.init_containers:
        own = getattr(container.resources, which)
        if container.restart_policy == "Always":
            sidecars = _sum((sidecars, own))
            peak = _largest((peak, sidecars))
        else:
            peak = _largest((peak, _sum((sidecars, own))))
    running = _sum((sidecars, *(getattr(container.resources, which) for container in spec.containers)))
    return _largest((running, peak))


def _sum(lists: Iterable[Amounts]) -> Amounts:
    total: dict[str, Quantity] = {}
    for amounts in lists:
        for name, amount in amounts.items():
            total[name] = total[name] + amount if name in total else amount
    return total


def _largest(lists: Iterable[Amounts]) -> Amounts:
    most: dict[str, Quantity] = {}
    for amounts in lists:
        for name, amount in amounts.items():
            if name not in most or amount > most[name]:
                most[name] = amount
    return most
