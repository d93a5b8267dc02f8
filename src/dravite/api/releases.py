"""Which Kubernetes is meant: a release and the feature gates that are on in it.

Reads `--feature-gates` as Kubernetes' components do. It says what is on; `gated_fields` knows what a gate drops.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import msgspec

from dravite.api.field import ErrorType, FieldError, keyed
from dravite.api.gates import FEATURES, GATES, IMPLIED, RELEASES, UNRELATED_GATES
from dravite.api.near import nearest

NEWEST: Final = RELEASES[-1]
DRA: Final = "DynamicResourceAllocation"

_RELEASE: Final = re.compile(r"v?(\d+\.\d+)(?:\.\d+)?\Z")
_GROUPS: Final[Mapping[str, tuple[str, ...]]] = {"AllAlpha": ("A",), "AllBeta": ("b", "B")}
_ON: Final = ("B", "G", "GL")
_TRUE: Final = frozenset({"1", "t", "T", "true", "TRUE", "True"})
_FALSE: Final = frozenset({"0", "f", "F", "false", "FALSE", "False"})
_CHECKS_NEEDS_SINCE: Final = "1.35"


class Profile(msgspec.Struct, frozen=True):
    """A release and all gates that are on, by whatever means.

    Attributes:
        release: `1.31` … `1.37`.
        gates: every gate that is on; in releases where one gate was part of another, both.
    """

    release: str
    gates: frozenset[str]

    def enabled(self, gate: str) -> bool:
        """Whether a gate is on; a gate that the release does not have is off."""
        return gate in self.gates

    def is_at_least(self, release: str) -> bool:
        """Whether this is that release or a later one; both must be known."""
        return RELEASES.index(self.release) >= RELEASES.index(release)

    @property
    def features(self) -> frozenset[str]:
        """The allocator's features: those whose gates are all on."""
        return _features(self.gates)


@lru_cache(maxsize=64)
def _features(on: frozenset[str]) -> frozenset[str]:
    return frozenset(feature for feature, gates in FEATURES.items() if on.issuperset(gates))


def profile(release: str = NEWEST, feature_gates: str = "") -> Profile | tuple[FieldError, ...]:
    """The profile of a stock release with some gates set, or everything that is wrong with the two.

    `release` may carry a `v` and a patch number. `feature_gates` is `A=true,B=false`, with `AllAlpha` and `AllBeta`
    for every gate of a stage that is not set by name. The texts are those of Kubernetes' component-base.
    """
    match = _RELEASE.match(release.strip())
    if match is None or match.group(1) not in RELEASES:
        detail = f"supported values: {', '.join(RELEASES)}"
        return (FieldError(type=ErrorType.NOT_SUPPORTED, field="kubernetes", value=release, detail=detail),)
    number = match.group(1)
    wanted, errors = _parse(feature_gates)
    errors = (*errors, *(error for name, on in wanted.items() if (error := _why_not_settable(name, number, on=on))))
    if errors:
        return errors
    result = Profile(number, _switched_on(number, wanted))
    return _unmet_needs(result) or result


def profile_with_dra(release: str = NEWEST, feature_gates: str = "") -> Profile | tuple[FieldError, ...]:
    """As `profile`, with DynamicResourceAllocation on unless the gates say otherwise: who asks has it on."""
    named = {item.partition("=")[0].strip() for item in feature_gates.split(",")}
    if DRA in named:
        return profile(release, feature_gates)
    with_gate = profile(release, ",".join(filter(None, (feature_gates, f"{DRA}=true"))))
    return with_gate if isinstance(with_gate, Profile) else profile(release, feature_gates)


def newest_profile() -> Profile:
    """A stock control plane of the newest release."""
    return Profile(NEWEST, _switched_on(NEWEST, {}))


def _parse(text: str) -> tuple[Mapping[str, bool], tuple[FieldError, ...]]:
    wanted: dict[str, bool] = {}
    errors = []
    for item in filter(None, text.split(",")):
        name, equals, value = (part.strip() for part in item.partition("="))
        if not equals:
            errors.append(_error(name, item, f"missing bool value for {name}"))
        elif value not in _TRUE and value not in _FALSE:
            errors.append(_error(name, value, f"invalid value of {name}={value}: must be true or false"))
        else:
            wanted[name] = value in _TRUE
    return wanted, tuple(errors)


def _why_not_settable(name: str, release: str, *, on: bool) -> FieldError | None:
    if name in _GROUPS or name in UNRELATED_GATES:
        return None
    gate = GATES.get(name)
    stage = gate.stage(release) if gate else "-"
    if stage == "GL" and not on:
        return _error(name, "false", f"cannot set feature gate {name} to false, feature is locked to true")
    if stage == "-":
        return _error(name, str(on).lower(), f"unrecognized feature gate: {name}{_remark(name)}")
    return None


def _remark(name: str) -> str:
    """What the user may have meant by a gate that the release does not have."""
    if name in GATES:
        known = [release for release in RELEASES if GATES[name].stage(release) != "-"]
        return f" (it exists in {known[0]} to {known[-1]})" if len(known) > 1 else f" (it exists only in {known[0]})"
    near = nearest(name, (*GATES, *_GROUPS, *sorted(UNRELATED_GATES)), cutoff=0.75)
    return f" (did you mean {near}?)" if near else ""


def _switched_on(release: str, wanted: Mapping[str, bool]) -> frozenset[str]:
    gates = {name: gate.stage(release) in _ON for name, gate in GATES.items()}
    for group, stages in _GROUPS.items():
        if group in wanted:
            gates.update({name: wanted[group] for name, gate in GATES.items() if gate.stage(release) in stages})
    gates.update({name: on for name, on in wanted.items() if name not in _GROUPS})
    gates.update({gate: True for switch, gate, releases in IMPLIED if release in releases and gates[switch]})
    return frozenset(name for name, on in gates.items() if on)


def _unmet_needs(made: Profile) -> tuple[FieldError, ...]:
    """Gates that are on without the gates that they need. Components refuse to start so since 1.35."""
    if not made.is_at_least(_CHECKS_NEEDS_SINCE):
        return ()
    errors = []
    for name, gate in GATES.items():
        missing = [need for need in gate.needs if not made.enabled(need)]
        if missing and made.enabled(name):
            detail = f"{name} is enabled, but depends on features that are disabled: [{' '.join(missing)}]"
            errors.append(_error(name, "true", detail))
    return tuple(errors)


def _error(name: str, value: str, detail: str) -> FieldError:
    return FieldError(type=ErrorType.INVALID, field=keyed("featureGates", name), value=value, detail=detail)
