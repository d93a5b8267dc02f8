"""Metrics under Kubernetes' names, in the text format of Prometheus: what was counted, and what is there now."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from dravite.api.gates import GATES
from dravite.api.releases import Profile
from dravite.store import Compacted, Store

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"

Labels = tuple[tuple[str, str], ...]

_SECONDS: Final = (0.005, 0.025, 0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 240.0)
_STAGES: Final = {"A": "ALPHA", "b": "BETA", "B": "BETA"}
_CLAIMS: Final = "resourceclaims.resource.k8s.io"
_POD_CLAIM: Final = "resource.kubernetes.io/pod-claim-name"
_EXTENDED: Final = "resource.kubernetes.io/extended-resource-claim"


class About(msgspec.Struct, frozen=True):
    """What a metric is: `counter`, `gauge` or `histogram`, and what it tells."""

    type: str
    help: str


_VERBS: Final = ("DELETE", "GET", "HEAD", "OTHER", "PATCH", "POST", "PUT")
_BY_VERB: Final[Mapping[str, Labels]] = {verb: (("verb", verb),) for verb in _VERBS}

ABOUT: Final[Mapping[str, About]] = {
    "apiserver_longrunning_requests": About("gauge", "Watches that are open."),
    "apiserver_request_duration_seconds": About("histogram", "How long answers took, without watches."),
    "apiserver_request_total": About("counter", "Requests that were answered."),
    "apiserver_storage_objects": About("gauge", "Objects that are stored, by resource."),
    "device_taint_eviction_controller_pod_deletion_duration_seconds": About(
        "histogram", "Time from when a taint took effect to the deletion of a pod."
    ),
    "device_taint_eviction_controller_pod_deletions_total": About("counter", "Pods that device taints evicted."),
    "dynamic_resource_allocation_resource_claims": About("gauge", "ResourceClaims that there are."),
    "dynamic_resource_allocation_resourceclaim_creates_total": About("counter", "ResourceClaims that were generated."),
    "kubernetes_feature_enabled": About("gauge", "Which feature gates are on."),
    "resourceclaim_controller_creates_total": About("counter", "ResourceClaims that were generated."),
    "resourceclaim_controller_resource_claims": About("gauge", "ResourceClaims that there are."),
    "resourcepoolstatusrequest_controller_request_processing_duration_seconds": About(
        "histogram", "How long a ResourcePoolStatusRequest took."
    ),
    "resourcepoolstatusrequest_controller_request_processing_errors_total": About(
        "counter", "ResourcePoolStatusRequests that failed."
    ),
    "resourcepoolstatusrequest_controller_requests_processed_total": About(
        "counter", "ResourcePoolStatusRequests that were answered."
    ),
    "scheduler_pending_pods": About("gauge", "Pods that wait, by queue."),
    "scheduler_podgroup_schedule_attempts_total": About("counter", "Attempts to schedule groups of pods, by result."),
    "scheduler_preemption_attempts_total": About("counter", "Attempts to make room by preemption."),
    "scheduler_preemption_victims": About("histogram", "Pods that were preempted, by attempt."),
    "scheduler_schedule_attempts_total": About("counter", "Attempts to schedule pods, by result."),
}
"""Every metric that may be counted."""


class Metrics:
    """What was counted since the server began. Any thread may count."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[tuple[str, Labels]] = Counter()
        self._seen: defaultdict[tuple[str, Labels], list[int]] = defaultdict(lambda: [0] * (len(_SECONDS) + 1))
        self._sums: defaultdict[tuple[str, Labels], float] = defaultdict(float)
        self._gauges: dict[tuple[str, Labels], float] = {}
        self._answers: Counter[tuple[int, str, str]] = Counter()

    def count(self, name: str, labels: Mapping[str, str], amount: int = 1) -> None:
        """Something has happened."""
        with self._lock:
            self._counts[name, tuple(labels.items())] += amount

    def observe(self, name: str, labels: Mapping[str, str], value: float) -> None:
        """Something took so long, or was so large."""
        key = name, tuple(labels.items())
        with self._lock:
            self._seen[key][bisect_left(_SECONDS, value)] += 1
            self._sums[key] += value

    def set(self, name: str, labels: Mapping[str, str], value: float) -> None:
        """Something is so now."""
        with self._lock:
            self._gauges[name, tuple(labels.items())] = value

    def answered(self, code: int, resource: str, verb: str, seconds: float) -> None:
        """A request was answered in so many seconds. Without a lock: the server's own thread alone may tell."""
        self._answers[code, resource, verb] += 1
        if verb != "WATCH":
            key = "apiserver_request_duration_seconds", _BY_VERB[verb]
            self._seen[key][bisect_left(_SECONDS, seconds)] += 1
            self._sums[key] += seconds

    def lines(self) -> Iterator[tuple[str, str]]:
        """Each sample with the name of its metric."""
        with self._lock:
            samples: list[tuple[str, Labels, float]] = [
                (name, labels, value) for (name, labels), value in (*self._counts.items(), *self._gauges.items())
            ]
            seen = [(name, labels, tuple(buckets)) for (name, labels), buckets in self._seen.items()]
            sums = dict(self._sums)
        for (code, resource, verb), number in self._answers.copy().items():
            told: Labels = (("code", str(code)), ("resource", resource), ("verb", verb))
            samples.append(("apiserver_request_total", told, number))
        yield from ((name, _sample(name, labels, value)) for name, labels, value in samples)
        for name, labels, buckets in seen:
            yield from ((name, line) for line in _histogram(name, labels, buckets, sums[name, labels]))


