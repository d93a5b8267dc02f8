"""For which release and gates a running cluster is answered: its own, unless the user says otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from dravite.api.field import FieldError
from dravite.api.gates import GATES, RELEASES
from dravite.api.releases import Profile
from dravite.diagnosis.observations import GatesAssumed, Observation, OtherRelease, UnknownRelease
from dravite.live.discovery import Server
from dravite.live.faults import ClusterError
from dravite.live.gates import as_text, gates_in_use
from dravite.live.kubeconfig import Access
from dravite.live.lists import Listed
from dravite.planning.settings import planned_profile

_GROUPS: Final = ("AllAlpha", "AllBeta")
_OLDEST: Final = RELEASES[0]


class Wish(msgspec.Struct, frozen=True):
    """What the user said of the control plane: `--kubernetes`, `--feature-gates`; empty where nothing was said."""

    release: str = ""
    gates: str = ""


class Planned(msgspec.Struct, frozen=True):
    """The profile to answer for, and what a reader should know of how it came about."""

    profile: Profile
    observations: tuple[Observation, ...] = ()


def why_no_devices(server: Server, access: Access) -> ClusterError | None:
    """Why a server can have no devices to plan with; None where it can."""
    if any(one.resource.group == "resource.k8s.io" for one in server.served.values()):
        return None
    where = f"{access.server} (context {access.context!r}, Kubernetes {server.version})"
    hint = (
        "it is on by default since Kubernetes 1.34; 1.31 to 1.33 need the gate DynamicResourceAllocation in all"
        " components, and --runtime-config=resource.k8s.io/v1beta1=true (1.31: v1alpha3) in the API server"
    )
    if "resource.k8s.io" in server.groups:
        return ClusterError(f"{where} serves resource.k8s.io in no version that dravite knows", hint)
    return ClusterError(f"{where} has no Dynamic Resource Allocation: it serves no resource.k8s.io", hint)


def planned_for(
    server: Server, gates: Mapping[str, bool] | None, lists: Sequence[Listed], wish: Wish
) -> Planned | tuple[FieldError, ...]:
    """The profile for a server, or what is wrong with the wish.

    Raises:
        ClusterError: the server is older than any release known here, and the user named none.
    """
    release, seen = _release(server, wish)
    if wish.release and release != server.release:
        made = planned_profile(release, wish.gates)
        return Planned(made, seen) if isinstance(made, Profile) else made
    if gates is not None and not any(group in wish.gates for group in _GROUPS):
        known = {name: on for name, on in gates.items() if GATES[name].stage(release) != "-"}
        made = planned_profile(release, ",".join(filter(None, (as_text(known), wish.gates))))
        if isinstance(made, Profile):
            return Planned(made, seen)
    made = planned_profile(release, wish.gates)
    if not isinstance(made, Profile):
        return made
    return Planned(made, seen) if wish.gates else _with_gates_in_use(made, lists, seen)


def _release(server: Server, wish: Wish) -> tuple[str, tuple[Observation, ...]]:
    if wish.release:
        other = wish.release != server.release
        return wish.release, (OtherRelease(server.version, wish.release),) if other else ()
    if server.release in RELEASES:
        return server.release, ()
    if _number(server.release) > _number(RELEASES[-1]):
        return RELEASES[-1], (UnknownRelease(server.version, RELEASES[-1]),)
    message = f"Kubernetes {server.version} is older than {_OLDEST}, from which on devices are requested as today"
    raise ClusterError(message, f"--kubernetes {_OLDEST} answers for that release all the same")


def _number(release: str) -> tuple[int, ...]:
    return tuple(int(part) for part in release.split(".") if part.isdecimal())


def _with_gates_in_use(stock: Profile, lists: Sequence[Listed], seen: tuple[Observation, ...]) -> Planned:
    """The stock profile with the gates on that objects give away."""
    used = gates_in_use(lists, stock)
    made = planned_profile(stock.release, ",".join(f"{gate}=true" for gate in used)) if used else stock
    if not isinstance(made, Profile):
        return Planned(stock, (*seen, GatesAssumed(stock.release)))
    return Planned(made, (*seen, GatesAssumed(stock.release, used)))
