"""Options and surroundings that all tests share."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")  # how fast a machine is at the moment decides nothing


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite", action="store_true", help="write what commands print into scenarios and documents")


@pytest.fixture(autouse=True, scope="session")
def _no_terminal() -> Iterator[None]:
    """Whoever runs the tests may have a terminal of any width; a test that wants one says so."""
    with pytest.MonkeyPatch.context() as surroundings:
        for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR"):
            surroundings.delenv(name, raising=False)
        yield


@pytest.fixture(autouse=True, scope="session")
def _ctrl_c_is_heard() -> Iterator[None]:
    """A shell that runs the tests in the background lets them ignore Ctrl-C, and so would all that they start."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
