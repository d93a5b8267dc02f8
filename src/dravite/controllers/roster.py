"""Which controllers are at work on a server, in the order in which they act at the same moment."""

from __future__ import annotations

from dravite.api.releases import Profile
from dravite.controllers.kubelets import Habits, Kubelets
from dravite.controllers.runner import Controller
from dravite.controllers.scheduling import Scheduling
from dravite.rehearsal.world import Terms


def controllers_for(
    profile: Profile, *, terms: Terms | None = None, kubelets: Habits | None = None
) -> tuple[Controller, ...]:
    """All controllers of a release; stand-ins for kubelets only where it is said how they behave."""
    scheduling = Scheduling(profile, terms)
    return (scheduling, *((Kubelets(kubelets),) if kubelets is not None else ()))
