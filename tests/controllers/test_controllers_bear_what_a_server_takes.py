"""Objects that a server takes and that say little or nothing where controllers look: none of them is brought down."""

from __future__ import annotations

from typing import Any

import pytest

from dravite.api.releases import newest_profile
from dravite.controllers.kubelets import Habits
from dravite.controllers.roster import controllers_for
from dravite.controllers.runner import Runner
from tests.controllers.servers import World

PODS = "/api/v1/namespaces/default/pods"


def there() -> World:
    made = World(newest_profile())
    made.runner = Runner(made.client, controllers_for(newest_profile(), kubelets=Habits()), lambda: made.now)
    return made


@pytest.mark.parametrize(
    "given",
    [
        {"metadata": {"name": "p", "labels": None}, "spec": {"nodeName": "n1", "containers": [{"image": "i"}]}},
        {"metadata": {"name": "p", "labels": {"a": None}}, "spec": {"nodeName": "n1", "containers": None}},
        {"metadata": {"name": "p", "ownerReferences": []}, "spec": {"containers": [{"name": None}]}},
        {"metadata": {"name": "p", "annotations": {"a": None}}, "spec": {"containers": [None]}},
        {"metadata": {"name": "p", "finalizers": []}, "spec": {"nodeName": "n1", "restartPolicy": "Never"}},
        {"metadata": {"name": "p"}, "spec": {"nodeName": "n1"}, "status": {"conditions": [{}, None]}},
        {"metadata": {"name": "p"}, "spec": {"resourceClaims": [{"name": None}], "tolerations": [None]}},
        {"metadata": {"name": "p"}},
    ],
)
def test_a_pod_that_says_little(given: dict[str, Any]) -> None:
    world = there()
    world.ask("POST", PODS, given)
    world.wait(60)
    world.ask("DELETE", f"{PODS}/p")
    world.wait(60)


def test_a_node_that_says_nothing_of_itself() -> None:
    world = there()
    status = {"capacity": None, "conditions": [{"type": None}]}
    world.ask("POST", "/api/v1/nodes", {"metadata": {"name": "n1"}, "status": status})
    world.wait(60)
    node = world.get("Node", "n1")
    assert node is not None
    assert {"Ready"} <= {one.get("type") for one in node["status"]["conditions"]}
