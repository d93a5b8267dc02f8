"""The examples, applied to a server with controllers, end up where `plan` says, with the same devices."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import dravite
from dravite.api.releases import newest_profile
from dravite.controllers.roster import controllers_for
from dravite.controllers.runner import Runner
from dravite.controllers.view import Item, View
from dravite.embedded.loading import load
from dravite.sources import read
from tests.controllers.servers import World

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = [str(EXAMPLES / "cluster"), str(EXAMPLES / "jobs")]

Placed = tuple[str, tuple[str, ...]]
"""A node, and the devices there."""


def planned() -> Counter[Placed]:
    plan = dravite.make_plan(dravite.build_snapshot(dravite.read(FILES)))
    return Counter(
        (
            decision.decision.node if isinstance(decision.decision, dravite.Scheduled) else "",
            tuple(
                sorted(
                    f"{result.pool}/{result.device}"
                    for claim in decision.claims
                    for result in (claim.allocation.devices.results if claim.allocation else ())
                )
            ),
        )
        for decision in plan.decisions
    )


def placed(view: View, before: frozenset[str]) -> Counter[Placed]:
    return Counter(_placed(view, pod) for pod in view.of("Pod") if pod.uid not in before)


def _placed(view: View, pod: Item) -> Placed:
    devices = []
    for status in pod.plain["status"].get("resourceClaimStatuses") or ():
        claim = view.get("ResourceClaim", pod.namespace, status["resourceClaimName"])
        allocation = ((claim.plain.get("status") or {}).get("allocation") or {}) if claim is not None else {}
        devices += [f"{one['pool']}/{one['device']}" for one in (allocation.get("devices") or {}).get("results") or ()]
    return pod.plain["spec"].get("nodeName", ""), tuple(sorted(devices))


def test_the_examples_run_where_plan_says() -> None:
    there = World(newest_profile())
    there.runner = Runner(there.client, controllers_for(newest_profile()), lambda: there.now)
    assert [refused.name for refused in load(there.server, read(FILES, b""), "default")] == []
    running = frozenset(one["metadata"]["uid"] for one in there.all("Pod") if one["spec"].get("nodeName"))
    assert running
    there.wait(30)
    assert placed(there.runner.view, running) == planned()
    assert sum(node != "" for node, _ in planned().elements()) == 3
