"""DaemonSets: one pod on every node that they pick, and a new template node by node.

A surge is taken for so many pods that may be missing: an old pod goes before there is a new one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from dravite.api.codec import Decoded, decode_plain
from dravite.api.core_v1 import Node, Pod, pod_ref
from dravite.diagnosis import upstream_controllers as words
from dravite.lifecycle.turns import (
    REVISION_LABEL,
    Document,
    Taken,
    Told,
    Turn,
    is_active,
    is_going,
    named,
    observed,
    revision_of,
    seed_of,
    template_of,
)
from dravite.snapshot.generated_names import safe_hash
from dravite.snapshot.snapshot import is_finished
from dravite.workloads import ExpandedPod, daemon_nodes, expand, is_ready, margins, pin_to_node
from dravite.workloads.raw_paths import look_up, mapping


def daemon_set_turn(workload: Document, pods: Sequence[Pod], nodes: Sequence[Node], taken: Taken) -> Turn:
    """What the controller does, given the pods of the DaemonSet and all nodes."""
    wanted = next((one for one in expand(workload) if isinstance(one, ExpandedPod)), None)
    template = decode_plain(wanted.pod, Pod) if wanted is not None else None
    if wanted is None or not isinstance(template, Decoded) or not isinstance(template.object, Pod):
        return Turn()
    picked = daemon_nodes(template.object, nodes)
    by_node = {node_of(pod): pod for pod in pods if not is_finished(pod)}
    revision = _revision(workload, tuple(by_node.values()))
    status = _status(workload, by_node, picked, revision)
    if is_going(workload):
        return Turn(status=status)
    base = f"{workload['metadata']['name']}-"
    missing = (_marked(pin_to_node(wanted, name), revision) for name in picked if name not in by_node)
    made = named(missing, lambda _: base, seed_of(workload, pods), taken)
    ended = [pod for pod in pods if is_finished(pod)]
    strays = [pod for name, pod in by_node.items() if name not in picked]
    outdated = _outdated(workload, [by_node.get(name) for name in picked], revision)
    removed = [pod for pod in (*ended, *strays, *outdated) if pod.metadata.deletion_timestamp is None]
    told = (
        *(Told(words.CREATED, words.pod_created(one["metadata"]["name"])) for one in made),
        *(Told(words.DELETED, words.pod_deleted(pod.metadata.name)) for pod in removed),
    )
    return Turn(make=tuple(made), remove=tuple(map(pod_ref, removed)), status=status, told=told)


def node_of(pod: Pod) -> str:
    """The node of a daemon's pod: the one that it is on, or that it is pinned to."""
    if pod.spec.node_name or pod.spec.affinity is None or pod.spec.affinity.node_affinity is None:
        return pod.spec.node_name
    required = pod.spec.affinity.node_affinity.required
    terms = required.node_selector_terms if required is not None else ()
    names = (rule.values for term in terms for rule in term.match_fields if rule.key == "metadata.name")
    return next((name for values in names for name in values), "")


def _revision(workload: Document, pods: Sequence[Pod]) -> str:
    """What pods of the current template are marked with: what all of them are, if the status says that they are new."""
    status, marks = mapping(workload.get("status")), {revision_of(pod) for pod in pods}
    generation, seen = workload["metadata"].get("generation") or 0, status.get("observedGeneration")
    is_seen = isinstance(seen, int) and seen >= generation
    if is_seen and len(marks) == 1 and status.get("updatedNumberScheduled") == status.get("currentNumberScheduled"):
        return marks.pop()
    return safe_hash(template_of(workload))


def _outdated(workload: Document, pods: Sequence[Pod | None], revision: str) -> list[Pod]:
    """The pods of an old template that go now, given those of each node: first all that are of no use anyway."""
    if look_up(workload, ("spec", "updateStrategy", "type")) == "OnDelete":
        return []
    update = mapping(look_up(workload, ("spec", "updateStrategy", "rollingUpdate")))
    spare = max(margins({"maxSurge": 0, "maxUnavailable": 1, **update}, len(pods)))
    old = [pod for pod in pods if pod is not None and is_active(pod) and revision_of(pod) != revision]
    useless = [pod for pod in old if not is_ready(pod)]
    missing = sum(1 for pod in pods if pod is None or not (is_active(pod) and is_ready(pod)))
    return [*useless, *(pod for pod in old if is_ready(pod))][: max(len(useless), len(useless) + spare - missing)]


def _marked(expanded: ExpandedPod, revision: str) -> ExpandedPod:
    meta = expanded.pod["metadata"]
    labels = {**mapping(meta.get("labels")), REVISION_LABEL: revision}
    return msgspec.structs.replace(expanded, pod={**expanded.pod, "metadata": {**meta, "labels": labels}})


def _status(workload: Document, by_node: Mapping[str, Pod], picked: Sequence[str], revision: str) -> Document:
    placed = [by_node[name] for name in picked if name in by_node and is_active(by_node[name])]
    ready = sum(1 for pod in placed if is_ready(pod))
    strays = sum(1 for name in by_node if name not in picked)
    status = {
        "currentNumberScheduled": len(placed),
        "desiredNumberScheduled": len(picked),
        "numberMisscheduled": strays,
        "numberReady": ready,
        "updatedNumberScheduled": sum(1 for pod in placed if revision_of(pod) == revision),
        "numberAvailable": ready,
        "numberUnavailable": len(picked) - ready,
    }
    kept = ("updatedNumberScheduled", "numberAvailable", "numberUnavailable")
    return {name: count for name, count in status.items() if count or name not in kept} | observed(workload)
