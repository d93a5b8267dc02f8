"""Which controllers are at work on a server, in the order in which they act at the same moment."""

from __future__ import annotations

from collections.abc import Iterator

from dravite.api.releases import Profile
from dravite.controllers.device_taints import DeviceTaints
from dravite.controllers.disruption import Disruption
from dravite.controllers.expired_events import ExpiredEvents
from dravite.controllers.explaining import Explaining
from dravite.controllers.garbage import GarbageCollector
from dravite.controllers.group_protection import GroupProtection
from dravite.controllers.kubelets import Habits, Kubelets
from dravite.controllers.node_taints import NodeTaintEvictions
from dravite.controllers.pool_status import PoolStatus
from dravite.controllers.quotas import Quotas
from dravite.controllers.runner import Controller
from dravite.controllers.scheduling import Scheduling
from dravite.controllers.workloads import Workloads


def controllers_for(
    profile: Profile, *, seed: str = "", kubelets: Habits | None = None, explains: bool = True
) -> tuple[Controller, ...]:
    """All controllers of a release; stand-ins for kubelets only where it is said how they behave.

    Pods that are refused are explained in dravite's own words unless that is not wanted. Without a seed claims have
    names that can be foretold.
    """
    scheduling = Scheduling(profile, seed=seed)
    stand_ins = (Kubelets(kubelets),) if kubelets is not None else ()
    return (
        scheduling,
        *stand_ins,
        Workloads(profile),
        NodeTaintEvictions(lambda: scheduling.snapshot),
        *_gated(profile, scheduling),
        Disruption(),
        Quotas(profile),
        GarbageCollector(),
        ExpiredEvents(),
        *((Explaining(lambda: scheduling.snapshot),) if explains else ()),
    )


def _gated(profile: Profile, scheduling: Scheduling) -> Iterator[Controller]:
    """The controllers of features that may be off."""
    if profile.enabled("DRADeviceTaints"):
        yield DeviceTaints(profile, lambda: scheduling.snapshot)
    if profile.enabled("GenericWorkload"):
        yield GroupProtection()
    if profile.enabled("DRAResourcePoolStatus"):
        yield PoolStatus(profile)
