"""DaemonSets: one pod on every node that they pick. Pods of an old template stay until somebody deletes them."""

from __future__ import annotations

from collections.abc import Sequence

from dravite.api.codec import Decoded, decode_plain
from dravite.api.core_v1 import Node, Pod
from dravite.diagnosis import upstream_controllers as words
from dravite.lifecycle.turns import (
    Document,
    Taken,
    Told,
    Turn,
    is_active,
    is_going,
    named,
    observed,
    ref_of,
    seed_of,
)
from dravite.snapshot.snapshot import is_finished
from dravite.workloads import ExpandedPod, daemon_nodes, expand, is_ready, pin_to_node


def daemon_set_turn(workload: Document, pods: Sequence[Pod], nodes: Sequence[Node], taken: Taken) -> Turn:
    """What the controller does, given the pods of the DaemonSet and all nodes."""
    wanted = next((one for one in expand(workload) if isinstance(one, ExpandedPod)), None)
    template = decode_plain(wanted.pod, Pod) if wanted is not None else None
    if wanted is None or not isinstance(template, Decoded) or not isinstance(template.object, Pod):
        return Turn()
    picked = daemon_nodes(template.object, nodes)
    by_node = {node_of(pod): pod for pod in pods if not is_finished(pod)}
    status = _status(workload, by_node, picked)
    if is_going(workload):
        return Turn(status=status)
    base = f"{workload['metadata']['name']}-"
    missing = (pin_to_node(wanted, name) for name in picked if name not in by_node)
    made = named(missing, lambda _: base, seed_of(workload, pods), taken)
    ended = [pod for pod in pods if is_finished(pod)]
    strays = [pod for name, pod in by_node.items() if name not in picked]
    removed = [pod for pod in (*ended, *strays) if pod.metadata.deletion_timestamp is None]
    told = (
        *(Told(words.CREATED, words.pod_created(one["metadata"]["name"])) for one in made),
        *(Told(words.DELETED, words.pod_deleted(pod.metadata.name)) for pod in removed),
    )
    return Turn(make=tuple(made), remove=tuple(map(ref_of, removed)), status=status, told=told)


def node_of(pod: Pod) -> str:
    """The node of a daemon's pod: the one that it is on, or that it is pinned to."""
    if pod.spec.node_name or pod.spec.affinity is None or pod.spec.affinity.node_affinity is None:
        return pod.spec.node_name
    required = pod.spec.affinity.node_affinity.required
    terms = required.node_selector_terms if required is not None else ()
    names = (rule.values for term in terms for rule in term.match_fields if rule.key == "metadata.name")
    return next((name for values in names for name in values), "")


def _status(workload: Document, by_node: dict[str, Pod], picked: Sequence[str]) -> Document:
    placed = [by_node[name] for name in picked if name in by_node and is_active(by_node[name])]
    ready = sum(1 for pod in placed if is_ready(pod))
    strays = sum(1 for name in by_node if name not in picked)
    status = {
        "currentNumberScheduled": len(placed),
        "desiredNumberScheduled": len(picked),
        "numberMisscheduled": strays,
        "numberReady": ready,
        "updatedNumberScheduled": len(placed),
        "numberAvailable": ready,
        "numberUnavailable": len(picked) - ready,
    }
    kept = ("updatedNumberScheduled", "numberAvailable", "numberUnavailable")
    return {name: count for name, count in status.items() if count or name not in kept} | observed(workload)
