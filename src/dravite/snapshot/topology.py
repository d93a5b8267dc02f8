"""Topology domains: the nodes that share a value of a node label, and the domain in which some pods are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dravite.api.core_v1 import Pod
from dravite.snapshot.snapshot import Snapshot


def domains(snapshot: Snapshot, key: str, nodes: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """The nodes by their value of the label, values in order; nodes without the label are in no domain."""
    found: dict[str, list[str]] = {}
    for name in nodes:
        value = snapshot.states[name].labels.get(key)
        if value is not None:
            found.setdefault(value, []).append(name)
    return {value: tuple(found[value]) for value in sorted(found)}


def domain_of(snapshot: Snapshot, key: str, pods: Iterable[Pod]) -> str | tuple[str, ...] | None:
    """The one domain in which the pods are; None without pods.

    Where there is no such thing the answer is a tuple: of the pod whose node has no domain, as `namespace/name`, or of
    the two domains that differ.
    """
    found: str | None = None
    for pod in pods:
        state = snapshot.states.get(pod.spec.node_name)
        value = state.labels.get(key) if state is not None else None
        if value is None:
            return (f"{pod.metadata.namespace}/{pod.metadata.name}",)
        if found is not None and value != found:
            return (found, value)
        found = value
    return found
