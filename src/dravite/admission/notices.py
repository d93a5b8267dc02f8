"""What is said once for many objects: versions that a release does not serve, gates that are off, kinds left aside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from dravite.admission.problems import UNKNOWN_FIELD, Subject
from dravite.admission.reading import Taken, raw_ref
from dravite.api.document import Document, Problem
from dravite.api.gated_fields import DroppedField
from dravite.api.gates import RELEASES
from dravite.api.other_kinds import is_other_kind, is_whole, meant_by
from dravite.api.registry import known_kind, served, served_versions
from dravite.api.releases import Profile
from dravite.api.releases import profile as release_profile

NOT_SERVED = "version-not-served"
GATE_OFF = "gate-off"
UNKNOWN_VERSION = "unknown-version"

_GROUPS = ("resource.k8s.io", "scheduling.k8s.io")

_GONE: Mapping[str, str] = {
    "ResourceClass": "it became DeviceClass (resource.k8s.io/v1)",
    "ResourceClassParameters": "its content moved into spec.selectors and spec.config of DeviceClass",
    "ResourceClaimParameters": "its content moved into the requests of ResourceClaim",
    "PodScheduling": "it became PodSchedulingContext, which is gone since 1.32",
}
"""Kinds of resource.k8s.io that are gone, and what took their place."""

_OTHER_RELEASES: Mapping[str, str] = {
    "workloadRef": "since 1.36 a pod names a PodGroup, in spec.schedulingGroup.podGroupName",
    "schedulingGroup": "1.35 has spec.workloadRef, which names a Workload and one of its groups",
    "nodeAllocatableResourceMappings": "since 1.37 it is nodeAllocatableResources",
    "nodeAllocatableResources": "1.36 has nodeAllocatableResourceMappings",
}
"""Fields that came or went while their feature stayed, and what other releases have instead."""

_OLD_CLAIM = (
    "since 1.31 a claim has requests: resourceClassName became deviceClassName, parametersRef became selectors, "
    "count and opaque config"
)


def version_notices(objects: Iterable[Taken], profile: Profile) -> Iterator[Problem]:
    """One warning for each version and kind that a server of this release would not know how to serve.

    Objects that a server gave are in the version that was asked for: nobody wrote it.
    """
    seen: dict[tuple[str, str], list[Taken]] = {}
    for taken in objects:
        if not taken.document.stored:
            seen.setdefault((taken.document.api_version, taken.info.kind), []).append(taken)
    for (api_version, kind), found in seen.items():
        how = served(api_version, kind, profile.release)
        if how == "always":
            continue
        first = found[0]
        others = served_versions(first.info, profile.release)
        always = [version for version in others if served(version, kind, profile.release) == "always"]
        message = (
            f"{api_version} {kind} is not served by Kubernetes {profile.release}"
            if how == "never"
            else f"{api_version} {kind} is served by Kubernetes {profile.release} only where it is switched on"
        )
        hint = f"use {(always or list(others))[0]}" if (always or others) and always != [api_version] else None
        hint = None if hint == f"use {api_version}" else hint
        yield first.subject.problem("warning", NOT_SERVED, message + _and_more(len(found) - 1), "apiVersion", hint)


def gate_notices(objects: Iterable[Taken], profile: Profile) -> Iterator[Problem]:
    """One warning for each gate that is off and whose fields were dropped; kinds that are hidden are told as such."""
    seen: dict[tuple[str, str], list[tuple[Taken, DroppedField]]] = {}
    for taken in objects:
        for field in taken.dropped if hidden(taken, profile) is None else ():
            seen.setdefault((field.gate, field.until), []).append((taken, field))
    for found in seen.values():
        first, field = found[0]
        others = len({taken.ref for taken, _ in found}) - 1
        yield dropped_notice(field, first.subject, profile, _and_more(others))


def dropped_notice(field: DroppedField, subject: Subject, profile: Profile, more: str = "") -> Problem:
    """The warning for a field that was dropped, because its gate is off or because the release has no such field."""
    place = field.path.replace("[]", "[0]")
    if field.until:
        return subject.problem("warning", UNKNOWN_FIELD, other_release(field, profile) + more, place, instead_of(field))
    message = f"{field.gate} is off in Kubernetes {profile.release}: {field.path} is dropped{more}"
    hint = f"--feature-gates {field.gate}=true" if _can_be_on(field.gate, profile) else None
    return subject.problem("warning", GATE_OFF, message, place, hint)


def other_release(field: DroppedField, profile: Profile) -> str:
    """That a release does not have a field, and which ones do."""
    if field.until == RELEASES[-1]:
        have = f"it came with {field.since}"
    else:
        have = f"only {field.until} had it" if field.since == field.until else f"it went after {field.until}"
    return f"Kubernetes {profile.release} has no field {field.path}: {have}"


def instead_of(field: DroppedField) -> str | None:
    """What other releases have in the place of a field."""
    return _OTHER_RELEASES.get(field.path.rpartition(".")[2])


def hidden(taken: Taken, profile: Profile) -> Problem | None:
    """The warning for an object of a kind that the release does not serve in any version, because its gate is off."""
    gate, kind = taken.info.gate, taken.info.kind
    if not gate or profile.enabled(gate):
        return None
    message = f"Kubernetes {profile.release} does not serve {kind} while {gate} is off"
    hint = f"--feature-gates {gate}=true" if _can_be_on(gate, profile) else None
    return taken.subject.problem("warning", NOT_SERVED, message, "kind", hint)


def _can_be_on(gate: str, profile: Profile) -> bool:
    """Whether switching the gate on, and nothing else, is allowed in this release."""
    return isinstance(release_profile(profile.release, f"{gate}=true"), Profile)


def _and_more(others: int) -> str:
    return f" (and in {others} more {'object' if others == 1 else 'objects'})" if others > 0 else ""


def unknown_version(document: Document) -> Problem | None:
    """The problem of a document of a group that dravite knows whole, in a version or kind that does not exist."""
    group = document.api_version.rpartition("/")[0]
    if is_other_kind(group, document.kind) or not (group in _GROUPS or is_whole(group) or "/" in group):
        return None
    info = known_kind(group, document.kind)
    name = f"{document.api_version} {document.kind}"
    subject = Subject(raw_ref(document, document.kind), document)
    if document.kind in _GONE:
        return subject.problem("error", UNKNOWN_VERSION, f"{name} is gone since 1.31: {_GONE[document.kind]}", "kind")
    if info is not None:
        versions = ", ".join(info.api_version(version) for version in info.types)
        more = f": {_OLD_CLAIM}" if document.api_version.endswith(("v1alpha1", "v1alpha2")) and "Claim" in name else ""
        return subject.problem(
            "error", UNKNOWN_VERSION, f"{name} does not exist{more}", "apiVersion", f"use {versions}"
        )
    meant = meant_by(document.kind)
    if meant is None:
        return subject.problem("error", UNKNOWN_VERSION, f"{name} does not exist", "kind")
    field = "apiVersion" if meant.kind == document.kind else "kind"
    same_group = meant.api_version.rpartition("/")[0] == group
    full = meant.kind if same_group else f"{meant.api_version} {meant.kind}"
    hint = f"use {meant.api_version}" if field == "apiVersion" else f"did you mean {full}?"
    return subject.problem("error", UNKNOWN_VERSION, f"{name} does not exist", field, hint)
