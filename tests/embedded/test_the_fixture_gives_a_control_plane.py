from __future__ import annotations

from dravite.embedded import Running
from dravite.testing import control_plane  # noqa: F401 (a fixture)


def test_it_is_ready(control_plane: Running) -> None:  # noqa: F811 (the fixture)
    assert control_plane.url.startswith("https://127.0.0.1:")
    assert control_plane.kubeconfig.exists()
