"""`pod/train-0`, `claim/gpus`, `job/train`: which pods of a plan a subject means.

Kinds may be said as kubectl takes them: singular, plural or short, in any case.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Final, NamedTuple, TypeAlias

from dravite.api.core_v1 import Pod
from dravite.api.meta import ObjectRef
from dravite.cli import groups
from dravite.cli.dispatch import UsageError
from dravite.cli.ownership import KINDS, belongs
from dravite.diagnosis.verdicts import PodDecision

PodOf: TypeAlias = Callable[[ObjectRef], Pod | None]
"""A pod of the cluster by its identity."""

SHORT: Final = {
    "po": "pod",
    "deploy": "deployment",
    "rs": "replicaset",
    "sts": "statefulset",
    "ds": "daemonset",
    "cj": "cronjob",
    "claim": "resourceclaim",
    "lws": "leaderworkerset",
    "pg": "podgroup",
    "cpg": "compositepodgroup",
}


def kind_of(text: str) -> str:
    """The kind in lower case and singular: `po`, `Pods` and `pod` are `pod`."""
    kind = text.lower().partition(".")[0]
    if kind.endswith("s") and kind not in SHORT:
        kind = kind[:-1]
    return SHORT.get(kind, kind)


class Kin(NamedTuple):
    """What else is known of the pods than their decisions: the pod itself, and the groups that it belongs to."""

    pod_of: PodOf
    groups_of: groups.GroupsOf


def chosen(subject: str, namespace: str, decisions: Sequence[PodDecision], kin: Kin) -> list[PodDecision]:
    """The pods that a subject means. Raises `UsageError` where it means none, with what was meant if that is close."""
    kind_text, slash, name = subject.partition("/")
    if not slash or not name or not kind_text:
        message = f"a subject reads KIND/NAME, not {subject!r}"
        raise UsageError(message, _as_subject(subject))
    kind = kind_of(kind_text)
    here = [one for one in decisions if one.pod.namespace == namespace]
    found = [one for one in here if _is(one, kind, name) or _is_kin(one, kind, name, kin)]
    if not found:
        message = f"there is no {kind_text}/{name} in namespace {namespace}"
        raise UsageError(message, _file(subject) or _meant(kind, name, namespace, decisions))
    return found


def _file(subject: str) -> str | None:
    """What to say where a file was named in the place of a subject."""
    return f"for a file or folder say -f {subject}" if os.path.exists(subject) else None


def _as_subject(text: str) -> str:
    name = text.strip("/") or "NAME"
    if kind_of(name) in {"pod", *SHORT.values(), *KINDS, *groups.KINDS}:
        return f"say {name}/NAME, in one word"
    return _file(text) or f"say pod/{name}, claim/{name} or job/{name}"


def _is_kin(one: PodDecision, kind: str, name: str, kin: Kin) -> bool:
    """Whether a pod that exists belongs to a workload, or to a group."""
    if kind in groups.KINDS:
        return ObjectRef(groups.KINDS[kind], one.pod.namespace, name) in kin.groups_of(one.pod)
    pod = kin.pod_of(one.pod) if kind in KINDS else None
    return pod is not None and belongs(pod, {ObjectRef(KINDS[kind], one.pod.namespace, name)})


def _is(one: PodDecision, kind: str, name: str) -> bool:
    if kind == "pod":
        return one.pod.name == name
    if kind == "resourceclaim":
        return any(name in (claim.claim, claim.generate_name) for claim in one.claims)
    if kind == "resourceclaimtemplate":
        return False
    return one.owner is not None and one.owner.kind.lower() == kind and one.owner.name == name


def _names(one: PodDecision, kind: str) -> list[str]:
    if kind == "pod":
        return [one.pod.name]
    if kind == "resourceclaim":
        return [claim.claim for claim in one.claims if claim.claim]
    return [one.owner.name] if one.owner and one.owner.kind.lower() == kind else []


def _meant(kind: str, name: str, namespace: str, decisions: Sequence[PodDecision]) -> str:
    elsewhere = sorted({one.pod.namespace for one in decisions if _is(one, kind, name)})
    if elsewhere:
        return f"it is in namespace {elsewhere[0]}: add -n {elsewhere[0]}"
    names = sorted({each for one in decisions if one.pod.namespace == namespace for each in _names(one, kind)})
    near = get_close_matches(name, names, n=1)
    if near:
        return f"did you mean {kind}/{near[0]}?"
    kinds = sorted({one.owner.kind.lower() for one in decisions if one.owner} | {"pod", "claim"})
    return f"subjects here are of kind {', '.join(kinds)}; `dravite plan` lists the pods"
