"""Plan and explain Kubernetes Dynamic Resource Allocation.

    import dravite

    manifests = dravite.read(["cluster/", "jobs/"])
    plan = dravite.make_plan(dravite.build_snapshot(manifests))

The names below are in reading order. Each is loaded when it is first used, so importing the package costs nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dravite.api.document import Problem
    from dravite.api.meta import ObjectRef
    from dravite.api.releases import Profile
    from dravite.diagnosis.verdicts import (
        Aborted,
        BudgetSpent,
        GroupDecision,
        PodDecision,
        Scheduled,
        Unschedulable,
        Waiting,
    )
    from dravite.explain import explain as explain_pod
    from dravite.explain import explain_group
    from dravite.explain.explanation import Explanation
    from dravite.explain.groups.explanation import GroupExplanation
    from dravite.planning.plan import Plan
    from dravite.planning.planner import make_plan
    from dravite.planning.settings import Settings, planned_profile
    from dravite.planning.whatif import PodChange, Supposition, WhatIf, what_if
    from dravite.snapshot.manifests import Manifests
    from dravite.snapshot.snapshot import Snapshot
    from dravite.snapshot.snapshot import build as build_snapshot
    from dravite.sources.manifests import read_manifests as read
    from dravite.sources.objects import read_objects

__version__ = "0.1.0"

_HOMES = {
    "read": "dravite.sources.manifests:read_manifests",
    "read_objects": "dravite.sources.objects:read_objects",
    "planned_profile": "dravite.planning.settings:planned_profile",
    "build_snapshot": "dravite.snapshot.snapshot:build",
    "make_plan": "dravite.planning.planner:make_plan",
    "what_if": "dravite.planning.whatif:what_if",
    "explain_pod": "dravite.explain:explain",
    "explain_group": "dravite.explain:explain_group",
    "Manifests": "dravite.snapshot.manifests:Manifests",
    "Problem": "dravite.api.document:Problem",
    "Profile": "dravite.api.releases:Profile",
    "Snapshot": "dravite.snapshot.snapshot:Snapshot",
    "Settings": "dravite.planning.settings:Settings",
    "Plan": "dravite.planning.plan:Plan",
    "Supposition": "dravite.planning.whatif:Supposition",
    "WhatIf": "dravite.planning.whatif:WhatIf",
    "PodChange": "dravite.planning.whatif:PodChange",
    "ObjectRef": "dravite.api.meta:ObjectRef",
    "PodDecision": "dravite.diagnosis.verdicts:PodDecision",
    "Scheduled": "dravite.diagnosis.verdicts:Scheduled",
    "Unschedulable": "dravite.diagnosis.verdicts:Unschedulable",
    "Aborted": "dravite.diagnosis.verdicts:Aborted",
    "Waiting": "dravite.diagnosis.verdicts:Waiting",
    "BudgetSpent": "dravite.diagnosis.verdicts:BudgetSpent",
    "GroupDecision": "dravite.diagnosis.verdicts:GroupDecision",
    "Explanation": "dravite.explain.explanation:Explanation",
    "GroupExplanation": "dravite.explain.groups.explanation:GroupExplanation",
}

__all__ = [
    "Aborted",
    "BudgetSpent",
    "Explanation",
    "GroupDecision",
    "GroupExplanation",
    "Manifests",
    "ObjectRef",
    "Plan",
    "PodChange",
    "PodDecision",
    "Problem",
    "Profile",
    "Scheduled",
    "Settings",
    "Snapshot",
    "Supposition",
    "Unschedulable",
    "Waiting",
    "WhatIf",
    "build_snapshot",
    "explain_group",
    "explain_pod",
    "make_plan",
    "planned_profile",
    "read",
    "read_objects",
    "what_if",
]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        message = f"module 'dravite' has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module

    module, _, attribute = home.partition(":")
    found: object = getattr(import_module(module), attribute)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
