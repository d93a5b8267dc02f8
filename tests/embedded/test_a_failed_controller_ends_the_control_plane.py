"""A control plane whose controllers have failed does not live on in silence."""

from __future__ import annotations

import threading

import pytest

from dravite.controllers.runner import Runner
from dravite.embedded import start


def test_the_end_tells_why(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = threading.Event()

    def step(_: Runner) -> bool:
        failed.set()
        message = "no such luck"
        raise LookupError(message)

    monkeypatch.setattr(Runner, "step", step)
    running = start()
    assert failed.wait(60)
    with pytest.raises(LookupError, match="no such luck"):
        running.stop()
