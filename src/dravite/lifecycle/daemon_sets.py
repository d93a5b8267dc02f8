"""DaemonSets: one pod on every node that they pick, and a new template node by node.

With a surge a new pod comes before the old one goes, on so many nodes at once; without one the old pod goes first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from dravite.api.codec import Decoded, decode_plain
from dravite.api.core_v1 import Node, Pod, pod_ref
from dravite.api.plain import PlainView
from dravite.diagnosis import upstream_controllers as words
from dravite.lifecycle.availability import Patience, is_available, next_available, patience_of
from dravite.lifecycle.turns import (
    REVISION_LABEL,
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


class _Daemons(msgspec.Struct, frozen=True):
    """The pods of a DaemonSet that have not ended, and what they are measured by.

    Attributes:
        by_node: the pods of each node, the oldest first; those that are being deleted are among them.
        picked: the nodes that shall have one.
        revision: what pods of the current template are marked with.
        patience: how long a pod has to be ready to be available.
    """

    by_node: Mapping[str, tuple[Pod, ...]]
    picked: tuple[str, ...]
    revision: str
    patience: Patience

    def of(self, node: str, *, new: bool) -> list[Pod]:
        """The pods on a node that stay, of the current template or of an older one."""
        pods = self.by_node.get(node, ())
        return [pod for pod in pods if is_active(pod) and (revision_of(pod) == self.revision) is new]

    def has_available(self, node: str) -> bool:
        """Whether a pod on the node is available that stays."""
        pods = (pod for pod in self.by_node.get(node, ()) if is_active(pod))
        return any(is_available(pod, self.patience) for pod in pods)


def daemon_set_turn(workload: PlainView, pods: Sequence[Pod], nodes: Sequence[Node], taken: Taken, now: float) -> Turn:
    """What the controller does, given the pods of the DaemonSet and all nodes."""
    wanted = next((one for one in expand(workload) if isinstance(one, ExpandedPod)), None)
    template = decode_plain(wanted.pod, Pod) if wanted is not None else None
    if wanted is None or not isinstance(template, Decoded) or not isinstance(template.object, Pod):
        return Turn()
    by_node = _by_node(pods)
    every = [pod for on_node in by_node.values() for pod in on_node]
    patience, picked = patience_of(workload, now), daemon_nodes(template.object, nodes)
    daemons = _Daemons(by_node, picked, daemon_revision(workload, every), patience)
    status = _status(workload, daemons)
    if is_going(workload):
        return Turn(status=status)
    surging, outdated = _replaced(workload, daemons)
    base = f"{workload['metadata']['name']}-"
    missing = [name for name in picked if name not in by_node]
    planned = (_marked(pin_to_node(wanted, name), daemons.revision) for name in (*missing, *surging))
    made = named(planned, lambda _: base, seed_of(workload, pods), taken)
    ended = [pod for pod in pods if is_finished(pod)]
    strays = [pod for name, on_node in by_node.items() if name not in picked for pod in on_node]
    removed = [pod for pod in (*ended, *strays, *outdated) if pod.metadata.deletion_timestamp is None]
    told = (
        *(Told(words.CREATED, words.pod_created(one["metadata"]["name"])) for one in made),
        *(Told(words.DELETED, words.pod_deleted(pod.metadata.name)) for pod in removed),
    )
    again = next_available(every, patience)
    return Turn(make=tuple(made), remove=tuple(map(pod_ref, removed)), status=status, told=told, again=again)


def _by_node(pods: Sequence[Pod]) -> Mapping[str, tuple[Pod, ...]]:
    found: dict[str, list[Pod]] = {}
    for pod in sorted(pods, key=lambda pod: (pod.metadata.creation_timestamp or "", pod.metadata.name)):
        if not is_finished(pod):
            found.setdefault(node_of(pod), []).append(pod)
    return {name: tuple(on_node) for name, on_node in found.items()}


def node_of(pod: Pod) -> str:
    """The node of a daemon's pod: the one that it is on, or that it is pinned to."""
    if pod.spec.node_name or pod.spec.affinity is None or pod.spec.affinity.node_affinity is None:
        return pod.spec.node_name
    required = pod.spec.affinity.node_affinity.required
    terms = required.node_selector_terms if required is not None else ()
    names = (rule.values for term in terms for rule in term.match_fields if rule.key == "metadata.name")
    return next((name for values in names for name in values), "")


