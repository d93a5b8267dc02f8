"""Whether taking lower pods away would help a pod that fits nowhere, and what kube-scheduler says of it (F11.3, E6).

Nodes that refuse a pod for good are passed over. On each of the others all lower victims are taken away in mind; if the
pod then fits, as many as possible are put back, the most important first and those that budgets protect before all.
Nobody is evicted here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, Literal

import msgspec

from dravite.diagnosis import upstream
from dravite.diagnosis.findings import NodeFinding
from dravite.scheduler.devices import DevicesFound
from dravite.scheduler.filters import Cycle, NodeAnswer, ask_node_in_mind, cycle_with
from dravite.scheduler.memory import memory_of
from dravite.scheduler.refusing_nodes import RefusingNodes, is_resolvable
from dravite.scheduler.victims import (
    Victim,
    by_importance,
    is_going_for_others,
    own_priority,
    priority_among_victims,
    split_by_budgets,
    start_of,
    states_without,
    victims_on,
)
from dravite.snapshot.node_state import NodePod, NodeState

MOST_CANDIDATES: Final = 100
"""How many nodes are found good before no more are tried, where that is more than a tenth of them."""


class Candidate(msgspec.Struct, frozen=True):
    """A node on which the pod would fit once `victims` are gone, the most important first; `violations` of budgets.

    `instead_of` are other such nodes, of one that was chosen.
    """

    node: str
    victims: tuple[NodePod, ...]
    violations: int = 0
    instead_of: tuple[Candidate, ...] = ()


class Preemption(msgspec.Struct, frozen=True):
    """What preemption comes to: the scheduler's text, and the node that would be cleared, if any.

    `barred` is whether the pod may not preempt at all; one that may loses its nomination where nothing comes of it.
    """

    text: str
    chosen: Candidate | None = None
    barred: bool = False


def refused_outright(nodes: int) -> Preemption:
    """Preemption for a pod that was refused before any node was looked at."""
    return Preemption(upstream.counted(nodes, {upstream.NOT_HELPFUL: nodes}))


def preemption(cycle: Cycle, refusing: RefusingNodes) -> Preemption:
    """What becomes of preemption for the pod of this cycle, given why each node refused it."""
    why_not = _why_not_eligible(cycle, refusing.findings)
    if why_not is not None:
        return Preemption(why_not, barred=True)
    nodes, potential = len(refusing.findings), refusing.resolvable
    texts = Counter({upstream.NOT_HELPFUL: nodes - len(potential)})
    if _is_nobody_lower(cycle, refusing):
        return Preemption(upstream.counted(nodes, texts + Counter({upstream.NO_VICTIMS: len(potential)})))
    enough = max(MOST_CANDIDATES, len(potential) // 10)
    candidates: list[Candidate] = []
    for node in potential:
        answer = _dry_run(cycle, cycle.snapshot.states[node])
        if not isinstance(answer, Candidate):
            texts.update(answer)
            continue
        candidates.append(answer)
        if len(candidates) >= enough and any(not one.violations for one in candidates):
            break
    if not candidates:
        return Preemption(upstream.counted(nodes, texts))
    chosen = _least_harm(candidates)
    others = tuple(one for one in candidates if one is not chosen)
    chosen = msgspec.structs.replace(chosen, instead_of=others)
    return Preemption(upstream.preempting(chosen.node, len(chosen.victims)), chosen)


def _why_not_eligible(cycle: Cycle, findings: Sequence[NodeFinding]) -> str | None:
    """A pod may not preempt if it never does, or while pods go for its sake on the node that it is nominated for."""
    pod = cycle.pod.pod
    if pod.spec.preemption_policy == "Never":
        return upstream.NEVER_PREEMPTS
    nominated = pod.status.nominated_node_name
    state = cycle.snapshot.states.get(nominated) if nominated else None
    if state is None:
        return None
    found = next((finding for finding in findings if finding.node == nominated), None)
    if found is not None and not all(map(is_resolvable, found.reasons)):
        return None
    going = (one.pod for one in state.pods if is_going_for_others(one.pod))
    lower = any(priority_among_victims(cycle.snapshot, one) < own_priority(pod) for one in going)
    return upstream.STILL_TERMINATING if lower else None


def _is_nobody_lower(cycle: Cycle, refusing: RefusingNodes) -> bool:
    """Whether nobody on any node could go for the pod, which is known as long as all nodes refuse as they did."""
    snapshot, memory = cycle.snapshot, memory_of(cycle.snapshot)
    basis = (refusing, snapshot.pod_groups, snapshot.composite_pod_groups, snapshot.profile)
    known, lowest = memory.lowest
    if not known or any(one is not other for one, other in zip(known, basis, strict=True)):
        running = (pod.pod for name in refusing.resolvable for pod in snapshot.states[name].pods)
        lowest = min((priority_among_victims(snapshot, pod) for pod in running), default=None)
        memory.lowest = (basis, lowest)
    return lowest is None or own_priority(cycle.pod.pod) <= lowest


def _dry_run(cycle: Cycle, state: NodeState) -> Candidate | tuple[str, ...]:
    """The node without lower pods: who has to go, or what still stands in the way."""
    priority = own_priority(cycle.pod.pod)
    lower = [victim for victim in victims_on(cycle.snapshot, (state,)) if victim.priority < priority]
    if not lower:
        return (upstream.NO_VICTIMS,)
    answer = _without(cycle, state, lower)
    if not isinstance(answer, DevicesFound):
        finding = NodeFinding(state.name, answer) if isinstance(answer, tuple) else None
        return upstream.node_texts(finding, cycle.snapshot.profile.release) if finding is not None else ()
    violating, others = split_by_budgets(cycle.snapshot, by_importance(lower))
    violations = {id(one.victim): one.pods for one in violating}
    gone = [*(one.victim for one in violating), *others]
    for victim in tuple(gone):
        spared = [one for one in gone if one is not victim]
        if isinstance(_without(cycle, state, spared), DevicesFound):
            gone = spared
    pods = tuple(pod for victim in by_importance(gone) for pod in victim.pods)
    return Candidate(state.name, pods, sum(violations.get(id(victim), 0) for victim in gone))


def _without(cycle: Cycle, state: NodeState, victims: Iterable[Victim]) -> NodeAnswer:
    """What the node says once the victims are gone, those of their pods that run elsewhere included."""
    changed = states_without(cycle.snapshot, (pod for victim in victims for pod in victim.pods))
    return ask_node_in_mind(cycle_with(cycle, changed), changed.get(state.name, state))


def _least_harm(candidates: Sequence[Candidate]) -> Candidate:
    """The node whose victims matter least; of equals the first whose most important victims started last (E6.11)."""
    least = min(map(_harm, candidates))
    equals = [candidate for candidate in candidates if _harm(candidate) == least]
    return max(equals, key=_first_start)


def _harm(candidate: Candidate) -> tuple[int, int, int, int]:
    """Violations, the priority of the first victim, the sum of all (each made positive), and their number."""
    priorities = [own_priority(pod.pod) for pod in candidate.victims]
    return (candidate.violations, priorities[0], sum(one + 2**31 for one in priorities), len(priorities))


def why_worse(other: Candidate, chosen: Candidate) -> Literal["budgets", "priority", "priorities", "pods", "order"]:
    """What speaks against a node, compared with the one that was chosen: the first difference counts (E6.11)."""
    if other.violations != chosen.violations:
        return "budgets"
    if own_priority(other.victims[0].pod) != own_priority(chosen.victims[0].pod):
        return "priority"
    if len(other.victims) != len(chosen.victims):
        return "pods"
    return "priorities" if _harm(other) != _harm(chosen) else "order"


def _first_start(candidate: Candidate) -> str:
    highest = max(own_priority(pod.pod) for pod in candidate.victims)
    return min(start_of(pod.pod) for pod in candidate.victims if own_priority(pod.pod) == highest)