def text_of(metrics: Metrics, profile: Profile, store: Store) -> bytes:
    """What was counted, and what can be read off a server at the moment."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name, line in (*metrics.lines(), *_gates(profile), *_objects(profile, store)):
        found[name].append(line)
    parts = []
    for name in sorted(found):
        parts += [f"# HELP {name} {ABOUT[name].help}", f"# TYPE {name} {ABOUT[name].type}", *sorted(found[name])]
    return ("\n".join(parts) + "\n").encode()


def _gates(profile: Profile) -> Iterator[tuple[str, str]]:
    name = "kubernetes_feature_enabled"
    for gate in sorted(GATES):
        stage = GATES[gate].stage(profile.release)
        if stage != "-":
            labels = (("name", gate), ("stage", _STAGES.get(stage, "")))
            yield name, _sample(name, labels, int(profile.enabled(gate)))


def _objects(profile: Profile, store: Store) -> Iterator[tuple[str, str]]:
    name = "apiserver_storage_objects"
    for resource, number in store.sizes().items():
        yield name, _sample(name, (("resource", resource),), number)
    is_new = profile.is_at_least("1.37")
    name = "dynamic_resource_allocation_resource_claims" if is_new else "resourceclaim_controller_resource_claims"
    page = store.page(_CLAIMS)
    records = () if isinstance(page, Compacted) else page.records
    counted = Counter(_claim_labels(msgspec.json.decode(record.body)) for record in records)
    yield from ((name, _sample(name, labels, number)) for labels, number in counted.items())


def _claim_labels(claim: Mapping[str, Any]) -> Labels:
    requests = ((claim.get("spec") or {}).get("devices") or {}).get("requests") or ()
    admin = any((one.get("exactly") or one).get("adminAccess") for one in requests)
    annotations = claim["metadata"].get("annotations") or {}
    source = "resource_claim_template" if _POD_CLAIM in annotations else ""
    source = "extended_resource" if annotations.get(_EXTENDED) else source
    allocated = bool((claim.get("status") or {}).get("allocation"))
    return (("admin_access", str(admin).lower()), ("allocated", str(allocated).lower()), ("source", source))


def _histogram(name: str, labels: Labels, buckets: Sequence[int], total: float) -> Iterator[str]:
    below = 0
    for bound, number in zip((*map(str, _SECONDS), "+Inf"), buckets, strict=True):
        below += number
        yield _sample(f"{name}_bucket", (*labels, ("le", bound)), below)
    yield _sample(f"{name}_count", labels, below)
    yield _sample(f"{name}_sum", labels, total)


def _sample(name: str, labels: Labels, value: float) -> str:
    inner = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels)
    return f"{name}{{{inner}}} {value:g}" if inner else f"{name} {value:g}"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
