"""For tests of other projects: a control plane per test.

    from dravite.testing import control_plane

    def test_my_driver(control_plane):
        publish_slices(kubeconfig=control_plane.kubeconfig)

Needs pytest and the packages of `dravite[server]`.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dravite.embedded import Habits, Running, Work, start

__all__ = ["control_plane"]


@pytest.fixture
def control_plane() -> Iterator[Running]:
    """A control plane of the newest release in memory, on a port of its own; `kubeconfig` leads to it.

    Its controllers and scheduler work, and pods that have a node run, though nothing is run.
    """
    with start(work=Work(kubelets=Habits())) as running:
        yield running
