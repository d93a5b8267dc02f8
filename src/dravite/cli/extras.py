"""What comes with an extra and is not installed: said before anything of it is imported."""

from __future__ import annotations

from importlib.util import find_spec

from dravite.cli.dispatch import NoAnswer


def need(extra: str, message: str, *, installed: bool) -> None:
    """Raises `NoAnswer` where what comes with an extra is missing; `message` says what is wanted of it."""
    if not installed:
        raise NoAnswer(message, f"pip install 'dravite[{extra}]'")


def need_client() -> None:
    """Raises `NoAnswer` where the library is missing over which clusters are read."""
    message = "a running cluster is read over lightkube, which is not installed"
    need("live", message, installed=find_spec("lightkube") is not None)
