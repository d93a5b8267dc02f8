"""How a plan is made: the release it is made for and how hard it is tried."""

from __future__ import annotations

from typing import Final

import msgspec

from dravite.api.field import FieldError
from dravite.api.releases import DRA, NEWEST, Profile, profile, profile_with_dra
from dravite.scheduler.node_choice import Limits
from dravite.scheduler.node_search import Breadth

GATE = DRA


class Settings(msgspec.Struct, frozen=True):
    """How hard a plan is tried.

    Attributes:
        budget: steps that the search for devices may take on one node; None for the allocator's own limit.
        breadth: `as-kubernetes` stops looking in large clusters once enough nodes are found; `all-nodes` never does.
        seed: which of equally good nodes and domains is taken; 0 for those that Kubernetes takes most likely.
        gangs: kinds of workloads, in lower case, that are taken as gangs.
    """

    budget: int | None = None
    breadth: Breadth = "as-kubernetes"
    seed: int = 0
    gangs: tuple[str, ...] = ()

    @property
    def limits(self) -> Limits:
        """The same for one attempt."""
        return Limits(self.budget, self.breadth, self.seed)


NO_SETTINGS: Final = Settings()


def planned_profile(release: str = NEWEST, feature_gates: str = "") -> Profile | tuple[FieldError, ...]:
    """The profile that a plan is made for: DynamicResourceAllocation is on unless the gates say otherwise.

    Whether the release has it off by itself is told by a note of the plan.
    """
    return profile_with_dra(release, feature_gates)


def is_off_by_default(made_for: Profile) -> bool:
    """Whether the release has DynamicResourceAllocation off until somebody turns it on."""
    stock = profile(made_for.release)
    return isinstance(stock, Profile) and not stock.enabled(GATE)
