"""The form in which a server of a release works on an object, and the way to it and back.

That is the hub, except where a release had no other version of a kind than one that the hub cannot hold: all kinds of
resource.k8s.io in 1.31, and groups of pods before 1.37.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from dravite.api import resource_v1alpha3, scheduling_v1alpha1, scheduling_v1alpha2, scheduling_v1beta1
from dravite.api.convert import from_hub, to_hub
from dravite.api.meta import Model
from dravite.api.releases import Profile

_OWN_FORM: Final[Mapping[str, frozenset[type[Model]]]] = {
    "1.31": frozenset(
        {
            resource_v1alpha3.DeviceClass,
            resource_v1alpha3.PodSchedulingContext,
            resource_v1alpha3.ResourceClaim,
            resource_v1alpha3.ResourceClaimTemplate,
            resource_v1alpha3.ResourceSlice,
        }
    ),
    "1.35": frozenset({scheduling_v1alpha1.Workload}),
    "1.36": frozenset({scheduling_v1alpha2.PodGroup, scheduling_v1alpha2.Workload}),
}

_GROUPS: Final = (scheduling_v1beta1.PodGroup, scheduling_v1beta1.Workload)


def to_internal(obj: Model, profile: Profile) -> Model:
    """The object in the form of the release; defaults are filled in before, as they belong to versions.

    A group in a version that the release does not have is brought to its form, too, if there is one.
    """
    own = _OWN_FORM.get(profile.release, frozenset())
    if type(obj) not in own:
        return _group_in_form(to_hub(obj).object, own)
    if isinstance(obj, resource_v1alpha3.ResourceClaim):
        return msgspec.structs.replace(obj, spec=_without_false(obj.spec))
    if isinstance(obj, resource_v1alpha3.ResourceClaimTemplate):
        spec = msgspec.structs.replace(obj.spec, spec=_without_false(obj.spec.spec))
        return msgspec.structs.replace(obj, spec=spec)
    return obj


def _group_in_form(hub: Model, own: frozenset[type[Model]]) -> Model:
    form = next((form for form in own if type(hub) in _GROUPS and form.__name__ == type(hub).__name__), None)
    return hub if form is None else from_hub(hub, form().api_version).object  # type: ignore[attr-defined]


def _without_false(spec: resource_v1alpha3.ResourceClaimSpec) -> resource_v1alpha3.ResourceClaimSpec:
    """1.31 did not tell `adminAccess: false` from nothing."""
    requests = tuple(
        request if request.admin_access else msgspec.structs.replace(request, admin_access=None)
        for request in spec.devices.requests
    )
    return msgspec.structs.replace(spec, devices=msgspec.structs.replace(spec.devices, requests=requests))


def from_internal(obj: Model, api_version: str) -> Model:
    """The object in a version, from the form of its release.

    Raises:
        ValueError: the kind does not exist in that version.
    """
    return obj if obj.api_version == api_version else from_hub(obj, api_version).object  # type: ignore[attr-defined]
