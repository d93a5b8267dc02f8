"""What was noticed while a cluster was read, and what Kubernetes said of a pod before, in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, assert_never

import msgspec

from dravite.diagnosis.observations import (
    EventsUnread,
    GatesAssumed,
    ListNarrowed,
    ListRefused,
    ListsApart,
    NeverQuiet,
    Observation,
    OtherRelease,
    Resource,
    Saying,
    UnknownRelease,
    Unwatched,
)
from dravite.render import words
from dravite.render.report import Said, State
from dravite.render.view.sight import said as named

LACKS: Final[Mapping[str, str]] = {
    "nodes": "nodes that slices name stand for them, with room for everything but devices",
    "namespaces": "labels of namespaces count as unset, for pod affinity as for admin access",
    "pods": "what runs is not counted and what waits is not planned: nodes may look freer than they are",
    "resourcequotas": "claims that a quota would keep from being made are planned",
    "resourceclaims": "devices that claims hold look free",
    "resourceclaimtemplates": "pods whose claims are still to be made look as if they waited for a template",
    "resourceslices": "no device is known",
    "deviceclasses": "every class looks as if it were missing",
    "devicetaintrules": "devices that such rules taint look untainted, and may be refused",
    "priorityclasses": "pods that are yet to be made are planned at priority 0, and may have to wait for others",
    "runtimeclasses": "what runtimes add to pods that are yet to be made is not counted",
    "poddisruptionbudgets": "whom preemption spares is not known",
    "podgroups": "pods of groups look as if their group were missing",
    "compositepodgroups": "groups of groups are not known",
    "workloads": "groups are known without their workload",
}
"""What an answer lacks without a list, and how that may change it."""

_LACKS_PODS: Final = "pods that they are still to make are not planned"
_OWNERS: Final = ("deployments", "replicasets", "statefulsets", "daemonsets", "jobs")

MEANS: Final[Mapping[str, str]] = {
    "NotTriggerScaleUp": "no node that the cluster autoscaler could add would help",
    "TriggeredScaleUp": "the cluster autoscaler has asked for more nodes: wait for them",
    "FailedPrepareDynamicResources": "the pod has its devices; their driver on the node could not prepare them",
    "FailedCreatePodSandBox": "the pod has its node; the runtime there could not start it",
    "FailedResourceClaimCreation": "a claim could not be made from its template, so the scheduler waits",
    "Preempted": "a pod of higher priority took its place",
    "Scheduled": "it got its node then",
}
"""What events besides the scheduler's mean for a pod that waits for devices."""

_WAKES: Final = "kube-scheduler tries it again when something that may help changes, and every five minutes"


class Now(msgspec.Struct, frozen=True):
    """The moment of an answer, and how many nodes and slices came when, for telling what has changed since."""

    at: datetime
    nodes: tuple[str, ...] = ()
    slices: tuple[str, ...] = ()

    def news_since(self, time: str) -> str:
        """`1 node and 2 slices are new`; empty where nothing is, or nothing is known."""
        nodes = sum(1 for one in self.nodes if one > time) if time else 0
        slices = sum(1 for one in self.slices if one > time) if time else 0
        parts = [words.count(number, noun) for number, noun in ((nodes, "node"), (slices, "slice")) if number]
        return f"{words.listed(parts)} {words.bent(nodes + slices, 'is')} new" if parts else ""


def observations(many: Sequence[Observation]) -> tuple[str, ...]:
    """A note for each observation; lists of one kind that were refused or narrowed alike are told at once."""
    notes: dict[str, None] = {}
    for one in many:
        match one:
            case ListNarrowed(namespace=namespace):
                alike = [other for other in many if isinstance(other, ListNarrowed) and other.namespace == namespace]
                notes[_narrowed([other.resource for other in alike], namespace)] = None
            case ListRefused(resource=resource, why="forbidden") if resource.plural in _OWNERS:
                alike_refused = [other for other in many if _is_owner_refused(other)]
                notes[_owners_refused(alike_refused)] = None
            case _:
                notes[observed(one)] = None
    return tuple(notes)


def _is_owner_refused(one: Observation) -> bool:
    return isinstance(one, ListRefused) and one.why == "forbidden" and one.resource.plural in _OWNERS


def _owners_refused(many: Sequence[Observation]) -> str:
    names = words.listed(str(one.resource) for one in many if isinstance(one, ListRefused))
    return f"{names} are not yours to list: {_LACKS_PODS}."


def _narrowed(resources: Sequence[Resource], namespace: str) -> str:
    plurals = [one.plural for one in resources]
    effects = [elsewhere(plural) for plural in ("pods", "resourceclaims") if plural in plurals]
    effect = words.listed(effects) or elsewhere("")
    return f"{words.listed(map(str, resources))} could be listed in namespace {namespace} only: {effect}."


