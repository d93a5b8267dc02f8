"""Versions that a release does not serve or will drop, and fields whose gate is off: one finding per object."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from dravite.admission.notices import GATE_OFF, instead_of, other_release, version_notices
from dravite.admission.problems import UNKNOWN_FIELD, Subject
from dravite.admission.reading import LOST, Taken
from dravite.api.document import Problem
from dravite.api.field_history import absent_fields
from dravite.api.gated_fields import DroppedField
from dravite.api.gates import GATES
from dravite.api.json_text import plain_json
from dravite.api.registry import deprecation, served, served_versions
from dravite.api.releases import Profile
from dravite.api.releases import profile as release_profile
from dravite.lint.finding import finding

OFF_BY_DEFAULT: Final = "version-off-by-default"
DEPRECATED: Final = "version-deprecated"
_KIND_GATES: Final[Mapping[str, tuple[str, ...]]] = {
    "Workload": ("GenericWorkload",),
    "PodGroup": ("GenericWorkload",),
    "CompositePodGroup": ("GenericWorkload", "TopologyAwareWorkloadScheduling", "CompositePodGroup"),
}
"""Kinds that no version serves while their gates are off (1.1)."""

SKIPPED: Final = ("exactly", "basic")
"""Steps of newest paths that older texts do not have."""


def version_problems(taken: Taken, profile: Profile) -> Iterator[Problem]:
    """What is to be said of the version that an object is written in."""
    api_version, kind = taken.document.api_version, taken.info.kind
    how = served(api_version, kind, profile.release)
    for notice in version_notices((taken,), profile):
        if how == "never":
            yield msgspec.structs.replace(notice, severity="error")
        else:
            yield msgspec.structs.replace(notice, type=OFF_BY_DEFAULT, hint=notice.hint or _switches(kind, profile))
    warning = deprecation(api_version, kind, profile.release) if how != "never" else None
    if warning is not None:
        others = [one for one in served_versions(taken.info, profile.release) if one != api_version]
        hint = f"use {others[0]}; `dravite convert --to {others[0]}` does it" if others else None
        yield finding(taken.subject, DEPRECATED, warning, "apiVersion", hint)


def _switches(kind: str, profile: Profile) -> str | None:
    """What serves a kind that has no version which is always served."""
    gates = [gate for gate in _KIND_GATES.get(kind, ()) if not profile.enabled(gate)]
    return f"the gate{'s' if len(gates) > 1 else ''} {', '.join(gates)} must be on, too" if gates else None


def gate_problems(subject: Subject, dropped: Iterable[DroppedField], profile: Profile) -> Iterator[Problem]:
    """What a server of the profile would drop from the object without a word."""
    for field in dropped:
        place = first_place(subject, field.path)
        if field.until:
            yield finding(subject, UNKNOWN_FIELD, other_release(field, profile), place, instead_of(field))
            continue
        message = f"{field.gate} is off in Kubernetes {profile.release}: {field.path} is dropped"
        yield finding(subject, GATE_OFF, message, place, _how_to_switch_on(field.gate, profile))


def _how_to_switch_on(gate: str, profile: Profile) -> str | None:
    """None where the release cannot have the gate on."""
    gates = [gate]
    for one in gates:
        known = (need for need in GATES[one].needs if GATES[need].stage(profile.release) != "-")
        gates += [need for need in known if need not in gates]
    if not isinstance(release_profile(profile.release, _all_on(gates)), Profile):
        return None
    off = [one for one in gates if not profile.enabled(one)]
    return f"--feature-gates {_all_on(off)} answers for a cluster that has {'them' if len(off) > 1 else 'it'} on"


def _all_on(gates: Iterable[str]) -> str:
    return ",".join(f"{gate}=true" for gate in gates)


def is_kept(problem: Problem, taken: Taken, profile: Profile) -> bool:
    """Whether something that the newest version cannot say is lost: not by a release that serves the old one.

    Unless the release took the field out of the old version, too.
    """
    if problem.type != LOST or served(taken.document.api_version, taken.info.kind, profile.release) == "never":
        return True
    name = (problem.field or "").rpartition(".")[2]
    return any(name in names for names in absent_fields(profile.release).values())


def having(kind: str, profile: Profile) -> Profile:
    """The profile of a server that has objects of a kind: with the gates on that the kind needs, if the release can."""
    gates = _KIND_GATES.get(kind, ())
    if all(map(profile.enabled, gates)):
        return profile
    found = release_profile(profile.release, _all_on(gates))
    return Profile(profile.release, profile.gates | found.gates) if isinstance(found, Profile) else profile


def first_place(subject: Subject, path: str) -> str:
    """The first place in the object's text that a path with `[]` for any item can mean."""
    raw = plain_json(subject.document.body)
    outer = tuple(filter(None, subject.full_path("").replace("[", ".[").split(".")))
    for step in outer:
        raw = _inside(raw, step)
    found = _walk(raw, tuple(path.split(".")), "")
    return path.replace("[]", "[0]") if found is None else found


def _inside(raw: Any, step: str) -> Any:
    if step.startswith("["):
        index = step.strip("[]")
        return raw[int(index)] if isinstance(raw, list) and index.isdecimal() and int(index) < len(raw) else None
    return raw.get(step) if isinstance(raw, dict) else None


def _walk(raw: Any, steps: tuple[str, ...], done: str) -> str | None:
    if not steps:
        return done
    step, rest = steps[0], steps[1:]
    name = step.removesuffix("[]")
    if not isinstance(raw, dict):
        return None
    if name not in raw:
        return _walk(raw, rest, done) if name in SKIPPED and rest else None
    here = f"{done}.{name}" if done else name
    if name == step:
        return _walk(raw[name], rest, here)
    items = raw[name].items() if isinstance(raw[name], dict) else enumerate(raw[name] or ())
    found = (_walk(item, rest, f"{here}[{key}]") for key, item in items)
    return next((place for place in found if place is not None), None)