def daemon_revision(workload: PlainView, pods: Sequence[Pod]) -> str:
    """What pods of the current template are marked with: what all of them are, if the status says that they are new."""
    status, marks = mapping(workload.get("status")), {revision_of(pod) for pod in pods}
    generation, seen = workload["metadata"].get("generation") or 0, status.get("observedGeneration")
    is_seen = isinstance(seen, int) and seen >= generation
    if is_seen and len(marks) == 1 and status.get("updatedNumberScheduled") == status.get("currentNumberScheduled"):
        return marks.pop()
    return safe_hash(template_of(workload))


def _replaced(workload: PlainView, daemons: _Daemons) -> tuple[tuple[str, ...], list[Pod]]:
    """The nodes that get a new pod beside an old one now, and the pods of an old template that go now."""
    if look_up(workload, ("spec", "updateStrategy", "type")) == "OnDelete":
        return (), []
    update = mapping(look_up(workload, ("spec", "updateStrategy", "rollingUpdate")))
    surge, spare = margins({"maxSurge": 0, "maxUnavailable": 1, **update}, len(daemons.picked))
    return _surged(daemons, surge) if surge else ((), _outdated(daemons, spare))


def _surged(daemons: _Daemons, surge: int) -> tuple[tuple[str, ...], list[Pod]]:
    """An old pod goes once the new one beside it is available; where it is of no use itself nobody waits for a turn."""
    gone: list[Pod] = []
    useless: list[str] = []
    useful: list[str] = []
    for name in daemons.picked:
        new, old = daemons.of(name, new=True), daemons.of(name, new=False)
        if not old:
            continue
        if any(is_available(pod, daemons.patience) for pod in new):
            gone += old
        elif new:
            surge -= 1
        else:
            (useful if daemons.has_available(name) else useless).append(name)
    return (*useless, *useful[: max(0, surge)]), gone


def _outdated(daemons: _Daemons, spare: int) -> list[Pod]:
    """The old pods that go so that new ones can come: first all that are of no use anyway."""
    old = [pod for name in daemons.picked for pod in daemons.of(name, new=False)]
    useless = [pod for pod in old if not is_available(pod, daemons.patience)]
    useful = [pod for pod in old if is_available(pod, daemons.patience)]
    missing = sum(1 for name in daemons.picked if not daemons.has_available(name))
    return [*useless, *useful][: max(len(useless), len(useless) + spare - missing)]


def _marked(expanded: ExpandedPod, revision: str) -> ExpandedPod:
    meta = expanded.pod["metadata"]
    labels = {**mapping(meta.get("labels")), REVISION_LABEL: revision}
    return msgspec.structs.replace(expanded, pod={**expanded.pod, "metadata": {**meta, "labels": labels}})


def _status(workload: PlainView, daemons: _Daemons) -> PlainView:
    """What each node has, told by its oldest pod."""
    placed = [daemons.by_node[name][0] for name in daemons.picked if name in daemons.by_node]
    available = sum(1 for pod in placed if is_available(pod, daemons.patience))
    status = {
        "currentNumberScheduled": len(placed),
        "desiredNumberScheduled": len(daemons.picked),
        "numberMisscheduled": sum(1 for name in daemons.by_node if name not in daemons.picked),
        "numberReady": sum(1 for pod in placed if is_ready(pod)),
        "updatedNumberScheduled": sum(1 for pod in placed if revision_of(pod) == daemons.revision),
        "numberAvailable": available,
        "numberUnavailable": len(daemons.picked) - available,
    }
    kept = ("updatedNumberScheduled", "numberAvailable", "numberUnavailable")
    return {name: count for name, count in status.items() if count or name not in kept} | observed(workload)