def observed(one: Observation) -> str:
    """What a reader of the answer should know of how the cluster was read."""
    match one:
        case ListRefused():
            where = f" in namespace {one.namespace}" if one.namespace else ""
            why = "are not yours to list" if one.why == "forbidden" else "could not be listed"
            return f"{one.resource}{where} {why} ({one.message}): {lacks(one.resource.plural)}."
        case ListNarrowed():
            return _narrowed([one.resource], one.namespace)
        case ListsApart():
            who = _objects(one.changed, one.total)
            return (
                f"The lists were taken at different moments, and {who} changed in between, so what is said of"
                f" {words.bent(one.total, 'it')} may never have been so: --settle waits until nothing changes."
            )
        case NeverQuiet():
            who = _objects(one.changed, one.total)
            return f"The cluster did not come to rest in {one.rounds} rounds: {who} changed during the last one."
        case Unwatched():
            return (
                f"Whether the cluster is at rest is not known, since it cannot be watched: {words.listed(one.messages)}"
            )
        case UnknownRelease():
            return f"Kubernetes {one.server} is newer than dravite knows; this is the answer of {one.taken}."
        case OtherRelease():
            return f"The server is Kubernetes {one.server}; this is the answer of {one.taken}, as you asked."
        case GatesAssumed():
            seen = f", with {words.listed(one.seen)} on, which its objects show" if one.seen else ""
            return (
                f"Which feature gates are on cannot be read from /metrics: those of a stock {one.release} are taken"
                f"{seen}. --feature-gates says others."
            )
        case EventsUnread():
            return f"Events of namespace {one.namespace} cannot be read ({one.message})."
        case unreachable:
            assert_never(unreachable)


def lacks(plural: str) -> str:
    """What an answer lacks without a list."""
    return _LACKS_PODS if plural in _OWNERS else LACKS.get(plural, "what they say is not taken into account")


def elsewhere(plural: str) -> str:
    """What an answer lacks without what other namespaces hold."""
    if plural == "pods":
        return "what runs and waits elsewhere is not counted, so nodes may look freer than they are"
    if plural == "resourceclaims":
        return "devices that claims elsewhere hold look free"
    return "those of others are not taken into account"


def _objects(changed: tuple[object, ...], total: int) -> str:
    names = [named(one) for one in changed]  # type: ignore[arg-type]
    return words.listed(names) if total == len(changed) else f"{', '.join(names)} and {total - len(changed)} more"


def less_certain(certainty: str | None) -> str | None:
    """How sure an answer is when not everything could be read."""
    sure = "Certain: "
    if certainty is None or not certainty.startswith(sure):
        return certainty
    return f"As certain as what could be read: {certainty.removeprefix(sure)}"


def told(saying: Saying, state: State, upstream: str | None, now: Now) -> Said:
    """One saying beside our own answer, with what it means today.

    Args:
        state: the verdict of our answer.
        upstream: what kube-scheduler would say now; None where it would say nothing.
    """
    often = f" ({saying.count} times)" if saying.count > 1 else ""
    text = f"{saying.speaker or 'Kubernetes'} said {ago(saying.at, now.at)}{often}: {saying.message}"
    return Said(text=text, meaning=_meaning(saying, state, upstream, now), saying=saying)


def _meaning(saying: Saying, state: State, upstream: str | None, now: Now) -> str:
    if saying.speaker != "kube-scheduler" or saying.reason == "Scheduled":
        return words.sentence(MEANS[saying.reason]) if saying.reason in MEANS else ""
    news = now.news_since(saying.at)
    changed = f"Since then the cluster has changed ({news})" if news else "Since then the cluster has changed"
    match state:
        case "running":
            return "Since then it got its node."
        case "scheduled":
            return f"{changed}: now it fits. {_WAKES}."
        case _ if upstream is not None and _same(saying.message, upstream):
            return "Since then nothing has changed that: it would say the same now."
        case _:
            return f"{changed}: now it would say what stands above." if upstream else ""


def _same(then: str, now: str) -> bool:
    """Whether two texts of the scheduler say the same; what preemption found is no part of it."""
    return then.partition(" preemption:")[0] == now.partition(" preemption:")[0]


def ago(time: str, now: datetime) -> str:
    """`3 minutes ago`; `at some time` where the time is unknown."""
    try:
        seconds = (now - datetime.fromisoformat(time)).total_seconds()
    except ValueError:
        return "at some time"
    for size, noun in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= 2 * size or (noun == "minute" and seconds >= size):
            return f"{words.count(int(seconds // size), noun)} ago"
    return f"{words.count(max(1, int(seconds)), 'second')} ago"
